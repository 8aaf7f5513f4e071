/**
 * What the first lines of an edge list say about all of it: what separates the columns, how many there are, which of them are the
 * ends and the weight of an edge, whether ids are numbers, and whether the first line is a header.
 *
 * The first line is a header when the lines below say so: where they have numbers (ids or weights) it has none, or it is words in
 * another number of columns. Words over words, such as source and target, are a header only when they are names of columns and no
 * node below is called so.
 */
import { badData } from "../base/errors.js";
import { oddField, SEPARATORS, type Separator, splitLine } from "./edge-fields.js";
import { shown } from "./shown.js";

export interface HeadLine {
  text: string;
  /** Line of the file, from 1. */
  number: number;
}

export interface Row {
  fields: string[];
  line: number;
}

export interface EdgeLayout {
  separator: Separator;
  /** Columns of every line that has an edge; attributes in braces are one. */
  columns: number;
  /** Columns of the ends of an edge. */
  source: number;
  target: number;
  /** Column of the weight; -1 without one. */
  weight: number;
  /** The last column is attributes in braces, as networkx writes them. */
  braces: boolean;
  /** Ids are whole numbers; else words. */
  numeric: boolean;
  /** Line of the header; 0 without one. */
  headerLine: number;
  /** The first line that holds anything. */
  first: Row;
  /** The names in a header that is one only as long as no node below is called so; else none. */
  doubtful: string[];
  notes: string[];
  /** What the lines hold and no graph does: see Dataset.unread. */
  unread: string[];
}

export interface LayoutOptions {
  name: string;
  header: "auto" | "yes" | "no";
  idsAreWords: boolean;
}

export const isNumber = (text: string | undefined) =>
  text !== undefined && /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(text);
/** A weight that will be refused for its value is one all the same. */
const isWeight = (text: string) => isNumber(text) || /^[-+]?(nan|inf|infinity)$/i.test(text);
/** Whole numbers; 02 is a word. */
export const isWhole = (text: string) => /^(0|[1-9]\d*)(\.0+)?$/.test(text);

const SOURCE = /^(source|src|from|(node|id|user|vertex|source|from)[ _.-]?(1|a|i|u|id|node))$/i;
const TARGET = /^(target|dst|dest|destination|to|(node|id|user|vertex|target|to)[ _.-]?(2|b|j|v|id|node))$/i;
const WEIGHT = /^(weights?|w)$/i;
/** Names of a third column of numbers that are no weights. */
const NO_WEIGHT =
  /^((unix_?)?time(stamp)?|unixts|date(time)?|year|(edge_?)?id|key|type|label|kind|colou?r)$/i;

export const isColumnNames = (texts: readonly string[]) =>
  texts.some((text) => SOURCE.test(text)) && texts.some((text) => TARGET.test(text));

/** The fields of each line at the separator that cuts them most evenly. */
export function splitHead(lines: readonly HeadLine[], name: string): { separator: Separator; rows: Row[] } {
  const separator = findSeparator(lines);
  const rows = lines.map(({ text, number }) => ({
    fields: fieldsOf(text, separator, name, number),
    line: number,
  }));
  return { separator, rows };
}

