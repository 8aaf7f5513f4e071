/**
 * A data set that is open: what the page knows of it, its drawings, and what was computed of it. It never changes into another one: a
 * set that is opened makes a new OpenSet and closes the one before, whose calls end and whose answers go nowhere. Views live inside
 * SetScope.svelte, which is made anew for every set, and get theirs by `useSet()`.
 */
import { getContext, setContext } from "svelte";
import { CollectionState } from "../collection/state.svelte.js";
import type { Caller, CallOptions, Engine } from "../engine/engine.js";
import type { CallName, Input, OpenedSet, Output } from "../engine/protocol.js";
import { GraphDrawing } from "../graph/drawing.svelte.js";

const KEY = Symbol("set");
const KEPT_DRAWINGS = 8;

export class OpenSet implements OpenedSet, Caller {
  readonly name: string;
  readonly graphs: number;
  readonly nodes: Uint32Array;
  readonly edges: Uint32Array;
  readonly classes: Int32Array | null;
  readonly classNames: string[];
  readonly graphNames: string[] | null;
  readonly notes: string[];
  readonly kernels: { name: string; title: string }[];
  /** What the Collection view knows and runs: it outlives the view. */
  readonly collection = new CollectionState(this);
  private readonly drawings = new Map<number, GraphDrawing>();

  constructor(
    private readonly engine: Engine,
    private readonly id: number,
    { name, graphs, nodes, edges, classes, classNames, graphNames, notes, kernels }: OpenedSet,
  ) {
    this.name = name;
    this.graphs = graphs;
    this.nodes = nodes;
    this.edges = edges;
    this.classes = classes;
    this.classNames = classNames;
    this.graphNames = graphNames;
    this.notes = notes;
    this.kernels = kernels;
  }

  call<K extends CallName>(call: K, input: Input<K>, options?: CallOptions): Promise<Output<K>> {
    return this.engine.call(this.id, call, input, options);
  }

  close(): void {
    for (const drawing of this.drawings.values()) drawing.close();
    this.engine.close(this.id);
  }

  /** The drawing of a graph, made when first asked for; those that were not asked for of late are given up. */
  drawing(g: number): GraphDrawing {
    const drawing = this.drawings.get(g) ?? new GraphDrawing(this, g, this.nodes[g], this.edges[g]);
    this.drawings.delete(g);
    this.drawings.set(g, drawing);
    for (const [oldest, other] of this.drawings) {
      if (this.drawings.size <= KEPT_DRAWINGS) break;
      other.close();
      this.drawings.delete(oldest);
    }
    return drawing;
  }

  /** "graph 12 of IMDB-BINARY", or its file name: as the command line says it. */
  title(g: number): string {
    return this.graphNames?.[g] ?? `graph ${g} of ${this.name}`;
  }

  className(g: number): string | null {
    return this.classes === null ? null : this.classNames[this.classes[g]];
  }
}

export const provideSet = (set: OpenSet) => setContext(KEY, set);
/** The set of the view: the same for as long as the view is there. */
export const useSet = () => getContext<OpenSet>(KEY);
