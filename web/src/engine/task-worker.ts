/** One of the workers behind the engine. */
import { serveWebWorker } from "graphdos";

serveWebWorker();
