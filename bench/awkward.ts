/**
 * Graphs that break spectra: paths, stars, matchings and isolated nodes of 10^6 nodes, 10^5 components, weights from 1e-300 to 1e300, a
 * complete graph of 2,000. Moments must be finite and within [−n, n], the zeroth n; ten times the graph at most about ten times the time
 * and memory (bars of 20 and 15, for noise and rounding up of buffers).      npm run bench -- awkward
 *
 * Each graph in a process of its own, through the built package on all cores: time of building it and of its 50 trace moments by the
 * estimator that `auto` takes; memory is the peak of the resident set above that of a process that only loads the package.
 */
import { runModule, verdict } from "./measure.js";

const library = new URL("../dist/node.js", import.meta.url).href;

interface Family {
  name: string;
  small: number;
  large: number;
  /** The body of a function of n that gives sources, targets, and perhaps weights. */
  edges: string;
}

const FAMILIES: readonly Family[] = [
  {
    name: "path",
    small: 1e5,
    large: 1e6,
    edges: "for (let i = 0; i + 1 < n; i++) add(i, i + 1);",
  },
  { name: "star", small: 1e5, large: 1e6, edges: "for (let i = 1; i < n; i++) add(0, i);" },
  { name: "matching", small: 1e5, large: 1e6, edges: "for (let i = 0; i + 1 < n; i += 2) add(i, i + 1);" },
  { name: "isolated nodes", small: 1e5, large: 1e6, edges: "" },
  {
    // trees of ten nodes, every one with other branches
    name: "components of ten nodes",
    small: 1e5,
    large: 1e6,
    edges: "for (let i = 0; i < n; i++) if (i % 10 > 0) add(i, i - 1 - ((i * 7919) % 31) % (i % 10));",
  },
  {
    name: "path with weights from 1e-300 to 1e300",
    small: 1e5,
    large: 1e6,
    edges: "for (let i = 0; i + 1 < n; i++) add(i, i + 1, 10 ** (((i * 7919) % 601) - 300));",
  },
  {
    name: "star with weights from 1e-300 to 1e300",
    small: 1e5,
    large: 1e6,
    edges: "for (let i = 1; i < n; i++) add(0, i, 10 ** (((i * 7919) % 601) - 300));",
  },
  {
    name: "complete graph",
    small: 632,
    large: 2000,
    edges: "for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) add(i, j);",
  },
];

interface Result {
  build: number;
  moments: number;
  estimator: string;
  /** Largest |moment| / n, the difference of the zeroth from n, and whether all are finite. */
  largest: number;
  zeroth: number;
  finite: boolean;
  edges: number;
}

function measure(n: number, edges: string) {
  return runModule<Result>(`
    const { buildGraph, computeProfiles, threadExecutor } = await import(${JSON.stringify(library)});
    const n = ${n};
    const start = performance.now();
    const sources = [], targets = [], weights = [];
    const add = (i, j, w = 1) => { sources.push(i); targets.push(j); weights.push(w); };
    ${edges}
    const weighted = weights.some((w) => w !== 1);
    const { graph } = buildGraph({ nodeCount: n, sources: Uint32Array.from(sources), targets: Uint32Array.from(targets),
      weights: weighted ? Float64Array.from(weights) : null });
    sources.length = targets.length = weights.length = 0;
    const built = performance.now();
    const executor = threadExecutor();
    const [profile] = await computeProfiles([graph], { moments: 50, nodes: false }, executor);
    const moments = (performance.now() - built) / 1000;
    await executor.close();
    const trace = Array.from(profile.trace);
    return { build: (built - start) / 1000, moments, estimator: profile.estimator.name, edges: graph.edgeCount,
      largest: Math.max(...trace.map(Math.abs)) / n, zeroth: Math.abs(trace[0] - n) / n, finite: trace.every(Number.isFinite) };`);
}

const MEBIBYTES = runModule<null>(`await import(${JSON.stringify(library)}); return null;`).peakMiB;
console.log(`a process that only loads the package: ${MEBIBYTES.toFixed(0)} MiB`);
for (const { name, small, large, edges } of FAMILIES) {
  const [one, ten] = [measure(small, edges), measure(large, edges)];
  const seconds = ({ result }: typeof one) => result.build + result.moments;
  for (const [n, { result, peakMiB }] of [
    [small, one],
    [large, ten],
  ] as const)
    console.log(
      `${name}, ${n} nodes, ${result.edges} edges: built in ${result.build.toFixed(2)} s, moments (${result.estimator}) in ` +
        `${result.moments.toFixed(2)} s, peak ${peakMiB.toFixed(0)} MiB`,
    );
  for (const { result } of [one, ten]) if (!result.finite) throw new Error(`${name}: a moment is not finite`);
  verdict(
    `${name}: largest |moment| / n`,
    Math.max(one.result.largest, ten.result.largest),
    1 + 1e-9,
    "at most",
  );
  verdict(
    `${name}: |zeroth moment − n| / n`,
    Math.max(one.result.zeroth, ten.result.zeroth),
    1e-9,
    "at most",
  );
  // below some tenths of a second and some MiB only the start of threads is seen
  verdict(`${name}: time, ten times the size`, seconds(ten) / Math.max(0.2, seconds(one)), 20, "at most");
  const grown = (ten.peakMiB - MEBIBYTES) / Math.max(30, one.peakMiB - MEBIBYTES);
  verdict(`${name}: memory, ten times the size`, grown, 15, "at most");
}
