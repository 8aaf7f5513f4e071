/** Feature vectors of graphs as files that other programs read: NumPy's .npz, and CSV. O(graphs × dimensions). */
import { badCall } from "../base/errors.js";
import { type Dataset, graphTitle } from "../data/dataset.js";
import { type NpzEntry, writeNpz } from "../data/npz.js";
import type { FittedKernel } from "../kernel/registry.js";
import type { VectorSignatures } from "../kernel/signatures.js";
import type { SpectralProfile } from "../spectrum/profile.js";

/** The vectors of each part; an error where a part has none. */
export function featureVectors({ spec, parts }: Pick<FittedKernel, "spec" | "parts">): VectorSignatures[] {
  return parts.map(({ signatures }, k) => {
    if (signatures.kind === "vectors") return signatures;
    const part = spec.parts[k];
    const way =
      "mmd" in part.options
        ? `--option ${spec.parts.length > 1 ? `${part.name}.` : ""}mmd=low-rank`
        : "--kernel ldos --self-loops (the same to a stated tolerance) or --kernel retgk2";
    throw badCall(
      `kernel ${spec.name}: ${part.name} compares all nodes of two graphs exactly and has no vector for a graph: use ${way}`,
    );
  });
}

/**
 * The .npz file: `signature` (graphs × dimensions), `labels` and, with profiles, `node_offsets`, `node_weights` and `node_moments` (twins
 * once, with their weight).
 */
export function featureArrays(
  fitted: FittedKernel,
  labels: Int32Array,
  profiles: readonly SpectralProfile[] | null,
): Uint8Array {
  const vectors = featureVectors(fitted);
  const graphs = labels.length;
  const width = vectors.reduce((sum, { dimension }) => sum + dimension, 0);
  const signature = new Float64Array(graphs * width);
  let column = 0;
  for (const { dimension, values } of vectors) {
    for (let g = 0; g < graphs; g++)
      signature.set(values.subarray(g * dimension, (g + 1) * dimension), g * width + column);
    column += dimension;
  }
  const entries: Record<string, NpzEntry> = {
    signature: { data: signature, shape: [graphs, width] },
    labels: { data: labels },
  };
  if (profiles !== null) Object.assign(entries, nodeArrays(profiles));
  return writeNpz(entries);
}

function nodeArrays(profiles: readonly SpectralProfile[]): Record<string, NpzEntry> {
  const offsets = new Int32Array(profiles.length + 1);
  profiles.forEach(({ rowCount }, g) => {
    offsets[g + 1] = offsets[g] + rowCount;
  });
  const rows = offsets[profiles.length];
  const width = profiles[0].moments + 1;
  const weights = new Float64Array(rows);
  const moments = new Float64Array(rows * width);
  profiles.forEach((profile, g) => {
    weights.set(profile.weights, offsets[g]);
    moments.set(profile.rows, offsets[g] * width);
  });
  return {
    node_offsets: { data: offsets },
    node_weights: { data: weights },
    node_moments: { data: moments, shape: [rows, width] },
  };
}

/** graph, class, then the numbers of each part, counted from 1. */
export function* featureTable(dataset: Dataset, fitted: FittedKernel): Generator<string> {
  const vectors = featureVectors(fitted);
  const head = vectors.flatMap(({ dimension }, k) =>
    Array.from({ length: dimension }, (_, d) => `${fitted.spec.parts[k].name}_${d + 1}`),
  );
  yield `graph,class,${head.join(",")}\n`;
  for (let g = 0; g < dataset.graphs.length; g++) {
    const numbers = vectors.flatMap(({ dimension, values }) =>
      Array.from(values.subarray(g * dimension, (g + 1) * dimension)),
    );
    const name = dataset.graphNames === null ? String(g) : graphTitle(dataset, g);
    const label = dataset.classes === null ? "" : dataset.classNames[dataset.classes[g]];
    yield `${field(name)},${field(label)},${numbers.join(",")}\n`;
  }
}

const field = (text: string) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
