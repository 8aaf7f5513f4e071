/**
 * graph6, sparse6 and digraph6 (McKay, formats.txt of nauty): one graph on each line, in printable characters of six bits each (63 + bits).
 *
 *   N(n)   one character for n <= 62; ~ and three for n < 2^18; ~~ and six for n < 2^36
 *   graph6   N(n), then the upper triangle by columns          sparse6   : N(n), then pairs (b, x) of 1 and ceil(log2 n) bits
 *   digraph6 & N(n), then the whole matrix by rows
 *
 * The header >>graph6<< (or of its kin) may stand in front. Several lines are a data set. O(file size + nodes).
 */
import { badData, GraphdosError } from "../base/errors.js";
import { GraphBuilder } from "../graph/build.js";
import { addCleaning, emptyCleaning } from "../graph/cleaning.js";
import type { Graph } from "../graph/graph.js";
import type { ByteSource } from "./bytes.js";
import { type Dataset, DIRECTION } from "./dataset.js";
import { forEachLine, LinePlace } from "./each-line.js";
import { Uint32List } from "./growable.js";
import { baseName } from "./names.js";
import type { FileFormat, ReadOptions } from "./reading.js";

/** So many nodes in all are given to anyone, more to files that bring bytes. */
const MANY_NODES = 2 ** 22;
const NODES_A_BYTE = 16;

export const graph6: FileFormat = {
  name: "graph6",
  title: "graph6, sparse6, digraph6",
  extensions: ["g6", "s6", "d6", "graph6", "sparse6", "digraph6"],
  recognises: (head) => /^>>(di)?(graph|sparse)6<</.test(head),
  read: readGraph6,
};

async function readGraph6(source: ByteSource, options: ReadOptions): Promise<Dataset> {
  const place = new LinePlace(source.name);
  const builder = new GraphBuilder();
  const cleaning = emptyCleaning();
  const graphs: Graph[] = [];
  const kinds = new Set<string>();
  let nodes = 0;
  let bytes = 0;
  let arcs = 0;
  await forEachLine(source, options, place, (line) => {
    const text = line
      .replace(/^\s*>>(di)?(graph|sparse)6<<:?(?=[:&]?)/, (header) => (header.endsWith(":") ? ":" : ""))
      .trimEnd();
    bytes += line.length;
    if (text === "") return;
    const kind = text[0] === ":" ? "sparse6" : text[0] === "&" ? "digraph6" : "graph6";
    kinds.add(kind);
    if (text[0] === ";") throw place.fail("incremental sparse6 (a line that begins with ;) is not supported");
    const bits = new SixBits(text, kind === "graph6" ? 0 : 1, place);
    const n = bits.size();
    nodes += n;
    if (nodes > Math.max(MANY_NODES, NODES_A_BYTE * bytes))
      throw new GraphdosError(
        "limit",
        `${place}: ${n} nodes in ${text.length} characters: almost all would be isolated and take memory for nothing`,
      );
    const edges = kind === "sparse6" ? sparseEdges(bits, n) : denseEdges(bits, n, kind === "digraph6");
    if (kind === "digraph6") arcs += edges.sources.length;
    const built = builder.build(
      { nodeCount: n, sources: edges.sources.values(), targets: edges.targets.values() },
      place.toString(),
    );
    addCleaning(cleaning, built.cleaning);
    graphs.push(built.graph);
  });
  if (graphs.length === 0) throw badData(`${source.name}: there is no graph in the file`);
  const notes = [[...kinds].join(" and ")];
  if (arcs > 0) notes.push(`directed edges were symmetrised: ${arcs}`);
  const name = baseName(source.name);
  return {
    name,
    graphs,
    classes: null,
    classNames: [],
    targets: null,
    graphNames: graphs.length === 1 ? [name] : null,
    nodeIds: null,
    ...(arcs > 0 ? { unread: [DIRECTION] } : {}),
    cleaning,
    notes,
  };
}

/** Reads the characters of a line as bits, six each, the highest first. */
class SixBits {
  /** Bits that are left of the last character. */
  private held = 0;
  private value = 0;

  constructor(
    private readonly text: string,
    private at: number,
    private readonly place: LinePlace,
  ) {}

  private character(): number {
    if (this.at >= this.text.length) throw this.place.fail("the line is cut off");
    const value = this.text.charCodeAt(this.at++) - 63;
    if (!(value >= 0 && value < 64))
      throw this.place.fail(
        `got ${JSON.stringify(this.text[this.at - 1])} at column ${this.at}, expected a character from ? to ~`,
      );
    return value;
  }

  /** N(n). */
  size(): number {
    let characters = 0;
    let n = this.character();
    if (n === 63) {
      characters = 3;
      n = this.character();
      if (n === 63) {
        characters = 6;
        n = this.character();
      }
      for (let k = 1; k < characters; k++) n = n * 64 + this.character();
    }
    if (n >= 2 ** 31) throw this.place.fail(`number of nodes: got ${n}, expected at most ${2 ** 31 - 1}`);
    return n;
  }

  get left(): number {
    return this.held + 6 * (this.text.length - this.at);
  }

  take(count: number): number {
    let out = 0;
    for (let need = count; need > 0; ) {
      if (this.held === 0) {
        this.value = this.character();
        this.held = 6;
      }
      const bits = Math.min(need, this.held);
      this.held -= bits;
      out = out * 2 ** bits + ((this.value >> this.held) & ((1 << bits) - 1));
      need -= bits;
    }
    return out;
  }

  /** Throws unless exactly `count` bits, filled up to six, are left. */
  expect(count: number): void {
    const characters = Math.ceil(count / 6);
    const got = this.text.length - this.at;
    if (got !== characters)
      throw this.place.fail(`got ${got} characters behind the number of nodes, expected ${characters}`);
  }
}

function denseEdges(bits: SixBits, n: number, directed: boolean) {
  const sources = new Uint32List(16);
  const targets = new Uint32List(16);
  bits.expect(directed ? n * n : (n * (n - 1)) / 2);
  for (let j = 0; j < n; j++)
    for (let i = 0; i < (directed ? n : j); i++)
      if (bits.take(1) === 1) {
        sources.push(directed ? j : i);
        targets.push(directed ? i : j);
      }
  return { sources, targets };
}

function sparseEdges(bits: SixBits, n: number) {
  const sources = new Uint32List(16);
  const targets = new Uint32List(16);
  const width = n <= 1 ? 0 : 32 - Math.clz32(n - 1);
  let v = 0;
  while (bits.left >= width + 1) {
    v += bits.take(1);
    const x = bits.take(width);
    // the bits that fill up the last character end here
    if (x >= n || v >= n) break;
    if (x > v) v = x;
    else {
      sources.push(x);
      targets.push(v);
    }
  }
  return { sources, targets };
}
