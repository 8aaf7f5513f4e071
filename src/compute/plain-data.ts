/**
 * Plain data as bytes: what tasks take and give (objects, arrays, numbers, text, typed arrays, buffers) as one run of bytes, to send to
 * another machine or to keep in a file. Reading runs nothing and trusts nothing: every length is checked against the bytes.
 *
 *   bytes 0..3 magic "GDPD", 4..7 version, 8..11 bytes of the JSON text, 12..15 number of buffers, then the length of each buffer
 *   (float64), the JSON text (UTF-8) and the buffers, each from a multiple of 8 on
 *
 * In the JSON text an array of numbers stands as {"$": "f64", "b": buffer, "n": length}, one that lies elsewhere as {"$": …, "x": its
 * name, "n": length}; "s" marks shared memory. NaN, infinities and −0, which JSON does not know, stand as {"$": "number", "v": text}.
 * The bytes depend on the data alone, so that a hash of them names the data. O(size).
 */
import { badCall, badData } from "../base/errors.js";
import { joined } from "../base/joined.js";

const MAGIC = 0x44504447; // "GDPD"
const VERSION = 1;
const HEADER_BYTES = 16;
const MAX_DEPTH = 32;

type NumberArray =
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint16Array
  | Int8Array
  | Uint8Array
  | BigInt64Array
  | BigUint64Array;

const KINDS = {
  f64: Float64Array,
  f32: Float32Array,
  i32: Int32Array,
  u32: Uint32Array,
  i16: Int16Array,
  u16: Uint16Array,
  i8: Int8Array,
  u8: Uint8Array,
  i64: BigInt64Array,
  u64: BigUint64Array,
} as const;
type Kind = keyof typeof KINDS;
const kindOf = (array: NumberArray) =>
  (Object.keys(KINDS) as Kind[]).find((kind) => array.constructor === KINDS[kind]);

export interface EncodeOptions {
  /** Takes the bytes of an array elsewhere and gives their name, or null to leave them here. */
  elsewhere?: (bytes: Uint8Array) => string | null;
}

export interface DecodeOptions {
  /** The bytes are the reader's own: arrays of numbers are views of them where they lie well, not copies. Default false. */
  own?: boolean;
  /** The bytes that were taken elsewhere; shared memory where the array was on shared memory. */
  find?: (name: string, shared: boolean) => ArrayBufferLike;
  /** What to call the bytes in an error. */
  where?: string;
}

const isShared = (buffer: ArrayBufferLike) =>
  typeof SharedArrayBuffer !== "undefined" && buffer instanceof SharedArrayBuffer;
const align8 = (bytes: number) => Math.ceil(bytes / 8) * 8;

export const encodePlain = (value: unknown, options: EncodeOptions = {}): Uint8Array<ArrayBuffer> =>
  joined(encodeParts(value, options));

const PADDING = new Uint8Array(8);

/** The bytes in parts, to be written one behind the other: the arrays of the data themselves, not copies. */
export function encodeParts(value: unknown, { elsewhere }: EncodeOptions = {}): Uint8Array[] {
  const buffers: Uint8Array[] = [];
  const places = new Map<ArrayBufferLike, Map<string, number>>();
  const refer = (kind: string, bytes: Uint8Array, length: number) => {
    const shared = isShared(bytes.buffer) ? { s: 1 } : {};
    const name = elsewhere?.(bytes) ?? null;
    if (name !== null) return { $: kind, x: name, n: length, ...shared };
    const of = places.get(bytes.buffer) ?? new Map<string, number>();
    places.set(bytes.buffer, of);
    const range = `${bytes.byteOffset} ${bytes.byteLength}`;
    const place = of.get(range) ?? buffers.push(bytes) - 1;
    of.set(range, place);
    return { $: kind, b: place, n: length, ...shared };
  };
  const write = (item: unknown, depth: number): unknown => {
    if (depth > MAX_DEPTH) throw badCall(`plain data: nested more than ${MAX_DEPTH} deep`);
    if (item === null || typeof item === "string" || typeof item === "boolean") return item;
    if (typeof item === "number")
      return Number.isFinite(item) && !Object.is(item, -0)
        ? item
        : { $: "number", v: Object.is(item, -0) ? "-0" : String(item) };
    if (Array.isArray(item)) return item.map((entry) => write(entry, depth + 1));
    if (item instanceof ArrayBuffer || (typeof item === "object" && isShared(item as ArrayBufferLike)))
      return refer("buffer", new Uint8Array(item as ArrayBuffer), (item as ArrayBuffer).byteLength);
    if (ArrayBuffer.isView(item)) {
      const kind = kindOf(item as NumberArray);
      if (kind === undefined) throw badCall(`plain data: got a ${item.constructor.name}`);
      const bytes = new Uint8Array(item.buffer, item.byteOffset, item.byteLength);
      return refer(kind, bytes, (item as NumberArray).length);
    }
    const prototype = typeof item === "object" ? Object.getPrototypeOf(item) : undefined;
    if (prototype !== Object.prototype && prototype !== null)
      throw badCall(`plain data: got ${typeof item}, expected objects, arrays, numbers and text`);
    const out: Record<string, unknown> = {};
    for (const [key, entry] of Object.entries(item as object)) {
      if (key === "$" || key === "__proto__") throw badCall(`plain data: a name may not be ${key}`);
      if (entry !== undefined) out[key] = write(entry, depth + 1);
    }
    return out;
  };
  const json = new TextEncoder().encode(JSON.stringify(write(value, 0)));
  const text = HEADER_BYTES + 8 * buffers.length;
  const body = align8(text + json.length);
  const head = new Uint8Array(body);
  head.set(json, text);
  new Uint32Array(head.buffer, 0, 4).set([MAGIC, VERSION, json.length, buffers.length]);
  const lengths = new Float64Array(head.buffer, HEADER_BYTES, buffers.length);
  const parts: Uint8Array[] = [head];
  buffers.forEach((bytes, k) => {
    lengths[k] = bytes.length;
    const padding = align8(bytes.length) - bytes.length;
    if (bytes.length > 0) parts.push(bytes);
    if (padding > 0) parts.push(PADDING.subarray(0, padding));
  });
  return parts;
}

