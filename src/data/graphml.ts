/**
 * GraphML (Brandes, Eiglsperger, Herman, Himsolt, Marshall, GD 2001), as networkx, igraph, Gephi, yEd and graph-tool write it.
 *
 * Read are: nodes, edges, edgedefault and the direction of each edge, the edge key "weight", the node key "label" and numeric node
 * keys with their defaults, the graph key "class", "label" or "target", and several graphs in one file. Refused are what a plain
 * graph cannot hold: graphs inside nodes, ports, hyperedges. Streams; O(file size).
 */

import { badData } from "../base/errors.js";
import type { ByteSource } from "./bytes.js";
import type { Dataset } from "./dataset.js";
import { inSentence } from "./each-line.js";
import { assemble, checkWeight, GraphDraft, takeNamesOfNumbered } from "./graph-draft.js";
import type { FileFormat, ReadOptions } from "./reading.js";
import { parseXml, type XmlAttributes, type XmlPlace, type XmlVisitor, xmlNumber } from "./xml.js";

export const graphml: FileFormat = {
  name: "graphml",
  title: "GraphML",
  extensions: ["graphml"],
  recognises: (head) => /<(\w+:)?graphml[\s>]/.test(head),
  read: readGraphML,
};

async function readGraphML(source: ByteSource, options: ReadOptions): Promise<Dataset> {
  const drafts: GraphDraft[] = [];
  await parseXml(source, options, (place) => new GraphMLVisitor(place, drafts));
  if (drafts.length === 0) throw badData(`${source.name}: there is no <graph> in the file`);
  const notes = ["GraphML"];
  takeNamesOfNumbered(drafts, notes);
  return assemble(source.name, drafts, notes);
}

interface Key {
  name: string;
  for: string;
  numeric: boolean;
  initial: string | undefined;
}

const NUMERIC_TYPES = new Set(["int", "integer", "long", "float", "double"]);
/** Graph keys that name the class, the strongest first. */
const CLASS_KEYS = ["class", "label", "target"];

class GraphMLVisitor implements XmlVisitor {
  private readonly path: string[] = [];
  private readonly keys = new Map<string, Key>();
  private key: Key | null = null;
  private draft: GraphDraft | null = null;
  private directedByDefault = false;
  private node = -1;
  private edge: { source: number; target: number; directed: boolean; weight: number | undefined } | null =
    null;
  private classRank = CLASS_KEYS.length;
  /** Text of the <data> or <default> that is open; null outside. */
  private content: string | null = null;
  private dataKey = "";
  /** How deep the reader is inside a <data> that holds XML of its own (yEd's drawings), which is passed over. */
  private foreign = 0;

  constructor(
    private readonly place: XmlPlace,
    private readonly drafts: GraphDraft[],
  ) {}

  open(name: string, attributes: XmlAttributes): void {
    const parent = this.path.at(-1);
    this.path.push(name);
    if (parent === undefined && name !== "graphml")
      throw this.place.fail(`the root element is <${name}>, expected <graphml>`);
    if (parent === "data" || this.foreign > 0) {
      this.foreign++;
      return;
    }
    if (name === "key") this.openKey(attributes);
    else if (name === "graph") this.openGraph(parent!, attributes);
    else if (name === "node" && parent === "graph")
      this.node = this.draft!.declare(this.need(attributes, "id", "node"), this.place);
    else if (name === "edge" && parent === "graph") this.openEdge(attributes);
    else if (name === "port" || name === "hyperedge")
      throw this.place.fail(`<${name}> is not supported: expected a graph of plain nodes and edges`);
    else if (name === "data") {
      this.content = "";
      this.dataKey = this.need(attributes, "key", "data");
    } else if (name === "default") this.content = "";
  }

  private need(attributes: XmlAttributes, attribute: string, element: string): string {
    const value = attributes[attribute];
    if (value === undefined) throw this.place.fail(`<${element}> has no ${attribute}`);
    return value;
  }

