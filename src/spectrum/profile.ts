/**
 * SpectralProfile: the weighted set of the nodes' Chebyshev moments T_m(Ã)_ii, m = 0..M, of one graph. The heart of the
 * house: the density of states is its weighted sum (`trace`), local densities of states are its rows.
 *
 * Nodes that are known to have the same moments share a row; its weight says how many nodes it stands for. Moments are not
 * damped. |T_m(Ã)_ii| <= 1 and T_0 = 1.
 *
 * All of it lies in one run of bytes, alone in a buffer or side by side with others, so that storing, posting and keeping many
 * profiles are one act (8-byte aligned, little-endian):
 *
 *   bytes 0..3   magic "GDSP"       16..19 moments M        32..39 length of all in bytes (float64)
 *   bytes 4..7   version            20..23 rows             40..87 the estimator's numbers (6 × float64)
 *   bytes 8..11  flags              24..27 estimator
 *   bytes 12..15 node count         28..31 bytes of the note
 *   then rows (float64, rows × (M+1)), weights (float64, rows), trace (float64, M+1), the standard errors of the rows and of the
 *   trace as the flags say, the row of each node (uint32), the note (UTF-8).
 */
import { badCall, badData, GraphdosError } from "../base/errors.js";
import { ESTIMATOR_NAMES, type Estimator, estimatorDetail, MAX_DETAILS } from "./estimator.js";

const MAGIC = 0x50534447; // "GDSP"
const VERSION = 1;
const HEADER_BYTES = 88;
const DETAIL_WORD = 5; // 40 / 8
const ROW_ERRORS = 1;
const TRACE_ERRORS = 2;

/** In `rowOf`: the node has no row of its own, because only a sample of the nodes, or the trace alone, was computed. */
export const NO_ROW = 0xffffffff;

/** For readers of rows: throws where a graph with nodes has a profile of its trace alone, which would count as a graph without nodes. */
export function requireRows(
  { nodeCount, rowCount }: { nodeCount: number; rowCount: number },
  name: string,
): void {
  if (nodeCount > 0 && rowCount === 0)
    throw badCall(
      `the profile of ${name} has sums over its nodes, no moments of single nodes: compute it with nodes`,
    );
}

/** |T_m(Ã)_ii| <= 1: rounding adds less than this to it, even to 4096 moments. */
export const MOST_MOMENT = 1.0001;

/** For moments that no graph can have. */
export const impossibleMoments = () =>
  badData(
    "its moments came out not finite or above 1, which no graph has: its weights span too many magnitudes for double precision; scale them, or leave out the smallest",
  );

/** The same error, saying of which graph. */
export function ofGraph(index: number, error: unknown): unknown {
  if (!(error instanceof GraphdosError) || ["bad-call", "interrupted"].includes(error.code)) return error;
  return new GraphdosError(error.code, `graph ${index}: ${error.message}`, { cause: error });
}

export interface ProfileShape {
  nodeCount: number;
  moments: number;
  rowCount: number;
  estimator: Estimator;
  /** Whether the rows, and the trace, carry standard errors. */
  rowErrors?: boolean;
  traceErrors?: boolean;
}

interface Sizes {
  nodeCount: number;
  moments: number;
  rowCount: number;
  flags: number;
  noteBytes: number;
}

const align8 = (bytes: number) => Math.ceil(bytes / 8) * 8;
const NO_BYTES = new Uint8Array(0);

/** Byte positions of the parts, counted from the start of the profile. */
function layout({ nodeCount, moments, rowCount, flags, noteBytes }: Sizes) {
  const width = 8 * (moments + 1);
  const weights = HEADER_BYTES + rowCount * width;
  const trace = weights + 8 * rowCount;
  const rowErrors = trace + width;
  const traceErrors = rowErrors + (flags & ROW_ERRORS ? rowCount * width : 0);
  const rowOf = traceErrors + (flags & TRACE_ERRORS ? width : 0);
  const note = rowOf + align8(4 * nodeCount);
  return { weights, trace, rowErrors, traceErrors, rowOf, note, end: note + align8(noteBytes) };
}

type Layout = ReturnType<typeof layout>;

export class SpectralProfile {
  readonly nodeCount: number;
  /** M: the highest moment. */
  readonly moments: number;
  readonly rowCount: number;
  /** rowCount rows of M + 1 numbers. */
  readonly rows: Float64Array;
  /** Nodes that a row stands for; they sum to nodeCount. */
  readonly weights: Float64Array;
  /** Σ over the nodes of T_m(Ã)_ii. */
  readonly trace: Float64Array;
  /** Row of each node, or NO_ROW. */
  readonly rowOf: Uint32Array;
  /** Standard errors of sampled estimates, parallel to rows and to trace; null where the numbers are exact. */
  readonly standardError: { rows: Float64Array | null; trace: Float64Array | null } | null;
  readonly byteLength: number;

