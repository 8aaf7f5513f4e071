/**
 * Matrix Market (.mtx): the adjacency matrix of one graph, as the NIST exchange format has it (Boisvert, Pozo, Remington, 1996).
 *
 *   %%MatrixMarket matrix coordinate real symmetric      coordinate | array, real | integer | pattern, general | symmetric
 *   % comments
 *   3 3 2                                                rows, columns and, for coordinate, the number of entries
 *   2 1 0.5                                              row, column (from 1), and a value unless pattern
 *
 * An array file lists every value by columns, a symmetric one the lower triangle only. A general file is symmetrised: an
 * edge stands where either of (i, j) and (j, i) does. O(file size).
 */
import { badData, GraphdosError } from "../base/errors.js";
import { buildGraph } from "../graph/build.js";
import { MAX_NODES } from "../graph/graph.js";
import type { ByteSource } from "./bytes.js";
import { type Dataset, DIRECTION, singleGraph } from "./dataset.js";
import { Float64List, Uint32List } from "./growable.js";
import { forEachBlock } from "./lines.js";
import { baseName } from "./names.js";
import { INTEGER, isBlank, NOT_A_NUMBER, NumberScanner, textAt, wordAt } from "./numbers.js";
import type { FileFormat, ReadOptions } from "./reading.js";

const NEWLINE = 10;
const PERCENT = 37;
/** A size line of a few bytes may ask for gigabytes: so many nodes are given to anyone, more to who brings entries. */
const MANY_NODES = 2 ** 24;
const NODES_AN_ENTRY = 64;

export const matrixMarket: FileFormat = {
  name: "mtx",
  title: "Matrix Market",
  extensions: ["mtx", "mm"],
  recognises: (head) => /^\s*%%MatrixMarket\b/i.test(head),
  read: readMatrixMarket,
};

async function readMatrixMarket(source: ByteSource, options: ReadOptions): Promise<Dataset> {
  const parser = new MatrixParser(source.name);
  let done = 0;
  await forEachBlock(
    source,
    (bytes, start, end) => {
      parser.block(bytes, start, end);
      done += end - start;
      options.onProgress?.({ task: `reading ${source.name}`, done, total: source.size, unit: "B" });
    },
    options.signal,
  );
  parser.finish();
  const { n, sources, targets, weights, symmetric } = parser;
  const values = weights?.values();
  const edges = {
    nodeCount: n,
    sources: sources.values(),
    targets: targets.values(),
    weights: values?.every((w) => w === 1) ? null : values,
  };
  const { graph, cleaning } = buildGraph(edges, source.name);
  const notes = [`Matrix Market, ${parser.kind}`];
  if (!symmetric && cleaning.oneWay > 0)
    notes.push(
      `the matrix is not symmetric: edges that stand in one direction only were symmetrised: ${cleaning.oneWay}`,
    );
  const set = singleGraph(baseName(source.name), graph, cleaning, notes);
  return symmetric || cleaning.oneWay === 0 ? set : { ...set, unread: [DIRECTION] };
}

/** Takes blocks of whole lines; keeps the 0-based edges. */
class MatrixParser {
  n = -1;
  kind = "";
  symmetric = false;
  sources = new Uint32List();
  targets = new Uint32List();
  weights: Float64List | null = null;
  private dense = false;
  private integer = false;
  /** Entries promised by the size line, and seen. */
  private promised = 0;
  private seen = 0;
  private line = 0;
  /** Where the next value of an array file stands. */
  private row = 0;
  private column = 0;
  private readonly scanner = new NumberScanner();

  constructor(private readonly name: string) {}

  private fail(what: string): GraphdosError {
    return badData(`${this.name} line ${this.line}: ${what}`);
  }

