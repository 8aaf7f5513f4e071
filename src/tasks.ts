/** Every task that a worker can be asked for, of all rooms. */
import type { Task } from "./compute/executor.js";
import { profileTask } from "./spectrum/profiles.js";
import { stepTask } from "./spectrum/step-runner.js";

export const tasks = [profileTask, stepTask] as unknown as readonly Task<never, unknown>[];
