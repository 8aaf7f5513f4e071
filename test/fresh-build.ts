/**
 * Before any test: dist/ must be what src/ would build to, since tests start commands, worker threads and workers of a cluster from there
 * and would otherwise speak of yesterday's code.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";

export default function refuseStaleBuild(): void {
  const compiler = resolve("node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [compiler, "-b", "--dry"], { encoding: "utf8" });
  if (!stdout.includes("is up to date") || !existsSync("dist/cli/main.js"))
    throw new Error(
      "dist/ is older than src/, and some tests run what is in dist/: run `npm run build` first.",
    );
}
