/**
 * An adjacency matrix as text: k lines of k numbers, 0 where there is no edge, else its weight. A first line may name the nodes, and so
 * may a first column, as pandas and R write them. One graph; a matrix that is not symmetric is symmetrised. O(size).
 *
 *   0 1 1        ,ann,bob
 *   1 0 0        ann,0,2.5
 *   1 0 0        bob,2.5,0
 */
import { badData } from "../base/errors.js";
import { buildGraph } from "../graph/build.js";
import type { ByteSource } from "./bytes.js";
import { type Dataset, DIRECTION, singleGraph } from "./dataset.js";
import type { Separator } from "./edge-fields.js";
import { fieldsOf, type HeadLine, isColumnNames, isNumber, type Row, splitHead } from "./edge-layout.js";
import { Float64List, Uint32List } from "./growable.js";
import { wholeText } from "./ids.js";
import { textLines } from "./lines.js";
import { baseName } from "./names.js";
import type { FileFormat, ReadOptions } from "./reading.js";
import { shown } from "./shown.js";

export interface MatrixLayout {
  separator: Separator;
  /** Number of nodes. */
  size: number;
  /** Whether the first line, and the first column, name the nodes. */
  hasHeader: boolean;
  hasNames: boolean;
}

export const adjacencyMatrix: FileFormat = {
  name: "matrix",
  title: "adjacency matrix as text",
  extensions: [],
  recognises: () => false,
  read: readMatrix,
};

async function readMatrix(source: ByteSource, options: ReadOptions): Promise<Dataset> {
  const lines: HeadLine[] = [];
  for await (const line of textLines(source)) if (isMatrixLine(line.text)) lines.push(line);
  if (lines.length === 0) throw badData(`${source.name}: the file is empty: expected an adjacency matrix`);
  const { separator, rows } = splitHead(lines, source.name);
  const hasHeader = options.header === "yes" || (options.header !== "no" && !rows[0].fields.every(isNumber));
  const last = rows[rows.length - 1].fields;
  const hasNames = last.length === rows.length - Number(hasHeader) + 1;
  const parser = new MatrixText(source.name, {
    separator,
    size: last.length - Number(hasNames),
    hasHeader,
    hasNames,
  });
  for (const { text, number } of lines) parser.line(text, number);
  return parser.finish();
}

export const isMatrixLine = (text: string) => !/^\s*($|#|%|\/\/)/.test(text);

/**
 * How the rows are an adjacency matrix; null when they are none, or may as well be an edge list. `isAll` when they are the whole file.
 *
 * Three or four columns may be u, v, weight and another: there a matrix must show that it is one, by symmetry or entries 0 and 1.
 */
export function matrixLayout(
  separator: Separator,
  rows: readonly Row[],
  isAll: boolean,
): MatrixLayout | null {
  const fields = rows.map((row) => row.fields);
  const [first, second] = fields;
  if (second === undefined) return null;
  const isSquare = (body: readonly (readonly string[])[], size: number) =>
    (isAll ? body.length === size : body.length <= size && size > 4) &&
    body.every((row) => row.length === size && row.every(isNumber));
  // names in the first line and the first column
  const size = second.length - 1;
  const names = first.slice(-size).map(wholeText);
  const body = fields.slice(1);
  // a number in the corner may be the end of an edge
  const hasCorner = first.length === size + 1 && (size > 3 || !isNumber(first[0]));
  if (
    (hasCorner || first.length === size) &&
    size > 1 &&
    new Set(names).size === size &&
    body.every((row, k) => wholeText(row[0]) === names[k]) &&
    isSquare(
      body.map((row) => row.slice(1)),
      size,
    )
  )
    return { separator, size, hasHeader: true, hasNames: true };
  const hasHeader = !first.some(isNumber) && first.length === second.length && !isColumnNames(first);
  const rest = hasHeader ? body : fields;
  const width = second.length;
  if (width < 3 || !isSquare(rest, width)) return null;
  if (width <= 4) {
    const isSymmetric = rest.every((row, i) => row.every((text, j) => Number(text) === Number(rest[j][i])));
    const isZeroOne = rest.every((row) => row.every((text) => Number(text) === 0 || Number(text) === 1));
    const isLoopless = rest.every((row, i) => Number(row[i]) === 0);
    if (!(isSymmetric || isZeroOne) || (width === 3 && !isLoopless)) return null;
  }
  return { separator, size: width, hasHeader, hasNames: false };
}

/** Takes the lines of a matrix, comments and blank ones left out. */
export class MatrixText {
  private readonly sources = new Uint32List();
  private readonly targets = new Uint32List();
  private readonly weights = new Float64List();
  private names: string[] | null = null;
  private readonly rowNames: string[] = [];
  private rows = 0;
  private isFirst = true;

  constructor(
    private readonly name: string,
    private readonly layout: MatrixLayout,
  ) {}

  line(text: string, number: number): void {
    const { separator, size, hasHeader, hasNames } = this.layout;
    const fields = fieldsOf(text, separator, this.name, number);
    if (this.isFirst && hasHeader) {
      this.names = fields.slice(-size).map(wholeText);
      this.isFirst = false;
      return;
    }
    this.isFirst = false;
    const place = `${this.name} line ${number}`;
    if (fields.length !== size + Number(hasNames))
      throw badData(
        `${place}: ${fields.length} columns, expected ${size + Number(hasNames)} as in the lines before: the file begins as an adjacency matrix`,
      );
    if (this.rows === size)
      throw badData(`${place}: more rows than the adjacency matrix has columns: expected ${size} of each`);
    if (hasNames) this.rowNames.push(wholeText(fields.shift()!));
    for (let j = 0; j < size; j++) {
      const weight = isNumber(fields[j]) ? Number(fields[j]) : Number.NaN;
      if (!(weight >= 0 && weight < Number.POSITIVE_INFINITY))
        throw badData(
          `${place}: an entry of an adjacency matrix must be a finite number that is not negative: got ${shown(fields[j])}`,
        );
      if (weight === 0) continue;
      this.sources.push(this.rows);
      this.targets.push(j);
      this.weights.push(weight);
    }
    this.rows++;
  }

  finish(): Dataset {
    const { size, hasHeader, hasNames } = this.layout;
    if (this.rows !== size)
      throw badData(
        `${this.name}: ${this.rows} rows of ${size} numbers: expected a square adjacency matrix, or an edge list whose first line names the columns: source, target, weight`,
      );
    const names = this.names ?? (hasNames ? this.rowNames : null);
    if (names !== null && hasNames && this.rowNames.some((name, k) => name !== names[k]))
      throw badData(`${this.name}: the names of the rows are not those of the columns, in the same order`);
    const weights = this.weights.values();
    const { graph, cleaning } = buildGraph(
      {
        nodeCount: size,
        sources: this.sources.values(),
        targets: this.targets.values(),
        weights: weights.every((w) => w === 1) ? null : weights,
      },
      this.name,
    );
    const notes = [
      `adjacency matrix of ${size} by ${size} numbers${hasHeader ? ", the first line names the nodes" : hasNames ? ", the first column names the nodes" : ""} (--format edges reads an edge list)`,
    ];
    if (cleaning.oneWay > 0)
      notes.push(
        `the matrix is not symmetric: edges that stand in one direction only were symmetrised: ${cleaning.oneWay}`,
      );
    const isPlain = names === null || names.every((text, k) => text === String(k));
    const set = singleGraph(baseName(this.name), graph, cleaning, notes, isPlain ? null : names);
    return cleaning.oneWay === 0 ? set : { ...set, unread: [DIRECTION] };
  }
}
