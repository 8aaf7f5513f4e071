/** The engine's side of the calls of the Collection view. */
import {
  choiceNotes,
  type Dataset,
  evaluate,
  evaluationPictures,
  type FittedKernel,
  fitKernel,
  fitModel,
  type GraphModel,
  kernelBandwidths,
  kernelByName,
  kernelDistances,
  kernelGram,
  kernelInput,
  kernelNeeds,
  kernelOptions,
  kernelRow,
  layoutGraph,
  loadModel,
  memoryStore,
  modelSentences,
  nearestInRow,
  predictGraphs,
  predictionCsv,
  predictionRows,
  protocolByName,
  protocolOptions,
  type ResultStore,
  requestedUse,
  saveModel,
  statedAccuracy,
  unusedMarks,
} from "graphdos";
import type { CollectionCalls, KernelSettings, ModelSummary } from "./collection-calls.js";
import { kernelOptionsOf, profileOptionsOf, unusedNotes } from "./kernel-settings.js";
import type { CallContext, Handlers } from "./session.js";
import { read } from "./set-handlers.js";

/** Larger graphs are a blot as a thumbnail, and their layout takes O(n²). */
const MOST_NODES = 400;
const MOST_EDGES = 4000;
/** Rows of the heat map. */
const HEAT_MAP_GRAPHS = 400;

interface FittedGram {
  values: Float64Array | Float32Array;
  notes: string[];
}

export const collectionHandlers: Handlers<CollectionCalls> = {
  async map(settings, context) {
    const { values, notes } = await gramOf(settings, context);
    const dataset = classified(context.session.dataset);
    const n = dataset.graphs.length;
    const { map, heatMap } = evaluationPictures(dataset, values, n, null, {
      heatMapGraphs: HEAT_MAP_GRAPHS,
      mapGraphs: Math.max(1, n),
    });
    return {
      coordinates: map.coordinates,
      share: map.share,
      order: heatMap.order,
      gram: heatMap.values,
      ...levelsOf(heatMap.values),
      notes,
    };
  },

  async neighbours({ graph, count, ...settings }, context) {
    context.session.graph(graph);
    const { executor, signal, onProgress, session } = context;
    const { fitted, nameOf } = await fittedOf(settings, context);
    const control = { executor, signal, onProgress, nameOf };
    const scale = await session.once(keyOf("bandwidths", settings), () => kernelBandwidths(fitted, control));
    const row = await kernelRow(fitted, graph, control, scale);
    const near = nearestInRow(row, count);
    return {
      rows: near.map(({ index, similarity, distance }) => ({ graph: index, similarity, distance })),
      notes: [...unusedNotes(session.dataset, fitted), ...fitted.notes, ...row.notes],
    };
  },

  thumbnail({ graph: g }, { session }) {
    const graph = session.graph(g);
    if (graph.nodeCount === 0 || graph.nodeCount > MOST_NODES || graph.edgeCount > MOST_EDGES) return null;
    const { places, width, height } = layoutGraph(graph);
    const side = Math.max(width, height, 1e-9);
    const edges: number[] = [];
    graph.forEachEdge((i, j) => {
      if (i !== j) edges.push(i, j);
    });
    return {
      places: Float32Array.from(places, (value) => value / side),
      edges: Uint32Array.from(edges),
      width: width / side,
      height: height / side,
    };
  },

  async evaluate(input, { session, background, signal, onProgress }) {
    const { kernels, repeats, folds, seed } = input;
    const fixed = protocolOptions(input.protocol);
    return evaluate(session.dataset, {
      kernels: kernels.map((kernel) => ({
        name: kernel,
        options: kernelOptionsOf(kernel, input.selfLoops, fixed),
      })),
      protocol: protocolByName(input.protocol, { repeats, folds, seed }),
      profile: { ...profileOptionsOf(input), seed },
      executor: background,
      store: storeOf(session),
      signal,
      onProgress,
    });
  },

  async train(input, { session, background, signal, onProgress }) {
    const { kernel, selfLoops, folds, probability, seed } = input;
    const { dataset } = session;
    const request = { name: kernel, options: kernelOptionsOf(kernel, selfLoops) };
    const model = await fitModel(dataset, {
      kernel: request,
      profile: { ...profileOptionsOf(input), seed },
      ...{ folds, seed, probability, executor: background, signal, onProgress },
    });
    const unused = unusedMarks(dataset, [requestedUse(kernelByName(kernel), request)]);
    const notes = [...choiceNotes(dataset, folds), ...(unused === null ? [] : [unused])];
    const summary = summaryOf(model);
    return {
      bytes: saveModel(model) as Uint8Array<ArrayBuffer>,
      summary: { ...summary, sentences: [...summary.sentences, ...notes] },
    };
  },

  readModel: ({ name, bytes }) => summaryOf(loadModel(bytes, name)),

  async predict({ model: file, data }, { session, background, signal, onProgress }) {
    const model = loadModel(file.bytes, file.name);
    const dataset = data === null ? session.dataset : await read(data, { signal, onProgress });
    const found = await predictGraphs(model, dataset, { executor: background, signal, onProgress });
    const rows = predictionRows(model, dataset, found);
    const { name, classes, classNames } = dataset;
    const reading = data === null ? [] : dataset.notes;
    return {
      dataset: name,
      notes: [...unusedNotes(dataset, model), ...reading],
      rows,
      stated: classes && Array.from(classes, (c) => classNames[c]),
      accuracy: statedAccuracy(rows, dataset),
      csv: predictionCsv(rows, model),
    };
  },
};

