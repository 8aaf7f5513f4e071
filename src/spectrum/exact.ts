/**
 * Exact spectral profiles: T_m(Ã)_ii, m = 0..M, for every node i, to rounding.
 *
 *   graph ─▶ twin classes ─▶ quotient Q ─▶ trees and cores ─▶ T_m(Q)_pp ─▶ one row a class
 *
 * Twins leave the computation with a known eigenvalue (quotient.ts). Trees need no probe: O(M²) a node, so that a forest of a
 * million nodes takes seconds. For the core of each component, by cost: unit probes by doubling on the sparse component, M/2
 * products each (assembly/chebyshev.ts), or Householder reduction of the component as a dense matrix and Chebyshev vectors of
 * the tridiagonal form (assembly/tridiagonalise.ts), which wins where a component is small or dense.
 *
 * Cost: (core nodes of a component) × (its entries) × M/2 summed over components, or n³; see exactCost. All of it runs in WASM, many
 * graphs a call (assembly/exact.ts): fast from the first graph on, where JavaScript would still be interpreted.
 */
import { MAX_BYTES } from "../compute/arena.js";
import type { Kernels } from "../compute/kernels.js";
import type { Graph } from "../graph/graph.js";
import { packedLength, packInto, unpackGraphs } from "../graph/pack.js";
import { checkPlanOptions, type PlanOptions } from "./exact-plan.js";
import { ExactSteps } from "./exact-steps.js";
import { impossibleMoments, ofGraph, SpectralProfile } from "./profile.js";

export interface ExactOptions extends PlanOptions {
  kernels: Kernels;
}

/** Exact profile of one graph. For many graphs use profileMany. */
export function exactProfile(graph: Graph, options: ExactOptions): SpectralProfile {
  return new ExactProfiler(options).profile(graph);
}

/** Exact profiles of many graphs, side by side in few buffers. */
export function profileMany(graphs: Iterable<Graph>, options: ExactOptions): SpectralProfile[] {
  return new ExactProfiler(options).profileMany([...graphs]);
}

/** A buffer of profiles is handed over when it is this long. */
const BUFFER_BYTES = 2 ** 24;
/** Lent profiles are not copied out, so that a longer buffer costs nothing but its memory. */
const LENT_BYTES = 2 ** 26;

/** Words of a job (assembly/exact.ts). */
const JOB = { graph: 0, length: 1, left: 2, moments: 3, selfLoops: 4, out: 5, outEnd: 6, limit: 7 };
const JOB_BYTES = 32;

/** Packed graphs of so many bytes, which `place` writes to an address. */
interface PackedJob {
  exactProfiles: (job: number) => number;
  bytes: number;
  place: (address: number) => void;
  lent?: boolean;
  indices?: readonly number[];
}

/** Exact profiles of one graph after another in the same working memory: all of the kernels' arena. */
export class ExactProfiler {
  readonly moments: number;
  readonly selfLoops: boolean;
  private readonly kernels: Kernels;

  constructor({ kernels, ...options }: ExactOptions) {
    const { moments, selfLoops } = checkPlanOptions(options);
    this.moments = moments;
    this.selfLoops = selfLoops;
    this.kernels = kernels;
  }

  /** The profile of a graph, in a buffer of its own. */
  profile(graph: Graph): SpectralProfile {
    return this.profileMany([graph])[0];
  }

  /** The profiles of some graphs, side by side in few buffers. `indices`: what errors call them; default 0, 1, .. */
  profileMany(graphs: readonly Graph[], indices?: readonly number[]): SpectralProfile[] {
    const { kernels } = this;
    if (kernels.exactProfiles === null) {
      const steps = new ExactSteps(kernels, { moments: this.moments, selfLoops: this.selfLoops });
      return graphs.map((graph, k) => {
        try {
          return steps.profile(graph);
        } catch (error) {
          throw ofGraph(indices?.[k] ?? k, error);
        }
      });
    }
    const place = (address: number) => packInto(graphs, kernels.arena.f64.buffer, address);
    const job = { exactProfiles: kernels.exactProfiles, bytes: packedLength(graphs), place, indices };
    return this.run(job).flatMap((bytes) => SpectralProfile.allIn(bytes));
  }

  /**
   * The profiles of packed graphs (graph/pack.ts), one behind the other in runs of bytes without gaps. Where they are `lent`, the last
   * run lies in the kernels' memory and is gone when that is used again: 82 kB a graph of REDDIT-BINARY that nobody copies.
   */
  profilePacked(
    packed: ArrayBuffer,
    { lent = false, indices }: { lent?: boolean; indices?: readonly number[] } = {},
  ): Uint8Array[] {
    const { kernels } = this;
    if (kernels.exactProfiles === null)
      return this.profileMany(unpackGraphs(packed), indices).map(({ buffer }) => new Uint8Array(buffer));
    const place = (address: number) =>
      new Uint8Array(kernels.arena.f64.buffer, address).set(new Uint8Array(packed));
    const bytes = packed.byteLength;
    return this.run({ exactProfiles: kernels.exactProfiles, bytes, place, lent, indices });
  }

  private run({ exactProfiles, bytes, place, lent, indices }: PackedJob): Uint8Array[] {
    const { arena } = this.kernels;
    arena.reset();
    const job = arena.allocate(JOB_BYTES);
    const graphs = arena.allocate(bytes);
    const out = arena.mark();
    place(graphs);
    const count = arena.f64[graphs / 8];
    const at = job / 4;
    arena.u32[at + JOB.graph] = graphs + 8 * (count + 1);
    arena.u32[at + JOB.length] = graphs + 8;
    arena.u32[at + JOB.left] = count;
    arena.u32[at + JOB.moments] = this.moments;
    arena.u32[at + JOB.selfLoops] = this.selfLoops ? 1 : 0;
    arena.u32[at + JOB.out] = out;
    arena.u32[at + JOB.outEnd] = Math.min(out + (lent ? LENT_BYTES : BUFFER_BYTES), MAX_BYTES);

    const runs: Uint8Array[] = [];
    while (arena.u32[at + JOB.left] > 0) {
      arena.u32[at + JOB.limit] = arena.end;
      const needed = exactProfiles(job);
      if (needed < 0) {
        const k = count - arena.u32[at + JOB.left];
        throw ofGraph(indices?.[k] ?? k, impossibleMoments());
      }
      if (needed > 0) {
        arena.allocate(needed - out);
        arena.release(out);
      } else {
        const end = arena.u32[at + JOB.out];
        const run = new Uint8Array(arena.f64.buffer, out, end - out);
        runs.push(lent && arena.u32[at + JOB.left] === 0 ? run : run.slice());
        arena.u32[at + JOB.out] = out;
      }
    }
    return runs;
  }
}
