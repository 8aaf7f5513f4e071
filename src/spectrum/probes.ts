/**
 * Spectral profiles by random probes: Hutchinson's estimate of the trace, tr T_m = E⟨z, T_m z⟩, and Bekas' estimate of the
 * diagonal, T_m(·)_ii = E[z_i·(T_m z)_i], with Rademacher or Gaussian z. Cost: entries × probes × M/2 for the trace (doubling),
 * × M for the diagonal.
 *
 * Motifs are filtered out first (motif-filter.ts): probes live on the quotient, the mass of the motif eigenvalues is added exactly.
 * Every estimate carries the standard error over its probes. Probe number b is the stream (seed, b): adding probes never changes the
 * ones before, and neither do the number of threads or the packing into strips. A ProbeEstimation can be refined: more probes, or
 * more moments from where its vectors stand.
 */
import { badCall, GraphdosError } from "../base/errors.js";
import { Random } from "../base/random.js";
import { MAX_BYTES } from "../compute/arena.js";
import type { Graph } from "../graph/graph.js";
import type { TwinClasses } from "../graph/twins.js";
import { addChebyshev } from "./chebyshev.js";
import { filteredClasses } from "./motif-filter.js";
import { checkMoments, type ProbeOptions, type ResolvedOptions, resolve } from "./probe-options.js";
import { SpectralProfile } from "./profile.js";
import { layOut, operatorBytes, type RowOperator } from "./row-operator.js";
import type { StepRunner } from "./step-runner.js";
import {
  advance,
  chooseWidth,
  type DiagonalBlock,
  doubledMoments,
  makeStrip,
  type Strip,
  stripBytes,
} from "./strips.js";

/** What some probes give: their moments, and with nodes the sums over the probes of z_i·(T_m z)_i and of its square. */
export interface ProbeBlock {
  moments: Float64Array[];
  sums: Float64Array | null;
  squares: Float64Array | null;
}

/** Runs blocks of probes, each number `first` on, elsewhere. */
export type ProbeElsewhere = (blocks: readonly { first: number; count: number }[]) => Promise<ProbeBlock[]>;

/** A profile by probes, refined until the tolerance (if any) holds. */
export async function probeProfile(
  graph: Graph,
  runner: StepRunner,
  options: ProbeOptions = {},
  elsewhere: ProbeElsewhere | null = null,
): Promise<SpectralProfile> {
  const estimation = new ProbeEstimation(graph, runner, options, elsewhere);
  await estimation.refine();
  return estimation.profile();
}

export class ProbeEstimation {
  readonly options: ResolvedOptions;
  private readonly twins: TwinClasses;
  private readonly operator: RowOperator;
  /** Moments 0..M of the quotient by each probe, and one more where doubling gives it. */
  private readonly perProbe: Float64Array[] = [];
  private readonly strips: Strip[] = [];
  private blocks: DiagonalBlock[] = [];
  private moments: number;
  private shortfall = "";

  constructor(
    private readonly graph: Graph,
    private readonly runner: StepRunner,
    private readonly given: ProbeOptions = {},
    private readonly elsewhere: ProbeElsewhere | null = null,
  ) {
    this.twins = filteredClasses(graph, given.filter ?? "all", given.selfLoops ?? false);
    this.options = resolve(given);
    if (this.options.keepVectors && elsewhere !== null)
      throw badCall("probes: keepVectors: vectors of probes that run elsewhere cannot be kept");
    this.moments = this.options.moments;
    this.checkMemory(this.options.probes);
    const { arena } = runner.kernels;
    this.operator = layOut(graph, this.twins, this.options.selfLoops, arena, this.options.float32);
    if (this.options.nodes) this.blocks.push(this.diagonalBlock(this.moments));
  }

  get probes(): number {
    return this.perProbe.length;
  }

  /** Says before it starts how much memory the probes would take, when that is too much. */
  private checkMemory(probes: number): void {
    const { moments, nodes, keepVectors } = this.options;
    const rows = this.twins.count;
    const tables = probes * 8 * (moments + 1);
    const vectors = keepVectors
      ? Math.ceil(probes / 8) * stripBytes(rows, 8, nodes)
      : stripBytes(rows, 2, nodes);
    const needed = operatorBytes(this.graph, rows) + vectors + tables + (nodes ? 16 * rows * moments : 0);
    if (needed > MAX_BYTES)
      throw new GraphdosError(
        "limit",
        `${probes} probes and ${moments} moments for ${rows} rows need ${(needed / 2 ** 30).toFixed(1)} GiB, the limit is ${(MAX_BYTES / 2 ** 30).toFixed(1)} GiB; use fewer probes or moments${keepVectors ? ", or leave out keepVectors" : nodes ? ", or --estimator sample" : ""}`,
      );
  }

  private diagonalBlock(steps: number): DiagonalBlock {
    const { arena } = this.runner.kernels;
    const numbers = steps * this.twins.count;
    const block = { steps, sums: arena.allocate(8 * numbers), squares: arena.allocate(8 * numbers) };
    arena.f64.fill(0, block.sums / 8, block.sums / 8 + numbers);
    arena.f64.fill(0, block.squares / 8, block.squares / 8 + numbers);
    return block;
  }

