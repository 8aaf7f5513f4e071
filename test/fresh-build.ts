/**
 * Before any test: dist/ must be what src/ would build to, since tests start commands, worker threads and workers of a cluster from there
 * and would otherwise speak of yesterday's code. The compiler goes by its own notes alone, so files of dist/ are looked for beside it.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";

export default function refuseStaleBuild(): void {
  const compiler = resolve("node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [compiler, "-b", "--dry"], { encoding: "utf8" });
  const missing = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .find((file) => !existsSync(join("dist", file.replace(/ts$/, "js"))));
  if (missing !== undefined)
    throw new Error(`dist/ has nothing of src/${missing}: run \`rm -r dist && npm run build\` first.`);
  if (!stdout.includes("is up to date"))
    throw new Error(
      "dist/ is older than src/, and some tests run what is in dist/: run `npm run build` first.",
    );
}
