/**
 * Edge lists: a line "u v" or "u v weight" for each edge, separated by blanks, tabs, commas, semicolons or bars; comments behind
 * #, % or //; an optional header line of column names; one id alone on a line is a node without edges.
 *
 * Ids are numbers when the first edge line has numbers, else words. Numbers need not be consecutive: nodes are the ids that
 * occur, in ascending order (words: in order of appearance), and the mapping is kept. The numeric loop works on bytes and
 * allocates nothing a line: 10^7 lines take a few seconds.
 */
import { badData } from "../base/errors.js";
import { buildGraph } from "../graph/build.js";
import type { ByteSource } from "./bytes.js";
import { type Dataset, type NodeIds, singleGraph } from "./dataset.js";
import { compactIds } from "./ids.js";
import { forEachBlock } from "./lines.js";
import { baseName } from "./names.js";
import { NOT_A_NUMBER, NumberScanner, textAt } from "./numbers.js";
import type { FileFormat, ReadOptions } from "./reading.js";

const MAX_ID = 2 ** 31 - 1;
const HEADER_WORDS =
  /^(source|target|from|to|src|dst|u|v|i|j|x|y|a|b|node_?\d?|id_?\d?|user_?\d?|head|tail|weight|w|value)$/i;

const isEnd = (byte: number) => byte === 10 || byte === 13;
/** Blank, tab, comma, semicolon, bar. */
const isSeparator = (byte: number) => byte === 32 || byte === 9 || byte === 44 || byte === 59 || byte === 124;

export const edgeList: FileFormat = {
  name: "edges",
  title: "edge list",
  extensions: ["txt", "csv", "tsv", "edges", "edgelist", "el", "ncol", "dat"],
  recognises: () => false,
  read: readEdgeList,
};

/** Edges while they are read: typed arrays that grow. */
class EdgeStore {
  sources = new Uint32Array(1 << 12);
  targets = new Uint32Array(1 << 12);
  weights: Float64Array | null = null;
  count = 0;
  lonely: number[] = [];

  add(i: number, j: number): void {
    if (this.count === this.sources.length) this.grow();
    this.sources[this.count] = i;
    this.targets[this.count++] = j;
  }

  grow(): void {
    this.sources = grown(this.sources, new Uint32Array(2 * this.count));
    this.targets = grown(this.targets, new Uint32Array(2 * this.count));
    if (this.weights) this.weights = grown(this.weights, new Float64Array(2 * this.count));
  }
}

function grown<T extends Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

async function readEdgeList(source: ByteSource, options: ReadOptions): Promise<Dataset> {
  const parser = new EdgeListParser(source.name, options.ids === "words");
  let done = 0;
  await forEachBlock(
    source,
    (bytes, start, end) => {
      parser.parse(bytes, start, end);
      done += end - start;
      options.onProgress?.({ task: `reading ${source.name}`, done, total: 0, unit: "B" });
    },
    options.signal,
  );
  return parser.finish();
}

class EdgeListParser {
  private readonly store = new EdgeStore();
  private readonly scanner = new NumberScanner();
  private readonly words = new Map<string, number>();
  private readonly notes: string[] = ["edge list"];
  private line = 0;
  /** Whether ids are numbers; null before the first line with an id. */
  private numeric: boolean | null = null;
  /** Columns of the first edge line: 2, or 3 with a weight; 0 before it. */
  private columns = 0;
  private headerSeen = false;
  private extraColumns = false;
  private directed = false;

  constructor(
    private readonly name: string,
    private readonly idsAreWords: boolean,
  ) {}

  parse(bytes: Uint8Array, start: number, end: number): void {
    let at = start;
    while (at < end) {
      if (this.numeric === true && this.columns === 2) at = this.plainLines(bytes, at, end);
      if (at >= end) break;
      this.line++;
      while (at < end && isSeparator(bytes[at])) at++;
      if (at < end && !isEnd(bytes[at])) {
        const first = bytes[at];
        if (first === 35 || first === 37 || (first === 47 && bytes[at + 1] === 47))
          at = this.comment(bytes, at, end);
        else if (this.columns === 0) at = this.firstLine(bytes, at, end);
        else at = this.numeric ? this.numericLine(bytes, at, end) : this.wordLine(bytes, at, end);
      }
      if (bytes[at] === 13) at++;
      if (at < end && bytes[at] === 10) at++;
    }
  }

