/**
 * GDF (GUESS, Gephi): a table of nodes under nodedef>, a table of edges under edgedef>, commas between fields, ' or " around them.
 *
 *   nodedef>name VARCHAR,label VARCHAR,size DOUBLE          edgedef>node1 VARCHAR,node2 VARCHAR,weight DOUBLE,directed BOOLEAN
 *
 * Read are: name, label (takeNames), columns of numbers; node1, node2, weight, directed. A node that only edges name is a node, counted
 * in a note. Streams; O(file size).
 */
import { badData } from "../base/errors.js";
import type { ByteSource } from "./bytes.js";
import type { Dataset } from "./dataset.js";
import { forEachLine, inSentence, LinePlace } from "./each-line.js";
import { assemble, GraphDraft, takeNames } from "./graph-draft.js";
import type { FileFormat, ReadOptions } from "./reading.js";
import { xmlNumber } from "./xml.js";

export const gdf: FileFormat = {
  name: "gdf",
  title: "GDF",
  extensions: ["gdf"],
  recognises: (head) => /^\s*nodedef\s*>/i.test(head),
  read: readGDF,
};

const NUMERIC = /^(tinyint|smallint|int|integer|bigint|float|double|real|decimal|numeric)\b/i;

const OF_EDGES = new Set(["node1", "node2", "weight", "directed"]);

interface Column {
  name: string;
  numeric: boolean;
}

async function readGDF(source: ByteSource, options: ReadOptions): Promise<Dataset> {
  const place = new LinePlace(source.name);
  const draft = new GraphDraft();
  let nodes: Column[] | null = null;
  let edges: Column[] | null = null;
  await forEachLine(source, options, place, (line) => {
    const text = line.trim();
    if (text === "" || text.startsWith("#")) return;
    const definition = /^(nodedef|edgedef)\s*>\s*(.*)$/is.exec(text);
    if (definition !== null) {
      const columns = definition[2].split(",").map(columnOf);
      const isNodes = definition[1].toLowerCase() === "nodedef";
      if (isNodes && edges !== null) throw place.fail("nodedef> stands behind edgedef>: expected it before");
      if (isNodes) nodes = columns;
      else {
        edges = columns;
        for (const { name } of columns)
          if (!OF_EDGES.has(name)) draft.unused.add(`edge key ${inSentence(name)}`);
      }
      for (const name of isNodes ? ["name"] : ["node1", "node2"])
        if (!columns.some((column) => column.name === name))
          throw place.fail(`${definition[1]} has no column ${name}`);
    } else if (edges !== null) addEdge(draft, edges, fieldsOf(text, place), place);
    else if (nodes !== null) addNode(draft, nodes, fieldsOf(text, place), place);
    else throw place.fail(`got ${inSentence(text)}, expected nodedef>`);
  });
  if (nodes === null && edges === null) throw badData(`${source.name}: there is no nodedef> in the file`);
  const notes = ["GDF"];
  const declared = draft.declareAll();
  if (declared > 0) notes.push(`nodes that only edges name: ${declared}`);
  draft.check();
  takeNames([draft], notes, false);
  return assemble(source.name, [draft], notes);
}

function columnOf(text: string): Column {
  const [, name, type] = /^(\S*)\s*(.*)$/s.exec(text.trim())!;
  return { name: name.toLowerCase(), numeric: NUMERIC.test(type) };
}

/** The fields of a row; a quote that is not closed goes to the end of the line. */
function fieldsOf(text: string, place: LinePlace): string[] {
  const fields: string[] = [];
  const field = /\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^,]*))\s*(,|$)/y;
  for (let at = 0; ; at = field.lastIndex) {
    field.lastIndex = at;
    const found = field.exec(text);
    if (found === null)
      throw place.fail(`got ${inSentence(text.slice(at))}, expected fields with commas between them`);
    const quoted = found[1] ?? found[2];
    fields.push(quoted === undefined ? found[3].trim() : quoted.replace(/\\(.)/g, "$1"));
    if (found[4] === "") return fields;
  }
}

function addNode(
  draft: GraphDraft,
  columns: readonly Column[],
  fields: readonly string[],
  place: LinePlace,
): void {
  if (fields.length > columns.length)
    throw place.fail(`got ${fields.length} fields, expected at most ${columns.length}`);
  const id = fields[columns.findIndex(({ name }) => name === "name")];
  if (id === undefined || id === "") throw place.fail("the node has no name");
  const i = draft.declare(id, place);
  columns.forEach(({ name, numeric }, k) => {
    const text = fields[k] ?? "";
    if (name === "name" || text === "") return;
    const value = numeric ? xmlNumber(text) : text;
    if (value === undefined)
      throw place.fail(`${inSentence(name)}: got ${inSentence(text)}, expected a number`);
    if (typeof value === "string" || Number.isFinite(value)) draft.setValue(i, name, value);
  });
}

function addEdge(
  draft: GraphDraft,
  columns: readonly Column[],
  fields: readonly string[],
  place: LinePlace,
): void {
  if (fields.length > columns.length)
    throw place.fail(`got ${fields.length} fields, expected at most ${columns.length}`);
  const field = (name: string) => fields[columns.findIndex((column) => column.name === name)] ?? "";
  const [source, target] = [field("node1"), field("node2")];
  if (source === "" || target === "") throw place.fail("the edge lacks node1 or node2");
  const weight = field("weight");
  draft.edge(
    draft.use(source, place),
    draft.use(target, place),
    weight === "" ? undefined : place.weight(weight),
    /^(true|1)$/i.test(field("directed")),
  );
}
