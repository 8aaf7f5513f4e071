/**
 * GML (Himsolt, Passau 1997), as networkx, igraph, Gephi, yEd and Newman's collection write it: keys with a number, a "string" or a
 * [ block ] each; lines that begin with # are comments; strings may go over lines and hold entities such as &#34; and &uuml;.
 *
 * Read are: graph blocks, one or several; directed; nodes with their id; label as takeNames says; node keys that are numbers, or lists of
 * them (a key again and again); edges with weight, or with value where the graph has no weight at all; the graph keys class or target, and
 * label or name. Blocks inside nodes and edges (graphics) and other keys of edges are not used, and a note says so. Streams; O(file size).
 */
import { badData } from "../base/errors.js";
import type { ByteSource } from "./bytes.js";
import type { Dataset } from "./dataset.js";
import { forEachLine, inSentence, LinePlace } from "./each-line.js";
import { assemble, checkWeight, GraphDraft, takeNames } from "./graph-draft.js";
import { Float64List } from "./growable.js";
import type { FileFormat, ReadOptions } from "./reading.js";
import { xmlNumber } from "./xml.js";

export const gml: FileFormat = {
  name: "gml",
  title: "GML",
  extensions: ["gml"],
  recognises: (head) => START.test(head),
  read: readGML,
};

