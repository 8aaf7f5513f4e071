/**
 * The script of every worker but that of layouts: the engine, and the workers that it starts for its work units. One file for both, since
 * the tasks are part of what the engine can do: the page loads it once.
 */
import { serveWebWorker } from "graphdos";
import { TASK_WORKER } from "./executor.js";
import { serveEngine } from "./service.js";

if (self.name === TASK_WORKER) serveWebWorker();
else serveEngine();
