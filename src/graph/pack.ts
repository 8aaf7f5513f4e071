/**
 * Many graphs in one buffer, to post to a worker as one: a thousand small buffers cost more to post than to compute with.
 *
 * Layout: the number of graphs, then each one's length in bytes (float64), then the graphs, one behind the other.
 */
import { cutByCost } from "../base/cuts.js";
import { badData } from "../base/errors.js";
import { Graph } from "./graph.js";

export function packGraphs(graphs: readonly Graph[]): ArrayBuffer {
  const buffer = new ArrayBuffer(packedLength(graphs));
  packInto(graphs, buffer, 0);
  return buffer;
}

/** Bytes that the packed graphs take. */
export function packedLength(graphs: readonly Graph[]): number {
  let length = 8 * (graphs.length + 1);
  for (const { byteLength } of graphs) length += align8(byteLength);
  return length;
}

/** The graphs packed in runs that reach so many bytes, one run after another: to be hashed, not kept. */
export function* packedRuns(graphs: readonly Graph[], runBytes = 2 ** 26): Generator<Uint8Array, void> {
  const cuts = cutByCost(graphs.length, (g) => graphs[g].byteLength, runBytes);
  for (let k = 1; k < cuts.length; k++) yield new Uint8Array(packGraphs(graphs.slice(cuts[k - 1], cuts[k])));
}

/** Packs graphs at an 8-byte aligned place of a buffer. */
export function packInto(graphs: readonly Graph[], buffer: ArrayBufferLike, byteOffset: number): void {
  const lengths = new Float64Array(buffer, byteOffset, graphs.length + 1);
  const bytes = new Uint8Array(buffer);
  lengths[0] = graphs.length;
  let at = byteOffset + 8 * lengths.length;
  for (let g = 0; g < graphs.length; g++) {
    const { buffer: from, byteOffset: first, byteLength } = graphs[g];
    lengths[g + 1] = byteLength;
    bytes.set(new Uint8Array(from, first, byteLength), at);
    at += align8(byteLength);
  }
}

/** The graphs, as views into the buffer. */
export const unpackGraphs = (buffer: ArrayBufferLike): Graph[] => [...eachPacked(buffer)];

/** The same one after another, for who needs them but once. */
export function* eachPacked(buffer: ArrayBufferLike): Generator<Graph, void> {
  const count = buffer.byteLength >= 8 ? new Float64Array(buffer, 0, 1)[0] : Number.NaN;
  if (!(Number.isInteger(count) && count >= 0 && 8 * (count + 1) <= buffer.byteLength))
    throw badData(`packed graphs: got ${count} graphs in ${buffer.byteLength} bytes`);
  const lengths = new Float64Array(buffer, 8, count);
  let at = 8 * (count + 1);
  for (let g = 0; g < count; g++) {
    yield Graph.fromBuffer(buffer, `packed graph ${g}`, at, lengths[g]);
    at += align8(lengths[g]);
  }
}

const align8 = (bytes: number) => Math.ceil(bytes / 8) * 8;
