/** Options of the estimation by probes, their defaults and what is refused. */
import { badCall } from "../base/errors.js";
import type { OnProgress } from "../base/progress.js";
import type { MotifFilter } from "./motif-filter.js";

export type ProbeDistribution = "rademacher" | "gaussian";

export interface ProbeOptions {
  /** The highest moment M. Default 50. */
  moments?: number;
  /** Default 32; at least 2, because a standard error needs two. */
  probes?: number;
  distribution?: ProbeDistribution;
  filter?: MotifFilter;
  selfLoops?: boolean;
  /** Also estimate the moments of every node. Default true. */
  nodes?: boolean;
  seed?: number;
  /** Add probes until the largest standard error of a mean moment (trace / nodes) is at most this. */
  tolerance?: number;
  /** Where adding stops. Default 100,000. */
  maxProbes?: number;
  /**
   * Keep the vectors of every probe, so that moments can be added without starting again: 16 or 24 bytes per node and probe, which a
   * tolerance may make more than memory holds. Default false.
   */
  keepVectors?: boolean;
  /** Vectors in single precision, sums in double: twice as many probes for the same memory traffic. Trace only. Default false. */
  float32?: boolean;
  /** Why this estimator, for the profile. */
  note?: string;
  signal?: AbortSignal;
  onProgress?: OnProgress;
}

export interface ResolvedOptions
  extends Required<Omit<ProbeOptions, "tolerance" | "note" | "signal" | "onProgress">> {
  tolerance: number | null;
}

export function resolve(options: ProbeOptions): ResolvedOptions {
  const resolved = {
    moments: options.moments ?? 50,
    probes: options.probes ?? 32,
    distribution: options.distribution ?? "rademacher",
    filter: options.filter ?? "all",
    selfLoops: options.selfLoops ?? false,
    nodes: options.nodes ?? true,
    seed: options.seed ?? 0,
    tolerance: options.tolerance ?? null,
    maxProbes: options.maxProbes ?? 100_000,
    float32: options.float32 ?? false,
    keepVectors: options.keepVectors ?? false,
  };
  checkMoments(resolved.moments);
  if (!(Number.isSafeInteger(resolved.probes) && resolved.probes >= 2))
    throw badCall(
      `probes: got ${resolved.probes}, expected a whole number of at least 2: a standard error needs two`,
    );
  if (resolved.tolerance !== null && !(resolved.tolerance > 0))
    throw badCall(`tolerance: got ${resolved.tolerance}, expected a number above 0`);
  if (resolved.float32 && resolved.nodes)
    throw badCall("float32: single precision is for the sums over all nodes: leave out nodes, or float32");
  if (!["rademacher", "gaussian"].includes(resolved.distribution))
    throw badCall(
      `probes: unknown distribution: got ${resolved.distribution}, expected rademacher or gaussian`,
    );
  return resolved;
}

export function checkMoments(moments: number): void {
  if (!(Number.isSafeInteger(moments) && moments >= 1))
    throw badCall(`moments: got ${moments}, expected a whole number of at least 1`);
}
