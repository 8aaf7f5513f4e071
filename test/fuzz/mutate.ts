/**
 * Mutations of valid files: what damaged disks, cut downloads, other programs and people with bad intentions make of them. Every mutation
 * is drawn from the stream handed in, so that (seed, number) names an input.
 */
import type { Random } from "../../src/base/random.js";

/** No mutant grows beyond this. */
const MOST_BYTES = 1 << 18;

/** Numbers that break programs: out of range, not whole, not finite, of other notations, very long. */
const NUMBERS = [
  ..."0 -0 -1 1 2 3 255 256 65535 65536 2147483647 2147483648 -2147483648 4294967295 4294967296".split(" "),
  ..."9007199254740991 9007199254740993 18446744073709551616 1e9 1e300 1e-300 1e308 1e999 -1e999 5e-324".split(
    " ",
  ),
  ..."NaN nan inf -inf Infinity 0.5 -0.5 1. .5 1e 1e+ 0x10 1_000 ١ ++1 --1 1,5 1e1e1 00012 null true".split(
    " ",
  ),
  "9".repeat(400),
  `0.${"0".repeat(400)}1`,
  `${"1".repeat(20000)}x`,
];

const lengths = [
  0, 1, 7, 8, 0x7f, 0xff, 0x7fff, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
];

export type Mutation = (bytes: Uint8Array, random: Random) => Uint8Array;

const pick = <T>(random: Random, from: readonly T[]): T => from[random.integer(from.length)];
const encode = (text: string) => new TextEncoder().encode(text);
const place = (bytes: Uint8Array, random: Random) => random.integer(bytes.length + 1);

function joined(...parts: Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

const replaced = (bytes: Uint8Array, from: number, to: number, by: Uint8Array) =>
  joined(bytes.subarray(0, from), by, bytes.subarray(to));

function range(bytes: Uint8Array, random: Random): [number, number] {
  const from = place(bytes, random);
  return [from, Math.min(bytes.length, from + 1 + random.integer(pick(random, [4, 64, 1024])))];
}

export const flipBits: Mutation = (bytes, random) => {
  const out = bytes.slice();
  if (out.length === 0) return out;
  for (let k = 1 + random.integer(6); k > 0; k--) out[random.integer(out.length)] ^= 1 << random.integer(8);
  return out;
};

const setBytes: Mutation = (bytes, random) => {
  const out = bytes.slice();
  if (out.length === 0) return out;
  const value = pick(random, [0, 0xff, 10, 13, 32, 34, 44, 45, 48, 60, 0x80, random.integer(256)]);
  for (let k = 1 + random.integer(3); k > 0; k--) out[random.integer(out.length)] = value;
  return out;
};

const insertBytes: Mutation = (bytes, random) => {
  const at = place(bytes, random);
  const more = Uint8Array.from({ length: 1 + random.integer(16) }, () => random.integer(256));
  return replaced(bytes, at, at, more);
};

const deleteBytes: Mutation = (bytes, random) => {
  const [from, to] = range(bytes, random);
  return replaced(bytes, from, to, new Uint8Array(0));
};

const truncate: Mutation = (bytes, random) => bytes.slice(0, place(bytes, random));

const repeatBlock: Mutation = (bytes, random) => {
  const [from, to] = range(bytes, random);
  const block = bytes.subarray(from, to);
  const times = pick(random, [1, 2, 20, 1000]);
  const copies = Array.from({ length: times }, () => block);
  return joined(bytes.subarray(0, to), ...copies, bytes.subarray(to));
};

const moveBlock: Mutation = (bytes, random) => {
  const [from, to] = range(bytes, random);
  const rest = replaced(bytes, from, to, new Uint8Array(0));
  const at = place(rest, random);
  return replaced(rest, at, at, bytes.subarray(from, to));
};

const replaceNumber: Mutation = (bytes, random) => {
  const found = numbersIn(bytes);
  if (found.length === 0) return bytes;
  const [from, to] = pick(random, found);
  return replaced(bytes, from, to, encode(pick(random, NUMBERS)));
};

/** One number wherever it stands: sizes that must agree then still do. */
const replaceEverywhere: Mutation = (bytes, random) => {
  const found = numbersIn(bytes);
  if (found.length === 0) return bytes;
  const text = new TextDecoder("latin1").decode(bytes);
  const [from, to] = pick(random, found);
  const number = text.slice(from, to);
  const by = encode(pick(random, NUMBERS));
  let out = bytes;
  for (const [first, last] of found.reverse())
    if (text.slice(first, last) === number && out.length < MOST_BYTES) out = replaced(out, first, last, by);
  return out;
};

/** A small number in place of another: most such files are still valid. */
const tweakNumber: Mutation = (bytes, random) => {
  const found = numbersIn(bytes);
  if (found.length === 0) return bytes;
  const [from, to] = pick(random, found);
  return replaced(bytes, from, to, encode(String(random.integer(pick(random, [4, 12, 100])))));
};

/** Runs of digits, with sign, point and exponent. */
function numbersIn(bytes: Uint8Array): [number, number][] {
  const text = new TextDecoder("latin1").decode(bytes);
  return Array.from(text.matchAll(/-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/g), (match) => [
    match.index,
    match.index + match[0].length,
  ]);
}

/** A binary size, count or position overwritten: 16, 32 or 64 bits, whole or floating, little-endian. */
const overwriteLength: Mutation = (bytes, random) => {
  const out = bytes.slice();
  if (out.length < 8) return out;
  const view = new DataView(out.buffer);
  const at = random.integer(Math.min(out.length, pick(random, [64, 512, out.length])) - 7);
  const value = pick(random, lengths);
  const kind = random.integer(4);
  if (kind === 0) view.setUint16(at, value & 0xffff, true);
  else if (kind === 1) view.setUint32(at, value, true);
  else if (kind === 2) view.setBigUint64(at, BigInt(value) * BigInt(pick(random, [1, 4294967296])), true);
  else
    view.setFloat64(
      at,
      pick(random, [value, -1, 2 ** 53, 1e300, Number.NaN, Number.POSITIVE_INFINITY]),
      true,
    );
  return out;
};

/** The size, checksum and position fields of the records of a zip archive, found by their signatures. */
export const attackZipField: Mutation = (bytes, random) => {
  const fields = {
    "\x01\x02": [8, 10, 16, 20, 24, 28, 30, 32, 42],
    "\x05\x06": [8, 10, 12, 16, 20],
    "\x03\x04": [6, 8, 14, 18, 22, 26, 28],
  };
  const found: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at++)
    if (bytes[at] === 0x50 && bytes[at + 1] === 0x4b)
      for (const offset of fields[String.fromCharCode(bytes[at + 2], bytes[at + 3]) as keyof typeof fields] ??
        [])
        if (at + offset + 4 <= bytes.length) found.push(at + offset);
  if (found.length === 0) return bytes;
  const out = bytes.slice();
  const view = new DataView(out.buffer);
  const at = pick(random, found);
  if (random.integer(2) === 0) view.setUint16(at, pick(random, lengths) & 0xffff, true);
  else view.setUint32(at, pick(random, lengths), true);
  return out;
};

