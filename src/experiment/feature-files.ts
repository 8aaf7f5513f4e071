/** Feature vectors of graphs as files that other programs read: NumPy's .npz, and CSV. O(graphs × dimensions). */
import { badCall } from "../base/errors.js";
import type { CountFeatures } from "../baseline/sparse-counts.js";
import { csvField } from "../data/csv.js";
import { graphTitle, type SetSummary } from "../data/dataset.js";
import { type NpzEntry, writeNpz } from "../data/npz.js";
import type { FittedKernel } from "../kernel/registry.js";
import type { CountSignatures, VectorSignatures } from "../kernel/signatures.js";
import type { SpectralProfile } from "../spectrum/profile.js";

/** The vectors of each part; an error where a part has none. */
export function featureVectors({ spec, parts }: Pick<FittedKernel, "spec" | "parts">): VectorSignatures[] {
  return parts.map(({ signatures }, k) => {
    if (signatures.kind === "vectors") return signatures;
    const part = spec.parts[k];
    if (signatures.kind === "counts")
      throw badCall(
        `kernel ${spec.name} counts patterns, far more than a table has room for: use -o FILE.npz, which holds them as a sparse matrix`,
      );
    if (signatures.kind === "walks")
      throw badCall(
        `kernel ${spec.name}: labelled walks are counted pair by pair and have no vector for a graph: use --option labels=none, or graphdos gram`,
      );
    const way =
      "mmd" in part.options
        ? `--option ${spec.parts.length > 1 ? `${part.name}.` : ""}mmd=low-rank`
        : "--kernel ldos --self-loops (the same to a stated tolerance) or --kernel retgk2";
    throw badCall(
      `kernel ${spec.name}: ${part.name} compares all nodes of two graphs exactly and has no vector for a graph: use ${way}`,
    );
  });
}

/** The dense vectors of a kernel, or the sparse counts of one that counts patterns. */
export function featureSignature(
  fitted: Pick<FittedKernel, "spec" | "parts">,
): VectorSignatures[] | CountSignatures {
  const [{ signatures }] = fitted.parts;
  return fitted.parts.length === 1 && signatures.kind === "counts" ? signatures : featureVectors(fitted);
}

/** Numbers of each part's vector, or patterns that are known. */
export function featureColumns(fitted: FittedKernel): { part: string; columns: number }[] {
  const signature = featureSignature(fitted);
  if (!Array.isArray(signature)) return [{ part: fitted.spec.name, columns: signature.features.known }];
  return signature.map(({ dimension }, k) => ({ part: fitted.spec.parts[k].name, columns: dimension }));
}

/** Compressed sparse rows, as scipy.sparse.csr_matrix((data, indices, indptr), shape) takes them. */
const countEntries = (
  { graphs, known, offsets, ids, counts }: CountFeatures,
  labels: Int32Array,
): Record<string, NpzEntry> => ({
  signature_data: { data: counts },
  signature_indices: { data: Int32Array.from(ids) },
  signature_indptr: { data: Int32Array.from(offsets) },
  signature_shape: { data: Int32Array.of(graphs, known) },
  labels: { data: labels },
});

/**
 * The .npz file: `signature` (graphs × dimensions), `labels` and, with profiles, `node_offsets`, `node_weights` and `node_moments` (twins
 * once, with their weight).
 */
export const featureArrays = (...given: Parameters<typeof featureEntries>): Uint8Array =>
  writeNpz(featureEntries(...given));

/** The arrays of that file. */
export function featureEntries(
  fitted: FittedKernel,
  labels: Int32Array,
  profiles: readonly SpectralProfile[] | null,
): Record<string, NpzEntry> {
  const vectors = featureSignature(fitted);
  const graphs = labels.length;
  if (!Array.isArray(vectors)) return countEntries(vectors.features, labels);
  const width = vectors.reduce((sum, { dimension }) => sum + dimension, 0);
  const entries: Record<string, NpzEntry> = {
    signature: { data: sideBySide(vectors, graphs, width), shape: [graphs, width] },
    labels: { data: labels },
  };
  if (profiles !== null) Object.assign(entries, nodeArrays(profiles));
  return entries;
}

/** The vectors of all parts in one array; those of a single part as they are. */
function sideBySide(vectors: readonly VectorSignatures[], graphs: number, width: number): Float64Array {
  if (vectors.length === 1) return vectors[0].values;
  const all = new Float64Array(graphs * width);
  let column = 0;
  for (const { dimension, values } of vectors) {
    for (let g = 0; g < graphs; g++)
      all.set(values.subarray(g * dimension, (g + 1) * dimension), g * width + column);
    column += dimension;
  }
  return all;
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
export function* featureTable(dataset: SetSummary, fitted: FittedKernel): Generator<string> {
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
    yield `${csvField(name)},${csvField(label)},${numbers.join(",")}\n`;
  }
}
