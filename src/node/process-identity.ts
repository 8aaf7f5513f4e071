/**
 * Which process this is, and whether another one still lives. A process number means something in one namespace of one boot of one
 * machine only, and is given again: two containers may have the same host name and the same number 1. So a process is known by
 *
 *   place   hash of host name, boot and namespace of process numbers
 *   pid     its number there
 *   born    when it was started, in ticks since the boot ("" where the system does not say)
 */
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

export interface ProcessIdentity {
  place: string;
  pid: number;
  born: string;
}

function orNothing(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}

const boot = orNothing(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
const namespace = orNothing(() => readlinkSync("/proc/self/ns/pid"));

/** Where process numbers mean what they mean here. */
export const PLACE = createHash("sha256")
  .update(`${hostname()} ${boot} ${namespace}`)
  .digest("hex")
  .slice(0, 8);

/** Field 22 of /proc/PID/stat; the second is a name in brackets that may hold spaces. */
const bornAt = (pid: number) =>
  orNothing(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  });

export const thisProcess = (): ProcessIdentity => ({
  place: PLACE,
  pid: process.pid,
  born: bornAt(process.pid),
});

/** null: it is of another place, where nobody can tell from here. */
export function stillLives({ place, pid, born }: ProcessIdentity): boolean | null {
  if (place !== PLACE) return null;
  return isAlive(pid) && bornAt(pid) === born;
}

/** Whether a process of this number lives in this place. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