/** Brackets, quotes, tags and words of all text formats: a token where none was expected. */
const TOKENS = [
  ..."[ ] { } : , ; | \" ' < > </ /> & # % // \\ \t \r\n \u0000 \ufeff".split(" "),
  ..."%%MatrixMarket <graph> </graph> <node> </node> <edge/> <data> </data> <key/> <default> <graphml> <gexf> <!-- --> <![CDATA[ ]]>".split(
    " ",
  ),
  ...'"nodes" "links" "edges" "id" "weight" "__proto__" "constructor" "toString" __proto__ weight label file,label id,target'.split(
    " ",
  ),
  '<node id="x"/>',
  '<edge source="x" target="x"/>',
  '<?xml version="1.0" encoding="utf-16"?>',
  "'shape': (-1,)",
  "{'weight': 1}",
  "&lol9;",
];

const insertToken: Mutation = (bytes, random) => {
  const at = place(bytes, random);
  return replaced(bytes, at, at, encode(pick(random, TOKENS)));
};

/** Ten levels of entities, ten references each: 10^10 characters if they were expanded. */
const BOMB = `<!DOCTYPE lolz [<!ENTITY lol0 "lol">${Array.from(
  { length: 9 },
  (_, k) => `<!ENTITY lol${k + 1} "${`&lol${k};`.repeat(10)}">`,
).join("")}]>`;

const entityBomb: Mutation = (bytes, random) => {
  const text = new TextDecoder("latin1").decode(bytes);
  const root = text.search(/<[a-z]/i);
  if (root < 0) return insertToken(bytes, random);
  const bombed = joined(bytes.subarray(0, root), encode(BOMB), bytes.subarray(root));
  return random.integer(2) === 0
    ? bombed
    : replaced(bombed, bombed.length - 30, bombed.length - 30, encode("&lol9;"));
};

