/**
 * The error analysis: return probabilities from probes against exact ones, with and without motif filter and damping, and the condition
 * of the change of basis. Errors are over all nodes (not rows) and steps 1..M of the first graphs of a set.
 */
import type { Graph } from "../../graph/graph.js";
import { averagingTable } from "../../spectrum/basis.js";
import { chebyshevCondition } from "../../spectrum/condition.js";
import { dampingFactors } from "../../spectrum/damping.js";
import type { SpectralProfile } from "../../spectrum/profile.js";
import { computeProfiles } from "../../spectrum/profiles.js";
import type { Conductor } from "./conductor.js";
import type { ConditionPoint, ErrorPoint } from "./types.js";

const MOMENTS = 50;
const GRAPHS = 20;
const PROBES = [10, 30, 100, 300, 1000, 2000] as const;
const CONDITION_MOMENTS = [5, 10, 15, 20, 25, 30, 40, 50] as const;

export async function errorPoints(conductor: Conductor, points: ErrorPoint[], set: string): Promise<void> {
  const { executor, signal, protocol } = conductor.options;
  await conductor.step(
    `errors of return probabilities on ${set}`,
    60,
    async () => {
      const { graphs } = await conductor.dataset(set);
      const some = graphs.slice(0, GRAPHS);
      return conductor.remember(["errors", set, MOMENTS, GRAPHS, PROBES, protocol.seed], () => measure(some));
    },
    (made) => points.push(...made),
  );

  async function measure(some: readonly Graph[]): Promise<ErrorPoint[]> {
    const exact = await computeProfiles(some, { moments: MOMENTS, estimator: "exact" }, executor, { signal });
    const found: ErrorPoint[] = [];
    for (const probes of PROBES)
      for (const filter of [false, true]) {
        const sampled = await computeProfiles(
          some,
          {
            moments: MOMENTS,
            estimator: "probes",
            probes,
            filter: filter ? "all" : "none",
            seed: protocol.seed,
          },
          executor,
          { signal },
        );
        for (const damping of ["none", "jackson"] as const)
          found.push({
            set,
            probes,
            filter,
            damping,
            ...errorOf(exact, sampled, dampingFactors(damping, MOMENTS)),
          });
      }
    return found;
  }
}

/** Root mean square and largest difference of return probabilities; the damping acts on the sampled moments. */
export function errorOf(
  exact: readonly SpectralProfile[],
  sampled: readonly SpectralProfile[],
  factors: Float64Array,
): { rms: number; largest: number } {
  const table = averagingTable(MOMENTS);
  const width = MOMENTS + 1;
  let [squares, count, largest] = [0, 0, 0];
  exact.forEach((truth, g) => {
    for (let i = 0; i < truth.nodeCount; i++) {
      const t = truth.nodeMoments(i);
      const s = sampled[g].nodeMoments(i);
      for (let k = 1; k < width; k++) {
        let difference = 0;
        for (let m = 0; m <= k; m++) difference += table[k * width + m] * (factors[m] * s[m] - t[m]);
        squares += difference * difference;
        largest = Math.max(largest, Math.abs(difference));
        count++;
      }
    }
  });
  return { rms: Math.sqrt(squares / Math.max(1, count)), largest };
}

export function conditionPoints(): ConditionPoint[] {
  return CONDITION_MOMENTS.map((moments) => {
    const { twoNorm, skeel } = chebyshevCondition(moments);
    return { moments, twoNorm, skeel };
  });
}
