/** Every task that a worker can be asked for, of all rooms. */
import { countTask } from "./baseline/count-task.js";
import { deepTask } from "./baseline/deep-task.js";
import { labelledTask } from "./baseline/labelled-task.js";
import { walkProductTask, walkSquareTask } from "./baseline/labelled-walks.js";
import { traceTask } from "./baseline/trace-task.js";
import type { Task } from "./compute/executor.js";
import { foldTask } from "./experiment/evaluation-unit.js";
import { sizeTask } from "./experiment/size-alone.js";
import { exactTask } from "./kernel/exact-mmd.js";
import { fitTask } from "./model/fit-unit.js";
import { fourierTask } from "./signature/fourier.js";
import { landmarkTask, witnessTask } from "./signature/landmark-tasks.js";
import { selfProductTask } from "./signature/self-products.js";
import { vectorTask } from "./signature/vector-distances.js";
import { walkTask } from "./signature/walks.js";
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
  walkTask,
  fourierTask,
  landmarkTask,
  witnessTask,
  foldTask,
  sizeTask,
  countTask,
  deepTask,
  labelledTask,
  traceTask,
  walkProductTask,
  walkSquareTask,
  fitTask,
] as unknown as readonly Task<never, unknown>[];
