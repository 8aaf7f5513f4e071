/**
 * Model files: one run of bytes, versioned, with a checksum. Little-endian.
 *
 *   bytes 0..7  "GDMODEL\\n"      12..15 CRC-32 of all behind byte 24      then the header (JSON, UTF-8, padded to 8 bytes) and the parts'
 *   bytes 8..11 version          16..23 length of all (float64)          states (kernel/state.ts), one behind the other
 *
 * A file holds numbers and names only; nothing in it is executed, and no array is allocated beyond what the file holds. Every field of
 * the header is checked before it is used.
 */
import * as z from "zod/mini";
import { crc32 } from "../base/crc32.js";
import { badData, GraphdosError } from "../base/errors.js";
import { kernelByName, kernelOptions } from "../kernel/registry.js";
import { givesSimilarities } from "../kernel/signatures.js";
import { packState, type State, signaturesFromState, signaturesState, unpackState } from "../kernel/state.js";
import type { SvcModel } from "../learn/svc.js";
import { checkProfileOptions } from "../spectrum/profiles.js";
import type { GraphModel } from "./model.js";
import { restoreParts } from "./model.js";

const MAGIC = "GDMODEL\n";
const VERSION = 1;
const PREFIX = 24;
/** So many patterns a kernel may know without having them in the file (graphlets). */
const SMALL_VOCABULARY = 4096;

const value = z.union([z.string(), z.number(), z.boolean()]);
const size = z.int().check(z.nonnegative());
const Header = z.object({
  kernel: z.string(),
  options: z.record(z.string(), value),
  moments: z.nullable(size),
  profile: z.object({
    moments: z.optional(size),
    estimator: z.optional(z.enum(["auto", "exact", "probes", "sample"])),
    probes: z.optional(size),
    tolerance: z.optional(z.number()),
    selfLoops: z.optional(z.boolean()),
    seed: z.optional(z.number()),
    filter: z.optional(z.enum(["all", "paper", "none"])),
    distribution: z.optional(z.enum(["rademacher", "gaussian"])),
    nodes: z.optional(z.boolean()),
  }),
  bandwidths: z.array(
    z.nullable(
      z.object({
        gamma: z.number().check(z.nonnegative()),
        exponent: z.union([z.literal(1), z.literal(2)]),
        typical: z.number(),
        from: z.enum(["median", "mean of the non-zero distances", "1, all graphs being equal"]),
      }),
    ),
  ),
  classNames: z.array(z.string()),
  svc: z.object({
    C: z.number(),
    classes: z.array(size),
    supportCount: size,
    pairs: z.array(
      z.object({
        first: size,
        second: size,
        count: size,
        rho: z.number(),
        objective: z.number(),
        iterations: size,
        gap: z.number(),
        converged: z.boolean(),
        sigmoid: z.nullable(z.object({ slope: z.number(), offset: z.number() })),
      }),
    ),
  }),
  states: z.array(size),
  provenance: z.object({
    version: z.string(),
    dataset: z.string(),
    graphs: size,
    kernel: z.string(),
    chosen: z.record(z.string(), value),
    C: z.number(),
    crossValidatedAccuracy: z.nullable(z.number()),
    seed: z.number(),
    date: z.string(),
  }),
});

export function saveModel(model: GraphModel): Uint8Array {
  const { svc } = model;
  // two states a part (what was fitted, the supports), then the machines
  const states = model.parts.flatMap((part) => [
    packState(part.fitted.state()),
    packState(signaturesState(part.supports)),
  ]);
  states.push(packState(machineState(svc)));
  const header = {
    kernel: model.spec.name,
    options: model.options,
    moments: model.moments,
    profile: model.profile,
    bandwidths: model.bandwidths,
    classNames: model.classNames,
    svc: {
      C: svc.C,
      classes: [...svc.classes],
      supportCount: svc.supports.length,
      pairs: svc.pairs.map(
        ({ first, second, rho, objective, iterations, gap, converged, sigmoid, coefficients }) => ({
          ...{ first, second, rho, objective, iterations, gap, converged, sigmoid },
          count: coefficients.length,
        }),
      ),
    },
    states: states.map((state) => state.byteLength),
    provenance: model.provenance,
  };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const headerBytes = align8(4 + text.length);
  const total = states.reduce((sum, state) => sum + align8(state.byteLength), PREFIX + headerBytes);
  const bytes = new Uint8Array(total);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode(MAGIC));
  view.setUint32(8, VERSION, true);
  view.setFloat64(16, total, true);
  view.setUint32(PREFIX, text.length, true);
  bytes.set(text, PREFIX + 4);
  let at = PREFIX + headerBytes;
  for (const state of states) {
    bytes.set(new Uint8Array(state), at);
    at += align8(state.byteLength);
  }
  view.setUint32(12, crc32(bytes.subarray(PREFIX)), true);
  return bytes;
}

