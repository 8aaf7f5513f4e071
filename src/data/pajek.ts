/**
 * Pajek's networks (.net) and projects (.paj): *Vertices n, then *Edges, *Arcs, *Edgeslist, *Arcslist or *Matrix; nodes count from 1;
 * lines that begin with % are comments.
 *
 * Read are: labels of vertices (takeNames), edges with the weight in the third column, matrices (of two modes too), several networks in
 * one file. What says how to draw (coordinates, shapes, colours) and other sections (*Partition, *Vector) are not used, and a note says so.
 * Streams; O(file size).
 */
import { badData, GraphdosError } from "../base/errors.js";
import { MAX_NODES } from "../graph/graph.js";
import type { ByteSource } from "./bytes.js";
import type { Dataset } from "./dataset.js";
import { forEachLine, inSentence, LinePlace } from "./each-line.js";
import { assemble, GraphDraft, takeNames } from "./graph-draft.js";
import type { FileFormat, ReadOptions } from "./reading.js";

/** So many nodes are given to anyone, more to files that bring lines: a few bytes may not ask for gigabytes. */
const MANY_NODES = 2 ** 22;
const NODES_A_LINE = 64;

export const pajek: FileFormat = {
  name: "pajek",
  title: "Pajek",
  extensions: ["net", "paj"],
  recognises: (head) => START.test(head),
  read: readPajek,
};

/** Blanks, comments and the name of the network, told apart by their first characters. */
const START = /^(?:\s|%[^\n]*\n|\*network[^\n]*\n)*\*vertices\b/i;

async function readPajek(source: ByteSource, options: ReadOptions): Promise<Dataset> {
  const place = new LinePlace(source.name);
  const parser = new PajekParser(place);
  await forEachLine(source, options, place, (line) => parser.line(line));
  return parser.finish();
}

type Section = "none" | "vertices" | "edges" | "arcs" | "edgeslist" | "arcslist" | "matrix" | "other";

class PajekParser {
  private readonly drafts: GraphDraft[] = [];
  private readonly notes = ["Pajek"];
  private readonly unused = new Set<string>();
  private draft: GraphDraft | null = null;
  private labels: (string | undefined)[] = [];
  private labelled = 0;
  private section: Section = "none";
  private networkName: string | undefined;
  /** Of a matrix: its rows, the first column's node, and how many values were read. */
  private rows = 0;
  private firstColumn = 0;
  private cell = 0;

  constructor(private readonly place: LinePlace) {}

  line(line: string): void {
    const text = line.trim();
    if (text === "" || text.startsWith("%")) return;
    if (text.startsWith("*")) this.open(text);
    else if (this.section === "vertices") this.vertex(text);
    else if (this.section === "edges" || this.section === "arcs") this.edge(text.split(/\s+/));
    else if (this.section === "edgeslist" || this.section === "arcslist") this.list(text.split(/\s+/));
    else if (this.section === "matrix") this.matrixRow(text.split(/\s+/));
    else if (this.section === "none")
      throw this.place.fail(`got ${inSentence(text)}, expected *Vertices and their number`);
  }

  private open(text: string): void {
    const words = text.split(/\s+/);
    const name = words[0].slice(1).toLowerCase().replace(/:.*$/, "");
    if (/:\d/.test(words[1] ?? words[0])) this.unused.add("which relation a line belongs to");
    if (this.section === "matrix") this.endMatrix();
    if (name === "network") {
      this.endNetwork();
      this.networkName = text.slice(words[0].length).trim() || undefined;
      this.section = "none";
    } else if (
      name === "vertices" &&
      this.draft !== null &&
      this.unused.size > 0 &&
      this.section === "other"
    ) {
      // partitions and vectors repeat the number of vertices
      return;
    } else if (name === "vertices") this.openVertices(words);
    else if (/^(edges|arcs|edgeslist|arcslist|matrix)$/.test(name)) {
      if (this.draft === null) throw this.place.fail(`${words[0]} stands before *Vertices`);
      this.section = name as Section;
      this.cell = 0;
    } else {
      this.section = "other";
      this.unused.add(`*${inSentence(name)}`);
    }
  }

