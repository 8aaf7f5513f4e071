import { serveWebWorker } from "../../../src/index.js";

serveWebWorker();