  private constructor(
    readonly buffer: ArrayBufferLike,
    readonly byteOffset: number,
    sizes: Sizes,
    at: Layout,
  ) {
    const { nodeCount, moments, rowCount, flags } = sizes;
    const width = moments + 1;
    this.nodeCount = nodeCount;
    this.moments = moments;
    this.rowCount = rowCount;
    this.byteLength = at.end;
    this.rows = new Float64Array(buffer, byteOffset + HEADER_BYTES, rowCount * width);
    this.weights = new Float64Array(buffer, byteOffset + at.weights, rowCount);
    this.trace = new Float64Array(buffer, byteOffset + at.trace, width);
    this.rowOf = new Uint32Array(buffer, byteOffset + at.rowOf, nodeCount);
    this.standardError =
      flags === 0
        ? null
        : {
            rows:
              flags & ROW_ERRORS
                ? new Float64Array(buffer, byteOffset + at.rowErrors, rowCount * width)
                : null,
            trace: flags & TRACE_ERRORS ? new Float64Array(buffer, byteOffset + at.traceErrors, width) : null,
          };
  }

  /** A profile with its numbers zero and no node with a row, for an estimator to fill, in a buffer of its own. */
  static allocate(shape: ProfileShape): SpectralProfile {
    const { nodeCount, moments, rowCount, estimator } = shape;
    const note = estimator.note ? new TextEncoder().encode(estimator.note) : NO_BYTES;
    const flags = (shape.rowErrors ? ROW_ERRORS : 0) | (shape.traceErrors ? TRACE_ERRORS : 0);
    const sizes = { nodeCount, moments, rowCount, flags, noteBytes: note.length };
    const at = layout(sizes);
    const buffer = new ArrayBuffer(at.end);
    const words = new Uint32Array(buffer, 0, HEADER_BYTES / 4);
    const numbers = new Float64Array(buffer, 0, HEADER_BYTES / 8);
    words[0] = MAGIC;
    words[1] = VERSION;
    words[2] = flags;
    words[3] = nodeCount;
    words[4] = moments;
    words[5] = rowCount;
    words[6] = ESTIMATOR_NAMES.indexOf(estimator.name);
    words[7] = note.length;
    numbers[4] = at.end;
    if (estimator.numbers.length > MAX_DETAILS)
      throw badCall(
        `profile: numbers of the estimator: got ${estimator.numbers.length}, expected at most ${MAX_DETAILS}`,
      );
    for (let k = 0; k < estimator.numbers.length; k++) numbers[DETAIL_WORD + k] = estimator.numbers[k];
    if (note.length > 0) new Uint8Array(buffer, at.note, note.length).set(note);
    const profile = new SpectralProfile(buffer, 0, sizes, at);
    profile.rowOf.fill(NO_ROW);
    return profile;
  }

  /** The profile at a place in a buffer: no copy. Checks header and size. */
  static fromBuffer(buffer: ArrayBufferLike, byteOffset = 0, where = "profile buffer"): SpectralProfile {
    const available = buffer.byteLength - byteOffset;
    if (!(byteOffset >= 0 && byteOffset % 8 === 0 && available >= HEADER_BYTES))
      throw badData(`${where}: no profile at byte ${byteOffset} of ${buffer.byteLength}`);
    const words = new Uint32Array(buffer, byteOffset, HEADER_BYTES / 4);
    if (words[0] !== MAGIC) throw badData(`${where}: not a profile: wrong magic number`);
    if (words[1] !== VERSION)
      throw badData(`${where}: unknown version: got ${words[1]}, expected ${VERSION}`);
    const [, , flags, nodeCount, moments, rowCount, estimator, noteBytes] = words;
    if (flags > (ROW_ERRORS | TRACE_ERRORS) || estimator >= ESTIMATOR_NAMES.length)
      throw badData(`${where}: unknown flags ${flags} or estimator ${estimator}`);
    const sizes = { nodeCount, moments, rowCount, flags, noteBytes };
    const at = layout(sizes);
    const written = new Float64Array(buffer, byteOffset + 32, 1)[0];
    if (written !== at.end || available < at.end)
      throw badData(`${where}: wrong size: got ${available} bytes, its header describes ${at.end}`);
    return new SpectralProfile(buffer, byteOffset, sizes, at);
  }

  /** The profiles that lie one behind the other in the bytes, without gaps. */
  static allIn({ buffer, byteOffset, byteLength }: Uint8Array): SpectralProfile[] {
    const profiles: SpectralProfile[] = [];
    for (let at = 0; at < byteLength; at += profiles[profiles.length - 1].byteLength)
      profiles.push(SpectralProfile.fromBuffer(buffer, byteOffset + at));
    return profiles;
  }