/** Blanks, comments and keys of the file, told apart by their first character, then the first graph. */
const START =
  /^(?:\s|#[^\n]*\n|(?:creator|version|comment|directed)[ \t]+(?:"[^"]*"|[^\s"]+)[ \t\r]*\n)*graph\s*\[/i;

async function readGML(source: ByteSource, options: ReadOptions): Promise<Dataset> {
  const place = new LinePlace(source.name);
  const parser = new GMLParser(place);
  await forEachLine(source, options, place, (line) => parser.line(line));
  return parser.finish();
}

type Value = string | number;

/** What is read of the block that is open. */
interface Block {
  kind: "file" | "graph" | "node" | "edge" | "other";
  fields: Map<string, Value | number[]>;
  opened: number;
}

/** White space, a comment, a bracket, the beginning of a string, or a word. */
const TOKEN = /[\s\ufeff]*(#.*|[[\]"]|[^\s[\]"#]+)/y;

class GMLParser {
  private readonly drafts: GraphDraft[] = [];
  private readonly notes = ["GML"];
  private readonly blocks: Block[] = [{ kind: "file", fields: new Map(), opened: 1 }];
  private draft = new GraphDraft();
  /** Weights and values of the edges of this graph, NaN where an edge has none. */
  private weights = new Float64List(64);
  private values = new Float64List(64);
  /** The key that waits for its value. */
  private key: string | null = null;
  /** The string that is open, with the line where it began. */
  private text: { pieces: string[]; line: number } | null = null;

  constructor(private readonly place: LinePlace) {}

  line(line: string): void {
    let at = 0;
    while (at < line.length) {
      if (this.text !== null) {
        const quote = line.indexOf('"', at);
        this.text.pieces.push(quote < 0 ? line.slice(at) : line.slice(at, quote));
        if (quote < 0) break;
        at = quote + 1;
        const whole = this.text.pieces.join("\n");
        this.text = null;
        this.value(unescaped(whole));
        continue;
      }
      TOKEN.lastIndex = at;
      const token = TOKEN.exec(line)?.[1];
      if (token === undefined || token.startsWith("#")) break;
      at = TOKEN.lastIndex;
      if (token === '"') this.openText();
      else if (token === "[") this.open();
      else if (token === "]") this.close();
      else if (this.key !== null) this.word(token);
      else this.key = this.checkedKey(token);
    }
    // an empty line inside of a string
    if (line === "") this.text?.pieces.push("");
  }

  private checkedKey(token: string): string {
    if (/^[A-Za-z_][\w.-]*$/.test(token)) return token;
    throw this.place.fail(`got ${inSentence(token)}, expected a key`);
  }

  private openText(): void {
    if (this.key === null) throw this.place.fail('got ", expected a key before a string');
    this.text = { pieces: [], line: this.place.line };
  }

  private word(token: string): void {
    const number = xmlNumber(token);
    if (number === undefined)
      throw this.place.fail(
        `the value of ${inSentence(this.key!)}: got ${inSentence(token)}, expected a number, a string in quotes or [`,
      );
    // names are kept as they are written: 02 is another than 2, and no number has all digits beyond 2^53
    const isName = NAMES.has(this.key!) || (this.key === "class" && this.blocks.at(-1)!.kind === "graph");
    this.value(isName ? token : number);
  }

  private value(value: Value): void {
    const { fields } = this.blocks.at(-1)!;
    const key = this.key!;
    this.key = null;
    const before = fields.get(key);
    if (before !== undefined && NAMES.has(key)) throw this.place.fail(`a second ${key} in the same block`);
    if (before === undefined || typeof value === "string") fields.set(key, value);
    else if (typeof before === "number") fields.set(key, [before, value]);
    else if (typeof before === "object") before.push(value);
  }

  private open(): void {
    if (this.key === null) throw this.place.fail("got [, expected a key before it");
    const key = this.key.toLowerCase();
    this.key = null;
    const parent = this.blocks.at(-1)!.kind;
    let kind: Block["kind"] = "other";
    if (parent === "file" && key === "graph") kind = "graph";
    else if (parent === "graph" && (key === "node" || key === "edge")) kind = key;
    else if (parent === "node" && (key === "graph" || key === "node"))
      throw this.place.fail(
        `a ${key} inside a node is not supported: expected a graph of plain nodes and edges`,
      );
    else if (parent === "node" || parent === "edge")
      this.draft.unused.add(`${parent} key ${inSentence(key)}`);
    this.blocks.push({ kind, fields: new Map(), opened: this.place.line });
  }

  private close(): void {
    if (this.key !== null) throw this.place.fail(`the key ${inSentence(this.key)} has no value`);
    const block = this.blocks.pop()!;
    if (block.kind === "file") throw this.place.fail("got ], but no block is open");
    if (block.kind === "node") this.node(block.fields);
    else if (block.kind === "edge") this.edge(block.fields);
    else if (block.kind === "graph") this.graph(block.fields);
  }

  private need(fields: Block["fields"], key: string, element: string): string {
    const value = fields.get(key);
    if (value === undefined || value === "")
      throw this.place.fail(`the ${element} that ends here has no ${key}: expected ${key} and a number`);
    return String(value);
  }

  private node(fields: Block["fields"]): void {
    const i = this.draft.declare(this.need(fields, "id", "node"), this.place);
    for (const [key, value] of fields) {
      if (key === "id") continue;
      // NaN and infinities are no values
      if (
        typeof value === "string" ||
        (typeof value === "number" ? Number.isFinite(value) : value.every(Number.isFinite))
      )
        this.draft.setValue(i, key, value);
    }
  }

  private edge(fields: Block["fields"]): void {
    const source = this.draft.use(this.need(fields, "source", "edge"), this.place);
    const target = this.draft.use(this.need(fields, "target", "edge"), this.place);
    this.draft.edge(source, target, undefined, false);
    const weight = fields.get("weight");
    const value = fields.get("value");
    this.weights.push(weight === undefined ? Number.NaN : this.weight(weight));
    // a value that is text is no weight; one that is a number must be able to be one once it is taken
    this.values.push(typeof value === "number" ? value : Number.NaN);
    for (const key of fields.keys())
      if (!OF_EDGES.has(key)) this.draft.unused.add(`edge key ${inSentence(key)}`);
  }

  private weight(value: Value | number[]): number {
    return checkWeight(typeof value === "string" ? (xmlNumber(value) ?? value) : value, this.place);
  }

  private graph(fields: Block["fields"]): void {
    const { draft, weights, values } = this;
    draft.numericIds = draft.ids.every((id) => /^(0|-?[1-9]\d{0,14})$/.test(id));
    this.takeWeights(draft, weights.values(), values.values());
    if (fields.get("directed") === 1) draft.directedEdges = draft.sources.length;
    const className = fields.get("class") ?? fields.get("target");
    if (className !== undefined && typeof className !== "object") draft.className = className;
    const name = fields.get("label") ?? fields.get("name");
    if (typeof name === "string" && name !== "") draft.name = name;
    draft.check();
    this.drafts.push(draft);
    this.draft = new GraphDraft();
    this.weights = new Float64List(64);
    this.values = new Float64List(64);
  }

  private takeWeights(draft: GraphDraft, weights: Float64Array, values: Float64Array): void {
    const isGiven = (x: number) => !Number.isNaN(x);
    const byWeight = weights.some(isGiven);
    const hasValues = values.some(isGiven);
    if (byWeight && hasValues) draft.unused.add("edge key value");
    if (!byWeight && !hasValues) return;
    if (!byWeight && !this.notes.includes(VALUE_IS_WEIGHT)) this.notes.push(VALUE_IS_WEIGHT);
    const chosen = byWeight ? weights : values;
    const into = draft.weights.values();
    for (let e = 0; e < chosen.length; e++)
      if (isGiven(chosen[e])) {
        into[e] = checkWeight(chosen[e], `${this.place.file}: edge ${e + 1}`);
        draft.weightedEdges++;
      }
  }

  finish(): Dataset {
    const { file } = this.place;
    if (this.text !== null)
      throw badData(`${file} line ${this.text.line}: a string is never closed: expected another "`);
    if (this.blocks.length > 1)
      throw badData(
        `${file} line ${this.blocks.at(-1)!.opened}: a block is never closed: expected ] before the end of the file`,
      );
    if (this.key !== null) throw this.place.fail(`the key ${inSentence(this.key)} has no value`);
    if (this.drafts.length === 0) throw badData(`${file}: there is no graph [ in the file`);
    takeNames(this.drafts, this.notes, true);
    return assemble(file, this.drafts, this.notes);
  }
}

const VALUE_IS_WEIGHT = "the edge key value is the weight";

/** Keys of names: a block has each once, and their values are compared as text. */
const NAMES = new Set(["id", "label", "source", "target"]);
/** Keys of edges that are used, or that only number the edges. */
const OF_EDGES = new Set(["source", "target", "weight", "value", "id", "key"]);

/** Entities of the characters 160 to 255, in their order. */
const LATIN =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";
const ENTITIES = new Map([
  ...LATIN.split(" ").map((name, k) => [name, String.fromCharCode(160 + k)] as const),
  ["quot", '"'],
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["apos", "'"],
]);

/** Entities as the characters they stand for; one that is not known stays as it is. */
function unescaped(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,10}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES.get(name) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
