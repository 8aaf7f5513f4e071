/** A graph as it is drawn: its edges, and the places of its nodes, which come from a worker and may move for a while. */
import type { Engine } from "../engine/engine.js";
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
  private worker: Worker | null = null;
  private closed = false;

  constructor(
    engine: Engine,
    readonly graph: number,
    nodes: number,
    edges: number,
  ) {
    if (nodes > MAX_NODES || edges > MAX_EDGES)
      this.error = `This graph is too large to draw: ${nodes.toLocaleString("en-US")} nodes and ${edges.toLocaleString("en-US")} edges. Its spectrum can be seen all the same.`;
    else void this.load(engine);
  }

  private async load(engine: Engine): Promise<void> {
    try {
      const drawn = await engine.call("draw", { graph: this.graph });
      if (this.closed) return;
      this.drawn = drawn;
      const worker = new Worker(new URL("./layout-worker.ts", import.meta.url), { type: "module" });
      this.worker = worker;
      worker.addEventListener("message", ({ data }: MessageEvent<LayoutAnswer>) => {
        this.places = data.places;
        this.settled = data.done;
        if (data.done) this.close();
      });
      worker.addEventListener("error", ({ message }) => {
        this.error = `The graph could not be laid out: ${message}`;
      });
      worker.postMessage({ bytes: drawn.bytes } satisfies LayoutRequest, [drawn.bytes.buffer]);
    } catch (error) {
      this.error = (error as Error).message;
    }
  }

  /** What the file calls node i. */
  nodeName(i: number): string {
    return this.drawn?.nodeIds?.[i] ?? String(i);
  }

  close(): void {
    this.closed = true;
    this.worker?.terminate();
    this.worker = null;
  }
}
