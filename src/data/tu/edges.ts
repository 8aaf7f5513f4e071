/**
 * The edge file of a TU set, NAME_A.txt: a line "i, j" for each directed entry, node numbers from 1, through all graphs.
 * By far the largest file (COLLAB: 24.6 million lines), so the loop reads digits from bytes and allocates nothing a line.
 */
import { badData } from "../../base/errors.js";
import type { ByteSource } from "../bytes.js";
import { forEachBlock } from "../lines.js";
import { wordAt } from "../numbers.js";

const BLANK = 32;
const TAB = 9;
const RETURN = 13;
const NEWLINE = 10;
const COMMA = 44;
const ZERO = 48;

export interface NodeIndex {
  /** Graph of each node, in file order. */
  graphOf: Int32Array;
  /** New number of each node such that the nodes of a graph are consecutive; null when they already are. */
  position: Uint32Array | null;
  /** For messages: the file with the indicator. */
  indicatorName: string;
  graphCount: number;
}

export interface EdgeLines {
  /** Ends of each line, 0-based, renumbered by `position`. */
  sources: Uint32Array;
  targets: Uint32Array;
  /** Lines of graph g: [starts[g], starts[g+1]), once sorted by graph. */
  starts: Uint32Array;
  /** The line (0-based, blank ones not counted) that each edge came from; null when they were in order of the graphs. */
  lineOf: Uint32Array | null;
}

export async function readEdgeLines(
  source: ByteSource,
  nodes: NodeIndex,
  signal?: AbortSignal,
  onBytes?: (bytes: number) => void,
): Promise<EdgeLines> {
  const { graphOf, position, graphCount } = nodes;
  const nodeCount = graphOf.length;
  let sources = new Uint32Array(Math.max(1024, Math.ceil(source.size / 13)));
  let targets = new Uint32Array(sources.length);
  const counts = new Uint32Array(graphCount + 1);
  let count = 0;
  let line = 0;
  let before = 0;
  let inOrder = true;

  const refuse = (bytes: Uint8Array, at: number, end: number) =>
    at >= end || bytes[at] === NEWLINE || bytes[at] === RETURN
      ? badData(`${source.name} line ${line}: expected two node numbers "i, j", found the end of the line`)
      : badData(
          `${source.name} line ${line}: expected two node numbers "i, j", got ${wordAt(bytes, at, end)}`,
        );
  const outOfRange = (node: number) =>
    node > 2 ** 31 - 1
      ? badData(
          `${source.name} line ${line}: node number ${node} is beyond 2^31 - 1, the largest that is supported`,
        )
      : badData(
          `${source.name} line ${line}: names node ${node}, but ${nodes.indicatorName} has ${nodeCount} nodes (numbered from 1)`,
        );

  await forEachBlock(
    source,
    (bytes, start, end) => {
      onBytes?.(end - start);
      let at = start;
      while (at < end) {
        line++;
        while (at < end && (bytes[at] === BLANK || bytes[at] === TAB)) at++;
        if (at >= end) break;
        if (bytes[at] === NEWLINE || bytes[at] === RETURN) {
          at += bytes[at] === RETURN && bytes[at + 1] === NEWLINE ? 2 : 1;
          continue;
        }
        // first number
        let digit = bytes[at] - ZERO;
        if (!(digit >= 0 && digit <= 9)) throw refuse(bytes, at, end);
        let i = 0;
        do {
          i = i * 10 + digit;
          digit = bytes[++at] - ZERO;
        } while (at < end && digit >= 0 && digit <= 9);
        while (at < end && (bytes[at] === BLANK || bytes[at] === COMMA || bytes[at] === TAB)) at++;
        // second number
        digit = bytes[at] - ZERO;
        if (at >= end || !(digit >= 0 && digit <= 9)) throw refuse(bytes, at, end);
        let j = 0;
        do {
          j = j * 10 + digit;
          digit = bytes[++at] - ZERO;
        } while (at < end && digit >= 0 && digit <= 9);
        while (at < end && (bytes[at] === BLANK || bytes[at] === TAB || bytes[at] === RETURN)) at++;
        if (at < end && bytes[at] !== NEWLINE) throw refuse(bytes, at, end);
        at++;

        if (i < 1 || i > nodeCount) throw outOfRange(i);
        if (j < 1 || j > nodeCount) throw outOfRange(j);
        i--;
        j--;
        const g = graphOf[i];
        if (graphOf[j] !== g)
          throw badData(
            `${source.name} line ${line}: an edge across two graphs: node ${i + 1} is in graph ${g + 1}, node ${j + 1} in graph ${graphOf[j] + 1}`,
          );
        if (g < before) inOrder = false;
        before = g;
        counts[g]++;
        if (count === sources.length) {
          sources = grow(sources);
          targets = grow(targets);
        }
        sources[count] = position === null ? i : position[i];
        targets[count] = position === null ? j : position[j];
        count++;
      }
    },
    signal,
  );

  const starts = new Uint32Array(graphCount + 1);
  for (let g = 0; g < graphCount; g++) starts[g + 1] = starts[g] + counts[g];
  if (inOrder)
    return { sources: sources.subarray(0, count), targets: targets.subarray(0, count), starts, lineOf: null };
  const newGraphOf = position === null ? graphOf : renumber(graphOf, position);
  return sortByGraph(sources.subarray(0, count), targets.subarray(0, count), starts, newGraphOf);
}

function grow(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.ceil(1.5 * array.length));
  larger.set(array);
  return larger;
}

function renumber(graphOf: Int32Array, position: Uint32Array): Int32Array {
  const out = new Int32Array(graphOf.length);
  for (let i = 0; i < graphOf.length; i++) out[position[i]] = graphOf[i];
  return out;
}

/** Stable counting sort of the lines by graph, for files that do not list graph after graph. */
function sortByGraph(
  sources: Uint32Array,
  targets: Uint32Array,
  starts: Uint32Array,
  graphOf: Int32Array,
): EdgeLines {
  const next = starts.slice();
  const sortedSources = new Uint32Array(sources.length);
  const sortedTargets = new Uint32Array(sources.length);
  const lineOf = new Uint32Array(sources.length);
  for (let k = 0; k < sources.length; k++) {
    const at = next[graphOf[sources[k]]]++;
    sortedSources[at] = sources[k];
    sortedTargets[at] = targets[k];
    lineOf[at] = k;
  }
  return { sources: sortedSources, targets: sortedTargets, starts, lineOf };
}