/** The fields of a line of an edge list; refused when it has what no such line has. */
export function fieldsOf(text: string, separator: Separator, name: string, line: number): string[] {
  const fields = splitLine(text, separator);
  if (fields === null)
    throw badData(
      `${name} line ${line}: a field begins with " and does not end with it: close the quote, or double it where it is part of a name`,
    );
  // eslint-disable-next-line no-control-regex
  if (!/[<()[\]{}\0]/.test(text)) return fields;
  if (text.includes("\0")) throw badData(`${name} line ${line}: holds a zero byte: this is not a text file`);
  if (fields[0].startsWith("{"))
    throw badData(
      `${name} line ${line}: attributes without a node: got ${shown(text)}, expected "u v {...}"`,
    );
  for (const [k, field] of fields.entries()) {
    const isAttributes = k > 0 && k === fields.length - 1 && field.startsWith("{");
    // in quotes, which say where a name ends, it may be any: "[0, 1)"
    const isQuoted =
      /["']/.test(text) && ['"', "'"].some((q) => text.includes(q + field.replaceAll(q, q + q) + q));
    const odd = isAttributes || isQuoted ? null : oddField(field);
    if (odd !== null)
      throw badData(
        `${name} line ${line}: not a line of an edge list: ${odd} in ${shown(field)}, expected "u v" or "u v weight"`,
      );
  }
  return fields;
}

/** Words with blanks between them, not in quotes, where another mark separates: no id alone. */
export const isPhrase = (text: string, separator: Separator): boolean =>
  separator !== " " && /^\s*[^"'\s]\S*\s+\S/.test(text) && splitLine(text, separator)?.length === 1;

/** The first separator at which all lines have the same number of columns, two at least; a line of one id may stand among them. */
function findSeparator(lines: readonly HeadLine[]): Separator {
  const texts = lines
    .map(({ text }) => (text.includes("{") ? text.replace(/[\s,;|]*\{.*$/, "") : text))
    .filter((text) => text.trim() !== "");
  // among numbers tabs are blanks: some programs write both
  const isNumbers = texts.every((text) => /^[-+.\deE \t]*$/.test(text));
  const found = SEPARATORS.filter(
    (separator) =>
      separator === " " ||
      (!(separator === "\t" && isNumbers) && texts.some((text) => text.includes(separator))),
  );
  const isEven = (separator: Separator, from: number) => {
    let width = 1;
    for (let k = from; k < texts.length; k++) {
      const count = splitLine(texts[k], separator)?.length ?? 0;
      if (count === 0 || (count > 1 && width > 1 && count !== width)) return false;
      if (count > 1) width = count;
    }
    return width > 1;
  };
  // where most lines are words with blanks between them, and all have as many, another mark is part of a name: "a b;c"
  const isPhrases = (separator: Separator) =>
    isEven(" ", 0) && 2 * texts.filter((text) => isPhrase(text, separator)).length > texts.length;
  // one that all lines have comes before one that some have: ids alone are few
  const cutsAll = (separator: Separator) =>
    separator !== " " && texts.every((text) => (splitLine(text, separator)?.length ?? 0) > 1);
  return (
    found.find((separator) => cutsAll(separator) && isEven(separator, 0)) ??
    found.find((separator) => isEven(separator, 0) && !isPhrases(separator)) ??
    found.find((separator) => isEven(separator, 1)) ??
    found.find((separator) => texts.length > 0 && texts[0].trim().includes(separator)) ??
    " "
  );
}

/** Throws when the lines are no edge list. `rows` has one at least. */
export function edgeLayout(separator: Separator, rows: readonly Row[], options: LayoutOptions): EdgeLayout {
  const { name } = options;
  const [first, ...below] = rows;
  const body = below.filter(({ fields }) => isEdge(fields));
  const header = findHeader(first, body, below, options);
  const named = header === null ? null : first.fields;
  const edges = named === null ? rows.filter(({ fields }) => isEdge(fields)) : body;
  const example = edges[0] ?? rows[named === null ? 0 : 1] ?? first;
  const layout: EdgeLayout = {
    separator,
    columns: Math.max(2, example.fields.length),
    source: 0,
    target: 1,
    weight: -1,
    braces: false,
    numeric: false,
    headerLine: named === null ? 0 : first.line,
    first,
    doubtful: header === "names" ? first.fields : [],
    notes: [],
    unread: [],
  };
  if (named !== null) {
    layout.notes.push(
      `line ${first.line} (${named.join(", ")}) was read as a header; --header no reads it as an edge`,
    );
    nameColumns(layout, named, body, name);
  }
  if (edges.length > 0) findWeight(layout, named, example, name);
  const ids = (fields: readonly string[]) => [fields[layout.source], fields[layout.target] ?? "0"];
  const numbers = (isEdge(example.fields) ? ids(example.fields) : example.fields.slice(0, 1)).every(isWhole);
  const padded = rows.some(
    ({ fields }) => fields !== named && ids(fields).some((text) => /^0\d+$/.test(text)),
  );
  layout.numeric = !options.idsAreWords && numbers && !padded;
  if (numbers && padded && !options.idsAreWords)
    layout.notes.push("ids with zeros in front, such as 02, are words: 2 and 02 are two nodes");
  return layout;
}

/** More than an id alone, with or without attributes. */
const isEdge = (fields: readonly string[]) => fields.length > 1 && !fields[1].startsWith("{");

/** Whether the first row is a header, and why: it is said so, by the rows below, or by its names alone. */
function findHeader(
  first: Row,
  body: readonly Row[],
  below: readonly Row[],
  { header }: LayoutOptions,
): "said" | "rows" | "names" | null {
  if (header !== "auto") return header === "yes" ? "said" : null;
  const texts = first.fields;
  if (texts.some(isNumber) || texts.some((text) => text.startsWith("{"))) return null;
  if (texts.length === 1)
    return below.length > 0 && below.every(({ fields }) => isNumber(fields[0])) ? "rows" : null;
  if (body.length === 0) return isColumnNames(texts) ? "names" : null;
  // as pandas writes an index without a name
  if (texts[0] === "" && texts.slice(1).every((text) => text !== "")) return "rows";
  const ids = new Set(body.flatMap(({ fields }) => fields.slice(0, 2)));
  if (texts.slice(0, 2).some((text) => ids.has(text))) return null;
  const width = body[0].fields.length;
  if (width !== texts.length && body.every(({ fields }) => fields.length === width)) return "rows";
  const isTyped = [0, 1, 2].some((column) => body.every(({ fields }) => isNumber(fields[column])));
  if (isTyped) return "rows";
  return isColumnNames(texts) ? "names" : null;
}

/** Ends of an edge by the names of the columns, where each column has one; a column that numbers the rows is no end. */
function nameColumns(layout: EdgeLayout, header: string[], body: readonly Row[], name: string): void {
  const { notes } = layout;
  const names = columnNames(header, layout.columns, body);
  if (names === null) return;
  const shift = names[0] === "" ? 1 : 0;
  if (shift === 1) {
    if (layout.columns < 3)
      throw badData(
        `${name} line ${layout.headerLine}: the first column has no name and only one other is there: expected the two ends of an edge`,
      );
    notes.push("the first column has no name: it numbers the rows and is not used");
  }
  const source = names.findIndex((text) => SOURCE.test(text));
  const target = names.findIndex((text) => TARGET.test(text));
  const known = source >= 0 && target >= 0;
  layout.source = known ? source : shift;
  layout.target = known ? target : shift + 1;
  if (known && (source !== shift || target !== shift + 1))
    notes.push(`the ends of an edge are the columns ${names[source]} and ${names[target]}`);
}

/** The name of each column; R writes none over the numbers of its rows. Null when the header has another number of names. */
function columnNames(header: readonly string[], columns: number, body: readonly Row[]): string[] | null {
  if (header.length === columns) return [...header];
  const counted = body.length > 0 && body.every(({ fields }, k) => Number(fields[0]) === k + 1);
  return header.length === columns - 1 && counted && isColumnNames(header) ? ["", ...header] : null;
}

/** The column called weight, else the one behind the ends when it holds numbers. */
function findWeight(layout: EdgeLayout, header: string[] | null, example: Row, name: string): void {
  const { notes, columns, source, target } = layout;
  if (columns < 3) return;
  const last = example.fields[columns - 1];
  layout.braces = last.startsWith("{");
  if (layout.braces && columns === 3) return;
  const names = header === null ? null : columnNames(header, columns, [example]);
  const third = Math.max(source, target) + 1;
  const called = names?.findIndex((text) => WEIGHT.test(text)) ?? -1;
  if (called >= 0) layout.weight = called;
  else if (third < columns && isWeight(example.fields[third]) && !NO_WEIGHT.test(names?.[third] ?? ""))
    layout.weight = third;
  else if (names === null)
    throw badData(
      `${name} line ${example.line}: expected "u v" or "u v weight", got ${example.fields[third] || "nothing"} as weight; where the columns are others, name them in a first line: source, target, weight`,
    );
  if (layout.weight >= 0)
    notes.push(
      layout.weight === 2 ? "the third column is the weight" : `column ${layout.weight + 1} is the weight`,
    );
  const unused = Array.from({ length: columns }, (_, column) => column).filter(
    (column) => ![source, target, layout.weight].includes(column) && names?.[column] !== "",
  );
  if (unused.length === 0) return;
  const [from, to] = [example.fields[source], example.fields[target]];
  if (isNumber(from) !== isNumber(to) && !(names !== null && isColumnNames(names)))
    throw badData(
      `${name} line ${example.line}: which columns are the ends of an edge cannot be told, ${from} and ${to} are of two kinds: name them in a first line: source, target, weight`,
    );
  const behindThird = "columns behind the third";
  layout.unread.push(...(names === null ? [behindThird] : unused.map((column) => `column ${names[column]}`)));
  notes.push(
    names === null
      ? `${behindThird} are not used`
      : `columns that are not used: ${unused.map((column) => names[column]).join(", ")}`,
  );
}
