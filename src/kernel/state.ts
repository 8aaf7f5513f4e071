/**
 * State: named plain values and typed arrays as one run of bytes, for model files. Little-endian:
 *
 *   bytes 0..3 magic "GDKS", 4..7 version, 8..11 bytes of the header, then the header (JSON, UTF-8) padded with spaces to 8 bytes: the
 *   values, and name, type and length of each array; then the arrays, each 8-byte aligned.
 *
 * Bytes may come from anywhere: arrays are views of what is there, and sizes that are stated beside them must fit them.
 */
import * as z from "zod/mini";
import { CheckedState } from "../base/checked-state.js";
import { badData } from "../base/errors.js";
import type { Graph } from "../graph/graph.js";
import { packGraphs, unpackGraphs } from "../graph/pack.js";
import { NODE_KERNEL_SHAPES } from "../signature/node-kernel.js";
import { type NodeRows, quadCount } from "../signature/node-rows.js";
import { METRICS } from "../signature/vector-distances.js";
import { FORMS } from "./form.js";
import { COMPARISONS, type Signatures } from "./signatures.js";

type Numbers = Float64Array | Uint32Array;

export interface State {
  values: Record<string, string | number | boolean | null>;
  arrays: Record<string, Numbers>;
}

const Header = z.object({
  values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  arrays: z.array(
    z.object({ name: z.string(), type: z.enum(["f64", "u32"]), length: z.int().check(z.nonnegative()) }),
  ),
});

const MAGIC = 0x534b4447; // "GDKS"
const VERSION = 1;
const align8 = (bytes: number) => Math.ceil(bytes / 8) * 8;

export function packState({ values, arrays }: State): ArrayBuffer {
  const list = Object.entries(arrays).map(([name, array]) => ({
    name,
    type: array instanceof Float64Array ? "f64" : "u32",
    length: array.length,
  }));
  const text = JSON.stringify({ values, arrays: list });
  const bytes = new TextEncoder().encode(text);
  const headerBytes = align8(12 + bytes.length) - 12;
  const total = Object.values(arrays).reduce(
    (sum, array) => sum + align8(array.byteLength),
    12 + headerBytes,
  );
  const buffer = new ArrayBuffer(total);
  const head = new DataView(buffer);
  head.setUint32(0, MAGIC, true);
  head.setUint32(4, VERSION, true);
  head.setUint32(8, headerBytes, true);
  new Uint8Array(buffer, 12, headerBytes).fill(32).set(bytes);
  let at = 12 + headerBytes;
  for (const array of Object.values(arrays)) {
    if (array instanceof Float64Array) new Float64Array(buffer, at, array.length).set(array);
    else new Uint32Array(buffer, at, array.length).set(array);
    at += align8(array.byteLength);
  }
  return buffer;
}

export function unpackState(buffer: ArrayBuffer, where = "kernel state"): State {
  if (buffer.byteLength < 12) throw badData(`${where}: too short: got ${buffer.byteLength} bytes`);
  const head = new DataView(buffer);
  if (head.getUint32(0, true) !== MAGIC) throw badData(`${where}: not a kernel state: wrong magic number`);
  const version = head.getUint32(4, true);
  if (version !== VERSION) throw badData(`${where}: unknown version: got ${version}, expected ${VERSION}`);
  const headerBytes = head.getUint32(8, true);
  let at = 12 + headerBytes;
  if (at > buffer.byteLength)
    throw badData(`${where}: cut off: got ${buffer.byteLength} bytes, expected more than ${at}`);
  if (at % 8 !== 0) throw badData(`${where}: damaged: its header has ${headerBytes} bytes`);
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 12, headerBytes)));
  } catch (cause) {
    throw badData(`${where}: its header cannot be read`, cause);
  }
  const parsed = z.safeParse(Header, json);
  if (!parsed.success)
    throw badData(`${where}: its header is wrong at ${parsed.error.issues[0].path.join(".") || "the top"}`);
  const header = parsed.data;
  // defined, not assigned, whatever an array is called
  const arrays: [name: string, numbers: Numbers][] = [];
  for (const { name, type, length } of header.arrays) {
    const bytes = length * (type === "f64" ? 8 : 4);
    if (at + bytes > buffer.byteLength)
      throw badData(`${where}: cut off in ${name}: got ${buffer.byteLength} bytes, expected ${at + bytes}`);
    if (at % 8 !== 0) throw badData(`${where}: ${name} starts at byte ${at}, expected a multiple of 8`);
    arrays.push([
      name,
      type === "f64" ? new Float64Array(buffer, at, length) : new Uint32Array(buffer, at, length),
    ]);
    at += align8(bytes);
  }
  return { values: header.values, arrays: Object.fromEntries(arrays) };
}

