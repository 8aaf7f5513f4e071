/**
 * Which graphs of a collection are the same up to a renaming of their nodes. Weights and self-loops count, labels when asked for.
 *
 * Graphs are told apart by ever dearer means, each only among those that are still alike: sizes and the multiset of degrees
 * (O(n + E)), colour refinement of the quotient by twins, then a search. The search individualises a node of one graph
 * and, in turn, every node of the same colour of the other, refines both, and goes on until all colours differ; the mapping read off is
 * checked edge by edge. It is exact: "same" rests on a checked mapping, "different" on an invariant or on having tried everything
 * (McKay, Piperno: Practical graph isomorphism II, 2014, for the method). A pair that takes more than `workLimit` row
 * entries is undecided and kept apart.
 */
import { badCall, throwIfAborted } from "../base/errors.js";
import type { RunControl } from "../base/progress.js";
import type { Graph } from "./graph.js";
import { mix32, mixNumber } from "./mixing.js";
import {
  type Colours,
  individualise,
  initialColours,
  Refiner,
  type Summary,
  type TwinQuotient,
  twinQuotient,
  type WorkMeter,
} from "./refinement.js";
import { TwinFinder } from "./twins.js";

export interface IsomorphismOptions extends RunControl {
  /** "respect": an isomorphism must keep node labels. Default "ignore". */
  labels?: "ignore" | "respect";
  /** Row entries that the search may visit for one pair of graphs before it gives up. Default 20 million (about 0.2 s). */
  workLimit?: number;
}

export interface IsomorphismGroups {
  /** Group of each graph; groups are numbered by their first graph. */
  group: Uint32Array;
  count: number;
  /** Pairs of graphs that were not decided, and count as different. */
  undecided: number;
}

const DEFAULT_WORK_LIMIT = 20_000_000;
const OPTION_NAMES = ["labels", "workLimit", "signal", "onProgress"];

/** Rounds of refinement that sort graphs into buckets; the search refines to the end. */
const BUCKET_ROUNDS = 6;

export function isomorphismGroups(
  graphs: readonly Graph[],
  options: IsomorphismOptions = {},
): IsomorphismGroups {
  const tester = new IsomorphismTester(options);
  const { signal, onProgress } = options;
  const leader = Uint32Array.from(graphs, (_, g) => g);
  let undecided = 0;
  let done = 0;
  const advance = (by: number) => {
    done += by;
    onProgress?.({ task: "looking for isomorphic graphs", done, total: graphs.length, unit: "graphs" });
  };
  for (const alike of bucketsBy(graphs.keys(), (g) => degreeKey(graphs[g], tester.respectLabels))) {
    throwIfAborted(signal);
    if (alike.length > 1) {
      const candidates = alike.map((g) => ({ g, candidate: tester.candidate(graphs[g]) }));
      for (const bucket of bucketsBy(candidates, ({ candidate }) => candidate.key)) {
        const leaders: typeof bucket = [];
        for (const member of bucket) {
          throwIfAborted(signal);
          const same = leaders.find((other) => {
            const answer = tester.compare(other.candidate, member.candidate);
            if (answer === "undecided") undecided++;
            return answer === "same";
          });
          if (same === undefined) leaders.push(member);
          else leader[member.g] = same.g;
        }
      }
    }
    advance(alike.length);
  }
  const group = new Uint32Array(graphs.length);
  let count = 0;
  for (let g = 0; g < graphs.length; g++) group[g] = leader[g] === g ? count++ : group[leader[g]];
  return { group, count, undecided };
}

/** Whether two graphs are the same up to a renaming of their nodes. */
export function isomorphic(
  a: Graph,
  b: Graph,
  options: IsomorphismOptions = {},
): "same" | "different" | "undecided" {
  const tester = new IsomorphismTester(options);
  if (degreeKey(a, tester.respectLabels) !== degreeKey(b, tester.respectLabels)) return "different";
  return tester.compare(tester.candidate(a), tester.candidate(b));
}

function bucketsBy<T>(items: Iterable<T>, key: (item: T) => string): Iterable<T[]> {
  const buckets = new Map<string, T[]>();
  for (const item of items) {
    const k = key(item);
    const bucket = buckets.get(k);
    if (bucket === undefined) buckets.set(k, [item]);
    else bucket.push(item);
  }
  return buckets.values();
}

/**
 * Sizes, and a hash of the multiset over nodes of (degree, weights, self-weight, label). Sums of hashes, so order never
 * matters; weights of 1 add nothing, so that a graph without weights and one with ones are alike.
 */
function degreeKey(graph: Graph, respectLabels: boolean): string {
  const { nodeCount, offsets, targets, weights } = graph;
  const labels = respectLabels ? graph.labels : null;
  let sum = 0;
  for (let i = 0; i < nodeCount; i++) {
    let h = offsets[i + 1] - offsets[i];
    if (weights !== null)
      for (let k = offsets[i]; k < offsets[i + 1]; k++)
        if (weights[k] !== 1) h = (h + mix32(mixNumber(weights[k]) + (targets[k] === i ? 1 : 0))) | 0;
    if (labels !== null) h ^= mix32(labels[i] + 0x2545f491);
    sum = (sum + mix32(h)) | 0;
  }
  return `${nodeCount} ${targets.length} ${graph.selfLoopCount} ${labels !== null} ${sum}`;
}

interface Candidate {
  quotient: TwinQuotient;
  /** Equal for isomorphic graphs. */
  key: string;
}

class IsomorphismTester {
  readonly respectLabels: boolean;
  private readonly workLimit: number;
  private readonly twins: TwinFinder;
  private readonly refiner = new Refiner();