/** The data, in memory of its own unless `own` is set. */
export function decodePlain(
  bytes: Uint8Array,
  { find, own = false, where = "plain data" }: DecodeOptions = {},
): unknown {
  const fail = (what: string) => badData(`${where}: damaged: ${what}`);
  // a copy, also of a Node Buffer, whose slice is none
  const cut = (from: number, to: number) => new Uint8Array(bytes.subarray(from, to));
  if (bytes.length < HEADER_BYTES) throw fail(`got ${bytes.length} bytes`);
  const head = new Uint32Array(cut(0, HEADER_BYTES).buffer);
  if (head[0] !== MAGIC) throw fail("wrong magic number");
  if (head[1] !== VERSION) throw badData(`${where}: unknown version: got ${head[1]}, expected ${VERSION}`);
  const [, , jsonLength, count] = head;
  const text = HEADER_BYTES + 8 * count;
  if (text + jsonLength > bytes.length) throw fail("cut short");
  const lengths = new Float64Array(cut(HEADER_BYTES, text).buffer);
  const ranges: [number, number][] = [];
  let at = align8(text + jsonLength);
  for (const length of lengths) {
    if (!(Number.isSafeInteger(length) && length >= 0 && at + length <= bytes.length))
      throw fail("cut short");
    ranges.push([at, at + length]);
    at += align8(length);
  }
  const inPlace = own && bytes.byteOffset % 8 === 0;
  const made = new Map<number, ArrayBufferLike>();
  const bufferOf = (place: unknown, shared: boolean): ArrayBufferLike => {
    const range = ranges[place as number];
    if (range === undefined) throw fail(`no buffer ${place}`);
    const known = made.get(place as number);
    if (known !== undefined) return known;
    const copy = cut(range[0], range[1]);
    let buffer: ArrayBufferLike = copy.buffer;
    if (shared) {
      buffer = new SharedArrayBuffer(copy.length);
      new Uint8Array(buffer).set(copy);
    }
    made.set(place as number, buffer);
    return buffer;
  };
  const special = (item: Record<string, unknown>): unknown => {
    if (item.$ === "number") return Number(item.v);
    const length = item.n as number;
    if (!(Number.isSafeInteger(length) && length >= 0)) throw fail("length of an array");
    const shared = item.s === 1;
    if ("x" in item && (find === undefined || typeof item.x !== "string"))
      throw fail("an array is elsewhere");
    const kind = item.$ === "buffer" ? Uint8Array : KINDS[item.$ as Kind];
    if (kind === undefined || !Object.hasOwn({ ...KINDS, buffer: 0 }, item.$ as string))
      throw fail(`unknown kind ${item.$}`);
    const range = ranges[item.b as number];
    if (inPlace && !shared && !("x" in item) && item.$ !== "buffer" && range !== undefined) {
      if (range[1] - range[0] !== length * kind.BYTES_PER_ELEMENT) throw fail("length of an array");
      return new kind(bytes.buffer as ArrayBuffer, bytes.byteOffset + range[0], length);
    }
    const buffer = "x" in item ? find!(item.x as string, shared) : bufferOf(item.b, shared);
    if (buffer.byteLength !== length * kind.BYTES_PER_ELEMENT) throw fail("length of an array");
    return item.$ === "buffer" ? buffer : new kind(buffer as ArrayBuffer, 0, length);
  };
  const read = (item: unknown, depth: number): unknown => {
    if (depth > MAX_DEPTH + 1) throw fail("nested too deep");
    if (Array.isArray(item)) return item.map((entry) => read(entry, depth + 1));
    if (item === null || typeof item !== "object") return item;
    if ("$" in item) return special(item as Record<string, unknown>);
    if (Object.hasOwn(item, "__proto__")) throw fail("a forbidden name");
    const out: Record<string, unknown> = {};
    for (const [key, entry] of Object.entries(item)) out[key] = read(entry, depth + 1);
    return out;
  };
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(cut(text, text + jsonLength)));
  } catch {
    throw fail("its text");
  }
  return read(json, 0);
}
