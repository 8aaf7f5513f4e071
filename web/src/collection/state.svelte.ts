/** What the Collection view knows of a set and runs on it. It outlives the view, so that an evaluation goes on while another is looked at. */
import type { Thumbnail } from "../engine/collection-calls.js";
import type { Caller } from "../engine/engine.js";
import { Latest } from "../engine/latest.svelte.js";
import type { Frame } from "./frame.js";
import { Run } from "./run.svelte.js";

/** Above this the map is drawn when asked for: it takes a while, and n² numbers. */
export const MOST_UNASKED = 2000;

export class CollectionState {
  readonly map;
  readonly neighbours;
  readonly evaluation;
  readonly training;
  readonly prediction;
  /** Part of the map that is seen; null for all of it. */
  frame = $state.raw<Frame | null>(null);
  /** Classes that are not shown on the map. */
  hidden = $state.raw<ReadonlySet<number>>(new Set());
  private readonly thumbnails = new Map<number, Promise<Thumbnail | null>>();

  constructor(private readonly set: Caller) {
    this.map = new Latest(set, "map");
    this.neighbours = new Latest(set, "neighbours");
    this.evaluation = new Run(set, "evaluate");
    this.training = new Run(set, "train");
    this.prediction = new Run(set, "predict");
  }

  /** Kept once it is there; one that failed is asked for again. */
  thumbnail(graph: number): Promise<Thumbnail | null> {
    let found = this.thumbnails.get(graph);
    if (found === undefined) {
      found = this.set.call("thumbnail", { graph });
      this.thumbnails.set(graph, found);
      found.catch(() => this.thumbnails.delete(graph));
    }
    return found;
  }
}
