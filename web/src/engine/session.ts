/** What the engine keeps between calls: the data set, and what was computed of it. */
import { type Dataset, type Executor, type Graph, GraphdosError, type OnProgress } from "graphdos";

export class Session {
  private opened: Dataset | null = null;
  /** Computed of the open set, under a key; forgotten when another is opened. */
  readonly kept = new Map<string, unknown>();

  get dataset(): Dataset {
    if (this.opened === null) throw new GraphdosError("bad-call", "no data set is open: open one first");
    return this.opened;
  }

  open(dataset: Dataset): void {
    this.opened = dataset;
    this.kept.clear();
  }

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