  /** How the profile was computed: name, sentence, sizes. */
  get estimator() {
    const words = new Uint32Array(this.buffer, this.byteOffset, HEADER_BYTES / 4);
    const name = ESTIMATOR_NAMES[words[6]];
    const detail = new Float64Array(this.buffer, this.byteOffset + 8 * DETAIL_WORD, MAX_DETAILS);
    return estimatorDetail(name, Array.from(detail), this.note());
  }

  private note(): string {
    const bytes = new Uint32Array(this.buffer, this.byteOffset, HEADER_BYTES / 4)[7];
    const at = this.byteOffset + this.byteLength - align8(bytes);
    // a copy, since a decoder does not take shared memory
    return new TextDecoder().decode(new Uint8Array(this.buffer, at, bytes).slice());
  }

  /** Rows, weights and trace in one view, as they follow one another: for estimators that fill them at once. */
  get body(): Float64Array {
    const length = this.rows.length + this.weights.length + this.trace.length;
    return new Float64Array(this.buffer, this.rows.byteOffset, length);
  }

  /** The M + 1 moments of node i. */
  nodeMoments(i: number): Float64Array {
    const row = this.rowOf[i];
    if (!(row < this.rowCount)) throw badCall(`profile: node ${i} has no moments of its own`);
    return this.rows.subarray(row * (this.moments + 1), (row + 1) * (this.moments + 1));
  }

  /** The same profile with fewer moments: the first M + 1 numbers of every row. */
  cut(moments: number): SpectralProfile {
    if (!(Number.isInteger(moments) && moments >= 0 && moments <= this.moments))
      throw badCall(`profile: moments: got ${moments}, expected 0 to ${this.moments}`);
    const { name } = this.estimator;
    const words = new Uint32Array(this.buffer, this.byteOffset, HEADER_BYTES / 4);
    const note = this.note();
    const numbers = Array.from(new Float64Array(this.buffer, this.byteOffset + 8 * DETAIL_WORD, MAX_DETAILS));
    const lower = SpectralProfile.allocate({
      nodeCount: this.nodeCount,
      moments,
      rowCount: this.rowCount,
      estimator: { name, numbers, note },
      rowErrors: (words[2] & ROW_ERRORS) !== 0,
      traceErrors: (words[2] & TRACE_ERRORS) !== 0,
    });
    const [from, to] = [this.moments + 1, moments + 1];
    const copyRows = (source: Float64Array, target: Float64Array) => {
      for (let r = 0; r < this.rowCount; r++) target.set(source.subarray(r * from, r * from + to), r * to);
    };
    copyRows(this.rows, lower.rows);
    lower.weights.set(this.weights);
    lower.trace.set(this.trace.subarray(0, to));
    lower.rowOf.set(this.rowOf);
    const errors = this.standardError;
    if (errors?.rows) copyRows(errors.rows, lower.standardError!.rows!);
    if (errors?.trace) lower.standardError!.trace!.set(errors.trace.subarray(0, to));
    return lower;
  }

  /** The trace alone, for who asks for no single nodes: M + 1 numbers instead of (rows + 1)(M + 1). */
  withoutRows(): SpectralProfile {
    const words = new Uint32Array(this.buffer, this.byteOffset, HEADER_BYTES / 4);
    const numbers = Array.from(new Float64Array(this.buffer, this.byteOffset + 8 * DETAIL_WORD, MAX_DETAILS));
    const sums = SpectralProfile.allocate({
      nodeCount: this.nodeCount,
      moments: this.moments,
      rowCount: 0,
      estimator: { name: this.estimator.name, numbers, note: this.note() },
      traceErrors: (words[2] & TRACE_ERRORS) !== 0,
    });
    sums.trace.set(this.trace);
    if (this.standardError?.trace) sums.standardError!.trace!.set(this.standardError.trace);
    return sums;
  }

  /** A copy in a buffer of its own, to post or to keep without its neighbours in a buffer. */
  copy(): SpectralProfile {
    const bytes = new Uint8Array(this.buffer, this.byteOffset, this.byteLength).slice();
    return SpectralProfile.fromBuffer(bytes.buffer);
  }

  /**
   * Throws where a moment cannot be: not finite, or of a node above 1. Single rows by random probes scatter, so that `bounded` is false there.
   */
  check(bounded: boolean): this {
    const most = bounded ? MOST_MOMENT : Number.MAX_VALUE;
    for (const x of this.rows) if (!(Math.abs(x) <= most)) throw impossibleMoments();
    for (const x of this.trace) if (!Number.isFinite(x)) throw impossibleMoments();
    return this;
  }

  /** Fills `trace` from rows and weights: row by row, so that the sums do not depend on anything else. */
  sumTrace(): this {
    const { rows, weights, trace, rowCount } = this;
    const width = this.moments + 1;
    trace.fill(0);
    for (let r = 0, k = 0; r < rowCount; r++) {
      const weight = weights[r];
      for (let m = 0; m < width; m++, k++) trace[m] += weight * rows[k];
    }
    return this;
  }
}
