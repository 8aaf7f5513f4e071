/**
 * NumPy's .npy format, read and written: one array, its header a line of Python. Versions 1 to 3 of the format are read, 1 is written.
 * Elements: float64, float32, int32, int64 (as BigInt), uint8, bool (as bytes 0 and 1). Big-endian files and Fortran order are read,
 * turned into little-endian C order; other element types are refused. O(size).
 * Format: numpy/lib/format.py, "NPY format". Typed arrays are little-endian on every machine that runs JavaScript engines of today.
 */
import { badCall, badData } from "../base/errors.js";
import { joined } from "../base/joined.js";

export type NpyDtype = "float64" | "float32" | "int32" | "int64" | "uint8" | "bool";
export type NpyData = Float64Array | Float32Array | Int32Array | BigInt64Array | Uint8Array;

export interface NpyArray {
  dtype: NpyDtype;
  /** Empty for a single number. */
  shape: number[];
  /** C order: the last index runs fastest. */
  data: NpyData;
}

const KINDS: Record<NpyDtype, { code: string; bytes: number; create: (buffer: ArrayBuffer) => NpyData }> = {
  float64: { code: "f8", bytes: 8, create: (buffer) => new Float64Array(buffer) },
  float32: { code: "f4", bytes: 4, create: (buffer) => new Float32Array(buffer) },
  int32: { code: "i4", bytes: 4, create: (buffer) => new Int32Array(buffer) },
  int64: { code: "i8", bytes: 8, create: (buffer) => new BigInt64Array(buffer) },
  uint8: { code: "u1", bytes: 1, create: (buffer) => new Uint8Array(buffer) },
  bool: { code: "b1", bytes: 1, create: (buffer) => new Uint8Array(buffer) },
};

const MAGIC = "\x93NUMPY";
const ALIGNMENT = 64;

/** The bytes before the elements, a multiple of 64: for writing an array in parts, header first. */
export function npyHeader(dtype: NpyDtype, shape: readonly number[]): Uint8Array {
  const kind = KINDS[dtype];
  if (kind === undefined)
    throw badCall(
      `npy: unknown element type: got ${dtype}, expected one of ${Object.keys(KINDS).join(", ")}`,
    );
  if (!shape.every((size) => Number.isSafeInteger(size) && size >= 0))
    throw badCall(`npy: shape: got (${shape.join(", ")}), expected integers of at least 0`);
  const order = kind.bytes === 1 ? "|" : "<";
  const sizes = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  const text = `{'descr': '${order}${kind.code}', 'fortran_order': False, 'shape': (${sizes}), }`;
  const length = Math.ceil((10 + text.length + 1) / ALIGNMENT) * ALIGNMENT;
  if (length - 10 > 65535)
    throw badCall(`npy: a shape of ${shape.length} dimensions is too long for the header, expected fewer`);
  const bytes = new Uint8Array(length).fill(0x20);
  for (let i = 0; i < MAGIC.length; i++) bytes[i] = MAGIC.charCodeAt(i);
  bytes.set([1, 0, (length - 10) & 255, (length - 10) >> 8], MAGIC.length);
  for (let i = 0; i < text.length; i++) bytes[10 + i] = text.charCodeAt(i);
  bytes[length - 1] = 0x0a;
  return bytes;
}

/** The element type that an array is written as, if no other is named. */
function dtypeOf(data: NpyData): NpyDtype {
  if (data instanceof Float64Array) return "float64";
  if (data instanceof Float32Array) return "float32";
  if (data instanceof Int32Array) return "int32";
  if (data instanceof BigInt64Array) return "int64";
  if (data instanceof Uint8Array) return "uint8";
  throw badCall("npy: got an array of another kind, expected float64, float32, int32, int64 or uint8");
}

/** A whole file. `dtype` is needed only to write a Uint8Array of zeros and ones as "bool". */
export const writeNpy = (data: NpyData, shape?: readonly number[], dtype?: NpyDtype): Uint8Array =>
  joined(npyParts(data, shape, dtype));

/** The same as header and elements, the latter not copied. */
export function npyParts(
  data: NpyData,
  shape: readonly number[] = [data.length],
  dtype: NpyDtype = dtypeOf(data),
): [header: Uint8Array, body: Uint8Array] {
  if (dtype !== dtypeOf(data) && !(dtype === "bool" && data instanceof Uint8Array))
    throw badCall(`npy: element type: got ${dtype} for an array of ${dtypeOf(data)}`);
  const header = npyHeader(dtype, shape);
  if (elementCount(shape) !== data.length)
    throw badCall(`npy: got ${data.length} elements for shape (${shape.join(", ")})`);
  return [header, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)];
}

