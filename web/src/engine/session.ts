/** What the engine keeps of one open set: its data, and what was computed of it. A set that is closed takes all of it along. */
import { type Dataset, type Executor, type Graph, GraphdosError, type OnProgress } from "graphdos";
import type { KeptProfile } from "./profiles.js";

export class Session {
  /** Computed of the set, under a key. */
  readonly kept = new Map<string, unknown>();
  /** The newest first. */
  readonly profiles: KeptProfile[] = [];

  constructor(readonly dataset: Dataset) {}

  graph(g: number): Graph {
    const { graphs, name } = this.dataset;
    if (!(g >= 0 && g < graphs.length))
      throw new GraphdosError("bad-call", `${name} has no graph ${g}: expected 0 to ${graphs.length - 1}`);
    return graphs[g];
  }

  /** What is kept under the key, or what `make` gives, which is then kept. A failed attempt is forgotten. */
  async once<T>(key: string, make: () => Promise<T>): Promise<T> {
    const known = this.kept.get(key) as T | undefined;
    if (known !== undefined) return known;
    const made = await make();
    this.kept.set(key, made);
    return made;
  }
}

export interface CallContext {
  /** Of the set that the call is about. */
  session: Session;
  executor: Executor;
  /** For work of minutes, so that short calls need not wait for it. */
  background: Executor;
  signal: AbortSignal;
  onProgress: OnProgress;
}

/** One function a call. */
export type Handlers<C> = {
  [K in keyof C]: C[K] extends { input: infer I; output: infer O }
    ? (input: I, context: CallContext) => O | Promise<O>
    : never;
};
