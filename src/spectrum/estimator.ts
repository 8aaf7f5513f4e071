/**
 * How a profile was computed, in a form that fits in a header: a name, a few numbers whose meaning the name gives, and a note.
 */
export const ESTIMATOR_NAMES = ["exact", "probes", "sample"] as const;
export type EstimatorName = (typeof ESTIMATOR_NAMES)[number];

/** The most numbers that a profile's header keeps of its estimator. */
export const MAX_DETAILS = 6;

/** What the numbers of each estimator are. */
const DETAILS: Record<EstimatorName, readonly string[]> = {
  exact: ["classes", "treeNodes", "probes", "denseOrder", "selfLoops"],
  probes: ["probes", "seed", "tolerance", "selfLoops"],
  sample: ["nodes", "seed", "tolerance", "selfLoops"],
};

/** As an estimator states it. */
export interface Estimator {
  name: EstimatorName;
  /** In the order of the details of that name; missing ones are 0. */
  numbers: readonly number[];
  /** Why this estimator, when there was a choice. */
  note?: string;
}

/** As a reader sees it. */
export interface EstimatorDetail {
  name: EstimatorName;
  /** A sentence: what was done and, where known, why. */
  reason: string;
  detail: Record<string, number>;
}

export function estimatorDetail(
  name: EstimatorName,
  numbers: readonly number[],
  note: string,
): EstimatorDetail {
  const detail = Object.fromEntries(DETAILS[name].map((key, k) => [key, numbers[k]]));
  const done =
    name === "exact"
      ? exactly(detail)
      : `${numbers[0]} ${name === "probes" ? "random probes" : "sampled nodes"}`;
  return { name, reason: note === "" ? done : `${done}; ${note}`, detail };
}

function exactly({ classes, treeNodes, probes, denseOrder }: Record<string, number>): string {
  const parts = [`${classes} twin classes`];
  if (treeNodes > 0) parts.push(`${treeNodes} of them in trees`);
  if (probes > 0) parts.push(`${probes} unit probes`);
  if (denseOrder > 0) parts.push(`dense reduction up to order ${denseOrder}`);
  return parts.join(", ");
}
