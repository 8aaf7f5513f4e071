/**
 * Edge lists: a line "u v" or "u v weight" for each edge, separated by blanks, tabs, commas, semicolons or bars; comments behind
 * #, % or //; an optional header line of column names; one id alone on a line is a node without edges.
 *
 * The first thousand lines say how all look (edge-layout.ts); a line below that looks otherwise is refused. Numbers need not be
 * consecutive: nodes are the ids that occur, in ascending order (words: in order of appearance), and the mapping is kept. The loop
 * over numbers works on bytes and allocates nothing a line: 10^7 lines take a few seconds.
 */
import { badData, EmptyFileError, type GraphdosError } from "../base/errors.js";
import { joined } from "../base/joined.js";
import { buildGraph } from "../graph/build.js";
import { isMatrixLine, MatrixText, matrixLayout } from "./adjacency-matrix.js";
import type { ByteSource } from "./bytes.js";
import { type Dataset, DIRECTION, type NodeIds, singleGraph, unreadDirection } from "./dataset.js";
import { inSentence } from "./each-line.js";
import { dictionaryEntries } from "./edge-fields.js";
import {
  type EdgeLayout,
  edgeLayout,
  fieldsOf,
  type HeadLine,
  isPhrase,
  isWhole,
  splitHead,
} from "./edge-layout.js";
import { compactIds, NameIndex, sameNumberNote, wholeText } from "./ids.js";
import { forEachBlock } from "./lines.js";
import { baseName } from "./names.js";
import { FLOAT, NOT_A_NUMBER, NumberScanner, textAt } from "./numbers.js";
import type { FileFormat, ReadOptions } from "./reading.js";
import { shown } from "./shown.js";

/** KONECT's first line: the kind of graph, then the kind of weights. */
const KONECT =
  /^%\s*(sym|asym|bip)\s+(unweighted|positive|posweighted|signed|multisigned|weighted|multiweighted|multiposweighted|dynamic)\b/;

const MAX_ID = 2 ** 31 - 1;
/** Bytes of whole lines from which the layout is found, and how many of these lines are looked at. */
const HEAD_BYTES = 1 << 16;
const HEAD_LINES = 1000;
const BLANK = 32;
const TAB = 9;
const ZERO = 48;
const CLOSING_BRACE = 125;
/** How networkx begins the attributes of an edge that has only a weight. */
const WEIGHT_ENTRY = new TextEncoder().encode("{'weight': ");

const isEnd = (byte: number) => byte === 10 || byte === 13;

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
  const reader = new HeadFirst(source.name, options);
  let done = 0;
  await forEachBlock(
    source,
    (bytes, start, end) => {
      reader.block(bytes, start, end);
      done += end - start;
      options.onProgress?.({ task: `reading ${source.name}`, done, total: 0, unit: "B" });
    },
    options.signal,
  );
  return reader.finish();
}

interface BlockParser {
  parse(bytes: Uint8Array, start: number, end: number): void;
  finish(): Dataset;
}

/** Keeps the first blocks until they say what the file is, and hands them and all others to the parser for that. */
class HeadFirst {
  private head: Uint8Array[] = [];
  private headBytes = 0;
  private parser: BlockParser | null = null;

  constructor(
    private readonly name: string,
    private readonly options: ReadOptions,
  ) {}

  block(bytes: Uint8Array, start: number, end: number): void {
    if (this.parser !== null) {
      this.parser.parse(bytes, start, end);
      return;
    }
    // a large block is looked at in place, up to the end of a line
    const isLarge = this.headBytes === 0 && end - start > HEAD_BYTES;
    const stop = isLarge ? lineEnd(bytes, start + HEAD_BYTES, end) : end;
    if (!isLarge) {
      this.head.push(bytes.slice(start, end));
      this.headBytes += end - start;
      if (this.headBytes < HEAD_BYTES) return;
    }
    const head = isLarge ? bytes.subarray(start, stop) : joined(this.head);
    this.parser = this.choose(head, false);
    this.parser?.parse(isLarge ? bytes : head, isLarge ? start : 0, isLarge ? end : head.length);
    if (this.parser === null && isLarge) {
      this.head.push(bytes.slice(start, end));
      this.headBytes = end - start;
    }
  }

