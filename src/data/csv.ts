/** Small tables of text: commas, semicolons or tabs between fields, fields in double quotes where they hold one of these. */
import { badData } from "../base/errors.js";
import { type ByteSource, collect } from "./bytes.js";
import { readAsUtf8 } from "./encoding.js";

export interface CsvRow {
  /** Line of the file on which the row starts, from 1. */
  line: number;
  fields: string[];
}

/** The rows that are not blank, fields trimmed outside of quotes; `notes` get the encoding, if there is something to say. O(size). */
export async function readCsv(source: ByteSource, notes: string[]): Promise<CsvRow[]> {
  const bytes = await readAsUtf8(source, notes, (text) => collect(text.stream()));
  const text = new TextDecoder().decode(bytes);
  const separator = [",", ";", "\t"].find((s) => firstLine(text).includes(s)) ?? ",";
  const rows: CsvRow[] = [];
  let row: CsvRow = { line: 1, fields: [] };
  let field = "";
  let quoted = false;
  /** Whether the field has nothing but blanks so far: looked up for every quote, so not searched for each time. */
  let blank = true;
  let line = 1;
  const endField = () => {
    row.fields.push(quoted ? field : field.trim());
    field = "";
    quoted = false;
    blank = true;
  };
  const endRow = () => {
    endField();
    if (row.fields.length > 1 || row.fields[0] !== "") rows.push(row);
  };
  for (let at = 0; at < text.length; at++) {
    const c = text[at];
    if (c === '"' && !quoted && blank) {
      const start = line;
      field = "";
      quoted = true;
      for (at++; ; at++) {
        if (at >= text.length)
          throw badData(`${source.name} line ${start}: a quoted field is never closed: expected another "`);
        if (text[at] === '"' && text[at + 1] !== '"') break;
        if (text[at] === '"') at++;
        if (text[at] === "\n") line++;
        field += text[at];
      }
    } else if (c === separator) endField();
    else if (c === "\n") {
      endRow();
      row = { line: ++line, fields: [] };
    } else if (!quoted) {
      field += c;
      blank &&= c.trim() === "";
    } else if (c.trim() !== "")
      throw badData(
        `${source.name} line ${line}: got ${c} behind a quoted field, expected ${JSON.stringify(separator)}`,
      );
  }
  endRow();
  return rows;
}

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  return end < 0 ? text : text.slice(0, end);
}

/** A field of a table to write: in double quotes where it holds a separator, a quote, a line end or space at an end. */
export const csvField = (text: string): string =>
  /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
