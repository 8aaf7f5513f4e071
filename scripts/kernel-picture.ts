/**
 * docs/kernels.svg and docs/kernel-accuracies.csv: accuracies of the kernels as measured, beside those that their authors report.
 *
 *   graphdos evaluate MUTAG --kernel wl --json > MUTAG-wl.json          (one file or many, any protocol)
 *   npx tsx scripts/kernel-picture.ts MUTAG-wl.json ...                 new results join those in the .csv
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import * as Plot from "@observablehq/plot";
import type { EvaluationResult } from "../src/experiment/evaluation-types.js";
import { plotSvg } from "../src/report/figure.js";

const TABLE = "docs/kernel-accuracies.csv";
const PICTURE = "docs/kernels.svg";
const HEAD = "dataset,kernel,accuracy,deviation,repeats,folds,inner";

/** Accuracies in per cent as published; docs/kernels.md says where. */
const PUBLISHED: Record<string, Record<string, number>> = {
  MUTAG: { wl: 86.0, "wl-oa": 84.5, fgsd: 92.12, retgk1: 90.3 },
  PROTEINS: { wl: 75.6, "wl-oa": 76.4, fgsd: 73.42, retgk1: 75.8 },
  "IMDB-BINARY": { wl: 70.8, fgsd: 73.62, retgk1: 71.92, dgk: 67.0 },
  "REDDIT-BINARY": { wl: 80.8, "wl-oa": 89.3, fgsd: 86.5, ldos: 91.19, dgk: 78.0 },
};

interface Row {
  dataset: string;
  kernel: string;
  accuracy: number;
  deviation: number;
  repeats: number;
  folds: number;
  inner: number;
}

function kept(): Row[] {
  if (!existsSync(TABLE)) return [];
  const [, ...lines] = readFileSync(TABLE, "utf8").trim().split("\n");
  return lines.map((line) => {
    const [dataset, kernel, ...numbers] = line.split(",");
    const [accuracy, deviation, repeats, folds, inner] = numbers.map(Number);
    return { dataset, kernel, accuracy, deviation, repeats, folds, inner };
  });
}

function measured(file: string): Row[] {
  const { dataset, protocol, results } = JSON.parse(readFileSync(file, "utf8")) as EvaluationResult;
  const { repeats, folds, inner } = protocol;
  return results.map(({ kernel, accuracy }) => ({
    ...{ dataset, kernel, repeats, folds, inner },
    accuracy: Number((100 * accuracy.mean).toFixed(2)),
    deviation: Number((100 * (repeats > 1 ? accuracy.std : accuracy.foldStd)).toFixed(2)),
  }));
}

const rows = new Map(kept().map((row) => [`${row.dataset} ${row.kernel}`, row]));
for (const file of process.argv.slice(2))
  for (const row of measured(file)) rows.set(`${row.dataset} ${row.kernel}`, row);
const sets = Object.keys(PUBLISHED);
const all = [...rows.values()].sort(
  (a, b) => sets.indexOf(a.dataset) - sets.indexOf(b.dataset) || a.kernel.localeCompare(b.kernel),
);
const lines = all.map(({ dataset, kernel, accuracy, deviation, repeats, folds, inner }) =>
  [dataset, kernel, accuracy, deviation, repeats, folds, inner].join(","),
);
writeFileSync(TABLE, `${[HEAD, ...lines].join("\n")}\n`);

const published = sets.flatMap((dataset) =>
  Object.entries(PUBLISHED[dataset])
    .filter(([kernel]) => rows.has(`${dataset} ${kernel}`))
    .map(([kernel, accuracy]) => ({ dataset, kernel, accuracy })),
);
const svg = plotSvg(
  {
    width: 860,
    height: 380,
    marginLeft: 70,
    marginTop: 36,
    marginRight: 14,
    fx: { domain: sets, label: null, padding: 0.12 },
    x: { label: "accuracy %", domain: [55, 95], grid: true, ticks: 6 },
    y: { label: null },
    style: { background: "#ffffff", color: "#1f2933", fontSize: "12px" },
    marks: [
      Plot.ruleY(all, {
        ...{ fx: "dataset", y: "kernel", stroke: "#0072b2", strokeWidth: 2 },
        x1: ({ accuracy, deviation }: Row) => accuracy - deviation,
        x2: ({ accuracy, deviation }: Row) => accuracy + deviation,
      }),
      Plot.dot(all, { fx: "dataset", y: "kernel", x: "accuracy", fill: "#0072b2", r: 4 }),
      Plot.tickX(published, {
        fx: "dataset",
        y: "kernel",
        x: "accuracy",
        stroke: "#d55e00",
        strokeWidth: 3,
        inset: 7,
      }),
    ],
  },
  "Accuracy of each kernel on four data sets: dots and bars as measured, ticks as published",
);
// Plot writes `height` twice, the second for one browser only
writeFileSync(PICTURE, `${String(svg).replace(/\n *height: intrinsic;/, "")}\n`);