const elementCount = (shape: readonly number[]) => shape.reduce((product, size) => product * size, 1);

/** The array in the bytes of a file. `where` names it in messages. */
export function readNpy(bytes: Uint8Array, where = "npy file"): NpyArray {
  const { text, start } = headerText(bytes, where);
  const { dtype, swap, fortran, shape } = parseHeader(text, where);
  const kind = KINDS[dtype];
  const count = elementCount(shape);
  const expected = count * kind.bytes;
  if (bytes.length - start !== expected)
    throw badData(
      `${where}: damaged or cut off: got ${bytes.length - start} bytes of elements, expected ${expected} for shape (${shape.join(", ")}); get the file again`,
    );
  const buffer = new ArrayBuffer(expected);
  const own = new Uint8Array(buffer);
  own.set(bytes.subarray(start));
  if (swap) for (let i = 0; i < expected; i += kind.bytes) own.subarray(i, i + kind.bytes).reverse();
  const data = kind.create(buffer);
  return { dtype, shape, data: fortran && shape.length > 1 ? toRowMajor(data, shape) : data };
}

function headerText(bytes: Uint8Array, where: string): { text: string; start: number } {
  for (let i = 0; i < MAGIC.length; i++)
    if (bytes[i] !== MAGIC.charCodeAt(i))
      throw badData(`${where}: not a npy file: its first bytes are not those of NumPy's format`);
  const version = bytes[6];
  const lengthBytes = version === 1 ? 2 : 4;
  if (bytes.length < 8 + lengthBytes) throw badData(`${where}: cut off in its header; get the file again`);
  if (!(version >= 1 && version <= 3))
    throw badData(`${where}: unknown version of the npy format: got ${version}, expected 1, 2 or 3`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = 8 + lengthBytes;
  const end = start + (version === 1 ? view.getUint16(8, true) : view.getUint32(8, true));
  if (end > bytes.length) throw badData(`${where}: cut off in its header; get the file again`);
  return { text: new TextDecoder().decode(bytes.subarray(start, end)), start: end };
}

/** The header is a Python dictionary of exactly three keys, in any order. */
function parseHeader(text: string, where: string) {
  const descr = /'descr':\s*'([^']*)'/.exec(text)?.[1];
  const order = /'fortran_order':\s*(True|False)/.exec(text)?.[1];
  const sizes = /'shape':\s*\(([\dL,\s]*)\)/.exec(text)?.[1];
  if (/'descr':\s*\[/.test(text))
    throw badData(`${where}: arrays of records cannot be read; save one array of numbers a file`);
  if (descr === undefined || order === undefined || sizes === undefined)
    throw badData(`${where}: its header is not readable: got ${JSON.stringify(text.slice(0, 100).trim())}`);
  const entry = Object.entries(KINDS).find(([, kind]) => kind.code === descr.slice(1));
  if (entry === undefined || !"<>|=".includes(descr[0]))
    throw badData(
      `${where}: element type: got ${JSON.stringify(descr)}, expected one of ${Object.keys(KINDS).join(", ")}; convert it with astype`,
    );
  const shape = sizes
    .split(",")
    .map((size) => size.trim().replace(/L$/, ""))
    .filter((size) => size !== "")
    .map(Number);
  if (!shape.every(Number.isSafeInteger) || !Number.isSafeInteger(elementCount(shape) * 8))
    throw badData(`${where}: shape: got (${sizes}), expected sizes that a machine can hold`);
  return {
    dtype: entry[0] as NpyDtype,
    swap: descr[0] === ">" && entry[1].bytes > 1,
    fortran: order === "True",
    shape,
  };
}

/** Elements with the first index fastest become elements with the last index fastest. */
function toRowMajor(data: NpyData, shape: readonly number[]): NpyData {
  const out = data.slice();
  const strides: number[] = [];
  for (let d = 0, stride = 1; d < shape.length; stride *= shape[d++]) strides.push(stride);
  const index = shape.map(() => 0);
  for (let k = 0, from = 0; k < data.length; k++) {
    out[k] = data[from];
    for (let d = shape.length - 1; d >= 0; d--) {
      from += strides[d];
      if (++index[d] < shape[d]) break;
      from -= strides[d] * shape[d];
      index[d] = 0;
    }
  }
  return out;
}
