/** A made-up result of `reproduce`: every part filled, numbers of plausible size, none of them measured. */
import type {
  AblationRow,
  Cell,
  ErrorPoint,
  Experiment,
  Reproduction,
  ScalingPoint,
  Table,
} from "../../src/experiment/reproduction/types.js";

export const SETS = ["REDDIT-BINARY", "REDDIT-MULTI-5K", "THREADS", "COLLAB", "IMDB-MULTI", "IMDB-BINARY"];
const LEVELS = [0.92, 0.56, 0.78, 0.805, 0.49, 0.725];

/** A fixed number in -1..1 for each k. */
const wobble = (k: number) => Math.sin(12.9898 * k + 78.233);

export function cell(row: string, set: string, mean: number, changes: Partial<Cell> = {}): Cell {
  return {
    set,
    row,
    accuracy: { mean, std: 0.0031, perRepeat: [mean - 0.003, mean + 0.003], foldStd: 0.02, perFold: [] },
    chosen: [
      { point: { p: 1 }, C: 10, times: 61 },
      { point: { p: 2 }, C: 100, times: 22 },
    ],
    seconds: 12.5,
    paper: null,
    deviations: null,
    pOfDifference: null,
    knownDifferences: null,
    ...changes,
  };
}

function madeTable(experiment: Experiment, title: string, rows: string[], lift: number): Table {
  const cells = rows.flatMap((row, r) =>
    SETS.map((set, s) => {
      const mean = LEVELS[s] + lift + 0.012 * wobble(6 * r + s);
      const paper =
        experiment === "baselines" ? null : { mean: LEVELS[s] + 0.01 * wobble(r + s), std: 0.0045 };
      const deviations = paper ? (mean - paper.mean) / paper.std : null;
      const chosen =
        experiment === "ours"
          ? [
              {
                point: {
                  p: 1,
                  moments: 25 * (1 + r),
                  selfLoops: s % 2 === 0,
                  scale: "trace",
                  width: 0.1 * (s + 1),
                  form: "product",
                },
                C: 10 ** r,
                times: 23,
              },
            ]
          : [{ point: { p: 1 + (r % 2) }, C: 10 ** (s - 2), times: 61 }];
      return cell(row, set, mean, {
        ...{ paper, deviations, chosen },
        knownDifferences:
          deviations !== null && Math.abs(deviations) > 2
            ? deviations > 0
              ? "moments are exact here, by 2,000 random probes there"
              : "the paper's set holds other graphs"
            : null,
      });
    }),
  );
  return {
    ...{ experiment, title, rows, sets: SETS },
    about:
      "No self-loops, 50 moments, the median as bandwidth; C and p by cross-validation inside the training part.",
    cells: cells.filter((_, k) => k !== 3),
  };
}

