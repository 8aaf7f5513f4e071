/**
 * Exact profiles of graphs that lie one behind the other (src/graph/pack.ts), one after another in the same working memory:
 *
 *   graph ─▶ twin classes ─▶ quotient ─▶ trees and cores ─▶ T_m(Q)_pp ─▶ one row a class ─▶ profile (src/spectrum/profile.ts)
 *
 * A whole set in one call: engines compile WASM when they load it and JavaScript while they run it, so that the first graphs cost
 * no more than the last. The same numbers as src/spectrum/exact-steps.ts takes step by step.
 *
 * A job is 8 words: address of the next graph, address of its length in bytes (f64, those of the others behind it), graphs left,
 * moments, self-loops (1: A + I), where the next profile goes, the place from which on no profile is begun, the end of the
 * memory that may be used. Working memory begins behind the profile that is next.
 */
import { unitMoments } from "./chebyshev";
import { placeDecomposition } from "./decompose";
import { componentEntries, plan } from "./exact-plan";
import { NONE, number, PARTS_BYTES, Parts, room, setNumber, setWord, word } from "./parts";
import { buildQuotient, placeQuotient } from "./quotient";
import { foldTrees, unfoldTrees } from "./trees";
import { tridiagonalMoments } from "./tridiagonal-moments";
import { accumulateBasis, tridiagonalise } from "./tridiagonalise";
import { findTwins, placeTwins } from "./twin-classes";
import { expandTwins } from "./twins";

@unmanaged
class Job {
  graph: usize;
  length: usize;
  left: u32;
  moments: u32;
  selfLoops: u32;
  out: usize;
  outEnd: usize;
  limit: usize;
}

const GRAPH_HEADER: usize = 32;
const WEIGHTED: u32 = 1;

const PROFILE_MAGIC: u32 = 0x50534447; // "GDSP"
const PROFILE_VERSION: u32 = 1;
const PROFILE_HEADER: usize = 88;

/** |T_m(Ã)_ii| <= 1, and rounding adds no more than this even to 4096 moments: MOST_MOMENT of src/spectrum/profile.ts. */
const MOST: f64 = 1.0001;

const TREE_RECORD: usize = 32;
const TREE_LEAF: u32 = 1;
const TREE_INNER: u32 = 2;
const TREE_ROOT: u32 = 4;

/**
 * Goes on with a job until no graph is left or the profiles reach `outEnd`: returns 0. Where memory is short, returns the end that it
 * should have, at least; the call is then to be made again. Where the moments of the next graph came out as no moments can be (not
 * finite, or above 1), returns -1.
 */
export function exactProfiles(address: usize): f64 {
  const job = changetype<Job>(address);
  while (job.left > 0 && job.out < job.outEnd) {
    const end = profileGraph(job);
    if (end != 0) return end;
    const length = <usize>load<f64>(job.length);
    job.graph += (length + 7) & ~7;
    job.length += 8;
    job.left--;
  }
  return 0;
}

/** The profile of the next graph, at job.out; 0, or the end of memory that is needed. */
function profileGraph(job: Job): f64 {
  let at = align(job.out);
  const limit = <u64>job.limit;
  const g = changetype<Parts>(at);
  at += PARTS_BYTES;
  if (<u64>at > limit) return <f64>at;
  readGraph(g, job);
  // sums in 64 bits: an end beyond 4 GiB must not look small
  const fewest = <u64>at + 72 * <u64>g.nodes + 1024;
  if (fewest > limit) return <f64>fewest;
  at = placeTwins(g, at);
  findTwins(g);
  const most = <u64>at + 72 * <u64>g.classes + 12 * <u64>(g.classes + g.entries) + 1024;
  if (most > limit) return <f64>most;
  at = placeDecomposition(g, placeQuotient(g, at));
  buildQuotient(g);
  plan(g);
  const body = align(at);
  const end = <u64>body + profileBytes(g) + solverBytes(g);
  if (end > limit) return <f64>end;
  const bytes = <usize>profileBytes(g);
  if (!(writeProfile(g, body, align(body + bytes)) <= MOST)) return -1;
  memory.copy(job.out, body, bytes);
  job.out += bytes;
  return 0;
}

@inline
function align(at: usize): usize {
  return (at + 63) & ~63;
}

function readGraph(g: Parts, job: Job): void {
  const graph = job.graph;
  const n = load<u32>(graph, 12), entries = <u32>load<f64>(graph, 16);
  g.nodes = n;
  g.entries = entries;
  g.selfLoops = load<u32>(graph, 28);
  g.offsets = graph + GRAPH_HEADER;
  g.targets = g.offsets + (((<usize>n + 1) * 4 + 7) & ~7);
  g.weights = load<u32>(graph, 8) & WEIGHTED ? g.targets + ((<usize>entries * 4 + 7) & ~7) : 0;
  g.loopsAreOne = job.selfLoops;
  g.moments = job.moments;
}

function profileBytes(g: Parts): u64 {
  const width = <u64>(g.moments + 1) << 3;
  const nodeBytes = (<u64>g.nodes * 4 + 7) & ~7;
  return <u64>PROFILE_HEADER + <u64>g.classes * (width + 8) + width + nodeBytes;
}

/** Memory for trees and for the component that needs most. */
function solverBytes(g: Parts): u64 {
  let most: u64 = 0;
  for (let k: u32 = 0; k < g.componentCount; k++) {
    const n = <u64>(word(g.start, k + 1) - word(g.start, k));
    const stride = (n + 4) & ~3;
    const bytes = load<u8>(g.dense + k)
      ? 28 * n + 16 * n * stride + 8 * max(4 * stride, 10 * n + 8)
      : 8 * (n + 1) + 12 * <u64>componentEntries(g, k) + 128 * (n + 1);
    most = max(most, bytes);
  }
  return most + 16 * <u64>(g.moments + 1) + TREE_RECORD * <u64>g.treeCount + 1024;
}

