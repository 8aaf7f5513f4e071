/** Every task that a worker can be asked for, of all rooms. */
import type { Task } from "./compute/executor.js";
import { foldTask } from "./experiment/evaluation-unit.js";
import { exactTask } from "./kernel/exact-mmd.js";
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
] as unknown as readonly Task<never, unknown>[];
