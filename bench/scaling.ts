/**
 * The paper's Figure 3, larger: time of trace moments (50 moments, 4 probes) against edges, R-MAT graphs of 10^6 to 10^8 edges.
 * The time for an edge, a probe and a moment may grow by at most 4, and 10^8 edges take less than 14 GiB.
 * Writes bench/results/scaling.csv and .svg.      npx tsx bench/scaling.ts [LARGEST=1e8]
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { runModule, verdict } from "./measure.js";

const library = new URL("../dist/node.js", import.meta.url).href;
const largest = Number(process.argv[2] ?? 1e8);
const MOMENTS = 50;
const PROBES = 4;

interface Point {
  nodes: number;
  edges: number;
  makeSeconds: number;
  seconds: number;
  again: number;
  peakGiB: number;
}

function measure(edges: number): Point {
  const scale = Math.round(Math.log2(edges / 6));
  const { result, peakMiB } = runModule<Omit<Point, "peakGiB">>(`
    const { generators, threadExecutor, sharedRunner, probeProfile } = await import(${JSON.stringify(library)});
    let start = performance.now();
    const graph = generators.rmat({ scale: ${scale}, edges: ${edges}, seed: 1 });
    const makeSeconds = (performance.now() - start) / 1000;
    const executor = threadExecutor();
    const run = async () => {
      start = performance.now();
      await probeProfile(graph, await sharedRunner(executor), { moments: ${MOMENTS}, probes: ${PROBES}, nodes: false, filter: "none" });
      return (performance.now() - start) / 1000;
    };
    const seconds = await run();
    const again = ${edges} < 2e7 ? await run() : seconds;
    await executor.close();
    return { nodes: graph.nodeCount, edges: graph.edgeCount, makeSeconds, seconds, again };`);
  return { ...result, peakGiB: peakMiB / 1024 };
}

const sizes = [1e6, 3e6, 1e7, 3e7, 1e8].filter((edges) => edges <= largest);
const points = sizes.map((edges) => {
  const point = measure(edges);
  const each = (1e9 * Math.min(point.seconds, point.again)) / (point.edges * PROBES * MOMENTS);
  console.log(
    `${point.edges.toExponential(2)} edges, ${point.nodes} nodes: made in ${point.makeSeconds.toFixed(1)} s, ` +
      `moments in ${point.seconds.toFixed(2)} s, ${each.toFixed(3)} ns an edge, probe and moment, peak ${point.peakGiB.toFixed(2)} GiB`,
  );
  return { ...point, each };
});
verdict(
  "time an edge, probe and moment, largest / smallest graph",
  points.at(-1)!.each / points[0].each,
  4,
  "at most",
);
verdict("peak memory in GiB", Math.max(...points.map((p) => p.peakGiB)), 14, "at most");

mkdirSync("bench/results", { recursive: true });
const rows = points.map((p) =>
  [p.edges, p.nodes, p.seconds.toFixed(3), p.each.toFixed(4), p.peakGiB.toFixed(3)].join(","),
);
writeFileSync(
  "bench/results/scaling.csv",
  `edges,nodes,seconds,nanoseconds_an_edge_probe_moment,peak_gib\n${rows.join("\n")}\n`,
);

const { plotSvg } = await import("../src/report/figure.js");
const Plot = await import("@observablehq/plot");
const line = points.map((p) => ({ edges: p.edges, seconds: Math.min(p.seconds, p.again) }));
const linear = line.map((p) => ({ edges: p.edges, seconds: (line[0].seconds * p.edges) / line[0].edges }));
writeFileSync(
  "bench/results/scaling.svg",
  String(
    plotSvg(
      {
        width: 640,
        height: 400,
        marginLeft: 60,
        x: { type: "log", label: "edges", grid: true },
        y: { type: "log", label: "seconds", grid: true },
        marks: [
          Plot.line(linear, { x: "edges", y: "seconds", stroke: "#999", strokeDasharray: "4 4" }),
          Plot.line(line, { x: "edges", y: "seconds", stroke: "#0072b2", strokeWidth: 2 }),
          Plot.dot(line, { x: "edges", y: "seconds", fill: "#0072b2" }),
        ],
      },
      `Time of ${MOMENTS} moments by ${PROBES} probes against the number of edges of R-MAT graphs; dashed: linear.`,
    ),
  ),
);
console.log("wrote bench/results/scaling.csv and bench/results/scaling.svg");
