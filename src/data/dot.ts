/**
 * DOT, the language of Graphviz, as people and programs (networkx through pydot or pygraphviz, igraph, Gephi) write it.
 *
 * Read are: graph and digraph, one or several; chains of edges; subgraphs, also as ends of edges (every node of the one to every node of the
 * other); defaults of nodes and edges (node [ ], edge [ ]) within their braces; ids that are words, numbers, "strings" (joined by +) or
 * <HTML>; comments. Used of attributes: weight of edges, label of nodes as takeNames says, node attributes that are numbers, class of the
 * graph. Not used, with a note, are ports, other attributes of edges and what says how nodes are drawn. Streams; O(file size + edges).
 */
import { badData, GraphdosError } from "../base/errors.js";
import type { ByteSource } from "./bytes.js";
import type { Dataset } from "./dataset.js";
import { forEachLine, inSentence, LinePlace } from "./each-line.js";
import { assemble, GraphDraft, takeNames } from "./graph-draft.js";
import type { FileFormat, ReadOptions } from "./reading.js";
import { xmlNumber } from "./xml.js";

export const dot: FileFormat = {
  name: "dot",
  title: "DOT",
  extensions: ["dot", "gv"],
  recognises: (head) => START.test(head),
  read: readDot,
};

/** Blanks and comments, then graph or digraph with a brace: alternatives differ in their first characters. */
const START =
  /^(?:\s|#[^\n]*\n|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:strict\s+)?(?:graph|digraph)(?:\s+[\w.-]+|\s*"[^"]*")?\s*\{/i;

/** So many edges between subgraphs are given to anyone, more to files that bring lines: { } -- { } is a product. */
const MANY_EDGES = 2 ** 20;
const EDGES_A_LINE = 256;
const MAX_DEPTH = 1000;

/** Attributes of nodes that are numbers and say how Graphviz draws them. */
const DRAWING = new Set(
  "width height fontsize penwidth peripheries sides skew distortion orientation margin area regular rank z samplepoints".split(
    " ",
  ),
);

async function readDot(source: ByteSource, options: ReadOptions): Promise<Dataset> {
  const place = new LinePlace(source.name);
  const parser = new DotParser(place);
  const scanner = new DotScanner(place, (kind, text) => parser.token(kind, text));
  await forEachLine(source, options, place, (line) => scanner.line(line));
  scanner.end();
  return parser.finish();
}

type Kind = "id" | "word" | "mark";

/** White space, a comment, a mark, a number, a word, or the beginning of a string. */
const TOKEN =
  /\s*(?:(\/\/.*|\/\*)|(--|->|[{}[\];,=:+])|(-?(?:\.\d+|\d+(?:\.\d*)?))|([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)|(["<]))/y;

class DotScanner {
  /** The string, HTML or comment that is open, with the line where it began; depth counts the < of HTML. */
  private open: { kind: '"' | "<" | "/*"; pieces: string[]; line: number; depth: number } | null = null;
  /** A string that may go on behind a +. */
  private string: string | null = null;
  private joining = false;

  constructor(
    private readonly place: LinePlace,
    private readonly emit: (kind: Kind, text: string) => void,
  ) {}

  line(line: string): void {
    if (this.open === null && line.startsWith("#")) return;
    let at = 0;
    while (at < line.length) {
      if (this.open !== null) {
        at = this.inside(line, at);
        continue;
      }
      TOKEN.lastIndex = at;
      const found = TOKEN.exec(line);
      if (found === null) {
        const rest = line.slice(at).trim();
        if (rest !== "")
          throw this.place.fail(`got ${inSentence(rest)}, expected a node, an edge or a brace`);
        return;
      }
      at = TOKEN.lastIndex;
      const [, comment, mark, number, word, opening] = found;
      if (comment?.startsWith("//")) return;
      if (comment !== undefined) this.start("/*");
      else if (opening !== undefined) this.start(opening as '"' | "<");
      else if (mark === "+" && this.string !== null && !this.joining) this.joining = true;
      else {
        this.flush();
        if (mark !== undefined) this.emit("mark", mark);
        else if (number !== undefined) this.emit("id", number);
        else this.emit("word", word);
      }
    }
    // an empty line inside of a string
    if (line === "" && this.open !== null) this.open.pieces.push("\n");
  }

  private start(kind: '"' | "<" | "/*"): void {
    if (kind === "<" || (kind === '"' && !this.joining)) this.flush();
    this.open = { kind, pieces: [], line: this.place.line, depth: 1 };
  }

  /** Goes on in what is open; gives where it stopped. */
  private inside(line: string, at: number): number {
    const open = this.open!;
    if (open.kind === "/*") {
      const end = line.indexOf("*/", at);
      if (end < 0) return line.length;
      this.open = null;
      return end + 2;
    }
    let end = at;
    if (open.kind === '"') {
      while (end < line.length && line[end] !== '"') end += line[end] === "\\" ? 2 : 1;
      if (end >= line.length) {
        // a backslash at the end of a line joins it with the next
        open.pieces.push(end > line.length ? line.slice(at, -1) : `${line.slice(at)}\n`);
        return line.length;
      }
      open.pieces.push(line.slice(at, end));
      this.string = (this.string ?? "") + open.pieces.join("").replaceAll('\\"', '"');
      this.joining = false;
    } else {
      for (; end < line.length; end++) {
        if (line[end] === "<") open.depth++;
        else if (line[end] === ">" && --open.depth === 0) break;
      }
      open.pieces.push(line.slice(at, end));
      if (end === line.length) {
        open.pieces.push("\n");
        return end;
      }
      this.emit("id", `<${open.pieces.join("")}>`);
    }
    this.open = null;
    return end + 1;
  }

  private flush(): void {
    if (this.string === null) return;
    if (this.joining) throw this.place.fail("got +, expected a string in quotes behind it");
    const text = this.string;
    this.string = null;
    this.emit("id", text);
  }

  end(): void {
    if (this.open !== null) {
      const what = {
        '"': 'a string is never closed: expected another "',
        "<": "< is never closed: expected >",
      };
      const sentence =
        this.open.kind === "/*" ? "a comment is never closed: expected */" : what[this.open.kind];
      throw badData(`${this.place.file} line ${this.open.line}: ${sentence}`);
    }
    this.flush();
  }
}

/** What the next token may be. */
type Expected =
  | "graph"
  | "graph name"
  | "{"
  | "statement"
  | "behind an end"
  | "end of an edge"
  | "port"
  | "subgraph name"
  | "["
  | "attribute"
  | "= of an attribute"
  | "value"
  | "graph value";

type Attributes = Map<string, string>;

/** One pair of braces. */
interface Scope {
  nodes: Set<number>;
  nodeDefaults: Attributes;
  edgeDefaults: Attributes;
  /** The ends of the edges of the statement in which the braces stand. */
  ends: number[][];
  line: number;
}

class DotParser {
  private readonly drafts: GraphDraft[] = [];
  private readonly notes = ["DOT"];
  private readonly scopes: Scope[] = [];
  private draft = new GraphDraft();
  private directed = false;
  private expected: Expected = "graph";
  /** The statement: ends of its edges so far, the id that may become one, what its attributes belong to. */
  private ends: number[][] = [];
  private id: string | null = null;
  private defaultsOf: "node" | "edge" | "graph" | null = null;
  private attributes: Attributes = new Map();
  private key = "";

  constructor(private readonly place: LinePlace) {}

  token(kind: Kind, text: string): void {
    const isMark = kind === "mark";
    const keyword = kind === "word" ? text.toLowerCase() : "";
    switch (this.expected) {
      case "graph":
        if (keyword === "strict") return;
        if (keyword !== "graph" && keyword !== "digraph") throw this.unexpected(text, "graph or digraph");
        this.directed = keyword === "digraph";
        this.expected = "graph name";
        return;
      case "graph name":
        if (isMark) this.brace(text);
        else {
          if (text !== "") this.draft.name = text;
          this.expected = "{";
        }
        return;
      case "{":
        this.brace(text);
        return;
      case "subgraph name":
        if (isMark) this.brace(text);
        else this.expected = "{";
        return;
      case "statement":
        this.statement(isMark, keyword, text);
        return;
      case "behind an end":
        this.behindEnd(isMark, keyword, text);
        return;
      case "end of an edge":
        if (isMark && text === "{") this.open();
        else if (isMark) throw this.unexpected(text, "a node");
        else if (keyword === "subgraph") this.expected = "subgraph name";
        else this.end(text);
        return;
      case "port":
        if (isMark) throw this.unexpected(text, "a port");
        this.draft.unused.add("ports");
        this.expected = "behind an end";
        return;
      case "[":
        if (!isMark || text !== "[") throw this.unexpected(text, "[");
        this.expected = "attribute";
        return;
      case "attribute":
        if (isMark && text === "]") this.expected = "behind an end";
        else if (!isMark) {
          this.key = text;
          this.expected = "= of an attribute";
        } else if (text !== "," && text !== ";") throw this.unexpected(text, "an attribute or ]");
        return;
      case "= of an attribute":
        if (isMark && text === "=") this.expected = "value";
        else {
          this.attributes.set(this.key, "true");
          this.expected = "attribute";
          this.token(kind, text);
        }
        return;
      case "value":
        if (isMark) throw this.unexpected(text, `the value of ${inSentence(this.key)}`);
        this.attributes.set(this.key, text);
        this.expected = "attribute";
        return;
      case "graph value":
        if (isMark) throw this.unexpected(text, `the value of ${inSentence(this.key)}`);
        this.graphAttribute(this.key, text);
        this.expected = "statement";
        return;
    }
  }

  private unexpected(text: string, expected: string): GraphdosError {
    return this.place.fail(`got ${inSentence(text)}, expected ${expected}`);
  }

  private brace(text: string): void {
    if (text !== "{") throw this.unexpected(text, "{");
    this.open();
  }

  private statement(isMark: boolean, keyword: string, text: string): void {
    if (isMark && text === ";") return;
    if (isMark && text === "}") this.close();
    else if (isMark && text === "{") this.open();
    else if (isMark) throw this.unexpected(text, "a node, an edge or }");
    else if (keyword === "subgraph") this.expected = "subgraph name";
    else if (keyword === "node" || keyword === "edge" || keyword === "graph") {
      this.defaultsOf = keyword;
      this.expected = "[";
    } else this.end(text);
  }

  private end(id: string): void {
    this.id = id;
    this.expected = "behind an end";
  }

  private behindEnd(isMark: boolean, keyword: string, text: string): void {
    if (isMark && text === "=" && this.id !== null && this.ends.length === 0) {
      this.key = this.id;
      this.id = null;
      this.expected = "graph value";
    } else if (isMark && text === ":" && this.id !== null) this.expected = "port";
    else if (isMark && (text === "--" || text === "->")) {
      if ((text === "->") !== this.directed || this.defaultsOf !== null)
        throw this.unexpected(text, this.directed ? "-> in a digraph" : "-- in a graph");
      this.takeId();
      this.expected = "end of an edge";
    } else if (isMark && text === "[") {
      this.takeId();
      this.expected = "attribute";
    } else {
      this.finishStatement();
      this.expected = "statement";
      this.statement(isMark, keyword, text);
    }
  }

  private get scope(): Scope {
    return this.scopes.at(-1)!;
  }

  /** The id becomes a node, with the defaults that hold where it is first named. */
  private takeId(): void {
    if (this.id === null) return;
    const known = this.draft.ids.length;
    const i = this.draft.use(this.id, this.place);
    if (i === known) for (const [key, value] of this.scope.nodeDefaults) this.nodeValue(i, key, value);
    // only subgraphs are asked for their nodes
    if (this.scopes.length > 1) this.scope.nodes.add(i);
    this.ends.push([i]);
    this.id = null;
  }

  private nodeValue(i: number, key: string, text: string): void {
    const { draft } = this;
    if (DRAWING.has(key)) draft.unused.add("how nodes are drawn");
    else if (key === "label")
      draft.setValue(
        i,
        key,
        text.replace(/\\([N\\])/g, (_, c) => (c === "N" ? draft.ids[i] : c)),
      );
    else {
      const value = xmlNumber(text) ?? text;
      if (typeof value === "string" || Number.isFinite(value)) draft.setValue(i, key, value);
    }
  }

  private finishStatement(): void {
    this.takeId();
    const { ends, attributes } = this;
    if (this.defaultsOf === "graph") {
      for (const [key, value] of attributes) this.graphAttribute(key, value);
    } else if (this.defaultsOf !== null) {
      const defaults = this.defaultsOf === "node" ? this.scope.nodeDefaults : this.scope.edgeDefaults;
      for (const [key, value] of attributes) defaults.set(key, value);
    } else if (ends.length > 1) this.edges(ends, new Map([...this.scope.edgeDefaults, ...attributes]));
    else if (ends.length === 1 && attributes.size > 0)
      for (const i of ends[0]) for (const [key, value] of attributes) this.nodeValue(i, key, value);
    this.ends = [];
    this.defaultsOf = null;
    if (attributes.size > 0) this.attributes = new Map();
  }

  private edges(ends: readonly number[][], attributes: Attributes): void {
    const { draft } = this;
    const text = attributes.get("weight");
    const weight = text === undefined ? undefined : this.place.weight(text);
    for (const key of attributes.keys())
      if (key !== "weight" && key !== "key") draft.unused.add(`edge key ${inSentence(key)}`);
    for (let k = 1; k < ends.length; k++) {
      const [from, to] = [ends[k - 1], ends[k]];
      const product = from.length * to.length;
      if (product > 1 && draft.sources.length + product > MANY_EDGES + EDGES_A_LINE * this.place.line)
        throw new GraphdosError(
          "limit",
          `${this.place}: an edge between subgraphs of ${from.length} and ${to.length} nodes makes more edges than are given to so short a file; write them one by one`,
        );
      for (const i of from) for (const j of to) draft.edge(i, j, weight, this.directed);
    }
  }

  private graphAttribute(key: string, value: string): void {
    if (key === "class" && this.scopes.length === 1) this.draft.className = value;
  }

  private open(): void {
    if (this.scopes.length === MAX_DEPTH)
      throw this.place.fail(`braces are more than ${MAX_DEPTH} deep: expected fewer`);
    const outer = this.scopes.at(-1);
    this.scopes.push({
      nodes: new Set(),
      nodeDefaults: new Map(outer?.nodeDefaults),
      edgeDefaults: new Map(outer?.edgeDefaults),
      ends: this.ends,
      line: this.place.line,
    });
    this.ends = [];
    this.expected = "statement";
  }

  private close(): void {
    const { nodes, ends } = this.scopes.pop()!;
    this.ends = ends;
    if (this.scopes.length === 0) {
      this.draft.declareAll();
      this.draft.check();
      this.drafts.push(this.draft);
      this.draft = new GraphDraft();
      this.expected = "graph";
      return;
    }
    if (this.scopes.length > 1) for (const i of nodes) this.scope.nodes.add(i);
    this.ends.push([...nodes]);
    this.expected = "behind an end";
  }

  finish(): Dataset {
    const { file } = this.place;
    if (this.scopes.length > 0)
      throw badData(
        `${file} line ${this.scope.line}: a brace is never closed: expected } before the end of the file`,
      );
    if (this.expected !== "graph") throw this.place.fail("the file ends before {");
    if (this.drafts.length === 0) throw badData(`${file}: there is no graph { in the file`);
    const numeric = this.drafts.every((draft) => draft.ids.every((id) => /^\d+$/.test(id)));
    for (const draft of this.drafts)
      draft.numericIds = draft.ids.every((id) => /^(0|[1-9]\d{0,14})$/.test(id));
    takeNames(this.drafts, this.notes, numeric);
    return assemble(file, this.drafts, this.notes);
  }
}
