/**
 * The ablation: one thing is changed at a time, from the setting of the paper. Differences are against the first level of a factor.
 *
 *   estimator  exact, 2000 probes, 100 probes          damping  Jackson, Lorentz, none (DOS)
 *   scale      trace, mean (DOS)                       width    of the node kernel (LDOS)
 *   self-loops without, with                           composite  what DOS adds to LDOS, and how they are put together
 *   damping of nodes  none, Jackson (LDOS): the node moments before they become return probabilities
 */

import type { ProfileOptions } from "../../spectrum/profiles.js";
import type { KernelResult } from "../evaluation-types.js";
import type { KernelRequest } from "../grid.js";
import type { Conductor } from "./conductor.js";
import { totteringRows } from "./tottering.js";
import type { Reproduction } from "./types.js";

interface Level {
  level: string;
  request: KernelRequest;
  profile?: ProfileOptions;
  /** Sets on which it is too costly: the matrix geometric mean takes O(n³) a grid point and fold. */
  without?: readonly string[];
}

interface Factor {
  factor: string;
  kernel: string;
  levels: readonly Level[];
  /** Where it is too costly: sampling 2000 probes for graphs of thousands of nodes. */
  without?: readonly string[];
}

const GRID = { exponent: [1, 2] } as const;
const of = (name: string, options: KernelRequest["options"] = {}): KernelRequest => ({
  name,
  options,
  grid: GRID,
});
const probes = (count: number): ProfileOptions => ({ estimator: "probes", probes: count });

const COMPOSITE = "w = 1/2";
const LDOS_ALONE = "LDOS alone";

const FACTORS: readonly Factor[] = [
  {
    factor: "composite",
    kernel: "dos+ldos",
    levels: [
      { level: COMPOSITE, request: of("dos+ldos") },
      { level: "mean", request: of("dos+ldos", { combine: "mean" }) },
      { level: "product", request: of("dos+ldos", { combine: "product" }) },
      {
        // half an hour and more on 1,000 graphs: on THREADS, the smallest set, alone
        level: "A # B",
        request: of("dos+ldos", { combine: "geometric" }),
        without: ["IMDB-BINARY", "IMDB-MULTI", "REDDIT-BINARY"],
      },
      { level: LDOS_ALONE, request: of("ldos") },
      { level: "DOS alone", request: of("dos") },
    ],
  },
  {
    factor: "self-loops",
    kernel: "dos+ldos",
    levels: [
      { level: "without", request: of("dos+ldos") },
      { level: "with", request: of("dos+ldos", { "dos.selfLoops": true, "ldos.selfLoops": true }) },
    ],
  },
  {
    factor: "scale",
    kernel: "dos",
    levels: [
      { level: "trace", request: of("dos") },
      { level: "mean", request: of("dos", { scale: "mean" }) },
    ],
  },
  {
    factor: "damping",
    kernel: "dos",
    levels: [
      { level: "Jackson", request: of("dos") },
      { level: "Lorentz", request: of("dos", { damping: "lorentz" }) },
      { level: "none", request: of("dos", { damping: "none" }) },
    ],
  },
  {
    factor: "damping of nodes",
    kernel: "ldos",
    levels: [
      { level: "none", request: of("ldos") },
      { level: "Jackson", request: of("ldos", { damping: "jackson" }) },
    ],
  },
  {
    factor: "width",
    kernel: "ldos",
    levels: [
      { level: "0.1", request: of("ldos") },
      { level: "0.03", request: of("ldos", { width: 0.03 }) },
      { level: "0.3", request: of("ldos", { width: 0.3 }) },
      { level: "1", request: of("ldos", { width: 1 }) },
    ],
  },
  {
    factor: "estimator",
    kernel: "dos+ldos",
    levels: [
      { level: "exact", request: of("dos+ldos") },
      { level: "2000 probes", request: of("dos+ldos"), profile: probes(2000) },
      { level: "100 probes", request: of("dos+ldos"), profile: probes(100) },
    ],
    without: ["REDDIT-BINARY", "REDDIT-MULTI-5K", "COLLAB"],
  },
];

/** Fills the rows of one set. The levels that tell where tottering shows are two of the composite's. */
export async function ablation(
  conductor: Conductor,
  { ablation: rows, tottering }: Pick<Reproduction, "ablation" | "tottering">,
  set: string,
  repeats: number,
): Promise<void> {
  for (const { factor, kernel, levels, without } of FACTORS) {
    if (without?.includes(set)) continue;
    let standard: number | null = null;
    const kept = new Map<string, KernelResult>();
    for (const { level, request, profile, without: not } of levels) {
      if (not?.includes(set)) continue;
      const expected = conductor.expected(set, 2, repeats);
      await conductor.step(
        `ablation: ${factor} ${level} on ${set}`,
        expected,
        async () => {
          const { value, cached } = await conductor.evaluate(set, request, { repeats }, profile);
          const { mean, std } = value.accuracy;
          kept.set(level, value);
          const difference = standard === null ? null : mean - standard;
          return { value: { factor, level, set, kernel, accuracy: { mean, std }, difference }, cached };
        },
        (row) => {
          if (level === levels[0].level) standard = row.accuracy.mean;
          // without the first level there is nothing to differ from
          if (standard !== null) rows.push(row);
        },
      );
    }
    const [ldos, composite] = [kept.get(LDOS_ALONE), kept.get(COMPOSITE)];
    if (ldos === undefined || composite === undefined) continue;
    const { graphs, classes } = await conductor.dataset(set);
    tottering.push(...totteringRows(set, graphs, classes!, ldos, composite));
  }
}
