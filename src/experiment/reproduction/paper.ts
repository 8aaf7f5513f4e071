/** Table 1 of the paper "Density of States Graph Kernels": accuracies in per cent, with their standard deviations. */
import type { PaperAccuracy } from "./types.js";

export const SETS = [
  "REDDIT-BINARY",
  "REDDIT-MULTI-5K",
  "THREADS",
  "COLLAB",
  "IMDB-MULTI",
  "IMDB-BINARY",
] as const;

type Given = readonly [mean: number, std?: number] | null;

const TABLE: Readonly<Record<string, readonly Given[]>> = {
  FGSD: [[86.5], [47.76], null, [80.02], [52.41], [73.62]],
  DGK: [[78.0, 0.4], [41.3, 0.2], null, [73.1, 0.3], [44.6, 0.5], [67.0, 0.6]],
  WL: [[68.2, 0.2], [51.2, 0.3], null, [74.8, 0.2], [49.8, 0.5], [70.8, 0.5]],
  RetGK_I: [
    [86.95, 0.36],
    [55.67, 0.19],
    [77.78, 0.18],
    [81.0, 0.3],
    [47.12, 0.84],
    [71.92, 0.75],
  ],
  DOS: [
    [88.8, 0.29],
    [52.83, 0.21],
    [78.9, 0.56],
    [80.78, 0.24],
    [49.42, 0.45],
    [72.77, 0.86],
  ],
  LDOS: [
    [91.19, 0.26],
    [55.67, 0.17],
    [71.03, 1.2],
    [75.29, 0.44],
    [48.33, 0.74],
    [71.02, 0.37],
  ],
  "LDOS+DOS": [
    [92.48, 0.24],
    [56.84, 0.2],
    [78.53, 0.43],
    [81.12, 0.18],
    [49.0, 0.3],
    [72.6, 0.57],
  ],
  "RetGK_I+DOS": [[91.2, 0.28], [56.75, 0.18], [80.11, 0.45], null, [50.96, 0.35], [72.25, 0.49]],
};

/** The paper's number for a row and a set, in 0..1; null where it gives none. */
export function paperAccuracy(row: string, set: string): PaperAccuracy | null {
  const given = TABLE[row]?.[(SETS as readonly string[]).indexOf(set)];
  if (!given) return null;
  const [mean, std] = given;
  return { mean: mean / 100, std: std === undefined ? null : std / 100 };
}