  /** Null when there are only comments so far. */
  private choose(head: Uint8Array, isAll: boolean): BlockParser | null {
    const { name, options } = this;
    const lines: HeadLine[] = [];
    const texts = textAt(head, 0, head.length).split(/\r\n|\n|\r/);
    for (let k = 0; k < texts.length && lines.length <= HEAD_LINES; k++)
      if (isMatrixLine(texts[k])) lines.push({ text: texts[k], number: k + 1 });
    if (lines.length === 0) return null;
    const isAllLines = isAll && lines.length <= HEAD_LINES;
    const { separator, rows } = splitHead(lines, name);
    const matrix = options.format === "edges" ? null : matrixLayout(separator, rows, isAllLines);
    if (matrix !== null) return new MatrixBlocks(new MatrixText(name, matrix));
    const layout = edgeLayout(separator, rows, {
      name,
      header: options.header ?? "auto",
      idsAreWords: options.ids === "words",
    });
    const isQuoted = lines.some(({ text }) => /["']/.test(text));
    return new EdgeListParser(layout, isQuoted, name, options);
  }

  finish(): Dataset {
    if (this.parser === null) {
      const head = joined(this.head);
      this.parser = this.choose(head, true);
      this.parser?.parse(head, 0, head.length);
    }
    if (this.parser === null)
      throw new EmptyFileError(`${this.name}: no edges found: the file is empty or has only comments`);
    return this.parser.finish();
  }
}

class MatrixBlocks implements BlockParser {
  private number = 0;

  constructor(private readonly matrix: MatrixText) {}

  parse(bytes: Uint8Array, start: number, end: number): void {
    forEachText(bytes, start, end, (text) => {
      this.number++;
      if (isMatrixLine(text)) this.matrix.line(text, this.number);
    });
  }

  finish(): Dataset {
    return this.matrix.finish();
  }
}

class EdgeListParser implements BlockParser {
  private readonly store = new EdgeStore();
  private readonly scanner = new NumberScanner();
  private readonly words = new NameIndex();
  private readonly names: string[] = [];
  private line = 0;
  private directed = false;
  /** Comments between edges: how many, and the line of the first. */
  private comments = 0;
  private firstComment = 0;
  /** Lines are two numbers and maybe a weight, read from bytes; and these with the weight in braces, as networkx writes it. */
  private readonly isPlain: boolean;
  private readonly isPlainBraces: boolean;
  /** The byte that must stand between fields, and one that may beside blanks. -1: blanks and tabs alone separate. */
  private readonly hard: number;
  private readonly soft: number;
  /** Whether ids are written as 2, and as 2.0. */
  private wholeIds = false;
  private decimalIds = false;
  /** Keys in braces that are not used; edges whose braces have no weight. */
  private readonly unusedKeys = new Set<string>();
  private weightless = 0;

  constructor(
    private readonly layout: EdgeLayout,
    isQuoted: boolean,
    private readonly name: string,
    private readonly options: ReadOptions,
  ) {
    const { separator, columns, source, target, weight, braces, numeric } = layout;
    const inOrder = source === 0 && target === 1 && (weight === 2 || columns === 2 || braces);
    this.isPlain = numeric && inOrder && !braces && !isQuoted;
    this.isPlainBraces = numeric && inOrder && braces && columns === 3;
    this.hard = separator === " " ? -1 : separator.charCodeAt(0);
    this.soft = separator === "\t" ? BLANK : TAB;
    if (weight >= 0 || braces) this.store.weights = new Float64Array(this.store.sources.length);
  }

  parse(bytes: Uint8Array, start: number, end: number): void {
    const { columns, headerLine } = this.layout;
    if (!this.isPlain) {
      const isPlainYet = this.isPlainBraces && this.line >= headerLine;
      forEachText(bytes, isPlainYet ? this.plainLines(bytes, start, end) : start, end, (text) => {
        this.line++;
        this.textLine(text);
      });
      return;
    }
    for (let at = start; at < end; ) {
      if (columns <= 3 && this.line >= headerLine) at = this.plainLines(bytes, at, end);
      if (at >= end) break;
      this.line++;
      at = this.skipSoft(bytes, at, end);
      if (at < end && !isEnd(bytes[at])) {
        const first = bytes[at];
        if (first === 35 || first === 37 || (first === 47 && bytes[at + 1] === 47)) {
          const stop = lineEnd(bytes, at, end);
          this.comment(textAt(bytes, at, Math.min(stop, at + 1000)));
          at = stop;
        } else at = this.line === headerLine ? lineEnd(bytes, at, end) : this.numericLine(bytes, at, end);
      }
      if (bytes[at] === 13) at++;
      if (at < end && bytes[at] === 10) at++;
    }
  }

  /**
   * Lines of just two numbers, as most lines of most files are, and a weight in the files that have one: digits, separator, digits,
   * separator, weight, the line's end. Stops at the first line that is anything else, which the careful way below then reads.
   * Returns where it stopped.
   */
  private plainLines(bytes: Uint8Array, start: number, end: number): number {
    const { store, hard, soft, scanner, isPlainBraces } = this;
    let { sources, targets, weights, count } = store;
    let line = start;
    let lines = 0;
    for (let at = start; at < end; line = at) {
      let digit = bytes[at] - ZERO;
      const first = at;
      let i = 0;
      while (digit >= 0 && digit <= 9) {
        i = i * 10 + digit;
        digit = bytes[++at] - ZERO;
      }
      const gap = at;
      while (bytes[at] === BLANK || bytes[at] === soft) at++;
      if (hard >= 0) {
        if (bytes[at] !== hard) break;
        at++;
        while (bytes[at] === BLANK || bytes[at] === soft) at++;
      }
      const second = at;
      digit = bytes[at] - ZERO;
      let j = 0;
      while (digit >= 0 && digit <= 9) {
        j = j * 10 + digit;
        digit = bytes[++at] - ZERO;
      }
      const last = at;
      if (weights !== null) {
        while (bytes[at] === BLANK || bytes[at] === soft) at++;
        if (hard >= 0) {
          if (bytes[at] !== hard) break;
          at++;
          while (bytes[at] === BLANK || bytes[at] === soft) at++;
        }
        if (at === last) break;
        if (isPlainBraces) {
          let k = 0;
          while (k < WEIGHT_ENTRY.length && bytes[at] === WEIGHT_ENTRY[k]) {
            at++;
            k++;
          }
          if (k < WEIGHT_ENTRY.length) break;
        }
        const isWeight = scanner.scan(bytes, at, end) !== NOT_A_NUMBER;
        if (!isWeight || !(scanner.value >= 0 && scanner.value < Number.POSITIVE_INFINITY)) break;
        at = scanner.next;
        if (isPlainBraces && bytes[at++] !== CLOSING_BRACE) break;
      }
      if (bytes[at] === 13) at++;
      // a number cut off by the end of the block, of ten digits and more, or with a zero in front is left to the careful way
      if (at >= end || bytes[at] !== 10 || gap === first || second === gap || last === second) break;
      if (gap - first > 9 || last - second > 9) break;
      if ((bytes[first] === ZERO && gap - first > 1) || (bytes[second] === ZERO && last - second > 1)) break;
      at++;
      if (count === sources.length) {
        store.count = count;
        store.grow();
        ({ sources, targets, weights } = store);
      }
      if (weights !== null) weights[count] = scanner.value;
      sources[count] = i;
      targets[count++] = j;
      lines++;
    }
    store.count = count;
    this.line += lines;
    if (lines > 0) this.wholeIds = true;
    return line;
  }

  private comment(text: string): void {
    if (this.store.count > 0 && this.comments++ === 0) this.firstComment = this.line;
    const konect = KONECT.exec(text)?.[1];
    if (konect === "bip")
      throw badData(
        `${this.name}:${this.line}: KONECT's header says bip: the two sides number their nodes apart, so that 1 on the left is not 1 on the ` +
          "right; put a letter before the ids of one side and remove the header",
      );
    if (
      konect === "asym" ||
      (/\bdirected\b/i.test(text) && !/\b(undirected|un-directed|not directed)\b/i.test(text))
    )
      this.directed = true;
  }

  private skipSoft(bytes: Uint8Array, start: number, end: number): number {
    let at = start;
    while (at < end && (bytes[at] === BLANK || bytes[at] === this.soft)) at++;
    return at;
  }

  /** The start of the next field, or the end of the line. */
  private nextField(bytes: Uint8Array, start: number, end: number): number {
    const at = this.skipSoft(bytes, start, end);
    return at < end && bytes[at] === this.hard ? this.skipSoft(bytes, at + 1, end) : at;
  }

  private numericLine(bytes: Uint8Array, start: number, end: number): number {
    const { scanner, store, layout } = this;
    const i = this.numberId(bytes, start, end);
    let at = this.nextField(bytes, scanner.next, end);
    if (at >= end || isEnd(bytes[at])) {
      store.lonely.push(i);
      return at;
    }
    if (at === this.skipSoft(bytes, scanner.next, end) && this.hard >= 0)
      throw this.notANodeNumber(textAt(bytes, start, lineEnd(bytes, at, Math.min(end, start + 60))));
    const j = this.numberId(bytes, at, end);
    at = this.nextField(bytes, scanner.next, end);
    store.add(i, j);
    let columns = 2;
    if (at < end && !isEnd(bytes[at])) {
      if (layout.columns === 2) throw this.wrongColumns("more than 2");
      if (scanner.scan(bytes, at, end) === NOT_A_NUMBER || !this.endsField(bytes, scanner.next, end))
        throw this.badWeight(this.fieldAt(bytes, at, end));
      this.weight(scanner.value);
      for (
        columns = 3, at = this.nextField(bytes, scanner.next, end);
        at < end && !isEnd(bytes[at]);
        columns++
      ) {
        while (at < end && !this.endsField(bytes, at, end)) at++;
        at = this.nextField(bytes, at, end);
      }
    }
    if (columns !== layout.columns) throw this.wrongColumns(String(columns));
    return at;
  }

  private endsField(bytes: Uint8Array, at: number, end: number): boolean {
    const byte = bytes[at];
    return at >= end || byte === BLANK || byte === this.soft || byte === this.hard || isEnd(byte);
  }

  private fieldAt(bytes: Uint8Array, start: number, end: number): string {
    let at = start;
    while (at < end && !this.endsField(bytes, at, end) && at - start < 60) at++;
    return textAt(bytes, start, at);
  }

  /** A node number at `start`; scanner.next is behind it. */
  private numberId(bytes: Uint8Array, start: number, end: number): number {
    const { scanner } = this;
    const kind = scanner.scan(bytes, start, end);
    const isPadded = bytes[start] === ZERO && scanner.next - start > 1;
    if (kind === NOT_A_NUMBER || kind === FLOAT || isPadded || !this.endsField(bytes, scanner.next, end))
      return this.textId(this.fieldAt(bytes, start, end));
    this.wholeIds = true;
    return this.inRange(scanner.value, start, bytes, end);
  }

  private inRange(id: number, start: number, bytes: Uint8Array, end: number): number {
    if (id < 0) throw this.notANodeNumber(this.fieldAt(bytes, start, end));
    if (id > MAX_ID) throw this.tooLarge(id);
    return id;
  }

  /** A node number as text. */
  private textId(text: string): number {
    if (!isWhole(text)) throw this.notANodeNumber(text);
    if (text.includes(".")) this.decimalIds = true;
    else this.wholeIds = true;
    const id = Number(text);
    if (id > MAX_ID) throw this.tooLarge(id);
    return id;
  }

  private textLine(text: string): void {
    const { layout, store } = this;
    const first = /[^ \t]/.exec(text)?.[0];
    if (first === undefined) return;
    if (!isMatrixLine(text)) {
      this.comment(text.slice(0, 1000));
      return;
    }
    if (this.line === layout.headerLine) return;
    const fields = fieldsOf(text, layout.separator, this.name, this.line);
    const id = (column: number) => {
      const name = fields[column];
      if (name === "")
        throw badData(`${this.name} line ${this.line}: an end of the edge has no name: expected two ids`);
      return layout.numeric ? this.textId(name) : this.wordId(name);
    };
    if (fields.length === 1 && isPhrase(text, layout.separator)) throw this.wrongColumns("1");
    if (fields.length === 1 || (fields.length === 2 && fields[1].startsWith("{"))) {
      store.lonely.push(id(0));
      if (fields.length === 2) this.attributes(fields[1]);
      return;
    }
    if (fields.length !== layout.columns) throw this.wrongColumns(String(fields.length));
    const i = id(layout.source);
    store.add(i, id(layout.target));
    const last = fields[fields.length - 1];
    if (layout.braces !== last.startsWith("{") && layout.columns > 2)
      throw this.wrongColumns(
        layout.braces ? "no attributes in braces in the last of" : "attributes in braces in the last of",
      );
    const weight = layout.braces ? this.attributes(last) : undefined;
    if (layout.weight >= 0) {
      const value = Number(fields[layout.weight]);
      if (Number.isNaN(value) || fields[layout.weight] === "")
        throw this.badWeight(fields[layout.weight] || "nothing");
      this.weight(value);
    } else if (layout.braces) {
      if (weight === undefined) this.weightless++;
      const value = weight === undefined ? 1 : Number(weight);
      if (Number.isNaN(value)) throw this.badWeight(weight!);
      this.weight(value);
    }
  }

  private wordId(word: string): number {
    let id = this.words.get(word);
    if (id === undefined) this.words.set(word, (id = this.names.push(wholeText(word)) - 1));
    return id;
  }

  /** "{'weight': 2.5, ...}" as networkx writes it: its weight, if it has one. */
  private attributes(text: string): string | undefined {
    const entries = dictionaryEntries(text);
    if (entries === null)
      throw badData(
        `${this.name} line ${this.line}: not a line of an edge list: attributes that do not end with } in ${shown(text)}, expected "u v" or "u v weight"`,
      );
    for (const key of entries.keys()) if (key !== "weight") this.unusedKeys.add(key);
    return entries.get("weight");
  }

  private weight(value: number): void {
    if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) throw this.badWeight(String(value));
    this.store.weights![this.store.count - 1] = value;
  }

  private notANodeNumber(got: string): GraphdosError {
    const why = /^0\d+$/.test(got)
      ? "2 and 02 would be one node"
      : "expected a whole number as in the lines before";
    return badData(
      `${this.name} line ${this.line}: not a node number: got ${got === "" ? "nothing" : got}, ${why}; for ids that are words give --ids words`,
    );
  }

  private tooLarge(id: number): GraphdosError {
    return badData(
      `${this.name} line ${this.line}: node number ${id} is beyond 2^31 - 1; give --ids words to take ids as names`,
    );
  }

  private badWeight(got: string): GraphdosError {
    return badData(
      `${this.name} line ${this.line}: the weight must be a finite number that is not negative: got ${got}`,
    );
  }

  private wrongColumns(got: string): GraphdosError {
    return badData(
      `${this.name} line ${this.line}: ${got} columns, expected ${this.layout.columns} as in the lines before`,
    );
  }

  finish(): Dataset {
    const { store, layout, names, words } = this;
    const header =
      layout.headerLine > 0
        ? `; line ${layout.headerLine} was read as a header, --header no reads it as an edge`
        : "";
    if (store.count === 0 && store.lonely.length === 0)
      throw new EmptyFileError(
        `${this.name}: no edges found: the file is empty or has only comments${header}`,
      );
    if (store.count === 0 && !layout.numeric && this.options.format !== "edges")
      throw badData(
        `${this.name}: no line names two nodes, as those of an edge list do; --format edges reads names alone as nodes without edges${header}`,
      );
    const doubtful = layout.doubtful.find((name) => words.get(name) !== undefined);
    if (doubtful !== undefined)
      throw badData(
        `${this.name} line ${layout.headerLine}: ${layout.doubtful.join(", ")} may be names of columns or an edge, as ${doubtful} is a node below: give --header yes or --header no`,
      );
    const sources = store.sources.subarray(0, store.count);
    const targets = store.targets.subarray(0, store.count);
    const numbers: [number, number] = [sources[0], targets[0]];
    let nodeCount = names.length;
    let nodeIds: NodeIds | null = names;
    if (layout.numeric) ({ nodeCount, nodeIds } = compactIds(sources, targets, store.lonely));
    const weights = store.weights?.subarray(0, store.count);
    const unit = weights?.every((w) => w === 1) ?? true;
    const { graph, cleaning } = buildGraph(
      { nodeCount, sources, targets, weights: unit ? null : weights },
      this.name,
    );
    const unread = [
      ...this.layout.unread,
      ...Array.from(this.unusedKeys, (key) => `edge key ${inSentence(key)}`),
      ...(this.directed ? [DIRECTION] : unreadDirection([graph], cleaning)),
    ];
    return {
      ...singleGraph(
        baseName(this.name),
        graph,
        cleaning,
        [...this.notes(), ...this.firstLineNote(numbers, nodeCount, sources, targets)],
        nodeIds,
      ),
      unread,
    };
  }

  /** What else the first line may be where it was read as an edge: names of columns, or the numbers of nodes and edges. O(edges). */
  private firstLineNote(
    numbers: readonly [number, number],
    nodeCount: number,
    sources: Uint32Array,
    targets: Uint32Array,
  ): string[] {
    const { layout, store } = this;
    if (layout.headerLine > 0 || store.count < 3 || (this.options.header ?? "auto") !== "auto") return [];
    if (layout.numeric && numbers[1] !== store.count - 1) return [];
    const [i, j] = [sources[0], targets[0]];
    const isElsewhere = (id: number) =>
      sources.includes(id, 1) || targets.includes(id, 1) || store.lonely.includes(id);
    const alone = [...new Set([i, j])].filter((id) => !isElsewhere(id)).length;
    const others = nodeCount - alone;
    const line = `line ${layout.first.line} (${layout.first.fields.join(", ")}) was read as an edge`;
    if (layout.numeric)
      return others <= numbers[0]
        ? [`${line}; where it holds the numbers of nodes and edges, --header yes leaves it out`]
        : [];
    // where no other name comes again either, that says nothing
    return alone === 2 && others < 2 * (store.count - 1)
      ? [`${line}, though neither end is on another line; --header yes reads it as a header`]
      : [];
  }

  private notes(): string[] {
    const { layout, words, store } = this;
    const notes = ["edge list", ...layout.notes];
    const weighted = store.count - this.weightless;
    if (layout.braces && layout.weight < 0 && weighted > 0) notes.push("the weight in the braces is used");
    if (layout.braces && weighted > 0 && this.weightless > 0)
      notes.push(`edges without a weight among weighted ones got weight 1: ${this.weightless}`);
    if (this.unusedKeys.size > 0) {
      const keys = [...this.unusedKeys];
      notes.push(
        `attributes in braces that are not used: ${keys.slice(0, 8).join(", ")}${keys.length > 8 ? ", …" : ""}`,
      );
    }
    const joined = layout.numeric ? (this.wholeIds && this.decimalIds ? ["2", "2.0"] : null) : words.joined;
    if (joined !== null) notes.push(sameNumberNote(joined[0], joined[1], "ids like these are one node"));
    if (this.comments > 0)
      notes.push(
        `lines behind the first edge that were taken for comments: ${this.comments}, the first is line ${this.firstComment}`,
      );
    if (this.directed) notes.push("its header says that it is directed: it was symmetrised");
    return notes;
  }
}

function lineEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && !isEnd(bytes[at])) at++;
  return at;
}

/** Calls visit for each line of a block, without its end. */
function forEachText(bytes: Uint8Array, start: number, end: number, visit: (text: string) => void): void {
  const text = textAt(bytes, start, end);
  const lines = text.split(/\r\n|\n|\r/);
  if (lines[lines.length - 1] === "") lines.pop();
  for (const line of lines) visit(line);
}
