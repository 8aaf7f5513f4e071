/** Small file systems in memory, where this process may mount them. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";

export const canMount =
  process.platform === "linux" &&
  spawnSync("unshare", ["-m", "mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", tmpdir()]).status === 0;

/** For the name of a suite that is skipped. */
export const noMount = canMount ? "" : " (skipped: mounting is not permitted here)";

/** A file system of so many kibibytes at `folder` while `work` runs. */
export async function withMount(
  folder: string,
  kibibytes: number,
  work: (remount: (options: string) => void) => Promise<void>,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${kibibytes}k`, "tmpfs", folder]);
  try {
    await work((options) => execFileSync("mount", ["-o", `remount,${options}`, folder]));
  } finally {
    execFileSync("umount", ["-l", folder]);
  }
}
