/**
 * Which graphs of a collection are the same up to a renaming of their nodes. Weights and self-loops count, labels when asked for.
 *
 * Graphs are told apart by ever dearer means, each only among those that are still alike: sizes and the multiset of degrees
 * (O(n + E)), colour refinement of the quotient by twins, then a search. The search individualises a node of one graph
 * and, in turn, every node of the same cell of the other, refines both, and goes on until all cells are single nodes; the mapping read
 * off is checked edge by edge. The first path of the search needs no copies and is tried alone before. It is exact: "same" rests on a checked mapping, "different" on an invariant or on having tried everything
 * (McKay, Piperno: Practical graph isomorphism II, 2014, for the method). A pair that takes more than `workLimit` row
 * entries is undecided and kept apart.
 */
import { badCall, throwIfAborted } from "../base/errors.js";
import type { RunControl } from "../base/progress.js";
import type { Graph } from "./graph.js";
import { mix32, mixNumber } from "./mixing.js";
import {
  copyPartition,
  type Partition,
  Refiner,
  sameTrace,
  type Trace,
  type TwinQuotient,
  twinQuotient,
  type WorkMeter,
} from "./refinement.js";
import { TwinFinder } from "./twins.js";

export interface IsomorphismOptions extends RunControl {
  /** "respect": an isomorphism must keep node labels. Default "ignore". */
  labels?: "ignore" | "respect";
  /** Row entries that the search may visit for one pair of graphs before it gives up. Default 20 million: some seconds. */
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
  /** Refined to the end. */
  partition: Partition;
  trace: Trace;
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
    const { partition, trace } = this.refiner.start(quotient);
    const key = `${quotient.count} ${partition.cells} ${trace.first} ${trace.second}`;
    return { quotient, partition, trace, key };
  }

  compare(a: Candidate, b: Candidate): "same" | "different" | "undecided" {
    if (a.key !== b.key) return "different";
    const meter = { left: this.workLimit };
    const search = new Search(a.quotient, b.quotient, this.refiner, meter);
    if (search.first(copyPartition(a.partition), copyPartition(b.partition))) return "same";
    if (search.descend(a.partition, b.partition)) return "same";
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

  /**
   * Takes the first class of every cell for the first of the other, without a second try and so without copies: enough where
   * the classes of a cell are images of one another, as in forests, cycles and grids. O(entries · log classes).
   */
  first(mine: Partition, others: Partition): boolean {
    const { a, b, refiner, meter } = this;
    for (let start = 0; start < a.count; ) {
      if (meter.left <= 0) return false;
      if (mine.length[start] === 1) {
        start++;
        continue;
      }
      const trace = refiner.individualise(a, mine, mine.order[start], meter);
      if (!sameTrace(trace, refiner.individualise(b, others, others.order[start], meter))) return false;
    }
    return this.check(mine, others);
  }

  /** Whether an isomorphism takes each cell to its like; false also when the meter ran out. */
  descend(mine: Partition, others: Partition): boolean {
    const { a, b, refiner, meter } = this;
    if (meter.left <= 0) return false;
    if (mine.cells === a.count) return this.check(mine, others);
    const start = smallestCell(mine);
    const marked = copyPartition(mine);
    const trace = refiner.individualise(a, marked, mine.order[start], meter);
    for (let k = start; k < start + others.length[start] && meter.left > 0; k++) {
      const tried = copyPartition(others);
      // copies count too: they bound the memory of a deep search
      meter.left -= b.count;
      if (!sameTrace(trace, refiner.individualise(b, tried, others.order[k], meter))) continue;
      if (this.descend(marked, tried)) return true;
    }
    return false;
  }

  /** Reads the mapping off cells of one class each and checks classes, edges and weights. O(n + E log d). */
  private check(mine: Partition, others: Partition): boolean {
    const { a, b } = this;
    const image = new Uint32Array(a.count);
    for (let k = 0; k < a.count; k++) {
      const p = mine.order[k];
      const q = others.order[k];
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

/** Start of the smallest cell of more than one class. */
function smallestCell({ length, order }: Partition): number {
  let best = -1;
  for (let start = 0; start < order.length; start += length[start])
    if (length[start] > 1 && (best < 0 || length[start] < length[best])) best = start;
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