export function madeUp(changes: Partial<Reproduction> = {}): Reproduction {
  const curve = (figure: 1 | 2, kernel: string) => ({
    ...{ figure, kernel },
    points: SETS.flatMap((set, s) =>
      [5, 10, 20, 50, 100, 200, 400].map((moments, m) => ({
        ...{ set, moments, std: 0.004 },
        mean: LEVELS[s] - 0.08 * Math.exp(-m) + 0.004 * wobble(s * 7 + m + figure),
      })),
    ),
  });
  const scaling: ScalingPoint[] = [
    ...["karate", "email-Enron", "com-DBLP", "com-Amazon", "roadNet-PA"].map((graph, k) => ({
      ...{ graph, kind: "real" as const, nodes: 34 * 20 ** k, edges: Math.round(78 * 14 ** (k * 0.85)) },
    })),
    ...[1e3, 1e4, 1e5, 1e6, 1e7].flatMap((edges) =>
      ["grid", "power law"].map((family) => ({
        ...{ graph: `${family} ${edges}`, kind: "generated" as const, nodes: edges / 4, edges },
      })),
    ),
  ].map((graph, k) => ({
    ...{ ...graph, moments: 50, probes: 32 },
    dosSeconds: graph.edges * 4e-6 * (1 + 0.3 * wobble(k)),
    ldosSeconds: graph.edges * 9e-6 * (1 + 0.3 * wobble(k + 40)) + 0.002,
  }));
  const points: ErrorPoint[] = ["IMDB-BINARY", "REDDIT-BINARY", "COLLAB"].flatMap((set, s) =>
    [10, 100, 1000, 10_000].flatMap((probes, k) =>
      [false, true].flatMap((filter) =>
        (["none", "jackson"] as const).map((damping, d) => {
          const rms = ((filter ? 0.11 : 0.2) / Math.sqrt(probes)) * (1 + 0.2 * wobble(4 * s + k)) + d * 0.006;
          return { set, probes, filter, damping, rms, largest: 9 * rms };
        }),
      ),
    ),
  );
  const ablation: AblationRow[] = [
    ["estimator", "exact", "2,000 probes", "100 probes"],
    ["scale", "trace", "mean"],
    ["self-loops", "without", "with"],
    ["damping", "none", "Jackson"],
    ["width", "0.1", "0.03", "0.3", "1"],
    ["composite", "LDOS+DOS", "LDOS alone", "DOS alone"],
  ].flatMap(([factor, ...levels], f) =>
    (factor === "composite" ? ["LDOS+DOS"] : factor === "width" ? ["LDOS"] : ["DOS", "LDOS"]).flatMap(
      (kernel, n) =>
        levels.flatMap((level, l) =>
          SETS.map((set, s) => {
            const difference = l === 0 ? null : 0.02 * wobble(f * 50 + l * 11 + s + n) - 0.01;
            const mean = LEVELS[s] + (difference ?? 0);
            return { factor, level, set, kernel, accuracy: { mean, std: 0.004 }, difference };
          }),
        ),
    ),
  );
  return {
    version: "9.8.7",
    date: "2026-01-02",
    command: "graphdos reproduce --out results/ --repeats 10",
    machine: {
      ...{
        node: "v20.1.2",
        platform: "linux x64",
        cpu: "Some CPU 3000",
        cores: 2,
        workers: 2,
        memoryGiB: 15.6,
      },
    },
    seed: 7,
    protocol: { repeats: 10, folds: 10, inner: 3, Cs: [0.001, 0.01, 0.1, 1, 10, 100, 1000] },
    sets: SETS.map((name, s) => ({
      ...{
        name,
        graphs: 1000 * (s + 1),
        classes: 2 + (s % 3),
        meanNodes: 430 / (s + 1),
        meanEdges: 497.754,
        ceiling: 1 - 0.04 * s,
      },
      note: name === "THREADS" ? "the 321 largest graphs of each class of REDDIT-THREADS-10K." : null,
    })),
    tables: [
      madeTable("table", "As in the paper", ["RetGK_I", "DOS", "LDOS", "LDOS+DOS", "RetGK_I+DOS"], 0),
      madeTable("ours", "Ours", ["DOS", "LDOS", "LDOS+DOS"], 0.01),
      madeTable("baselines", "Other kernels", ["WL", "FGSD"], -0.04),
    ],
    moments: [curve(1, "DOS"), curve(2, "LDOS")],
    scaling,
    errors: {
      points,
      conditions: [5, 10, 20, 30, 40, 50].map((moments) => ({
        ...{ moments, twoNorm: 1.9 ** moments, skeel: 1.5 ** moments },
      })),
    },
    ablation,
    tottering: SETS.flatMap((set, s) =>
      [1, 2, 3, 4].map((quarter) => ({
        ...{ set, quarter, fewestNodes: 10 * quarter, mostNodes: 10 * quarter + 9, graphs: 250 },
        ldos: LEVELS[s],
        composite: LEVELS[s] + 0.004 * quarter,
      })),
    ),
    aims: [
      { what: "LDOS+DOS on REDDIT-BINARY", wanted: "≥ 92.7 %", got: "93.01 %", held: true },
      { what: "LDOS+DOS on COLLAB", wanted: "≥ 81.0 %", got: "80.60 %", held: false },
    ],
    leftOut: ["scaling: graphs beyond a million edges, since the budget of 10 minutes was used up."],
    stages: [
      { name: "profiles", seconds: 75.2, cached: true },
      { name: "table", seconds: 1900, cached: false },
    ],
    cache: { folder: "/somewhere/cache", bytes: 123_456_789, entries: 321 },
    ...changes,
  };
}

export const EMPTY: Partial<Reproduction> = {
  ...{
    sets: [],
    tables: [],
    moments: [],
    scaling: [],
    errors: null,
    ablation: [],
    tottering: [],
    aims: [],
    leftOut: [],
  },
  ...{ stages: [], cache: null },
};

export const EVIL = `"'><script>alert(1)</script><img src=x>|**b**\n# c`;

/** The same data with every free text replaced; the words that types fix stay. */
export function everyStringReplaced(result: Reproduction, text: string): Reproduction {
  const fixed = new Set(["kind", "damping", "experiment"]);
  const replaced = (value: unknown, key: string): unknown => {
    if (typeof value === "string") return fixed.has(key) ? value : text;
    if (Array.isArray(value)) return value.map((item) => replaced(item, key));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [key === "point" ? text : name, replaced(item, name)]),
    );
  };
  return replaced(result, "") as Reproduction;
}
