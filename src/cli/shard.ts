/**
 * `--shard i/n`: one of n calls that together do the work of one, on as many machines as a batch system has, with nothing between them
 * but files. Each writes a part; `graphdos merge` makes of all parts the file that one call without --shard writes, to the byte.
 *
 * A part is plain data (compute/plain-data.ts) behind a line of text, the CRC-32 of the data and its length. Its head says of what it is a
 * part: code, data, kernel, options. Parts with different heads do not belong together.
 */
import { type Command, InvalidArgumentError } from "commander";
import { z } from "zod";
import { crc32 } from "../base/crc32.js";
import { badCall, badData, GraphdosError } from "../base/errors.js";
import { decodePlain, encodeParts } from "../compute/plain-data.js";
import { hashOf } from "../compute/store.js";
import type { Dataset, SetSummary } from "../data/dataset.js";
import { packedRuns } from "../graph/pack.js";
import { writeFileAtomically } from "../node/atomic-file.js";
import { codeHash, shortCode } from "../node/code-hash.js";
import { MOST_FILE_BYTES, readWholeFile } from "../node/read-whole-file.js";
import { version } from "../version.js";
import { formatBytes } from "./format.js";
import type { ChosenKernel } from "./kernel-options.js";

export interface Shard {
  /** From 1 to count. */
  index: number;
  count: number;
}

const MAX_SHARDS = 100_000;

export function addShardOption(command: Command): Command {
  return command.option(
    "--shard <i/n>",
    "do the i-th of n shares of the work and write a .part file for graphdos merge",
    parseShard,
  );
}

export function parseShard(text: string): Shard {
  const [, index, count] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (!(index >= 1 && index <= count && count <= MAX_SHARDS))
    throw new InvalidArgumentError(`expected i/n with 1 <= i <= n <= ${MAX_SHARDS}, as 3/16, got ${text}.`);
  return { index, count };
}

const optionValue = z.union([z.string(), z.number(), z.boolean()]);
const headSchema = z.strictObject({
  command: z.enum(["features", "gram"]),
  version: z.string(),
  /** Of the code that computed it (node/code-hash.ts). */
  code: z.string(),
  /** SHA-256 of the graphs and their classes. */
  data: z.string(),
  kernel: z.string(),
  options: z.record(z.string(), optionValue),
  profiling: z.record(z.string(), optionValue),
  /** --nodes or --float32. */
  flag: z.boolean(),
  shards: z.int().min(1).max(MAX_SHARDS),
});
export type PartHead = z.infer<typeof headSchema>;

const integers = z.custom<Int32Array>((value) => value instanceof Int32Array);
const numbers = z.custom<Float64Array>((value) => value instanceof Float64Array);
const partSchema = z.strictObject({
  head: headSchema,
  shard: z.int().min(1),
  set: z.strictObject({
    name: z.string(),
    graphs: z.strictObject({ length: z.int().min(1) }),
    classes: integers.nullable(),
    classNames: z.array(z.string()),
    targets: numbers.nullable(),
    graphNames: z.array(z.string()).nullable(),
  }),
  body: z.unknown(),
});

export interface Part {
  path: string;
  body: unknown;
}

/** What all parts of one result have in common. */
export async function partHead(
  command: PartHead["command"],
  dataset: Dataset,
  kernel: ChosenKernel,
  flag: boolean,
  { count }: Shard,
): Promise<PartHead> {
  const data = await hashOf(
    packedRuns(dataset.graphs),
    dataset.classes ?? new Int32Array(0),
    dataset.targets ?? new Float64Array(0),
    JSON.stringify([dataset.name, dataset.classNames, dataset.graphNames]),
  );
  const { spec, options } = kernel;
  const profiling = { ...kernel.profiling } as PartHead["profiling"];
  const code = codeHash();
  return { command, version, code, data, kernel: spec.name, options, profiling, flag, shards: count };
}

const TITLE = "graphdos part 1\n";
const CHECK_BYTES = 16;
const DATA_AT = TITLE.length + CHECK_BYTES;

