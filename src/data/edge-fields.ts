/**
 * A line of an edge list as fields: split at one separator, quotes taken off, attributes in braces kept whole.
 */

/** What separates the fields: runs of blanks and tabs (" "), or one of the others with any blanks around it. */
export type Separator = " " | "\t" | ";" | "," | "|";

/** In the order in which they are tried: the first that cuts all lines into the same number of columns. */
export const SEPARATORS: readonly Separator[] = ["\t", ";", ",", "|", " "];

/** The fields of a line; null when a double quote is opened and not closed. A separator at the very end adds no field. O(length). */
export function splitLine(line: string, separator: Separator): string[] | null {
  if (!/["'{]/.test(line)) return plainFields(line, separator);
  const brace = line.indexOf("{");
  if (brace > 0) {
    const before = line.slice(0, brace);
    const isField = separator === " " ? /[ \t]$/.test(before) : before.trimEnd().endsWith(separator);
    // attributes, whatever is in them, are one field and the last
    if (isField && !/["']/.test(before) && before.trim() !== "")
      return [...plainFields(before, separator), line.slice(brace).trimEnd()];
  }
  const fields: string[] = [];
  const isBlank = (c: string) => c === " " || (c === "\t" && separator !== "\t");
  const isEnd = (c: string) => (separator === " " ? isBlank(c) : c === separator);
  let at = 0;
  const skip = () => {
    while (at < line.length && isBlank(line[at])) at++;
  };
  for (skip(); at < line.length; skip()) {
    const c = line[at];
    if (c === "{") {
      fields.push(line.slice(at).trimEnd());
      return fields;
    }
    const closed = c === '"' || c === "'" ? quotedEnd(line, at, (text) => isEnd(text) || isBlank(text)) : -1;
    if (c === '"' && closed < 0) return null;
    if (closed >= 0) {
      fields.push(line.slice(at + 1, closed).replaceAll(c + c, c));
      at = closed + 1;
      skip();
    } else {
      const start = at;
      while (at < line.length && !isEnd(line[at])) at++;
      fields.push(line.slice(start, at).trim());
    }
    if (separator !== " " && line[at] === separator) at++;
  }
  return fields;
}

/** The fields of one line by itself, at the strongest separator in it. */
export function lineFields(line: string): string[] {
  const plain = line.replace(/\{.*$/, "");
  return splitLine(line, SEPARATORS.find((separator) => plain.includes(separator)) ?? " ") ?? [line];
}

/** Where the quote opened at `start` closes: before the end of the field; -1 when it does not. */
function quotedEnd(line: string, start: number, endsField: (c: string) => boolean): number {
  const quote = line[start];
  for (let at = start + 1; at < line.length; at++) {
    if (line[at] !== quote) continue;
    if (line[at + 1] === quote) at++;
    else if (at + 1 >= line.length || endsField(line[at + 1])) return at;
    else if (quote === '"') return -1;
  }
  return -1;
}

function plainFields(line: string, separator: Separator): string[] {
  if (separator === " ") return line.trim().split(/[ \t]+/);
  const fields = line.split(separator);
  if (fields.length > 1 && fields[fields.length - 1].trim() === "") fields.pop();
  for (let k = 0; k < fields.length; k++) fields[k] = fields[k].trim();
  return fields;
}

/** What no field of an edge list begins with or leaves open: a tag, a bracket. Null when nothing is wrong. */
export function oddField(field: string): string | null {
  if (/^<[a-z/!?]/i.test(field)) return "a tag of HTML or XML";
  const open: string[] = [];
  for (const c of field) {
    if ("([{".includes(c)) open.push(c);
    else if (")]}".includes(c) && open.pop() !== "([{"[")]}".indexOf(c)])
      return `a bracket ${c} that is not opened`;
  }
  return open.length > 0 ? `a bracket ${open[0]} that is not closed` : null;
}

/**
 * The entries of "{'weight': 2.5, 'kind': 'a, b'}", a dictionary as Python or JSON writes it, values as they stand; null when it is none.
 * O(length).
 */
export function dictionaryEntries(text: string): Map<string, string> | null {
  const entries = new Map<string, string>();
  if (!text.startsWith("{") || !text.endsWith("}")) return null;
  const inside = text.slice(1, -1);
  let depth = 0;
  let start = 0;
  let colon = -1;
  const endEntry = (end: number): boolean => {
    const entry = inside.slice(start, end).trim();
    const key = colon < 0 ? "" : unquoted(inside.slice(start, colon).trim());
    if (entry !== "") entries.set(key, inside.slice(colon + 1, end).trim());
    const fine = entry === "" || colon >= 0;
    start = end + 1;
    colon = -1;
    return fine;
  };
  for (let at = 0; at < inside.length; at++) {
    const c = inside[at];
    if (c === "'" || c === '"') {
      for (at++; at < inside.length && inside[at] !== c; at++) if (inside[at] === "\\") at++;
      if (at >= inside.length) return null;
    } else if ("([{".includes(c)) depth++;
    else if (")]}".includes(c)) {
      if (--depth < 0) return null;
    } else if (c === ":" && depth === 0 && colon < 0) colon = at;
    else if (c === "," && depth === 0 && !endEntry(at)) return null;
  }
  return depth === 0 && endEntry(inside.length) ? entries : null;
}

const unquoted = (text: string) => (/^(['"]).*\1$/.test(text) ? text.slice(1, -1) : text);