export function loadModel(bytes: Uint8Array, where = "model"): GraphModel {
  const damaged = (what: string) =>
    badData(`${where}: the model file is damaged or cut off: ${what}; make it again`);
  const magic = new TextDecoder().decode(bytes.subarray(0, 8));
  if (magic !== MAGIC) throw badData(`${where}: not a graphdos model file`);
  if (bytes.length < PREFIX + 8) throw damaged(`${bytes.length} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const version = view.getUint32(8, true);
  if (version > VERSION)
    throw badData(
      `${where}: made by a newer graphdos: model version ${version}, this one reads up to ${VERSION}; update graphdos`,
    );
  if (version !== VERSION) throw damaged(`version ${version}`);
  if (view.getFloat64(16, true) !== bytes.length)
    throw damaged(`${bytes.length} bytes, expected ${view.getFloat64(16, true)}`);
  if (view.getUint32(12, true) !== crc32(bytes.subarray(PREFIX)))
    throw damaged("its checksum does not match");
  const textBytes = view.getUint32(PREFIX, true);
  if (PREFIX + 4 + textBytes > bytes.length) throw damaged("its header is cut off");
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes.subarray(PREFIX + 4, PREFIX + 4 + textBytes)));
  } catch (cause) {
    throw badData(`${where}: the header of the model file cannot be read`, cause);
  }
  const parsed = z.safeParse(Header, json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw damaged(`its header is wrong at ${issue.path.join(".") || "the top"}`);
  }
  const header = parsed.data;
  try {
    return assembled(header, bytes, PREFIX + align8(4 + textBytes), damaged, where);
  } catch (error) {
    if (error instanceof GraphdosError) throw error;
    throw damaged("its parts do not fit together");
  }
}

/** The model of a header that is right in itself, and the states from byte `first` on. */
function assembled(
  header: z.infer<typeof Header>,
  bytes: Uint8Array,
  first: number,
  damaged: (what: string) => GraphdosError,
  where: string,
): GraphModel {
  const spec = kernelByName(header.kernel);
  const options = kernelOptions(spec, header.options);
  checkProfileOptions(header.profile);
  if (header.moments !== null && header.moments > (header.profile.moments ?? 50))
    throw damaged(`${header.moments} of ${header.profile.moments ?? 50} moments`);
  if (header.states.length !== 2 * spec.parts.length + 1 || header.bandwidths.length !== spec.parts.length)
    throw damaged(`${header.states.length} parts for kernel ${spec.name}`);

  let at = first;
  const states = header.states.map((length) => {
    if (at + length > bytes.length) throw damaged("a part is cut off");
    const state = unpackState(new Uint8Array(bytes.subarray(at, at + length)).buffer, where);
    at += align8(length);
    return state;
  });
  const fitted = restoreParts(
    spec,
    options,
    spec.parts.map((_, k) => states[2 * k]),
  );
  const parts = spec.parts.map((_, k) => ({
    fitted: fitted[k],
    supports: signaturesFromState(states[2 * k + 1], Math.max(bytes.length, SMALL_VOCABULARY)),
  }));
  const svc = machinesFrom(header.svc, states[states.length - 1]);
  if (svc === null) throw damaged("its support vectors do not fit its machines");
  parts.forEach(({ supports }, k) => {
    if (supports.count !== svc.supports.length) throw damaged("its supports are incomplete");
    if (givesSimilarities(supports) !== (header.bandwidths[k] === null))
      throw damaged(`bandwidth of part ${k}`);
  });
  if (header.svc.classes.some((c) => c >= header.classNames.length)) throw damaged("a class without a name");
  const { moments, profile, bandwidths, classNames, provenance } = header;
  return { spec, options, moments, profile, bandwidths, classNames, svc, parts, provenance };
}

/** Positions and coefficients of all machines, one behind the other. */
function machineState(svc: SvcModel): State {
  const positions = Uint32Array.from(svc.pairs.flatMap((pair) => [...pair.positions]));
  const coefficients = Float64Array.from(svc.pairs.flatMap((pair) => [...pair.coefficients]));
  return { values: {}, arrays: { positions, coefficients } };
}

function machinesFrom(header: z.infer<typeof Header>["svc"], { arrays }: State): SvcModel | null {
  const { positions, coefficients } = arrays;
  if (!isOneAgainstOne(header)) return null;
  const total = header.pairs.reduce((sum, pair) => sum + pair.count, 0);
  if (!(positions instanceof Uint32Array) || !(coefficients instanceof Float64Array)) return null;
  if (positions.length !== total || coefficients.length !== total) return null;
  // every support is one of some machine: no more of them than the file holds
  if (header.supportCount > total) return null;
  if (positions.some((position) => position >= header.supportCount)) return null;
  if (!coefficients.every(Number.isFinite)) return null;
  let at = 0;
  const pairs = header.pairs.map(({ count, ...rest }) => {
    const pair = {
      ...rest,
      positions: Int32Array.from(positions.subarray(at, at + count)),
      coefficients: coefficients.slice(at, at + count),
    };
    at += count;
    return pair;
  });
  // supports are columns of the cross Gram, in their order
  const supports = Int32Array.from({ length: header.supportCount }, (_, k) => k);
  return { C: header.C, classes: Int32Array.from(header.classes), supports, pairs };
}

/** Classes ascend, and there is a machine for every pair of them in order. */
function isOneAgainstOne({ classes, pairs }: z.infer<typeof Header>["svc"]): boolean {
  const expected: [number, number][] = [];
  for (let a = 0; a < classes.length; a++) {
    if (a > 0 && classes[a] <= classes[a - 1]) return false;
    if (expected.length > pairs.length) return false;
    for (let b = a + 1; b < classes.length; b++) expected.push([classes[a], classes[b]]);
  }
  return (
    classes.length > 1 &&
    expected.length === pairs.length &&
    pairs.every(({ first, second }, q) => first === expected[q][0] && second === expected[q][1])
  );
}

const align8 = (bytes: number) => Math.ceil(bytes / 8) * 8;
