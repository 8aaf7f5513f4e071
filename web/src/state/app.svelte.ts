/**
 * The state of the page: the view (bound to the address), the open data set, what is under way and what went wrong. One object, made once
 * in App.svelte and handed to the views by context.
 */
import { GraphdosError, type ProgressUpdate } from "graphdos";
import { getContext, setContext } from "svelte";
import { Engine } from "../engine/engine.js";
import type { OpenedSet, OpenInput, SpectralSettings } from "../engine/protocol.js";
import { GraphDrawing } from "../graph/drawing.svelte.js";
import { defaultView, readAddress, type View, writeAddress } from "./fields.js";

const KEY = Symbol("explorer");
const KEPT_DRAWINGS = 8;

export class Explorer {
  readonly engine = new Engine();
  /** Bound to the address: change its fields and the address follows. */
  readonly view: View = $state(defaultView());
  set = $state.raw<OpenedSet | null>(null);
  /** What is being opened, for the status line. */
  opening = $state<string | null>(null);
  progress = $state.raw<ProgressUpdate | null>(null);
  /** The sentence of what went wrong, until it is dismissed or something else is opened. */
  error = $state<string | null>(null);
  private controller: AbortController | null = null;
  private written = "";
  private drawings = new Map<number, GraphDrawing>();

  constructor() {
    Object.assign(this.view, readAddress(location.hash));
    this.written = location.hash;
    addEventListener("hashchange", () => {
      if (location.hash === this.written) return;
      this.written = location.hash;
      const wanted = readAddress(location.hash);
      const other = wanted.set !== this.view.set;
      Object.assign(this.view, wanted);
      if (other) this.openFromAddress();
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

  /** Opens the set that the address names, where it can be had without asking. */
  openFromAddress(): void {
    const { set } = this.view;
    if (set === "" || set === this.set?.name) return;
    if (set.startsWith("synthetic:")) void this.open({ kind: "built-in", name: set }, true);
  }

  /** The address names a file that only its owner can open again. */
  get wanted(): string | null {
    const { set } = this.view;
    return set !== "" && !set.startsWith("synthetic:") && this.set === null ? set : null;
  }

  /** With `keep`, what else the address says stays; else graph and node start anew. */
  async open(input: OpenInput, keep = false): Promise<boolean> {
    this.controller?.abort();
    const controller = new AbortController();
    this.controller = controller;
    this.opening = input.name;
    this.error = null;
    try {
      const { signal } = controller;
      const onProgress = (update: ProgressUpdate) => {
        this.progress = update;
      };
      const set = await this.engine.call("open", input, { signal, onProgress });
      const again = keep || this.view.set === set.name;
      if (!again)
        Object.assign(this.view, { graph: 0, other: Math.min(1, set.graphs - 1), node: null, lambda: null });
      this.view.graph = Math.min(this.view.graph, Math.max(0, set.graphs - 1));
      this.view.other = Math.min(this.view.other, Math.max(0, set.graphs - 1));
      this.view.set = set.name;
      for (const drawing of this.drawings.values()) drawing.close();
      this.drawings.clear();
      this.set = set;
      return true;
    } catch (error) {
      if (!(error instanceof GraphdosError && error.code === "interrupted"))
        this.error = (error as Error).message;
      return false;
    } finally {
      if (this.controller === controller) {
        this.opening = null;
        this.progress = null;
      }
    }
  }

  cancelOpening(): void {
    this.controller?.abort();
  }

  /** The drawing of a graph of the open set, made when first asked for. */
  drawing(g: number): GraphDrawing {
    const known = this.drawings.get(g);
    if (known !== undefined) return known;
    const made = new GraphDrawing(this.engine, g, this.set!.nodes[g], this.set!.edges[g]);
    this.drawings.set(g, made);
    for (const [oldest, drawing] of this.drawings) {
      if (this.drawings.size <= KEPT_DRAWINGS) break;
      drawing.close();
      this.drawings.delete(oldest);
    }
    return made;
  }

  /** The sliders as the engine takes them. */
  get settings(): SpectralSettings {
    const { moments, estimator, probes, seed, loops, filter, damping } = this.view;
    return { moments, estimator, probes, seed, selfLoops: loops, filter, damping };
  }

  /** "graph 12 of IMDB-BINARY", or its file name: as the command line says it. */
  title(g: number): string {
    return this.set?.graphNames?.[g] ?? `graph ${g} of ${this.set?.name ?? ""}`;
  }

  className(g: number): string | null {
    const { set } = this;
    return set?.classes == null ? null : set.classNames[set.classes[g]];
  }
}

export const provideExplorer = (explorer: Explorer) => setContext(KEY, explorer);
export const useExplorer = () => getContext<Explorer>(KEY);
