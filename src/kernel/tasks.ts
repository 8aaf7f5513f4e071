/** The tasks of signatures and kernels that a worker must know. */
import { landmarkTask, witnessTask } from "../signature/landmark-tasks.js";
import { selfProductTask } from "../signature/self-products.js";
import { vectorTask } from "../signature/vector-distances.js";
import { exactTask } from "./exact-mmd.js";

export const kernelTasks = [selfProductTask, landmarkTask, witnessTask, vectorTask, exactTask];
