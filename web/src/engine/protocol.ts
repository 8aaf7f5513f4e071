/**
 * What the page asks its engine, a web worker that holds the open data sets, and what the engine answers. A call is a name with plain data
 * in and plain data out, and the number of the set that it is about; typed arrays of the answer are moved, not copied. The other side of
 * each call is in handlers.ts.
 */
import type {
  GraphdosError,
  GraphSpectrum,
  Inspection,
  NodeGaps,
  NodeSpectrum,
  ProgressUpdate,
} from "graphdos";
import type { CollectionCalls } from "./collection-calls.js";

export interface PageFile {
  /** Path within what was dropped, with forward slashes. */
  path: string;
  file: File;
}

export type OpenInput =
  | { kind: "built-in"; name: string }
  /** One file is read as it is, several as a folder of that name. */
  | { kind: "files"; name: string; files: PageFile[] };

/** What the page keeps of an opened set. */
export interface OpenedSet {
  name: string;
  graphs: number;
  /** Of each graph. */
  nodes: Uint32Array;
  edges: Uint32Array;
  /** Index into classNames, or null where there are no classes. */
  classes: Int32Array | null;
  classNames: string[];
  graphNames: string[] | null;
  /** What the reader did that one may not expect, a sentence each. */
  notes: string[];
  /** The kernels there are. The page asks rather than imports them, which would bring all of the numerics with them. */
  kernels: { name: string; title: string }[];
}

export interface InspectedSet {
  inspection: Inspection;
  /** The sentences of `graphdos inspect`. */
  structure: string[];
  reading: string[];
}

export interface SetCalls {
  inspect: { input: null; output: InspectedSet };
}

/** How spectra are computed: the sliders. */
export interface SpectralSettings {
  moments: number;
  estimator: "auto" | "probes" | "sample";
  probes: number;
  seed: number;
  selfLoops: boolean;
  filter: "all" | "paper" | "none";
  damping: "jackson" | "lorentz" | "none";
}

export interface DrawnGraph {
  graph: number;
  nodeCount: number;
  edgeCount: number;
  /** Two nodes an edge, self-loops left out. */
  edges: Uint32Array;
  /** Neighbours of each node, itself not counted. */
  degrees: Uint32Array;
  /** Index into MOTIF_ROLES of each node. */
  roles: Uint8Array;
  /** What the file calls the nodes, where it does not number them 0..n-1. */
  nodeIds: string[] | null;
  /** The graph itself, for the worker that lays it out. */
  bytes: Uint8Array<ArrayBuffer>;
}

export type ColourBy = { by: "return"; steps: number } | { by: "density"; lambda: number };

export interface NodeColours {
  /** Of each node; NaN where it is not known. */
  values: Float32Array;
  /** Range of the values that are known. */
  low: number;
  high: number;
  /** Whether the values are shares of a known eigenvalue: 0 is then none of it. */
  known: boolean;
  /** Nodes with a value above 0, those that are known. */
  carriers: number;
}

export interface DrawnSpectrum {
  spectrum: GraphSpectrum;
  /** The exact one, where `spectrum` is an estimate and the exact one is cheap enough. */
  exact: GraphSpectrum | null;
  /** What the graph holds and its spectrum does not see, in the words of `graphdos spectrum`. */
  unused: string | null;
}

export interface GraphCalls {
  draw: { input: { graph: number }; output: DrawnGraph };
  spectrum: { input: { graph: number; settings: SpectralSettings }; output: DrawnSpectrum };
  colours: {
    input: { graph: number; settings: SpectralSettings; colour: ColourBy };
    output: NodeColours;
  };
  /** The local density of a node; null where it was not sampled. */
  node: {
    input: { graph: number; node: number; settings: SpectralSettings };
    output: { node: number; twins: number; spectrum: NodeSpectrum | null };
  };
}

export interface Comparison {
  spectra: [GraphSpectrum, GraphSpectrum];
  /** Wasserstein-1 distance of the spectra. */
  distance: number;
  gaps: NodeGaps;
}

export interface KernelSimilarity {
  kernel: string;
  /** The value of the kernel, with the bandwidths of the open set: that of `graphdos similar DATA`. */
  value: number;
  /** `distance` is null for parts that give similarities at once. */
  parts: { part: string; distance: number | null; similarity: number; errorBound: number }[];
  /** What `graphdos similar` says besides. */
  notes: string[];
}

export interface CompareCalls {
  compare: { input: { first: number; second: number; settings: SpectralSettings }; output: Comparison };
  similarity: { input: { first: number; second: number; kernel: string }; output: KernelSimilarity };
  /** One vector a graph of the whole set, as `graphdos features` writes it: an .npz file. */
  features: {
    input: { kernel: string; moments?: number; selfLoops?: boolean };
    output: Uint8Array<ArrayBuffer>;
  };
}

export interface Calls extends SetCalls, GraphCalls, CompareCalls, CollectionCalls {}

export type CallName = keyof Calls;
export type Input<K extends CallName> = Calls[K]["input"];
export type Output<K extends CallName> = Calls[K]["output"];

/** `set` is a number that the page gives: `open` makes the set of that number, other calls ask about it, `close` forgets it. */
export type ToEngine =
  | { id: number; set: number; call: CallName | "open"; input: unknown }
  | { cancel: number }
  | { close: number };

export type FromEngine =
  | { id: number; output: unknown }
  | { id: number; error: { message: string; code: GraphdosError["code"] | null } }
  | { id: number; progress: ProgressUpdate };