  private openVertices(words: string[]): void {
    this.endNetwork();
    const n = this.place.whole(words[1], "number of vertices", 0, MAX_NODES);
    const first = words[2] === undefined ? n : this.place.whole(words[2], "vertices of the first mode", 0, n);
    this.draft = new GraphDraft();
    this.draft.numbered = n;
    this.draft.name = this.networkName;
    this.networkName = undefined;
    this.rows = first;
    this.firstColumn = first === n ? 0 : first;
    this.section = "vertices";
  }

  private node(text: string | undefined): number {
    return this.place.whole(text, "node", 1, this.draft!.numbered) - 1;
  }

  private vertex(text: string): void {
    const [, number, rest] = /^(\S+)\s*(.*)$/s.exec(text)!;
    const i = this.node(number);
    if (rest === "") return;
    const quoted = /^"((?:[^"\\]|\\.|"(?!\s|$)|\\$)*)"/.exec(rest);
    if (rest.startsWith('"') && quoted === null)
      throw this.place.fail('a label is never closed: expected another "');
    const word = /^\S+/.exec(rest)![0];
    if (rest.length > (quoted?.[0] ?? word).length) this.unused.add("how vertices are drawn");
    if (this.labels[i] !== undefined) throw this.place.fail(`node ${i + 1} was declared before`);
    this.labels[i] = (quoted?.[1] ?? word).replace(/\\(["\\])/g, "$1");
    this.labelled++;
  }

  private edge(words: string[]): void {
    const i = this.node(words[0]);
    const j = this.node(words[1]);
    const third = words[2];
    const weighted = third !== undefined && !/^(?!nan$|inf)[a-z]/i.test(third);
    if (third !== undefined && (!weighted || words.length > 3)) this.unused.add("further marks of edges");
    this.draft!.edge(i, j, weighted ? this.place.weight(third) : undefined, this.section === "arcs");
  }

  private list(words: string[]): void {
    const i = this.node(words[0]);
    for (let k = 1; k < words.length; k++)
      this.draft!.edge(i, this.node(words[k]), undefined, this.section === "arcslist");
  }

  private matrixRow(words: string[]): void {
    const columns = this.columns();
    for (const word of words) {
      if (this.cell >= this.rows * columns)
        throw this.place.fail(`more values than a matrix of ${this.rows} by ${columns} has`);
      const weight = this.place.weight(word);
      const row = Math.floor(this.cell / columns);
      if (weight > 0)
        this.draft!.edge(row, this.firstColumn + (this.cell % columns), weight, this.firstColumn === 0);
      this.cell++;
    }
  }

  private columns(): number {
    return this.draft!.numbered - this.firstColumn;
  }

  private endMatrix(): void {
    const expected = this.rows * this.columns();
    if (this.cell !== expected)
      throw this.place.fail(`the matrix is cut off: got ${this.cell} values, expected ${expected}`);
  }

  private endNetwork(): void {
    const { draft } = this;
    if (draft === null) return;
    const n = draft.numbered;
    if (n > Math.max(MANY_NODES, NODES_A_LINE * this.place.line))
      throw new GraphdosError(
        "limit",
        `${this.place.file}: ${n} nodes in ${this.place.line} lines: almost all would be isolated and take memory for nothing: expected at most ${MANY_NODES} nodes, or ${NODES_A_LINE} a line`,
      );
    if (this.labelled === n) for (let i = 0; i < n; i++) draft.setValue(i, "label", this.labels[i]!);
    else if (this.labelled > 0)
      this.notes.push(`the labels were not used: ${n - this.labelled} of ${n} nodes have none`);
    draft.check();
    this.drafts.push(draft);
    this.draft = null;
    this.labels = [];
    this.labelled = 0;
  }

  finish(): Dataset {
    if (this.section === "matrix") this.endMatrix();
    this.endNetwork();
    if (this.drafts.length === 0) throw badData(`${this.place.file}: there is no *Vertices in the file`);
    for (const what of this.unused) this.drafts[0].unused.add(what);
    takeNames(this.drafts, this.notes, true);
    return assemble(this.place.file, this.drafts, this.notes);
  }
}
