/**
 * Profiles, signatures and distances of a data set, kept in a store between runs under a hash of the data and of every option that
 * went into them. What a store has lost is computed anew, and so is what it returns in another shape than was put there: its files carry
 * a checksum, which is no proof against a hand or a program that changes both.
 *
 *   profiles    one after another as they lie in memory (spectrum/profile.ts)
 *   signatures  of dense vectors; others are the profiles themselves, or cheap
 *   distances   the numbers on and above the diagonal, row by row
 */
import * as z from "zod/mini";
import { badData, GraphdosError } from "../base/errors.js";
import { hashOf, type ResultStore } from "../compute/store.js";
import type { Distances, Signatures } from "../kernel/signatures.js";
import { METRICS } from "../signature/vector-distances.js";
import { NO_ROW, SpectralProfile } from "../spectrum/profile.js";
import { version } from "../version.js";

/** No stage beyond this many bytes is kept: reading it would take longer than computing it. */
const MOST_BYTES = 1.5 * 2 ** 30;

/** Signatures with what their fit had to say, so that a later run says it too. */
export interface NotedSignatures {
  signatures: Signatures;
  notes: readonly string[];
}

/** Distances with the same. */
export interface NotedDistances extends Distances {
  notes: readonly string[];
}

export class StageCache {
  /** `dataHash`: of the graphs. Without a store nothing is kept. */
  constructor(
    private readonly store: ResultStore | null,
    private readonly dataHash: string,
  ) {}

  profiles(options: object, compute: () => Promise<SpectralProfile[]>): Promise<SpectralProfile[]> {
    return this.remember("profiles", options, compute, packProfiles, unpackProfiles);
  }

  /** Only vectors are kept: measures are the profiles themselves. */
  signatures(options: object, compute: () => Promise<NotedSignatures>): Promise<NotedSignatures> {
    return this.remember("signatures", options, compute, packSignatures, unpackSignatures);
  }

  /** `shared`: on a SharedArrayBuffer. */
  distances(
    options: object,
    shared: boolean,
    compute: () => Promise<NotedDistances>,
  ): Promise<NotedDistances> {
    return this.remember("distances", options, compute, packDistances, (bytes) =>
      unpackDistances(bytes, shared),
    );
  }

  private async remember<T>(
    stage: string,
    options: object,
    compute: () => Promise<T>,
    toBytes: (value: T) => Uint8Array | null,
    fromBytes: (bytes: Uint8Array) => T,
  ): Promise<T> {
    if (this.store === null) return compute();
    const key = await hashOf(JSON.stringify([version, stage, this.dataHash, options]));
    const kept = await this.store.get(key);
    if (kept !== null) {
      try {
        return fromBytes(kept);
      } catch (error) {
        if (!(error instanceof GraphdosError)) throw error;
      }
    }
    const value = await compute();
    const bytes = toBytes(value);
    if (bytes !== null && bytes.length <= MOST_BYTES) await this.store.put(key, bytes);
    return value;
  }
}

function packProfiles(profiles: readonly SpectralProfile[]): Uint8Array | null {
  const total = profiles.reduce((sum, profile) => sum + profile.byteLength, 0);
  if (total > MOST_BYTES) return null;
  const out = new Uint8Array(total);
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of profiles) {
    out.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return out;
}

function unpackProfiles(bytes: Uint8Array): SpectralProfile[] {
  const profiles = SpectralProfile.allIn(new Uint8Array(bytes));
  for (const { rows, weights, trace, rowOf, rowCount } of profiles) {
    for (const numbers of [rows, weights, trace]) checkFinite(numbers);
    for (const row of rowOf) if (row >= rowCount && row !== NO_ROW) throw otherShape();
  }
  return profiles;
}

function packSignatures({ signatures, notes }: NotedSignatures): Uint8Array | null {
  if (signatures.kind !== "vectors") return null;
  const { values, missed, ...rest } = signatures;
  return pack({ ...rest, notes }, missed === null ? [values] : [values, missed]);
}