  /** Runs the probes asked for, then more until the tolerance holds or the cap is reached. */
  async refine(): Promise<this> {
    const { probes, tolerance, maxProbes } = this.options;
    await this.addProbes(probes - this.probes);
    if (tolerance === null) return this;
    for (let error = this.largestError(); error > tolerance; error = this.largestError()) {
      if (this.probes >= maxProbes) {
        this.shortfall = `the tolerance ${tolerance} was not met: the standard error is ${error.toPrecision(3)} after ${this.probes} probes`;
        break;
      }
      const wanted = Math.ceil(1.05 * this.probes * (error / tolerance) ** 2);
      await this.addProbes(Math.min(wanted, 4 * this.probes, maxProbes) - this.probes);
    }
    return this;
  }

  /** Largest standard error of a mean moment. */
  largestError(): number {
    return this.traceErrors().reduce((most, error) => Math.max(most, error / this.graph.nodeCount), 0);
  }

  async addProbes(count: number): Promise<void> {
    const { arena } = this.runner.kernels;
    const { nodes, keepVectors } = this.options;
    if (count > 0) this.checkMemory(this.probes + count);
    const target = this.probes + count;
    if (this.elsewhere !== null) return this.addBlocks(target, this.elsewhere);
    while (this.probes < target) {
      const left = target - this.probes;
      const mark = arena.mark();
      const width = this.stripWidth(left);
      const used = Math.min(width, left);
      const first = this.probes;
      const strip = makeStrip(this.runner, this.operator, width, used, nodes, (column, write) =>
        this.draw(first + column, write),
      );
      for (let column = 0; column < used; column++) this.perProbe.push(new Float64Array(this.rowLength()));
      await this.runStrip(strip, first, this.blocks);
      if (keepVectors) this.strips.push(strip);
      else arena.release(mark);
      this.given.onProgress?.({ task: "probing", done: this.probes, total: target, unit: "probes" });
    }
  }

  private stripWidth(left: number) {
    const { nodes, float32 } = this.options;
    const free = MAX_BYTES - this.runner.kernels.arena.mark() - 2 ** 24;
    return chooseWidth(this.operator.rows, left, nodes, free, float32);
  }

  /** The strips that would run here run elsewhere. Sums are added up strip by strip in their order, as here: the bits are the same. */
  private async addBlocks(target: number, elsewhere: ProbeElsewhere): Promise<void> {
    const blocks: { first: number; count: number }[] = [];
    for (let first = this.probes; first < target; first += blocks[blocks.length - 1].count)
      blocks.push({ first, count: Math.min(this.stripWidth(target - first), target - first) });
    for (const { moments, sums, squares } of await elsewhere(blocks)) {
      this.perProbe.push(...moments);
      if (sums === null || squares === null) continue;
      const { f64 } = this.runner.kernels.arena;
      const [block] = this.blocks;
      for (let k = 0; k < sums.length; k++) {
        f64[block.sums / 8 + k] += sums[k];
        f64[block.squares / 8 + k] += squares[k];
      }
    }
  }

  /** One strip of probes from number `first` on, by itself: what another machine runs of `addBlocks`. */
  async block(first: number, count: number): Promise<ProbeBlock> {
    const { arena } = this.runner.kernels;
    const { nodes } = this.options;
    const mark = arena.mark();
    const width = this.stripWidth(count);
    const [block] = this.blocks;
    const numbers = nodes ? block.steps * this.twins.count : 0;
    const view = (address: number) => arena.f64.subarray(address / 8, address / 8 + numbers);
    if (nodes) for (const address of [block.sums, block.squares]) view(address).fill(0);
    const strip = makeStrip(this.runner, this.operator, width, count, nodes, (column, write) =>
      this.draw(first + column, write),
    );
    this.perProbe.length = 0;
    for (let column = 0; column < count; column++) this.perProbe.push(new Float64Array(this.rowLength()));
    await this.runStrip(strip, 0, this.blocks);
    arena.release(mark);
    const moments = this.perProbe.splice(0);
    if (!nodes) return { moments, sums: null, squares: null };
    return { moments, sums: view(block.sums).slice(), squares: view(block.squares).slice() };
  }

  /** Doubling gives moments in pairs: an odd M has one more than asked for, which adding moments will want. */
  private rowLength(): number {
    return this.moments + 1 + (this.options.nodes ? 0 : this.moments % 2);
  }

  /** Moments up to `moments`; goes on from the kept vectors. */
  async addMoments(moments: number): Promise<void> {
    checkMoments(moments);
    if (moments <= this.moments) return;
    if (this.strips.length === 0 && this.probes > 0)
      throw badCall("probes: moments can be added only where the vectors were kept: give keepVectors");
    const before = this.moments;
    this.moments = moments;
    const block = this.options.nodes ? [this.diagonalBlock(moments - before)] : [];
    this.perProbe.forEach((row, probe) => {
      const longer = new Float64Array(this.rowLength());
      longer.set(row);
      this.perProbe[probe] = longer;
    });
    let first = 0;
    for (const strip of this.strips) {
      await this.runStrip(strip, first, block);
      first += strip.used;
    }
    this.blocks.push(...block);
  }