  block(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end; ) {
      this.line++;
      while (at < end && bytes[at] !== NEWLINE && isBlank(bytes[at])) at++;
      if (at < end && bytes[at] !== NEWLINE && (this.kind === "" || bytes[at] !== PERCENT)) {
        if (this.kind === "") at = this.banner(bytes, at, end);
        else if (this.n < 0) at = this.size(bytes, at, end);
        else if (this.dense) at = this.values(bytes, at, end);
        else at = this.entry(bytes, at, end);
      }
      const newline = at < end && bytes[at] === NEWLINE ? at : bytes.indexOf(NEWLINE, at);
      at = newline < 0 ? end : newline + 1;
    }
  }

  private banner(bytes: Uint8Array, start: number, end: number): number {
    const newline = bytes.indexOf(NEWLINE, start);
    const stop = newline < 0 || newline > end ? end : newline;
    const text = textAt(bytes, start, Math.min(stop, start + 200)).trim();
    const [banner, object, layout, field, symmetry] = text.toLowerCase().split(/\s+/);
    if (banner !== "%%matrixmarket")
      throw this.fail(`not a Matrix Market file: got "${text.slice(0, 40)}", expected %%MatrixMarket`);
    const oneOf = (what: string, got: string | undefined, expected: string[], why = "") => {
      if (got === undefined || !expected.includes(got))
        throw this.fail(`${what}: got ${got ?? "nothing"}, expected ${expected.join(" or ")}${why}`);
    };
    oneOf("object", object, ["matrix"]);
    oneOf("format", layout, ["coordinate", "array"]);
    this.dense = layout === "array";
    oneOf(
      "field",
      field,
      this.dense ? ["real", "integer"] : ["real", "integer", "pattern"],
      field === "complex" ? ": the weights of a graph are real" : "",
    );
    oneOf(
      "symmetry",
      symmetry,
      ["general", "symmetric"],
      symmetry === "skew-symmetric" || symmetry === "hermitian"
        ? ": an undirected graph is symmetric; write the absolute values, symmetric"
        : "",
    );
    this.kind = `${layout} ${field} ${symmetry}`;
    this.symmetric = symmetry === "symmetric";
    this.integer = field === "integer";
    if (field !== "pattern") this.weights = new Float64List();
    return stop;
  }

  private size(bytes: Uint8Array, start: number, end: number): number {
    let at = start;
    const next = () => {
      const value = this.index(bytes, at, end, Number.MAX_SAFE_INTEGER, "size line", 0);
      at = this.scanner.next;
      while (at < end && bytes[at] !== NEWLINE && isBlank(bytes[at])) at++;
      return value;
    };
    const rows = next();
    const columns = next();
    if (rows !== columns)
      throw this.fail(
        `the matrix is ${rows} by ${columns}: expected a square one, the adjacency matrix of a graph`,
      );
    if (rows > MAX_NODES) throw this.fail(`number of nodes: got ${rows}, expected at most ${MAX_NODES}`);
    if (this.dense) this.promised = this.symmetric ? (rows * (rows + 1)) / 2 : rows * rows;
    else this.promised = next();
    this.lineEnd(bytes, at, end, "size line");
    this.n = rows;
    return at;
  }

  private entry(bytes: Uint8Array, start: number, end: number): number {
    const { scanner, n, weights } = this;
    if (++this.seen > this.promised) throw this.tooMany();
    const i = this.index(bytes, start, end, n, "row", 1);
    let at = scanner.next;
    while (at < end && bytes[at] !== NEWLINE && isBlank(bytes[at])) at++;
    const j = this.index(bytes, at, end, n, "column", 1);
    at = scanner.next;
    while (at < end && bytes[at] !== NEWLINE && isBlank(bytes[at])) at++;
    if (weights !== null) {
      weights.push(this.weight(bytes, at, end));
      at = scanner.next;
      while (at < end && bytes[at] !== NEWLINE && isBlank(bytes[at])) at++;
    }
    if (at < end && bytes[at] !== NEWLINE) this.lineEnd(bytes, at, end, "entry");
    this.sources.push(i - 1);
    this.targets.push(j - 1);
    return at;
  }

  /** All values of one line of an array file. */
  private values(bytes: Uint8Array, start: number, end: number): number {
    let at = start;
    while (at < end && bytes[at] !== NEWLINE) {
      if (++this.seen > this.promised) throw this.tooMany();
      const value = this.weight(bytes, at, end);
      at = this.scanner.next;
      while (at < end && bytes[at] !== NEWLINE && isBlank(bytes[at])) at++;
      if (value !== 0) {
        this.sources.push(this.row);
        this.targets.push(this.column);
        this.weights!.push(value);
      }
      if (++this.row === this.n) {
        this.column++;
        this.row = this.symmetric ? this.column : 0;
      }
    }
    return at;
  }

  /** An integer from `least` to `most` that ends with its word. */
  private index(
    bytes: Uint8Array,
    at: number,
    end: number,
    most: number,
    what: string,
    least: number,
  ): number {
    const { scanner } = this;
    const kind = scanner.scan(bytes, at, end);
    if (kind !== INTEGER || (scanner.next < end && !isBlank(bytes[scanner.next])))
      throw this.fail(`${what}: got ${wordAt(bytes, at, end) || "nothing"}, expected an integer`);
    if (!(scanner.value >= least && scanner.value <= most))
      throw this.fail(`${what}: got ${scanner.value}, expected ${least} to ${most}`);
    return scanner.value;
  }

  private weight(bytes: Uint8Array, at: number, end: number): number {
    const { scanner } = this;
    const kind = scanner.scan(bytes, at, end);
    if (kind === NOT_A_NUMBER || (scanner.next < end && !isBlank(bytes[scanner.next])))
      throw this.fail(`value: got ${wordAt(bytes, at, end) || "nothing"}, expected a number`);
    if (this.integer && kind !== INTEGER)
      throw this.fail(`value: got ${wordAt(bytes, at, end)}, expected an integer`);
    if (!(scanner.value >= 0 && scanner.value < Number.POSITIVE_INFINITY))
      throw this.fail(`a weight must be finite and not negative: got ${wordAt(bytes, at, end)}`);
    return scanner.value;
  }

  private lineEnd(bytes: Uint8Array, at: number, end: number, what: string): void {
    if (at < end && bytes[at] !== NEWLINE)
      throw this.fail(`${what}: got ${wordAt(bytes, at, end)} behind it, expected the end of the line`);
  }

  private tooMany(): GraphdosError {
    return this.fail(`more entries than the size line says: expected ${this.promised}`);
  }

  /** Throws unless all that was promised is there, and nodes and entries are in some proportion. */
  finish(): void {
    if (this.kind === "") throw badData(`${this.name}: the file is empty: expected %%MatrixMarket`);
    if (this.n < 0) throw badData(`${this.name}: truncated: there is no size line`);
    if (this.seen < this.promised)
      throw badData(`${this.name}: truncated: got ${this.seen} entries, expected ${this.promised}`);
    if (this.n > Math.max(MANY_NODES, NODES_AN_ENTRY * this.seen))
      throw new GraphdosError(
        "limit",
        `${this.name}: ${this.n} nodes with ${this.seen} entries: almost all would be isolated and take memory for nothing: expected at most ${MANY_NODES} nodes, or ${NODES_AN_ENTRY} an entry`,
      );
  }
}
