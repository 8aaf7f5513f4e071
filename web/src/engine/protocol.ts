/**
 * What the page asks its engine, a web worker that holds the data set, and what the engine answers. A call is a name with plain data in
 * and plain data out; typed arrays of the answer are moved, not copied. The other side of each call is in handlers.ts.
 */
import type { GraphdosError, Inspection, ProgressUpdate } from "graphdos";
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
}

export interface InspectedSet {
  inspection: Inspection;
  /** The sentences of `graphdos inspect`. */
  structure: string[];
  reading: string[];
}

export interface SetCalls {
  open: { input: OpenInput; output: OpenedSet };
  inspect: { input: null; output: InspectedSet };
}

export interface Calls extends SetCalls, CollectionCalls {}

export type CallName = keyof Calls;
export type Input<K extends CallName> = Calls[K]["input"];
export type Output<K extends CallName> = Calls[K]["output"];

export type ToEngine = { id: number; call: CallName; input: unknown } | { id: number; cancel: true };

export type FromEngine =
  | { id: number; output: unknown }
  | { id: number; error: { message: string; code: GraphdosError["code"] | null } }
  | { id: number; progress: ProgressUpdate };
