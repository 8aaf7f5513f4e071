/**
 * The state of the page: the view (bound to the address), the open data set, what is under way and what went wrong. One object, made once
 * in App.svelte and handed to the views by context. A set is open only while the address names it: the two change together.
 */
import type { ProgressUpdate } from "graphdos";
import { getContext, setContext } from "svelte";
import type { ModelFile, ModelSummary } from "../engine/collection-calls.js";
import { Engine, isInterruption } from "../engine/engine.js";
import type { OpenInput, SpectralSettings } from "../engine/protocol.js";
import { defaultView, readAddress, type View, writeAddress } from "./fields.js";
import { OpenSet } from "./open-set.svelte.js";

const KEY = Symbol("explorer");

export class Explorer {
  /** Bound to the address: change its fields and the address follows. */
  readonly view: View = $state(defaultView());
  set = $state.raw<OpenSet | null>(null);
  /** What is being opened, for the status line. */
  opening = $state<string | null>(null);
  progress = $state.raw<ProgressUpdate | null>(null);
  /** The sentence of what went wrong, until it is dismissed or something else is opened. */
  error = $state<string | null>(null);
  /** Trained or loaded; it outlives the set. */
  model = $state.raw<{ file: ModelFile; summary: ModelSummary } | null>(null);
  private readonly engine = new Engine((error) => {
    this.error = error.message;
    this.replaceSet(null);
  });
  private controller: AbortController | null = null;
  private written = "";
  /** By the names of their sets, what was opened since the page was loaded: to go back to it. */
  private readonly inputs = new Map<string, OpenInput>();

  constructor() {
    Object.assign(this.view, readAddress(location.hash));
    this.written = location.hash;
    addEventListener("hashchange", () => {
      if (location.hash === this.written) return;
      this.written = location.hash;
      Object.assign(this.view, readAddress(location.hash));
      this.openFromAddress();
    });
  }

  /** Writes the address; a change of the view or the set makes a step of its history. Call it in an effect. */
  writeAddress(): void {
    const hash = writeAddress(this.view);
    if (hash === this.written) return;
    const before = readAddress(this.written);
    const step = before.view !== this.view.view || before.set !== this.view.set;
    this.written = hash;
    const address = hash === "" ? location.pathname + location.search : hash;
    if (step) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  }

  /** Shows the set that the address names: opens it where it can be had without asking, and no other stays open. */
  openFromAddress(): void {
    if (this.set !== null && this.set.name === this.view.set) {
      this.fitView(this.set);
      return;
    }
    this.controller?.abort();
    this.replaceSet(null);
    this.openAgain();
  }

  openAgain(): void {
    const input = this.inputOf(this.view.set);
    if (input !== null) void this.open(input);
  }

  /** The set that the address names and that is not open; `again` where it can be opened without its file. */
  get wanted(): { name: string; again: boolean } | null {
    const { set: name } = this.view;
    return name === "" || this.set !== null ? null : { name, again: this.inputOf(name) !== null };
  }

  /**
   * True where it is open then. A set that was open stays when the new one cannot be opened. Of a promise, as while a folder is listed:
   * what is opened meanwhile stays open.
   */
  async open(given: OpenInput | Promise<OpenInput>): Promise<boolean> {
    this.controller?.abort();
    const controller = new AbortController();
    this.controller = controller;
    this.opening = "name" in given ? given.name : "what was dropped";
    this.error = null;
    try {
      const { signal } = controller;
      const input = await given;
      if (signal.aborted) return false;
      this.opening = input.name;
      const onProgress = (update: ProgressUpdate) => {
        this.progress = update;
      };
      const { id, opened } = await this.engine.open(input, { signal, onProgress });
      const set = new OpenSet(this.engine, id, opened);
      if (signal.aborted) {
        set.close();
        return false;
      }
      this.inputs.set(set.name, input);
      if (this.view.set !== set.name)
        Object.assign(this.view, { set: set.name, graph: 0, other: 1, node: null, lambda: null });
      this.fitView(set);
      this.replaceSet(set);
      return true;
    } catch (error) {
      if (this.controller === controller && !isInterruption(error)) this.error = (error as Error).message;
      return false;
    } finally {
      if (this.controller === controller) {
        this.controller = null;
        this.opening = null;
        this.progress = null;
      }
    }
  }

  /** Another graph of the open set; a node that was chosen is none of its. */
  pick(graph: number): void {
    if (graph !== this.view.graph) this.view.node = null;
    this.view.graph = graph;
  }

  cancelOpening(): void {
    this.controller?.abort();
  }

  /** The sliders as the engine takes them. */
  get settings(): SpectralSettings {
    const { moments, estimator, probes, seed, loops, filter, damping } = this.view;
    return { moments, estimator, probes, seed, selfLoops: loops, filter, damping };
  }

  private replaceSet(set: OpenSet | null): void {
    this.set?.close();
    this.set = set;
  }

  /** Graphs and nodes that the set does not have become ones that it has. */
  private fitView({ graphs, nodes }: OpenSet): void {
    const { view } = this;
    view.graph = Math.min(view.graph, Math.max(0, graphs - 1));
    view.other = Math.min(view.other, Math.max(0, graphs - 1));
    if (view.node !== null && !(view.node < nodes[view.graph])) view.node = null;
  }

  private inputOf(name: string): OpenInput | null {
    return this.inputs.get(name) ?? (name.startsWith("synthetic:") ? { kind: "built-in", name } : null);
  }
}

export const provideExplorer = (explorer: Explorer) => setContext(KEY, explorer);
export const useExplorer = () => getContext<Explorer>(KEY);
