/**
 * A shard of `gram`: its share of the tiles of the distance matrices, the work that grows with the square of the number of graphs.
 * Every shard computes the profiles and the fit itself, which must come out the same everywhere: a checksum of the signatures says so.
 */
import { z } from "zod";
import { badCall, badData } from "../base/errors.js";
import { encodeParts } from "../compute/plain-data.js";
import { replayUnits, shareUnits } from "../compute/shard-executor.js";
import { hashOf } from "../compute/store.js";
import { type Dataset, graphTitle, type SetSummary } from "../data/dataset.js";
import { type FittedKernel, kernelDistances } from "../kernel/registry.js";
import {
  type DistanceOptions,
  type Distances,
  pairwiseDistances,
  type Signatures,
} from "../kernel/signatures.js";
import type { ChosenKernel } from "./kernel-options.js";
import { type Part, partHead, type Shard, writePart } from "./shard.js";

export interface GramPart {
  output: string;
  dataset: Dataset;
  kernel: ChosenKernel;
  fitted: FittedKernel;
  float32: boolean;
  shard: Shard;
}

/** Computes and writes; gives the number of tiles here and in all. */
export async function writeGramPart(
  { output, dataset, kernel, fitted, float32, shard }: GramPart,
  options: DistanceOptions,
): Promise<{ units: number; of: number }> {
  const signatures = fitted.parts.map((part) => part.signatures);
  if (signatures.some(({ kind }) => kind === "walks"))
    throw badCall(
      `--shard: the labelled walks of kernel ${kernel.spec.name} are not shared out: use --cluster`,
    );
  const head = await partHead("gram", dataset, kernel, float32, shard);
  const executor = shareUnits(options.executor, shard.index, shard.count);
  await kernelDistances(fitted, { ...options, executor, keep: false });
  const body = {
    check: await hashOf(encodeParts(signatures)),
    // one copy is enough
    signatures: shard.index === 1 ? signatures : null,
    notes: fitted.notes,
    units: executor.seen,
    outputs: [...executor.outputs].sort(([a], [b]) => a - b),
  };
  await writePart(output, head, dataset, shard, body, options.signal);
  return { units: executor.outputs.size, of: executor.seen };
}

const bodySchema = z.strictObject({
  check: z.string(),
  signatures: z
    .array(z.custom<Signatures>((value) => typeof value === "object" && value !== null))
    .nullable(),
  notes: z.array(z.string()),
  units: z.int().min(0),
  outputs: z.array(
    z.tuple([z.int().min(0), z.custom<Float64Array>((value) => value instanceof Float64Array)]),
  ),
});

/** The distances of all graphs from the tiles of all parts. */
export async function distancesOfParts(
  parts: readonly Part[],
  set: SetSummary,
  float32: boolean,
  signal?: AbortSignal,
): Promise<{ distances: Distances[]; notes: string[] }> {
  const bodies = parts.map(({ path, body }) => {
    const parsed = bodySchema.safeParse(body);
    if (!parsed.success) throw badData(`${path}: not a part of a Gram matrix: run its shard again`);
    return parsed.data;
  });
  const [first] = bodies;
  const outputs = new Map<number, unknown>();
  bodies.forEach(({ check, units, outputs: own }, k) => {
    if (check !== first.check || units !== first.units)
      throw badData(
        `${parts[k].path} and ${parts[0].path} come from signatures that differ in their last bits: run all shards with one version of Node`,
      );
    for (const [unit, output] of own) outputs.set(unit, output);
  });
  const signatures = first.signatures;
  if (signatures === null || (await hashOf(encodeParts(signatures))) !== first.check)
    throw badData(`${parts[0].path}: its signatures are damaged: run its shard again`);
  const executor = replayUnits(outputs);
  const distances: Distances[] = [];
  for (const part of signatures)
    distances.push(
      await pairwiseDistances(part, { executor, float32, signal, nameOf: (g) => graphTitle(set, g) }),
    );
  return { distances, notes: first.notes };
}
