/**
 * A shard of `features`: the profiles of its graphs. They are the work; what needs all graphs at once (the landmarks of local densities)
 * is done by the merge. The graphs are shared out by expected cost.
 */
import { z } from "zod";
import { badData } from "../base/errors.js";
import type { RunControl } from "../base/progress.js";
import type { Executor } from "../compute/executor.js";
import { type Dataset, graphTitle, type SetSummary } from "../data/dataset.js";
import { type ComputedInput, kernelInput } from "../experiment/kernel-run.js";
import type { KernelNeeds } from "../kernel/part.js";
import { SpectralProfile } from "../spectrum/profile.js";
import { shareByCost } from "../spectrum/profiles.js";
import type { ChosenKernel } from "./kernel-options.js";
import { type Part, partHead, type Shard, writePart } from "./shard.js";

export interface FeaturePart {
  output: string;
  dataset: Dataset;
  kernel: ChosenKernel;
  needs: readonly KernelNeeds[];
  nodes: boolean;
  shard: Shard;
}

/** Profiles one behind the other; `places` are their offsets. */
interface Packed {
  bytes: ArrayBuffer;
  places: Float64Array;
}

/** Computes and writes; gives the number of graphs in the part. */
export async function writeFeaturePart(
  { output, dataset, kernel, needs, nodes, shard }: FeaturePart,
  executor: Executor,
  control: RunControl,
): Promise<number> {
  const head = await partHead("features", dataset, kernel, nodes, shard);
  const only = shareByCost(dataset.graphs, kernel.profiling, shard.count)[shard.index - 1];
  const input = await kernelInput(dataset, needs, kernel.profiling, executor, { ...control, only });
  const packed = (profiles: readonly SpectralProfile[] | undefined) =>
    profiles === undefined ? null : pack(only.map((g) => profiles[g]));
  const body = {
    graphs: Uint32Array.from(only),
    plain: packed(input.profiles),
    looped: packed(input.selfLoopProfiles),
  };
  await writePart(output, head, dataset, shard, body, control.signal);
  return only.length;
}

const packedSchema = z.strictObject({
  bytes: z.custom<ArrayBuffer>((value) => value instanceof ArrayBuffer),
  places: z.custom<Float64Array>((value) => value instanceof Float64Array),
});
const bodySchema = z.strictObject({
  graphs: z.custom<Uint32Array>((value) => value instanceof Uint32Array),
  plain: packedSchema.nullable(),
  looped: packedSchema.nullable(),
});

/** The input of the kernel from all parts. */
export function inputOfParts(parts: readonly Part[], set: SetSummary): ComputedInput {
  const plain = new Array<SpectralProfile>(set.graphs.length);
  const looped = new Array<SpectralProfile>(set.graphs.length);
  const input: ComputedInput = { nameOf: (g) => graphTitle(set, g) };
  let count = 0;
  for (const { path, body } of parts) {
    const parsed = bodySchema.safeParse(body);
    if (!parsed.success) throw badData(`${path}: not a part of features: run its shard again`);
    const { graphs } = parsed.data;
    count += graphs.length;
    for (const [packed, into, name] of [
      [parsed.data.plain, plain, "profiles"],
      [parsed.data.looped, looped, "selfLoopProfiles"],
    ] as const) {
      if (packed === null) continue;
      input[name] = into;
      graphs.forEach((g, k) => {
        into[g] = SpectralProfile.fromBuffer(packed.bytes, packed.places[k], path);
      });
    }
  }
  if (count !== set.graphs.length)
    throw badData(`the parts hold ${count} graphs, expected the ${set.graphs.length} of ${set.name}`);
  return input;
}

function pack(profiles: readonly SpectralProfile[]): Packed {
  const bytes = new Uint8Array(profiles.reduce((sum, { byteLength }) => sum + byteLength, 0));
  const places = new Float64Array(profiles.length);
  let at = 0;
  profiles.forEach(({ buffer, byteOffset, byteLength }, k) => {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    places[k] = at;
    at += byteLength;
  });
  return { bytes: bytes.buffer, places };
}