const size = z.int().check(z.nonnegative());
const VectorsHeader = z.strictObject({
  kind: z.literal("vectors"),
  metric: z.enum(METRICS),
  count: size,
  dimension: size,
  slack: z.number(),
  notes: z.array(z.string()),
});

function unpackSignatures(bytes: Uint8Array): NotedSignatures {
  const { about, body } = unpack(bytes, VectorsHeader);
  const numbers = checkFinite(arrayOf(body, Float64Array));
  const { notes, ...rest } = about;
  const end = rest.count * rest.dimension;
  if (numbers.length !== end && numbers.length !== end + rest.count) throw otherShape();
  const missed = numbers.length > end ? numbers.slice(end) : null;
  return { signatures: { ...rest, values: numbers.slice(0, end), missed }, notes };
}

function packDistances({ values, ...rest }: NotedDistances): Uint8Array {
  const n = rest.rows;
  const single = values instanceof Float32Array;
  const half = new (single ? Float32Array : Float64Array)((n * (n + 1)) / 2);
  for (let i = 0, k = 0; i < n; k += n - i, i++) half.set(values.subarray(i * n + i, (i + 1) * n), k);
  return pack({ ...rest, single }, [half]);
}

const DistancesHeader = z.strictObject({
  kind: z.optional(z.enum(["distances", "similarities"])),
  rows: size,
  columns: size,
  mostNegative: z.number(),
  errorBound: z.number(),
  notes: z.array(z.string()),
  single: z.boolean(),
});

function unpackDistances(bytes: Uint8Array, shared: boolean): NotedDistances {
  const {
    about: { single, ...rest },
    body,
  } = unpack(bytes, DistancesHeader);
  const n = rest.rows;
  const half = checkFinite(single ? arrayOf(body, Float32Array) : arrayOf(body, Float64Array));
  if (rest.columns !== n || half.length !== (n * (n + 1)) / 2) throw otherShape();
  const byteLength = n * n * half.BYTES_PER_ELEMENT;
  const buffer = shared ? new SharedArrayBuffer(byteLength) : new ArrayBuffer(byteLength);
  const values = single ? new Float32Array(buffer) : new Float64Array(buffer);
  for (let i = 0, k = 0; i < n; i++)
    for (let j = i; j < n; j++, k++) values[i * n + j] = values[j * n + i] = half[k];
  return { ...rest, values };
}

/** Plain values as JSON with its length before it, then arrays. */
function pack(about: object, arrays: readonly (Float64Array | Float32Array)[]): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(about));
  const out = new Uint8Array(arrays.reduce((sum, array) => sum + array.byteLength, 4 + text.length));
  new DataView(out.buffer).setUint32(0, text.length, true);
  out.set(text, 4);
  let at = 4 + text.length;
  for (const { buffer, byteOffset, byteLength } of arrays) {
    out.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return out;
}

function unpack<Schema extends z.ZodMiniType>(
  bytes: Uint8Array,
  schema: Schema,
): { about: z.infer<Schema>; body: ArrayBuffer } {
  if (bytes.length < 4) throw otherShape();
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  } catch {
    throw otherShape();
  }
  const parsed = z.safeParse(schema, json);
  if (!parsed.success) throw otherShape();
  // a copy: the store's bytes may lie anywhere in a larger buffer
  return { about: parsed.data, body: new Uint8Array(bytes.subarray(4 + length)).buffer };
}

function arrayOf<T>(body: ArrayBuffer, kind: { BYTES_PER_ELEMENT: number; new (buffer: ArrayBuffer): T }): T {
  if (body.byteLength % kind.BYTES_PER_ELEMENT !== 0) throw otherShape();
  return new kind(body);
}

function checkFinite<T extends Float64Array | Float32Array>(numbers: T): T {
  for (let k = 0; k < numbers.length; k++) if (!Number.isFinite(numbers[k])) throw otherShape();
  return numbers;
}

const otherShape = () => badData("cache: an entry is not what was put there");