  constructor(options: IsomorphismOptions) {
    for (const name of Object.keys(options))
      if (!OPTION_NAMES.includes(name)) throw badCall(`isomorphism: unknown option: ${name}`);
    const { labels = "ignore", workLimit = DEFAULT_WORK_LIMIT } = options;
    if (!(workLimit > 0)) throw badCall(`isomorphism: workLimit: got ${workLimit}, expected more than 0`);
    this.twins = new TwinFinder({ labels });
    this.respectLabels = labels === "respect";
    this.workLimit = workLimit;
  }

  candidate(graph: Graph): Candidate {
    const quotient = twinQuotient(graph, this.twins, this.respectLabels);
    const colours = initialColours(quotient);
    const summary = this.refiner.refine(quotient, colours, { left: Number.POSITIVE_INFINITY }, BUCKET_ROUNDS);
    return { quotient, key: `${quotient.count} ${summary.distinct} ${summary.first} ${summary.second}` };
  }

  compare(a: Candidate, b: Candidate): "same" | "different" | "undecided" {
    const meter = { left: this.workLimit };
    const search = new Search(a.quotient, b.quotient, this.refiner, meter);
    if (search.run(initialColours(a.quotient), initialColours(b.quotient))) return "same";
    return meter.left > 0 ? "different" : "undecided";
  }
}

/** One search for an isomorphism from quotient a to quotient b. */
class Search {
  constructor(
    private readonly a: TwinQuotient,
    private readonly b: TwinQuotient,
    private readonly refiner: Refiner,
    private readonly meter: WorkMeter,
  ) {}

  /** Whether an isomorphism takes a to b and keeps these colours; false also when the meter ran out. */
  run(colours: Colours, others: Colours): boolean {
    const { a, b, refiner, meter } = this;
    if (a.count !== b.count || a.targets.length !== b.targets.length) return false;
    const summary = refiner.refine(a, colours, meter);
    return (
      sameSummary(summary, refiner.refine(b, others, meter)) && this.descend(summary, colours, others, 0)
    );
  }

  private descend(summary: Summary, colours: Colours, others: Colours, depth: number): boolean {
    const { a, b, refiner, meter } = this;
    if (meter.left <= 0) return false;
    if (summary.distinct === a.count) return this.check(colours, others);
    const p = smallestCell(colours, a.count);
    const marked = colours.slice();
    individualise(marked, p, depth);
    const next = refiner.refine(a, marked, meter);
    for (let q = 0; q < b.count && meter.left > 0; q++) {
      if (others[2 * q] !== colours[2 * p] || others[2 * q + 1] !== colours[2 * p + 1]) continue;
      const tried = others.slice();
      individualise(tried, q, depth);
      if (!sameSummary(next, refiner.refine(b, tried, meter))) continue;
      if (this.descend(next, marked, tried, depth + 1)) return true;
    }
    return false;
  }

  /** Reads the mapping off colours that are all different and checks classes, edges and weights. O(n log n + E log d). */
  private check(colours: Colours, others: Colours): boolean {
    const { a, b } = this;
    const image = new Uint32Array(a.count);
    const order = orderByColour(colours, a.count);
    const otherOrder = orderByColour(others, b.count);
    for (let k = 0; k < a.count; k++) {
      const p = order[k];
      const q = otherOrder[k];
      if (a.size[p] !== b.size[q] || a.selfWeight[p] !== b.selfWeight[q]) return false;
      if (a.mutualWeight[p] !== b.mutualWeight[q] || a.labels?.[p] !== b.labels?.[q]) return false;
      if (a.offsets[p + 1] - a.offsets[p] !== b.offsets[q + 1] - b.offsets[q]) return false;
      image[p] = q;
    }
    for (let p = 0; p < a.count; p++)
      for (let k = a.offsets[p]; k < a.offsets[p + 1]; k++) {
        const at = findEntry(b, image[p], image[a.targets[k]]);
        if (at < 0) return false;
        if ((a.weights?.[k] ?? 1) !== (b.weights?.[at] ?? 1)) return false;
      }
    return true;
  }
}

const sameSummary = (s: Summary, t: Summary) =>
  s.distinct === t.distinct && s.first === t.first && s.second === t.second;

const orderByColour = (colours: Colours, count: number) =>
  Uint32Array.from({ length: count }, (_, p) => p).sort(
    (p, q) => colours[2 * p] - colours[2 * q] || colours[2 * p + 1] - colours[2 * q + 1],
  );

/** First class of the smallest cell of more than one class. */
function smallestCell(colours: Colours, count: number): number {
  const order = orderByColour(colours, count);
  let best = order[0];
  let bestSize = count + 1;
  for (let start = 0; start < count; ) {
    let end = start + 1;
    const p = order[start];
    while (
      end < count &&
      colours[2 * order[end]] === colours[2 * p] &&
      colours[2 * order[end] + 1] === colours[2 * p + 1]
    )
      end++;
    if (end - start > 1 && end - start < bestSize) [best, bestSize] = [p, end - start];
    start = end;
  }
  return best;
}

/** Where row p holds q, or −1. */
function findEntry({ offsets, targets }: TwinQuotient, p: number, q: number): number {
  let low = offsets[p];
  let high = offsets[p + 1];
  while (low < high) {
    const middle = low + ((high - low) >>> 1);
    if (targets[middle] < q) low = middle + 1;
    else high = middle;
  }
  return low < offsets[p + 1] && targets[low] === q ? low : -1;
}