/** Of the kernel of the last settings; what is kept of others is forgotten. */
const keyOf = (what: string, settings: KernelSettings) => `kernel ${JSON.stringify(settings)} ${what}`;

interface FittedSet {
  fitted: FittedKernel;
  nameOf: (g: number) => string;
}

function fittedOf(settings: KernelSettings, context: CallContext): Promise<FittedSet> {
  const { session, executor, signal, onProgress } = context;
  for (const other of session.kept.keys())
    if (other.startsWith("kernel ") && !other.startsWith(keyOf("", settings))) session.kept.delete(other);
  return session.once(keyOf("fit", settings), async () => {
    const spec = kernelByName(settings.kernel);
    const options = kernelOptions(spec, kernelOptionsOf(spec.name, settings.selfLoops));
    const needs = kernelNeeds(spec, options);
    const control = { executor, signal, onProgress };
    const input = await kernelInput(session.dataset, needs, profileOptionsOf(settings), executor, control);
    return { fitted: await fitKernel(spec, input, options, control), nameOf: input.nameOf };
  });
}

/** The Gram over all graphs. */
async function gramOf(settings: KernelSettings, context: CallContext): Promise<FittedGram> {
  const { session, executor, signal, onProgress } = context;
  const { fitted, nameOf } = await fittedOf(settings, context);
  return session.once(keyOf("gram", settings), async () => {
    const distances = await kernelDistances(fitted, { executor, signal, onProgress, nameOf });
    const notes = [...unusedNotes(session.dataset, fitted), ...fitted.notes];
    return { values: kernelGram(fitted, distances).gram.values, notes };
  });
}

/** Colours end at the smallest value; where all are 1, at 0. */
function levelsOf(gram: Float32Array): { levels: Uint8Array; low: number } {
  const least = gram.reduce((low, value) => Math.min(low, value), 1);
  const low = least < 1 ? least : 0;
  return { levels: Uint8Array.from(gram, (value) => Math.round((255 * (value - low)) / (1 - low))), low };
}

/** Finished folds of the open set, so that a cancelled run goes on. Pages that came over plain HTTP cannot make the keys. */
function storeOf({ kept }: CallContext["session"]): ResultStore | undefined {
  if (globalThis.crypto?.subtle === undefined) return undefined;
  const known = kept.get("folds") as ResultStore | undefined;
  const store = known ?? memoryStore();
  kept.set("folds", store);
  return store;
}

/** A set without classes as one of a single class, for pictures. */
function classified(dataset: Dataset): Dataset & { classes: Int32Array } {
  if (dataset.classes !== null) return dataset as Dataset & { classes: Int32Array };
  return { ...dataset, classes: new Int32Array(dataset.graphs.length), classNames: ["all graphs"] };
}

const summaryOf = (model: GraphModel): ModelSummary => ({
  sentences: modelSentences(model),
  classNames: model.classNames,
  dataset: model.provenance.dataset,
});
