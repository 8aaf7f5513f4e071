/** A graph as it is drawn: its edges, and the places of its nodes, which come from a worker and may move for a while. */
import { type Caller, isInterruption } from "../engine/engine.js";
import type { DrawnGraph } from "../engine/protocol.js";
import type { LayoutAnswer, LayoutRequest } from "./layout-worker.js";

/** Larger graphs are a blot on any screen. */
const MAX_NODES = 20_000;
const MAX_EDGES = 120_000;

export class GraphDrawing {
  drawn = $state.raw<DrawnGraph | null>(null);
  places = $state.raw<Float32Array | null>(null);
  settled = $state(false);
  error = $state<string | null>(null);
  /** Whether what went wrong may go well another time. */
  retriable = $state(false);
  private worker: Worker | null = null;
  private closed = false;

  constructor(
    private readonly set: Caller,
    readonly graph: number,
    nodes: number,
    edges: number,
  ) {
    if (nodes > MAX_NODES || edges > MAX_EDGES)
      this.error = `This graph is too large to draw: ${nodes.toLocaleString("en-US")} nodes and ${edges.toLocaleString("en-US")} edges. Its spectrum can be seen all the same.`;
    else void this.load();
  }

  /** After an error: once more from the start. */
  retry(): void {
    this.error = null;
    this.retriable = false;
    void this.load();
  }

  private async load(): Promise<void> {
    try {
      const drawn = await this.set.call("draw", { graph: this.graph });
      if (this.closed) return;
      this.drawn = drawn;
      const worker = new Worker(new URL("./layout-worker.ts", import.meta.url), { type: "module" });
      this.worker = worker;
      worker.addEventListener("message", ({ data }: MessageEvent<LayoutAnswer>) => {
        this.places = data.places;
        this.settled = data.done;
        if (data.done) this.stop();
      });
      worker.addEventListener("error", ({ message }) => {
        this.stop();
        this.fail(`The graph could not be laid out: ${message || "the worker for it could not be loaded"}.`);
      });
      worker.postMessage({ bytes: drawn.bytes } satisfies LayoutRequest, [drawn.bytes.buffer]);
    } catch (error) {
      if (!isInterruption(error)) this.fail((error as Error).message);
    }
  }

  private fail(sentence: string): void {
    this.error = sentence;
    this.retriable = true;
  }

  /** What the file calls node i. */
  nodeName(i: number): string {
    return this.drawn?.nodeIds?.[i] ?? String(i);
  }

  close(): void {
    this.closed = true;
    this.stop();
  }

  private stop(): void {
    this.worker?.terminate();
    this.worker = null;
  }
}