  /**
   * Lines of just two numbers, as most lines of most files are: digits, separators, digits, the line's end. Stops at the first line
   * that is anything else, which the careful way below then reads. Returns where it stopped.
   */
  private plainLines(bytes: Uint8Array, start: number, end: number): number {
    const { store } = this;
    let { sources, targets, count } = store;
    let line = start;
    let lines = 0;
    for (let at = start; at < end; line = at) {
      let digit = bytes[at] - 48;
      const first = at;
      let i = 0;
      while (digit >= 0 && digit <= 9) {
        i = i * 10 + digit;
        digit = bytes[++at] - 48;
      }
      const gap = at;
      while (isSeparator(bytes[at])) at++;
      const second = at;
      digit = bytes[at] - 48;
      let j = 0;
      while (digit >= 0 && digit <= 9) {
        j = j * 10 + digit;
        digit = bytes[++at] - 48;
      }
      const last = at;
      if (bytes[at] === 13) at++;
      // a number cut off by the end of the block, or of ten digits and more, is left to the careful way
      if (at >= end || bytes[at] !== 10 || gap === first || second === gap || last === second) break;
      if (gap - first > 9 || last - second > 9) break;
      at++;
      if (count === sources.length) {
        store.count = count;
        store.grow();
        ({ sources, targets } = store);
      }
      sources[count] = i;
      targets[count++] = j;
      lines++;
    }
    store.count = count;
    this.line += lines;
    return line;
  }

  private comment(bytes: Uint8Array, start: number, end: number): number {
    const stop = lineEnd(bytes, start, end);
    if (stop - start < 1000) {
      const text = textAt(bytes, start, stop);
      if (/\bdirected\b/i.test(text) && !/\b(undirected|un-directed|not directed)\b/i.test(text))
        this.directed = true;
    }
    return stop;
  }

  /** Decides numbers or words, passes over a header, fixes the number of columns. */
  private firstLine(bytes: Uint8Array, start: number, end: number): number {
    const stop = lineEnd(bytes, start, end);
    const fields = lineFields(textAt(bytes, start, stop));
    const ids = fields.slice(0, 2).filter((field) => !field.startsWith("{"));
    if (bytes.subarray(start, stop).includes(0))
      throw badData(`${this.name} line ${this.line}: holds a zero byte: this is not a text file`);
    const isHeader = fields.length >= 2 && fields.every((field) => HEADER_WORDS.test(field));
    if (isHeader && !this.headerSeen) {
      this.headerSeen = true;
      this.notes.push(`line ${this.line} is a header: ${fields.join(", ")}`);
      return stop;
    }
    this.numeric ??= !this.idsAreWords && ids.every((id) => /^\d+$/.test(id));
    if (ids.length > 1) {
      this.columns = fields.length === 2 ? 2 : 3;
      const third = fields[2] ?? "";
      if (this.columns === 3) {
        if (third.startsWith("{"))
          this.notes.push("attributes in braces: the weight is taken where there is one");
        else if (!Number.isFinite(Number(third)) && !/^[+-]?(nan|inf|infinity)$/i.test(third))
          throw badData(
            `${this.name} line ${this.line}: expected "u v" or "u v weight", got ${third} as weight`,
          );
        else this.notes.push("the third column is the weight");
        this.store.weights = new Float64Array(this.store.sources.length);
      }
    }
    return this.numeric ? this.numericLine(bytes, start, end) : this.wordLine(bytes, start, end);
  }

  private numericLine(bytes: Uint8Array, start: number, end: number): number {
    const { scanner, store } = this;
    const i = this.id(bytes, start, end);
    let at = scanner.next;
    while (at < end && isSeparator(bytes[at])) at++;
    if (at >= end || isEnd(bytes[at]) || bytes[at] === 123) {
      store.lonely.push(i);
      return lineEnd(bytes, at, end);
    }
    const j = this.id(bytes, at, end);
    at = scanner.next;
    store.add(i, j);
    while (at < end && isSeparator(bytes[at])) at++;
    if (at < end && !isEnd(bytes[at])) {
      if (this.columns === 2) throw this.wrongColumns("more than 2");
      if (bytes[at] === 123) return this.braces(bytes, at, end);
      if (scanner.scan(bytes, at, end) === NOT_A_NUMBER || !endsField(bytes, scanner.next, end))
        throw this.badWeight(textAt(bytes, at, fieldEnd(bytes, at, end)));
      this.weight(scanner.value);
      at = scanner.next;
      while (at < end && isSeparator(bytes[at])) at++;
      if (at < end && !isEnd(bytes[at])) {
        this.extraColumns = true;
        at = lineEnd(bytes, at, end);
      }
    } else if (this.columns === 3) throw this.wrongColumns("2");
    return at;
  }

  /** A node number at `start`; scanner.next is behind it. */
  private id(bytes: Uint8Array, start: number, end: number): number {
    const { scanner } = this;
    const kind = scanner.scan(bytes, start, end);
    if (kind !== 1 || !endsField(bytes, scanner.next, end) || scanner.value < 0)
      throw badData(
        `${this.name} line ${this.line}: not a node number: got ${textAt(bytes, start, fieldEnd(bytes, start, end))}, expected a whole number as in the lines before; for ids that are words give --ids words`,
      );
    if (scanner.value > MAX_ID)
      throw badData(
        `${this.name} line ${this.line}: node number ${scanner.value} is beyond 2^31 - 1; give --ids words to take ids as names`,
      );
    return scanner.value;
  }