/** Returns the largest |T_m(Ã)_ii|, or NaN. */
function writeProfile(g: Parts, profile: usize, work: usize): f64 {
  const classes = g.classes, moments = g.moments;
  const width = <usize>(moments + 1) << 3;
  const rows = profile + PROFILE_HEADER;
  const weights = rows + <usize>classes * width;
  const trace = weights + (<usize>classes << 3);
  const rowOf = trace + width;
  const nodeBytes = <usize>g.nodes << 2;
  quotientMoments(g, rows, work);
  for (let p: u32 = 0; p < classes; p++) setNumber(weights, p, <f64>word(g.size, p));
  const largest = expandTwins(classes, weights, g.spikes, moments, rows, trace);
  memory.copy(rowOf, g.classOf, nodeBytes);
  if (nodeBytes & 4) store<u32>(rowOf + nodeBytes, 0);

  memory.fill(profile, 0, PROFILE_HEADER);
  store<u32>(profile, PROFILE_MAGIC);
  store<u32>(profile, PROFILE_VERSION, 4);
  store<u32>(profile, g.nodes, 12);
  store<u32>(profile, moments, 16);
  store<u32>(profile, classes, 20);
  store<f64>(profile, <f64>profileBytes(g), 32);
  store<f64>(profile, <f64>classes, 40);
  store<f64>(profile, <f64>g.treeCount, 48);
  store<f64>(profile, <f64>g.probes, 56);
  store<f64>(profile, <f64>g.denseOrder, 64);
  store<f64>(profile, <f64>g.loopsAreOne, 72);
  return largest;
}

/** T_m(Q)_pp of the planned quotient, in rows of moments + 1 numbers. */
function quotientMoments(g: Parts, rows: usize, at: usize): void {
  const treeCount = g.treeCount, moments = g.moments;
  const work = at;
  const records = at += room(<usize>(moments + 1), 16);
  at = align(at + <usize>treeCount * TREE_RECORD);
  if (treeCount > 0) {
    writeTrees(g, records);
    foldTrees(treeCount, records, moments, rows, work);
  }
  for (let k: u32 = 0; k < g.componentCount; k++) {
    if (load<u8>(g.dense + k)) denseComponent(g, k, rows, at);
    else sparseComponent(g, k, rows, at);
  }
  if (treeCount > 0) unfoldTrees(treeCount, records, moments, rows, work);
}

function writeTrees(g: Parts, record: usize): void {
  for (let k: u32 = 0; k < g.treeCount; k++, record += TREE_RECORD) {
    const c = word(g.trees, k);
    const p = word(g.parent, c);
    const kind = p == NONE ? TREE_ROOT : load<u8>(g.taken + p) == 1 ? TREE_INNER : 0;
    store<u32>(record, c);
    store<u32>(record, p == NONE ? 0 : p, 4);
    store<u32>(record, kind | (load<u8>(g.leaf + c) ? TREE_LEAF : 0), 8);
    store<f64>(record, p == NONE ? 0 : number(g.coupling, c), 16);
    store<f64>(record, number(g.loops, c), 24);
  }
}

/** The component's own rows, renumbered, with doubled values; unit probes for its core. */
function sparseComponent(g: Parts, k: u32, rows: usize, at: usize): void {
  const first = word(g.start, k);
  const n = word(g.start, k + 1) - first;
  const entries = <usize>componentEntries(g, k);
  const offsets = at;
  const targets = at += room(<usize>n + 1, 4);
  const doubled = at += room(entries, 4);
  const work = align(at + (entries << 3));
  const position = g.position;
  let filled: u32 = 0;
  setWord(offsets, 0, 0);
  for (let i: u32 = 0; i < n; i++) {
    const p = word(g.order, first + i);
    const end = word(g.rowOffsets, p + 1);
    for (let e = word(g.rowOffsets, p); e < end; e++) {
      setWord(targets, filled, word(position, word(g.columns, e)));
      setNumber(doubled, filled++, 2 * number(g.values, e));
    }
    setWord(offsets, i + 1, filled);
  }
  const places = g.order + (<usize>first << 2);
  unitMoments(n, offsets, targets, doubled, 0, word(g.coreSize, k), places, g.moments, rows, work);
}

/** The component as a dense matrix, its tridiagonal form, and the Chebyshev vectors of that. */
function denseComponent(g: Parts, k: u32, rows: usize, at: usize): void {
  const first = word(g.start, k);
  const n = word(g.start, k + 1) - first;
  const stride = (n + 4) & ~3;
  const pitch = <usize>stride << 3;
  const diagonal = at;
  const side = at += room(n, 8);
  const tau = at += room(n, 8);
  const matrix = at = align(at + (<usize>n << 3));
  const basis = at += <usize>n * pitch;
  const work = at + <usize>n * pitch;
  const position = g.position;
  memory.fill(matrix, 0, <usize>n * pitch);
  for (let i: u32 = 0; i < n; i++) {
    const p = word(g.order, first + i);
    const row = matrix + <usize>i * pitch;
    const end = word(g.rowOffsets, p + 1);
    for (let e = word(g.rowOffsets, p); e < end; e++)
      setNumber(row, word(position, word(g.columns, e)), number(g.values, e));
  }
  const places = g.order + (<usize>first << 2);
  tridiagonalise(n, stride, matrix, diagonal, side, tau, work);
  accumulateBasis(n, stride, matrix, tau, basis);
  tridiagonalMoments(n, stride, diagonal, side, basis, word(g.coreSize, k), places, g.moments, rows, work);
}
