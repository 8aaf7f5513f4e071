/** Every task that a worker can be asked for, of all rooms. */
import { countTask } from "./baseline/count-task.js";
import { walkProductTask, walkSquareTask } from "./baseline/labelled-walks.js";
import { traceTask } from "./baseline/trace-task.js";
import type { Task } from "./compute/executor.js";
import { foldTask } from "./experiment/evaluation-unit.js";
import { exactTask } from "./kernel/exact-mmd.js";
import { fitTask } from "./model/fit-unit.js";
import { landmarkTask, witnessTask } from "./signature/landmark-tasks.js";
import { selfProductTask } from "./signature/self-products.js";
import { vectorTask } from "./signature/vector-distances.js";
import { profileTask } from "./spectrum/profiles.js";
import { probeBlockTask, sampleBlockTask } from "./spectrum/remote-blocks.js";
import { stepTask } from "./spectrum/step-runner.js";

export const tasks = [
  profileTask,
  stepTask,
  probeBlockTask,
  sampleBlockTask,
  vectorTask,
  exactTask,
  selfProductTask,
  landmarkTask,
  witnessTask,
  foldTask,
  countTask,
  traceTask,
  walkProductTask,
  walkSquareTask,
  fitTask,
] as unknown as readonly Task<never, unknown>[];