const deepNesting: Mutation = (bytes, random) => {
  const depth = pick(random, [100, 5000, 40000]);
  const [open, close] = pick(random, [
    ["[", "]"],
    ['{"a":', "}"],
    ["<a>", "</a>"],
    ["<graph>", "</graph>"],
    ["<data key='a'>", "</data>"],
    ["(", ")"],
  ]);
  const at = place(bytes, random);
  const closed = random.integer(2) === 0 ? "" : close.repeat(depth);
  return replaced(
    bytes,
    at,
    at,
    encode(open.repeat(depth) + (open === '{"a":' && closed ? "1" : "") + closed),
  );
};

const EVERYWHERE: readonly Mutation[] = [
  flipBits,
  setBytes,
  insertBytes,
  deleteBytes,
  truncate,
  repeatBlock,
  moveBlock,
  replaceNumber,
  replaceNumber,
  replaceEverywhere,
  tweakNumber,
  tweakNumber,
  tweakNumber,
  overwriteLength,
  insertToken,
  insertToken,
];
const RARE: readonly Mutation[] = [deepNesting, entityBomb];

/** One mutation, or with falling probability several on top of one another. `others`: valid files to splice with. */
export function mutate(
  bytes: Uint8Array,
  random: Random,
  others: readonly Uint8Array[],
  more: readonly Mutation[] = [],
): Uint8Array {
  let out = bytes;
  for (let another = true; another; another = random.integer(3) === 0) {
    const choice = random.integer(40);
    if (choice === 0) out = pick(random, RARE)(out, random);
    else if (choice <= 3) {
      const other = pick(random, others);
      out = joined(out.subarray(0, place(out, random)), other.subarray(place(other, random)));
    } else out = pick(random, [...EVERYWHERE, ...more])(out, random);
  }
  return out.length > MOST_BYTES ? out.slice(0, MOST_BYTES) : out;
}

const VALUES: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -0,
    -1,
    1,
    0.5,
    1e300,
    -1e300,
    2 ** 31,
    2 ** 32,
    2 ** 53,
    "",
    "x",
    "1",
    "__proto__",
  ],
  ...[
    [],
    {},
    [[]],
    [null],
    [1, 2, 3],
    { id: 1 },
    { weight: "x" },
    { weight: -1 },
    { length: 1e9 },
    "a".repeat(5000),
  ],
];

/** A value somewhere in a tree of JSON replaced, removed, doubled or wrapped. The tree is changed in place. */
export function mutateTree(root: unknown, random: Random): unknown {
  const places: { holder: Record<string, unknown>; key: string }[] = [];
  const visit = (holder: Record<string, unknown>) => {
    for (const key of Object.keys(holder)) {
      places.push({ holder, key });
      const value = holder[key];
      if (typeof value === "object" && value !== null) visit(value as Record<string, unknown>);
    }
  };
  if (typeof root === "object" && root !== null) visit(root as Record<string, unknown>);
  if (places.length === 0) return pick(random, VALUES);
  const { holder, key } = pick(random, places);
  const kind = random.integer(8);
  if (kind === 0) {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  } else if (kind === 1) holder[key] = [holder[key]];
  else if (kind === 2) holder[key] = structuredClone(pick(random, places).holder[key] ?? null);
  else if (kind === 3 && Array.isArray(holder)) holder.push(structuredClone(holder[Number(key)]));
  else if (kind === 4 && typeof holder[key] === "number")
    holder[key] = (holder[key] as number) + pick(random, [1, -1, 0.5, 1e6, 4294967296]);
  else holder[key] = structuredClone(pick(random, VALUES));
  return root;
}

/** Numbers of an array replaced, or some of them cut off. */
export function mutateNumbers<T extends Float64Array | Float32Array | Uint32Array>(
  array: T,
  random: Random,
): T {
  if (array.length === 0 || random.integer(6) === 0)
    return array.slice(0, random.integer(array.length + 1)) as T;
  const out = array.slice() as T;
  const values = [
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -1,
    0,
    1e300,
    -1e300,
    2 ** 31,
    4294967295,
    0.5,
    1e-300,
  ];
  for (let k = 1 + random.integer(3); k > 0; k--) out[random.integer(out.length)] = pick(random, values);
  return out;
}