export function rowsState(rows: NodeRows, prefix = ""): State {
  return {
    values: { [`${prefix}dimension`]: rows.dimension },
    arrays: {
      [`${prefix}offsets`]: rows.offsets,
      [`${prefix}masses`]: rows.masses,
      [`${prefix}values`]: rows.values,
    },
  };
}

/** `graphs`: how many of them there must be. */
export function rowsFromState(state: State, graphs: number, prefix = ""): NodeRows {
  const checked = new CheckedState(state);
  const dimension = checked.whole(`${prefix}dimension`);
  const masses = checked.floats(`${prefix}masses`);
  return {
    dimension,
    offsets: checked.offsets(`${prefix}offsets`, graphs, masses.length),
    masses,
    values: checked.floats(`${prefix}values`, 4 * dimension * quadCount(masses.length)),
  };
}

/** Signatures of the graphs that a model keeps, to compare unseen ones with. */
export function signaturesState(set: Signatures): State {
  if (set.kind === "vectors") {
    const { kind, metric, count, dimension, slack, values, missed } = set;
    return {
      values: { kind, metric, count, dimension, slack },
      arrays: missed === null ? { values } : { values, missed },
    };
  }
  if (set.kind === "counts") {
    const { kind, count, compare, form, squares } = set;
    const { offsets, ids, counts, known } = set.features;
    return { values: { kind, count, compare, form, known }, arrays: { squares, offsets, ids, counts } };
  }
  if (set.kind === "walks") {
    const { kind, count, form, root, squares } = set;
    return { values: { kind, count, form, root }, arrays: { squares, graphs: graphWords(set.graphs) } };
  }
  const { kind, count, node, keys, squares } = set;
  const rows = rowsState(set.rows);
  return {
    values: { kind, count, shape: node.shape, width: node.width, ...rows.values },
    arrays: { keys, squares, ...rows.arrays },
  };
}

/** `mostPatterns`: no pattern of counts has a larger number, since so many would not have fitted into the file. */
export function signaturesFromState(state: State, mostPatterns = 2 ** 32 - 1): Signatures {
  const checked = new CheckedState(state);
  const kind = checked.word("kind", ["vectors", "counts", "walks", "measures"]);
  const count = checked.whole("count");
  if (kind === "vectors") {
    const dimension = checked.whole("dimension");
    return {
      kind,
      metric: checked.word("metric", METRICS),
      count,
      dimension,
      // NaN, for no bound, is null in JSON
      slack: state.values.slack === null ? Number.NaN : checked.number("slack", 0),
      values: checked.floats("values", count * dimension),
      missed: checked.has("missed") ? checked.floats("missed", count) : null,
    };
  }
  const squares = checked.floats("squares", count);
  if (kind === "measures")
    return {
      kind,
      count,
      node: {
        shape: checked.word("shape", NODE_KERNEL_SHAPES),
        width: checked.number("width", Number.MIN_VALUE),
      },
      rows: rowsFromState(state, count),
      keys: checked.floats("keys", count),
      squares,
    };
  const form = checked.word("form", FORMS);
  if (kind === "counts") {
    const known = checked.whole("known", 0, mostPatterns);
    const ids = checked.words("ids", undefined, known);
    const offsets = checked.offsets("offsets", count, ids.length);
    const counts = checked.floats("counts", ids.length);
    const features = { graphs: count, offsets, ids, counts, known, notes: [] };
    return { kind, count, compare: checked.word("compare", COMPARISONS), form, features, squares };
  }
  const graphs = graphsFromWords(checked.words("graphs"));
  if (graphs.length !== count) throw checked.fail("graphs", graphs.length, String(count));
  for (const graph of graphs) graph.validate("kernel state: a support graph");
  return { kind, count, form, root: checked.number("root", 0), graphs, squares };
}

/** Packed graphs are whole words, 8-byte aligned. */
const graphWords = (graphs: readonly Graph[]) => new Uint32Array(packGraphs(graphs));
const graphsFromWords = (words: Uint32Array) => unpackGraphs(words.slice().buffer);