export async function writePart(
  path: string,
  head: PartHead,
  dataset: Dataset,
  shard: Shard,
  body: unknown,
  signal?: AbortSignal,
): Promise<void> {
  const { name, classes, classNames, targets, graphNames } = dataset;
  const set: SetSummary = {
    ...{ name, graphs: { length: dataset.graphs.length }, classes, classNames, targets, graphNames },
  };
  const data = encodeParts({ head, shard: shard.index, set, body });
  const length = data.reduce((sum, bytes) => sum + bytes.length, 0);
  if (DATA_AT + length > MOST_FILE_BYTES)
    throw new GraphdosError(
      "limit",
      `${path}: ${formatBytes(DATA_AT + length)} would be more than merge can read of one part (${formatBytes(MOST_FILE_BYTES)}): use more shards than ${shard.count}`,
    );
  const check = Buffer.alloc(CHECK_BYTES);
  check.writeUInt32LE(
    data.reduce((sum, bytes) => crc32(bytes, sum), 0),
    0,
  );
  check.writeDoubleLE(length, 8);
  await writeFileAtomically(path, [TITLE, check, ...data], { signal });
}

async function readPart(path: string) {
  const bytes = await readWholeFile(path);
  if (bytes.subarray(0, TITLE.length).toString("latin1") !== TITLE)
    throw badData(`${path}: not a part of a result: expected a file that --shard wrote`);
  const data = bytes.subarray(DATA_AT);
  const whole =
    bytes.length >= DATA_AT &&
    bytes.readDoubleLE(TITLE.length + 8) === data.length &&
    bytes.readUInt32LE(TITLE.length) === crc32(data);
  if (!whole) throw badData(`${path}: damaged or cut short: run its shard again`);
  const parsed = partSchema.safeParse(decodePlain(data, { where: path }));
  if (!parsed.success) throw badData(`${path}: not a part as this version of graphdos writes it`);
  return { path, ...parsed.data };
}

/** All parts of one result in the order of the shards; throws a sentence on what is missing, twice there or does not belong. */
export async function readParts(
  paths: readonly string[],
): Promise<{ head: PartHead; set: SetSummary; parts: Part[] }> {
  if (paths.length === 0) throw badCall("merge: got no parts, expected the files that --shard wrote");
  const found = [];
  for (const path of paths) found.push(await readPart(path));
  const first = found[0];
  for (const { path, head } of found) {
    if (head.version !== version)
      throw badData(`${path}: was written by graphdos ${head.version}, this is ${version}: use one version`);
    if (head.code !== codeHash())
      throw badData(
        `${path}: was written by other code of graphdos ${version}, ${shortCode(head.code)}, this is ${shortCode(codeHash())}: use one build`,
      );
    const difference = headDifference(first.head, head);
    if (difference !== null)
      throw badData(`${path} and ${first.path} are parts of different results: ${difference}`);
  }
  const { head, set } = first;
  const parts = new Map<number, Part>();
  for (const { path, shard, body } of found) {
    const other = parts.get(shard);
    if (other !== undefined)
      throw badData(`shard ${shard}/${head.shards} is given twice: ${other.path} and ${path}`);
    parts.set(shard, { path, body });
  }
  const missing = Array.from({ length: head.shards }, (_, k) => k + 1).filter((k) => !parts.has(k));
  if (missing.length > 0) {
    const shown = missing.slice(0, 12).join(", ") + (missing.length > 12 ? ", …" : "");
    throw badData(
      `${missing.length} of ${head.shards} shards ${missing.length === 1 ? "is" : "are"} missing: ${shown}; run ${head.command} with --shard ${missing[0]}/${head.shards} again`,
    );
  }
  return { head, set, parts: [...parts.keys()].sort((a, b) => a - b).map((k) => parts.get(k)!) };
}

type Flat = Record<string, string | number | boolean | undefined>;

/** "moments is 50 in the one and 40 in the other", or null. */
function headDifference(a: PartHead, b: PartHead): string | null {
  const flatten = ({ options, profiling, flag, data, ...rest }: PartHead): Flat => ({
    ...rest,
    ...{ [rest.command === "gram" ? "--float32" : "--nodes"]: flag },
    ...profiling,
    ...options,
    "the data": data.slice(0, 12),
  });
  const [x, y] = [flatten(a), flatten(b)];
  for (const key of new Set([...Object.keys(x), ...Object.keys(y)]))
    if (x[key] !== y[key]) return `${key}: ${y[key] ?? "none"} and ${x[key] ?? "none"}`;
  return null;
}
