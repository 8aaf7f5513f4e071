/**
 * Many graphs in one buffer, to post to a worker as one: a thousand small buffers cost more to post than to compute with.
 *
 * Layout: the number of graphs, then each one's length in bytes (float64), then the graphs, one behind the other.
 */
import { badData } from "../base/errors.js";
import { Graph } from "./graph.js";

export function packGraphs(graphs: readonly Graph[]): ArrayBuffer {
  const head = 8 * (graphs.length + 1);
  const buffer = new ArrayBuffer(graphs.reduce((sum, graph) => sum + align8(graph.byteLength), head));
  const lengths = new Float64Array(buffer, 0, graphs.length + 1);
  const bytes = new Uint8Array(buffer);
  lengths[0] = graphs.length;
  let at = head;
  graphs.forEach((graph, g) => {
    lengths[g + 1] = graph.byteLength;
    bytes.set(new Uint8Array(graph.buffer, graph.byteOffset, graph.byteLength), at);
    at += align8(graph.byteLength);
  });
  return buffer;
}

/** The graphs, as views into the buffer. */
export function unpackGraphs(buffer: ArrayBufferLike): Graph[] {
  const count = buffer.byteLength >= 8 ? new Float64Array(buffer, 0, 1)[0] : Number.NaN;
  if (!(Number.isInteger(count) && count >= 0 && 8 * (count + 1) <= buffer.byteLength))
    throw badData(`packed graphs: got ${count} graphs in ${buffer.byteLength} bytes`);
  const lengths = new Float64Array(buffer, 8, count);
  let at = 8 * (count + 1);
  return Array.from(lengths, (length, g) => {
    const graph = Graph.fromBuffer(buffer, `packed graph ${g}`, at, length);
    at += align8(length);
    return graph;
  });
}

const align8 = (bytes: number) => Math.ceil(bytes / 8) * 8;
