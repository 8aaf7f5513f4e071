/** Profiles cut off at a lower degree: the first M + 1 numbers of every row. */

import { badCall } from "../base/errors.js";
import type { InputProfile, KernelInput } from "../kernel/part.js";

export function lowerMoments(input: KernelInput, moments: number | null): KernelInput {
  if (moments === null) return input;
  const { profiles, selfLoopProfiles } = input;
  return {
    ...input,
    profiles: profiles?.map((p) => cut(p, moments)),
    selfLoopProfiles: selfLoopProfiles?.map((p) => cut(p, moments)),
  };
}

function cut(profile: InputProfile, moments: number): InputProfile {
  if (moments === profile.moments) return profile;
  if (moments > profile.moments)
    throw badCall(
      `moments: the grid asks for ${moments}, the profiles have ${profile.moments}; raise --moments`,
    );
  const { nodeCount, rowCount, weights } = profile;
  const [from, to] = [profile.moments + 1, moments + 1];
  const rows = new Float64Array(rowCount * to);
  for (let r = 0; r < rowCount; r++) rows.set(profile.rows.subarray(r * from, r * from + to), r * to);
  const { standardError, rowOf } = profile;
  const trace = profile.trace.slice(0, to);
  return { nodeCount, moments, rowCount, rows, weights, trace, standardError, rowOf };
}
