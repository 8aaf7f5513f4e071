/** How much memory there is: that of the machine, or what a container (cgroup) leaves of it. */
import { totalmem } from "node:os";

/** Most of it, so that the system and other programs keep theirs. */
const SHARE = 0.9;

export function machineMemory(): number {
  // the limit of the cgroup; 0 or more than there is where none is set
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

export const defaultMemoryLimit = () => Math.floor(SHARE * machineMemory());
