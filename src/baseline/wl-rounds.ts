/**
 * The rounds of Weisfeiler-Lehman relabelling, all graphs in step. A node's signature is its own label and the sorted labels of its
 * neighbours; equal signatures get equal labels, which are numbered on from round to round.
 *
 * Most of the work stays within one graph, where it is small enough for the cache. The neighbours' labels come out sorted without sorting
 * each list: the nodes are put in order of their labels by counting, and each in that order hands its label to its neighbours. Equal
 * signatures of a graph are found in a table of its own, so that the table of all is asked once a label, not once a node. And it is asked
 * only where the answer is open: a label that one graph alone carries splits into labels that no other graph can have. On REDDIT-BINARY with
 * five rounds 5.2 million labels of nodes are 1.5 million labels of graphs; 98 in 100 of the labels are of one graph.
 *
 * Cost: O(n log n + E) a round in the worst case, and nearly O(n + E). Memory: 12 bytes a stored count, 4 bytes a node.
 */
import type { Graph } from "../graph/graph.js";
import { hashWords, type PatternTable } from "./pattern-table.js";
import type { CountFeatures } from "./sparse-counts.js";

/** The labels of graph g in one round are ids[offsets[g] .. offsets[g + 1]), ascending, each with the number of its nodes. */
interface Round {
  offsets: Uint32Array;
  ids: Uint32Array;
  counts: Uint32Array;
  /** By label − first: in how many graphs it is, two standing for more. Labels before `first` are those of the table's base. */
  first: number;
  owners: Uint8Array;
}

/** Begins the signature of a first label, where the signatures of later ones have the own label, which is not negative. */
const FIRST = -1;

export class SubtreeRounds {
  private readonly rounds: Round[] = [];
  private readonly nodes: number;
  /** Of each node of all graphs, the place of its label in the present round's list of its graph. */
  private readonly place: Uint32Array;

  // of the present graph, in room for the largest
  /** The signature of node i: words[starts[i] .. starts[i + 1]). */
  private readonly starts: Uint32Array;
  private readonly words: Int32Array;
  private readonly cursor: Uint32Array;
  private readonly order: Uint32Array;
  /** Groups of nodes with equal signatures: that of a node; the first node, the size and the hash of each. */
  private readonly groupOf: Uint32Array;
  private readonly leaders: Uint32Array;
  private readonly sizes: Uint32Array;
  private readonly hashes: Int32Array;
  private readonly slots: Uint32Array;
  /** (group, label) as two 32-bit words, the label in the upper: sorted as 64-bit integers. */
  private readonly pairs: Uint32Array;

  constructor(
    private readonly graphs: readonly Graph[],
    private readonly table: PatternTable,
  ) {
    const largest = graphs.reduce((most, { nodeCount }) => Math.max(most, nodeCount), 0);
    const entries = graphs.reduce((most, { targets }) => Math.max(most, targets.length), 0);
    this.nodes = graphs.reduce((sum, { nodeCount }) => sum + nodeCount, 0);
    this.place = new Uint32Array(this.nodes);
    this.starts = new Uint32Array(largest + 1);
    this.words = new Int32Array(largest + Math.max(largest, entries));
    this.cursor = new Uint32Array(largest);
    this.order = new Uint32Array(largest);
    this.groupOf = new Uint32Array(largest);
    this.leaders = new Uint32Array(largest);
    this.sizes = new Uint32Array(largest);
    this.hashes = new Int32Array(largest);
    this.slots = new Uint32Array(slotsFor(largest));
    this.pairs = new Uint32Array(2 * largest);
  }

  /** Round 0: the label of each node from the value that it starts with. */
  first(valuesOf: (graph: Graph, g: number) => Int32Array): void {
    const { starts, words } = this;
    this.relabel((graph, g) => {
      const values = valuesOf(graph, g);
      for (let i = 0; i < graph.nodeCount; i++) {
        starts[i] = 2 * i;
        words[2 * i] = FIRST;
        words[2 * i + 1] = values[i];
      }
      starts[graph.nodeCount] = 2 * graph.nodeCount;
    });
  }

  next(): void {
    const before = this.rounds[this.rounds.length - 1];
    this.relabel((graph, g, at) => this.sign(graph, g, at, before), before);
  }

  /** All rounds: one row of counts a graph. */
  rows(): Pick<CountFeatures, "graphs" | "offsets" | "ids" | "counts"> {
    const graphs = this.graphs.length;
    const offsets = new Uint32Array(graphs + 1);
    const total = this.rounds.reduce((sum, { ids }) => sum + ids.length, 0);
    const ids = new Uint32Array(total);
    const counts = new Float64Array(total);
    for (let g = 0, at = 0; g < graphs; g++) {
      for (const round of this.rounds)
        for (let k = round.offsets[g]; k < round.offsets[g + 1]; k++, at++) {
          ids[at] = round.ids[k];
          counts[at] = round.counts[k];
        }
      offsets[g + 1] = at;
    }
    return { graphs, offsets, ids, counts };
  }