  /** Takes the steps that `blocks` (or, for the trace alone, the number of moments) ask for, and notes the probes' moments. */
  private async runStrip(strip: Strip, first: number, blocks: DiagonalBlock[]): Promise<void> {
    const { signal } = this.given;
    if (!this.options.nodes) {
      const from = strip.done;
      const steps = Math.ceil(this.moments / 2) - from;
      if (steps <= 0) return;
      const { a, b } = await advance(this.runner, this.operator, strip, steps, null, signal);
      for (let column = 0; column < strip.used; column++)
        doubledMoments(
          this.perProbe[first + column],
          from,
          a[column],
          b[column],
          strip.squares[column],
          strip.firsts[column],
        );
      return;
    }
    for (const block of blocks) {
      const from = strip.done;
      const { sums } = await advance(this.runner, this.operator, strip, block.steps, block, signal);
      for (let column = 0; column < strip.used; column++) {
        this.perProbe[first + column][0] = strip.squares[column];
        this.perProbe[first + column].set(sums[column], from + 1);
      }
    }
  }

  /** Probe number `probe`: signs from the bits of its stream, or normals. Returns its squared length. */
  private draw(probe: number, write: (row: number, value: number) => void): number {
    const random = new Random(this.options.seed, probe, 1);
    const { rows } = this.operator;
    if (this.options.distribution === "gaussian") {
      let square = 0;
      for (let i = 0; i < rows; i++) {
        const z = random.normal();
        write(i, z);
        square += z * z;
      }
      return square;
    }
    for (let i = 0, bits = 0; i < rows; i++) {
      if ((i & 31) === 0) bits = random.uint32();
      write(i, bits & 1 ? 1 : -1);
      bits >>>= 1;
    }
    return rows;
  }

  private traceErrors(): Float64Array {
    const { perProbe } = this;
    const count = perProbe.length;
    const errors = new Float64Array(this.moments + 1);
    for (let m = 1; m < errors.length; m++) {
      let mean = 0;
      for (const row of perProbe) mean += row[m];
      mean /= count;
      let squares = 0;
      for (const row of perProbe) squares += (row[m] - mean) ** 2;
      errors[m] = Math.sqrt(squares / (count - 1) / count);
    }
    return errors;
  }

  profile(): SpectralProfile {
    const { graph, twins, operator, moments, perProbe } = this;
    const { nodes, seed, tolerance, selfLoops } = this.options;
    const estimator = {
      name: "probes" as const,
      numbers: [perProbe.length, seed, tolerance ?? 0, selfLoops ? 1 : 0],
      note: [this.given.note, this.shortfall].filter(Boolean).join("; "),
    };
    const rowCount = nodes ? twins.count : 0;
    const shape = {
      nodeCount: graph.nodeCount,
      moments,
      rowCount,
      estimator,
      rowErrors: nodes,
      traceErrors: true,
    };
    const profile = SpectralProfile.allocate(shape);
    // moment 0 is known: the number of rows, whatever a Gaussian probe's length
    profile.trace[0] = operator.rows;
    for (let m = 1; m <= moments; m++) {
      let sum = 0;
      for (const row of perProbe) sum += row[m];
      profile.trace[m] = sum / perProbe.length;
    }
    for (let p = 0; p < twins.count; p++)
      if (twins.size[p] > 1) addChebyshev(profile.trace, operator.spikes[p], twins.size[p] - 1);
    profile.standardError!.trace!.set(this.traceErrors());
    if (nodes) this.fillRows(profile);
    return profile;
  }

  /** T_m(Ã)_ii = T_m(Q)_pp / c + (1 − 1/c)·T_m(spike); its standard error is that of the mean over the probes, over c. */
  private fillRows(profile: SpectralProfile): void {
    const { twins, operator, moments } = this;
    const { f64 } = this.runner.kernels.arena;
    const width = moments + 1;
    const count = this.perProbe.length;
    const errors = profile.standardError!.rows!;
    for (let p = 0; p < twins.count; p++) {
      const c = twins.size[p];
      const row = profile.rows.subarray(p * width, (p + 1) * width);
      if (c > 1) addChebyshev(row, operator.spikes[p], 1 - 1 / c);
      row[0] = 1;
      profile.weights[p] = c;
      let m = 1;
      for (const block of this.blocks)
        for (let step = 0; step < block.steps; step++, m++) {
          const at = step * twins.count + p;
          const mean = f64[block.sums / 8 + at] / count;
          const variance = Math.max(0, f64[block.squares / 8 + at] / count - mean * mean) / (count - 1);
          row[m] += mean / c;
          errors[p * width + m] = Math.sqrt(variance) / c;
        }
    }
    profile.rowOf.set(twins.classOf.subarray(0, this.graph.nodeCount));
  }
}