  private openKey(attributes: XmlAttributes): void {
    const id = this.need(attributes, "id", "key");
    this.key = {
      name: attributes["attr.name"] ?? id,
      for: attributes.for ?? "all",
      numeric: NUMERIC_TYPES.has(attributes["attr.type"] ?? ""),
      initial: undefined,
    };
    this.keys.set(id, this.key);
  }

  private openGraph(parent: string, attributes: XmlAttributes): void {
    if (this.draft !== null)
      throw this.place.fail(`a graph inside a <${parent}> is not supported: expected graphs side by side`);
    this.draft = new GraphDraft();
    this.draft.name = attributes.id;
    this.classRank = CLASS_KEYS.length;
    const direction = attributes.edgedefault ?? "undirected";
    if (direction !== "directed" && direction !== "undirected")
      throw this.place.fail(`edgedefault: got ${direction}, expected directed or undirected`);
    this.directedByDefault = direction === "directed";
  }

  private openEdge(attributes: XmlAttributes): void {
    const { directed } = attributes;
    if (directed !== undefined && !/^(true|false|0|1)$/.test(directed))
      throw this.place.fail(`directed: got ${directed}, expected true or false`);
    this.edge = {
      source: this.draft!.use(this.need(attributes, "source", "edge"), this.place),
      target: this.draft!.use(this.need(attributes, "target", "edge"), this.place),
      directed: directed === undefined ? this.directedByDefault : directed === "true" || directed === "1",
      weight: undefined,
    };
  }

  text(text: string): void {
    if (this.content !== null && this.foreign === 0) this.content += text;
  }

  close(name: string): void {
    this.path.pop();
    if (this.foreign > 0) {
      this.foreign--;
      return;
    }
    if (name === "data") this.closeData(this.path.at(-1));
    else if (name === "default") {
      if (this.key !== null) this.key.initial = this.content!;
      this.content = null;
    } else if (name === "key") this.key = null;
    else if (name === "node") this.node = -1;
    else if (name === "edge" && this.edge !== null) this.closeEdge(this.edge);
    else if (name === "graph") this.closeGraph(this.draft!);
  }

  private closeData(parent: string | undefined): void {
    const text = this.content!.trim();
    this.content = null;
    const key = this.keys.get(this.dataKey) ?? { name: this.dataKey, numeric: false };
    if (parent === "node" && this.node >= 0) {
      const value = this.value(key.name, key.numeric, text);
      if (value !== undefined) this.draft!.setValue(this.node, key.name, value);
    } else if (parent === "edge" && this.edge !== null && key.name === "weight")
      this.edge.weight = this.weight(text);
    else if (parent === "edge") this.draft?.unused.add(`edge key ${inSentence(key.name)}`);
    else if (parent === "graph") {
      const rank = CLASS_KEYS.indexOf(key.name);
      if (rank >= 0 && rank <= this.classRank && text !== "") {
        this.draft!.className = text;
        this.classRank = rank;
      }
    }
  }

  /** A number where the key says so, else the text; undefined for NaN and infinities, which are no values. */
  private value(name: string, numeric: boolean, text: string): string | number | undefined {
    if (!numeric) return text;
    const value = xmlNumber(text);
    if (value === undefined)
      throw this.place.fail(`the value of the key ${name} is not a number: got ${JSON.stringify(text)}`);
    return Number.isFinite(value) ? value : undefined;
  }

  private weight(text: string): number {
    return checkWeight(xmlNumber(text) ?? text, this.place);
  }

  private closeEdge(edge: NonNullable<GraphMLVisitor["edge"]>): void {
    if (edge.weight === undefined)
      for (const key of this.keys.values())
        if (key.name === "weight" && key.initial !== undefined && (key.for === "edge" || key.for === "all"))
          edge.weight = this.weight(key.initial);
    this.draft!.edge(edge.source, edge.target, edge.weight, edge.directed);
    this.edge = null;
  }

  private closeGraph(draft: GraphDraft): void {
    for (const key of this.keys.values())
      if (key.initial !== undefined && (key.for === "node" || key.for === "all")) {
        const value = this.value(key.name, key.numeric, key.initial.trim());
        if (value !== undefined) draft.fillValues(key.name, value);
      }
    draft.check();
    this.drafts.push(draft);
    this.draft = null;
  }
}