  /** The signatures of a graph whose first node is node `at` of all. */
  private sign({ nodeCount, offsets, targets }: Graph, g: number, at: number, before: Round): void {
    const { place, starts, words, cursor, order } = this;
    const { ids, counts } = before;
    const list = before.offsets[g];
    // by counting: where the nodes of each label begin
    for (let c = list, sum = 0; c < before.offsets[g + 1]; sum += counts[c++]) cursor[c - list] = sum;
    for (let i = 0; i < nodeCount; i++) order[cursor[place[at + i]]++] = i;
    for (let i = 0; i < nodeCount; i++) {
      const start = offsets[i] + i;
      starts[i] = start;
      words[start] = ids[list + place[at + i]];
      cursor[i] = start + 1;
    }
    starts[nodeCount] = offsets[nodeCount] + nodeCount;
    for (let p = 0; p < nodeCount; p++) {
      const i = order[p];
      const own = words[starts[i]];
      for (let k = offsets[i]; k < offsets[i + 1]; k++) words[cursor[targets[k]]++] = own;
    }
  }

  private relabel(sign: (graph: Graph, g: number, at: number) => void, before?: Round): void {
    const { graphs, table, pairs, leaders, starts, words, sizes, groupOf, place, cursor } = this;
    const first = table.size;
    const offsets = new Uint32Array(graphs.length + 1);
    const ids = new Uint32Array(this.nodes);
    const counts = new Uint32Array(this.nodes);
    let end = 0;
    for (let g = 0, at = 0; g < graphs.length; at += graphs[g++].nodeCount) {
      sign(graphs[g], g, at);
      const groups = this.group(graphs[g].nodeCount);
      let ascending = true;
      for (let c = 0; c < groups; c++) {
        const start = starts[leaders[c]];
        const length = starts[leaders[c] + 1] - start;
        pairs[2 * c] = c;
        pairs[2 * c + 1] =
          before === undefined || isOpen(before, words, start, length)
            ? table.intern(words, start, length)
            : table.append(words, start, length);
        if (c > 0 && pairs[2 * c + 1] < pairs[2 * c - 1]) ascending = false;
      }
      if (!ascending) new BigUint64Array(pairs.buffer, 0, groups).sort();
      for (let c = 0; c < groups; c++, end++) {
        ids[end] = pairs[2 * c + 1];
        counts[end] = sizes[pairs[2 * c]];
        cursor[pairs[2 * c]] = c;
      }
      for (let i = 0; i < graphs[g].nodeCount; i++) place[at + i] = cursor[groupOf[i]];
      offsets[g + 1] = end;
    }
    const owners = new Uint8Array(table.size - first);
    for (let k = 0; k < end; k++) if (ids[k] >= first && owners[ids[k] - first] < 2) owners[ids[k] - first]++;
    this.rounds.push({ offsets, ids: ids.slice(0, end), counts: counts.slice(0, end), first, owners });
  }

  /** Groups the nodes by their signatures, in order of first appearance. */
  private group(nodeCount: number): number {
    const { starts, words, groupOf, leaders, sizes, hashes, slots } = this;
    const size = slotsFor(nodeCount);
    slots.fill(0, 0, size);
    let groups = 0;
    for (let i = 0; i < nodeCount; i++) {
      const start = starts[i];
      const length = starts[i + 1] - start;
      const hash = hashWords(words, start, length);
      for (let slot = hash & (size - 1); ; slot = (slot + 1) & (size - 1)) {
        const c = slots[slot] - 1;
        if (c >= 0 && (hashes[c] !== hash || !alike(words, starts, leaders[c], i))) continue;
        groupOf[i] = c;
        if (c >= 0) sizes[c]++;
        else {
          leaders[groups] = i;
          hashes[groups] = hash;
          sizes[groups] = 1;
          groupOf[i] = groups++;
          slots[slot] = groups;
        }
        break;
      }
    }
    return groups;
  }
}

/** A power of two, at least twice the number of entries. */
function slotsFor(entries: number): number {
  let slots = 2;
  while (slots < 2 * entries) slots *= 2;
  return slots;
}

/** Whether other graphs, or the table's base, may have this signature: all its labels. */
function isOpen({ first, owners }: Round, words: Int32Array, start: number, length: number): boolean {
  for (let k = start; k < start + length; k++)
    if (words[k] >= first && owners[words[k] - first] < 2) return false;
  return true;
}

function alike(words: Int32Array, starts: Uint32Array, i: number, j: number): boolean {
  const length = starts[i + 1] - starts[i];
  if (starts[j + 1] - starts[j] !== length) return false;
  for (let k = 0, a = starts[i], b = starts[j]; k < length; k++)
    if (words[a + k] !== words[b + k]) return false;
  return true;
}
