/** Reads test/golden/svm (made by scripts/golden/svm.py) and computes its Grams from the points. */

import { readFileSync } from "node:fs";
import { Random } from "../../src/base/random.js";

export interface GoldenRun {
  C: number;
  objectives: number[];
  printed: number[];
  predictions: number[];
  decisions: number[];
}

export interface GoldenProblem {
  kernel: "gaussian" | "laplacian";
  gamma: number;
  dims: number;
  weights: Record<string, number>;
  points: number[];
  classes: number[];
  test: number[];
  runs: GoldenRun[];
}

export const goldenNames = [
  "two-gaussian",
  "two-laplacian",
  "two-duplicates",
  "two-weighted",
  "two-large",
  "three-gaussian",
  "three-laplacian",
  "five-gaussian",
];

const path = (name: string) => new URL(`../golden/svm/${name}.json`, import.meta.url);
export const readGolden = (name: string): GoldenProblem => JSON.parse(readFileSync(path(name), "utf8"));

export interface GoldenStatistics {
  student: [number, number, number, number][];
  test: { first: number[]; second: number[]; t: number; p: number };
  sigmoids: { decisions: number[]; truth: number[]; fit: [number, number] }[];
  couplings: { pairwise: number[]; p: number[] }[];
}
export const readStatistics = (): GoldenStatistics => JSON.parse(readFileSync(path("statistics"), "utf8"));

/** Kernel of every point of x with every point of y, row-major. */
export function kernelMatrix(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  dims: number,
  kernel: "gaussian" | "laplacian" | "linear",
  gamma: number,
): Float64Array {
  const rows = x.length / dims;
  const columns = y.length / dims;
  const out = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) {
      let sum = 0;
      for (let d = 0; d < dims; d++) {
        const [a, b] = [x[i * dims + d], y[j * dims + d]];
        sum += kernel === "linear" ? a * b : kernel === "gaussian" ? (a - b) ** 2 : Math.abs(a - b);
      }
      out[i * columns + j] = kernel === "linear" ? sum : Math.exp(-gamma * sum);
    }
  return out;
}

/** Two overlapping blobs; the first half of the points is positive. */
export function blobProblem(seed: number, points: number, width = 1, dims = 2) {
  const random = new Random(seed);
  const positives = Array.from({ length: Math.ceil(points / 2) }, (_, i) => i);
  const negatives = Array.from({ length: points - positives.length }, (_, i) => positives.length + i);
  const x = Float64Array.from(
    { length: points * dims },
    (_, i) => random.normal() + (i < positives.length * dims ? 0.7 : -0.7),
  );
  const gram = kernelMatrix(x, x, dims, "gaussian", 1 / width);
  return { gram, stride: points, positives, negatives };
}
