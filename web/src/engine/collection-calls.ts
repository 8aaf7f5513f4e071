/** What the Collection view asks the engine; answered in collection-handlers.ts. */
import type { EvaluationResult, PredictionRow } from "graphdos";
import type { OpenInput } from "./protocol.js";

/** A kernel as the view sets it. */
export interface KernelSettings {
  kernel: string;
  moments: number;
  /** A + I in every part that has the choice. */
  selfLoops: boolean;
}

export interface CollectionMap {
  /** Two numbers a graph: kernel PCA. */
  coordinates: Float64Array;
  /** Share of the variance along each of the two axes. */
  share: number[];
  /** Graphs of the heat map, class by class, and the Gram among them, row by row. */
  order: number[];
  gram: Float32Array;
  /** The same from 0, the smallest, to 255, the value 1: for colours. */
  levels: Uint8Array;
  low: number;
  notes: string[];
}

/** `notes`: what `graphdos similar` says besides: what the kernel does not use, what it made, how bandwidths were found. */
export interface Neighbours {
  rows: NeighbourRow[];
  notes: string[];
}

export interface NeighbourRow {
  graph: number;
  similarity: number;
  distance: number;
}

/** A drawing of a graph in the unit square of its longer side; null where it is too large to be drawn small. */
export interface Thumbnail {
  /** x of node i at 2i, y at 2i + 1. */
  places: Float32Array;
  /** Both ends of each edge, loops left out. */
  edges: Uint32Array;
  width: number;
  height: number;
}

export interface EvaluationInput extends Omit<KernelSettings, "kernel"> {
  kernels: string[];
  protocol: string;
  /** Undefined: as the protocol has it. */
  repeats?: number;
  folds?: number;
  seed: number;
}

export interface ModelFile {
  /** Of the file, without a folder. */
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** What there is to say of a model. */
export interface ModelSummary {
  /** Of one that was just trained, with what the set holds and its kernel does not use. */
  sentences: string[];
  classNames: string[];
  /** Name of the set it learnt from. */
  dataset: string;
}

export interface TrainInput extends KernelSettings {
  folds: number;
  probability: boolean;
  seed: number;
}

export interface Predictions {
  dataset: string;
  /**
   * What the graphs hold and the model does not use, and how they were read; without the latter for the open set, which has it above every
   * view.
   */
  notes: string[];
  rows: PredictionRow[];
  /** The class that the data states, for each row; null without classes. */
  stated: string[] | null;
  accuracy: number | null;
  csv: string;
}

export interface CollectionCalls {
  map: { input: KernelSettings; output: CollectionMap };
  neighbours: { input: KernelSettings & { graph: number; count: number }; output: Neighbours };
  thumbnail: { input: { graph: number }; output: Thumbnail | null };
  evaluate: { input: EvaluationInput; output: EvaluationResult };
  train: { input: TrainInput; output: { bytes: Uint8Array<ArrayBuffer>; summary: ModelSummary } };
  readModel: { input: ModelFile; output: ModelSummary };
  /** `data` null: the open set. */
  predict: { input: { model: ModelFile; data: OpenInput | null }; output: Predictions };
}