  private wordLine(bytes: Uint8Array, start: number, end: number): number {
    const stop = lineEnd(bytes, start, end);
    const fields = lineFields(textAt(bytes, start, stop));
    const [first, second, third = ""] = fields;
    if (first.startsWith("{"))
      throw badData(
        `${this.name} line ${this.line}: attributes without a node: got ${textAt(bytes, start, fieldEnd(bytes, start, end))}, expected "u v {...}"`,
      );
    if (second === undefined || second.startsWith("{")) {
      this.store.lonely.push(this.wordId(first));
      return stop;
    }
    if (this.columns === 2 ? fields.length !== 2 : fields.length < 3)
      throw this.wrongColumns(String(fields.length));
    this.store.add(this.wordId(first), this.wordId(second));
    if (third.startsWith("{")) this.braces(bytes, start, end);
    else if (fields.length >= 3) {
      const weight = Number(third);
      if (Number.isNaN(weight)) throw this.badWeight(third);
      this.weight(weight);
      if (fields.length > 3) this.extraColumns = true;
    }
    return stop;
  }

  private wordId(word: string): number {
    let id = this.words.get(word);
    if (id === undefined) this.words.set(word, (id = this.words.size));
    return id;
  }

  /** "{'weight': 2.5, ...}" as networkx writes it; no weight in it means 1. */
  private braces(bytes: Uint8Array, start: number, end: number): number {
    const stop = lineEnd(bytes, start, end);
    const match = /['"]weight['"]\s*:\s*([^,}\s]+)/.exec(textAt(bytes, start, stop));
    const weight = match === null ? 1 : Number(match[1]);
    if (Number.isNaN(weight)) throw this.badWeight(match![1]);
    this.weight(weight);
    return stop;
  }

  private weight(value: number): void {
    if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) throw this.badWeight(String(value));
    this.store.weights![this.store.count - 1] = value;
  }

  private badWeight(got: string) {
    return badData(
      `${this.name} line ${this.line}: the weight must be a finite number that is not negative: got ${got}`,
    );
  }

  private wrongColumns(got: string) {
    return badData(
      `${this.name} line ${this.line}: ${got} columns, expected ${this.columns} as in the lines before`,
    );
  }

  finish(): Dataset {
    const { store, notes } = this;
    if (store.count === 0 && store.lonely.length === 0)
      throw badData(`${this.name}: no edges found: the file is empty or has only comments`);
    if (this.extraColumns) notes.push("columns behind the third are not used");
    if (this.directed) notes.push("its header says that it is directed: it was symmetrised");
    const sources = store.sources.subarray(0, store.count);
    const targets = store.targets.subarray(0, store.count);
    let nodeCount = this.words.size;
    let nodeIds: NodeIds | null = [...this.words.keys()];
    if (this.numeric) ({ nodeCount, nodeIds } = compactIds(sources, targets, store.lonely));
    const weights = store.weights?.subarray(0, store.count);
    const unit = weights?.every((w) => w === 1) ?? true;
    const { graph, cleaning } = buildGraph(
      { nodeCount, sources, targets, weights: unit ? null : weights },
      this.name,
    );
    return singleGraph(baseName(this.name), graph, cleaning, notes, nodeIds);
  }
}

function lineEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && !isEnd(bytes[at])) at++;
  return at;
}

function fieldEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && !isEnd(bytes[at]) && !isSeparator(bytes[at]) && at - start < 60) at++;
  return at;
}

const endsField = (bytes: Uint8Array, at: number, end: number) =>
  at >= end || isSeparator(bytes[at]) || isEnd(bytes[at]);

/** Fields of a line. Attributes in braces, whatever is in them, are one field and the last. */
export function lineFields(line: string): string[] {
  const brace = line.indexOf("{");
  if (brace < 0) return splitFields(line);
  const before = line.slice(0, brace);
  return before.trim() === "" ? [line] : [...splitFields(before), line.slice(brace)];
}

/** By the strongest separator (tab, semicolon, comma, bar, else blanks), quotes taken off. */
function splitFields(line: string): string[] {
  const separator = ["\t", ";", ",", "|"].find((s) => line.includes(s));
  const fields =
    separator === undefined ? line.trim().split(/\s+/) : line.split(separator).map((f) => f.trim());
  const last = fields.length - 1;
  if (last > 0 && fields[last] === "") fields.pop();
  return fields.map((f) => (/^".*"$|^'.*'$/.test(f) ? f.slice(1, -1) : f));
}
