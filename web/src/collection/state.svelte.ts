/**
 * What the Collection view knows and runs. It outlives the view, so that an evaluation goes on while another view is looked at; what was
 * found of one data set is forgotten when another is opened, but for the model.
 */
import type { ModelFile, ModelSummary, Thumbnail, TrainInput } from "../engine/collection-calls.js";
import { Latest } from "../engine/latest.svelte.js";
import type { OpenedSet } from "../engine/protocol.js";
import type { Explorer } from "../state/app.svelte.js";
import { fileName } from "../ui/downloads.js";
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
  model = $state.raw<ModelFile | null>(null);
  summary = $state.raw<ModelSummary | null>(null);
  private thumbnails = new Map<number, Promise<Thumbnail | null>>();
  private of: OpenedSet | null = null;

  constructor(private readonly explorer: Explorer) {
    const { engine } = explorer;
    this.map = new Latest(engine, "map");
    this.neighbours = new Latest(engine, "neighbours");
    this.evaluation = new Run(engine, "evaluate");
    this.training = new Run(engine, "train");
    this.prediction = new Run(engine, "predict");
  }

  /** Forgets what belongs to another set than the one that is open. */
  follow(set: OpenedSet | null): void {
    if (set === this.of) return;
    this.of = set;
    for (const run of [this.map, this.neighbours, this.evaluation, this.training, this.prediction])
      run.clear();
    this.frame = null;
    this.hidden = new Set();
    this.thumbnails = new Map();
  }

  /** What was trained is the model from then on. */
  async train(input: TrainInput): Promise<void> {
    const name = `${fileName(this.of?.name ?? "model", input.kernel)}.graphdos`;
    const trained = await this.training.start(input);
    if (trained !== null) this.setModel({ name, bytes: trained.bytes }, trained.summary);
  }

  setModel(model: ModelFile, summary: ModelSummary): void {
    this.model = model;
    this.summary = summary;
    this.prediction.clear();
  }

  thumbnail(graph: number): Promise<Thumbnail | null> {
    let found = this.thumbnails.get(graph);
    if (found === undefined) {
      found = this.explorer.engine.call("thumbnail", { graph });
      this.thumbnails.set(graph, found);
    }
    return found;
  }
}

const states = new WeakMap<Explorer, CollectionState>();

export function collectionOf(explorer: Explorer): CollectionState {
  let state = states.get(explorer);
  if (state === undefined) {
    state = new CollectionState(explorer);
    states.set(explorer, state);
  }
  return state;
}
