/** What every object that a reader gives must be, whatever bytes it came from. A broken promise is an ordinary Error with its sentence. */
import type { Dataset } from "../../src/data/dataset.js";
import type { NpyArray } from "../../src/data/npy.js";
import type { NotedDistances } from "../../src/experiment/stage-cache.js";
import type { Graph } from "../../src/graph/graph.js";
import type { Signatures } from "../../src/kernel/signatures.js";
import type { ModelPrediction } from "../../src/model/model.js";
import type { SpectralProfile } from "../../src/spectrum/profile.js";

export function promise(holds: boolean, what: string): void {
  if (!holds) throw new Error(`a reader gave an object that is not valid: ${what}`);
}

const whole = (x: number, from: number, to: number) => Number.isInteger(x) && x >= from && x <= to;
const finite = (numbers: Iterable<number>) => {
  for (const x of numbers) if (!Number.isFinite(x)) return false;
  return true;
};

/** Sorted rows, both directions, positive finite weights, counts: Graph.validate says which of them fails. */
export function checkGraph(graph: Graph): void {
  try {
    graph.validate();
  } catch (cause) {
    throw new Error(`a reader gave a graph that is not valid: ${(cause as Error).message}`, { cause });
  }
  const entries = graph.offsets[graph.nodeCount];
  promise(graph.edgeCount === (entries + graph.selfLoopCount) / 2, "number of edges");
  promise(graph.labels === null || graph.labels.length === graph.nodeCount, "number of labels");
}

export function checkDataset(set: Dataset): void {
  const n = set.graphs.length;
  promise(n > 0, "a set without graphs");
  for (const graph of set.graphs) checkGraph(graph);
  if (set.classes !== null) {
    promise(set.classes.length === n, "number of classes");
    promise(new Set(set.classNames).size === set.classNames.length, "class names differ");
    for (const c of set.classes) promise(whole(c, 0, set.classNames.length - 1), `class ${c}`);
  }
  promise(set.targets === null || (set.targets.length === n && finite(set.targets)), "targets");
  promise(set.graphNames === null || set.graphNames.length === n, "names of graphs");
  promise(typeof set.name === "string", "a name");
  promise(set.nodeIds === null || set.nodeIds.length === n, "ids of nodes");
  set.nodeIds?.forEach((ids, g) => {
    if (ids === null) return;
    promise(ids.length === set.graphs[g].nodeCount, `ids of graph ${g}`);
    promise(new Set(Array.from<string | number>(ids)).size === ids.length, `ids of graph ${g} differ`);
    if (ids instanceof Float64Array) promise(finite(ids), `ids of graph ${g} are finite`);
  });
  for (const [what, times] of Object.entries(set.cleaning))
    promise(whole(times, 0, 2 ** 53), `cleaning ${what}`);
  promise(
    set.notes.every((note) => typeof note === "string"),
    "notes",
  );
}

export function checkArray({ shape, data }: NpyArray): void {
  promise(
    shape.every((size) => whole(size, 0, 2 ** 53)) && shape.reduce((a, b) => a * b, 1) === data.length,
    "shape of an array",
  );
}

export function checkProfile(profile: SpectralProfile): void {
  const { nodeCount, moments, rowCount, rows, weights, trace, rowOf } = profile;
  promise(rows.length === rowCount * (moments + 1) && weights.length === rowCount, "rows of a profile");
  promise(finite(rows) && finite(weights) && finite(trace), "numbers of a profile are finite");
  promise(rowOf.length === nodeCount, "rows of nodes");
  for (const row of rowOf) promise(row < rowCount || row === 0xffffffff, "row of a node");
  promise(typeof profile.estimator.name === "string", "estimator");
}

export function checkDistances({ rows, columns, values }: NotedDistances): void {
  promise(rows === columns && values.length === rows * columns, "a square of distances");
  promise(finite(values), "distances are finite");
}

export function checkVectors(set: Signatures): void {
  promise(set.kind === "vectors", "vectors");
  if (set.kind !== "vectors") return;
  promise(whole(set.count, 0, 2 ** 32) && set.values.length === set.count * set.dimension, "size of vectors");
  promise(finite(set.values), "vectors are finite");
  promise(set.missed === null || (set.missed.length === set.count && finite(set.missed)), "missed");
}

export function checkPrediction(prediction: ModelPrediction, graphs: number, classes: number): void {
  promise(prediction.classes.length === graphs, "one class a graph");
  for (const c of prediction.classes) promise(whole(c, 0, classes - 1), `class ${c}`);
  promise(finite(prediction.decisions), "decisions are finite");
  if (prediction.probabilities !== null)
    for (const p of prediction.probabilities) promise(p >= 0 && p <= 1, `probability ${p}`);
}
