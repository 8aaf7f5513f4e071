/**
 * Reading: COLLAB.zip (362 MB of text) and an edge list of 10^7 lines become data sets in at most 5 times what it takes to
 * unpack them and count their lines, with a peak of at most 2 GiB.      npx tsx bench/read.ts
 */
import { existsSync, rmSync } from "node:fs";
import { runModule, timeShell, verdict } from "./measure.js";

const collab = "../shared/datasets/COLLAB.zip";
const list = "/tmp/graphdos-bench-edges.txt.gz";
const library = new URL("../dist/node.js", import.meta.url).href;

const read = (path: string) =>
  runModule<{ graphs: number; edges: number; seconds: number }>(`
    const { openData } = await import(${JSON.stringify(library)});
    const start = performance.now();
    const set = await openData(${JSON.stringify(path)});
    const edges = set.graphs.reduce((sum, graph) => sum + graph.edgeCount, 0);
    return { graphs: set.graphs.length, edges, seconds: (performance.now() - start) / 1000 };`);

function compare(name: string, path: string, count: string): void {
  const lines = timeShell(count);
  const ours = read(path);
  const again = timeShell(count);
  const base = Math.min(lines.seconds, again.seconds);
  console.log(
    `${name}: ${lines.stdout.trim()} lines counted in ${base.toFixed(2)} s; read in ${ours.seconds.toFixed(2)} s ` +
      `(${ours.result.seconds.toFixed(2)} s without the start of Node): ${ours.result.graphs} graphs, ${ours.result.edges} edges`,
  );
  verdict(`${name}: time to read / time to count lines`, ours.seconds / base, 5, "at most");
  verdict(`${name}: peak memory in GiB`, ours.peakMiB / 1024, 2, "at most");
}

if (existsSync(collab)) compare("COLLAB.zip", collab, `unzip -p ${collab} COLLAB/COLLAB_A.txt | wc -l`);
else console.log("COLLAB.zip: skipped, ../shared is missing");
timeShell(
  `awk 'BEGIN { srand(7); for (k = 0; k < 1e7; k++) print int(1e6*rand()) "\\t" int(1e6*rand()) }' | gzip -1 > ${list}`,
);
compare("edge list of 10^7 lines", list, `zcat ${list} | wc -l`);
rmSync(list);
