/**
 * State: named plain values and typed arrays as one run of bytes, for model files. Little-endian:
 *
 *   bytes 0..3 magic "GDKS", 4..7 version, 8..11 bytes of the header, then the header (JSON, UTF-8) padded with spaces to 8 bytes: the
 *   values, and name, type and length of each array; then the arrays, each 8-byte aligned.
 *
 * Bytes may come from anywhere: arrays are views of what is there, and sizes that are stated beside them must fit them.
 */
import * as z from "zod/mini";
import { badData } from "../base/errors.js";
import type { Graph } from "../graph/graph.js";
import { packGraphs, unpackGraphs } from "../graph/pack.js";
import { checkNodeKernel } from "../signature/node-kernel.js";
import { graphCount, type NodeRows, quadCount } from "../signature/node-rows.js";
import { METRICS, type Metric } from "../signature/vector-distances.js";
import { FORMS, type Form } from "./form.js";
import { COMPARISONS, type Comparison, type Signatures } from "./signatures.js";

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
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 12, headerBytes)));
  } catch (cause) {
    throw badData(`${where}: its header cannot be read`, cause);
  }
  const parsed = z.safeParse(Header, json);
  if (!parsed.success) throw badData(`${where}: its header is wrong`);
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

export function rowsFromState({ values, arrays }: State, prefix = ""): NodeRows {
  const rows = {
    dimension: values[`${prefix}dimension`] as number,
    offsets: arrays[`${prefix}offsets`] as Uint32Array,
    masses: arrays[`${prefix}masses`] as Float64Array,
    values: arrays[`${prefix}values`] as Float64Array,
  };
  const count = rows.masses?.length ?? 0;
  mustFit(
    isSize(rows.dimension) &&
      isDivision(rows.offsets, rows.offsets?.length - 1, count) &&
      isFloats(rows.masses, count) &&
      isFloats(rows.values, 4 * rows.dimension * quadCount(count)),
    "node rows",
  );
  return rows;
}

const isSize = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isFloats = (numbers: Numbers | undefined, length: number) =>
  numbers instanceof Float64Array && numbers.length === length;

/** parts + 1 numbers that ascend from 0 to the total. */
function isDivision(offsets: Numbers | undefined, parts: number, total: number): boolean {
  return (
    offsets instanceof Uint32Array &&
    offsets.length === parts + 1 &&
    offsets[0] === 0 &&
    offsets[parts] === total &&
    offsets.every((offset, k) => k === 0 || offset >= offsets[k - 1])
  );
}

/** Throws where what a state says of its arrays is not so. */
export function mustFit(fits: boolean, what: string): void {
  if (!fits) throw badData(`kernel state: the sizes of its ${what} do not fit`);
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

export function signaturesFromState(state: State): Signatures {
  const { values, arrays } = state;
  const numbers = (name: string) => arrays[name] as Float64Array;
  const count = values.count as number;
  mustFit(isSize(count), "signatures");
  if (values.kind === "vectors") {
    const { metric, dimension, slack } = values;
    const missed = numbers("missed") ?? null;
    mustFit(
      METRICS.includes(metric as Metric) &&
        isSize(dimension) &&
        // NaN, for no bound, is null in JSON
        (typeof slack === "number" || slack === null) &&
        isFloats(numbers("values"), count * dimension) &&
        (missed === null || isFloats(missed, count)),
      "vectors",
    );
    return {
      kind: "vectors",
      metric: metric as Metric,
      count,
      dimension: dimension as number,
      slack: slack as number,
      values: numbers("values"),
      missed,
    };
  }
  const form = values.form as Form;
  const squares = numbers("squares");
  mustFit(isFloats(squares, count), "signatures");
  if (values.kind === "counts") {
    const [offsets, ids] = [arrays.offsets as Uint32Array, arrays.ids as Uint32Array];
    const known = values.known as number;
    mustFit(
      isDivision(offsets, count, ids?.length) &&
        isFloats(numbers("counts"), ids.length) &&
        ids instanceof Uint32Array &&
        isSize(known) &&
        COMPARISONS.includes(values.compare as Comparison) &&
        FORMS.includes(form),
      "counts",
    );
    const features = { graphs: count, offsets, ids, counts: numbers("counts"), known, notes: [] };
    return { kind: "counts", count, compare: values.compare as Comparison, form, features, squares };
  }
  if (values.kind === "walks") {
    const graphs = graphsFromWords(arrays.graphs as Uint32Array);
    mustFit(graphs.length === count && typeof values.root === "number" && FORMS.includes(form), "walks");
    return { kind: "walks", count, form, root: values.root as number, graphs, squares };
  }
  const rows = rowsFromState(state);
  const node = { shape: values.shape as "gaussian" | "laplacian", width: values.width as number };
  checkNodeKernel(node);
  mustFit(
    values.kind === "measures" && graphCount(rows) === count && isFloats(numbers("keys"), count),
    "measures",
  );
  return { kind: "measures", count, node, rows, keys: numbers("keys"), squares };
}

/** Packed graphs are whole words, 8-byte aligned. */
const graphWords = (graphs: readonly Graph[]) => new Uint32Array(packGraphs(graphs));
const graphsFromWords = (words: Uint32Array) => unpackGraphs(words.slice().buffer);
