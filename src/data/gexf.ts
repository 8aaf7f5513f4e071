/**
 * GEXF (gexf.net, versions 1.1 to 1.3), the format of Gephi: one graph.
 *
 * Read are: nodes, edges, defaultedgetype and the type of each edge, weights (the attribute of the edge, or an attribute titled
 * weight), node attributes with their defaults: the one titled "label" as labels, numeric ones as attributes. A node's own
 * label="..." is what to write beside it in a picture: its name where all ids are numbers and all these labels differ, else not used,
 * with a note. Refused are nodes inside nodes. Streams; O(file size).
 */
import { badData } from "../base/errors.js";
import type { ByteSource } from "./bytes.js";
import type { Dataset } from "./dataset.js";
import { inSentence } from "./each-line.js";
import { assemble, checkWeight, GraphDraft } from "./graph-draft.js";
import { wholeText } from "./ids.js";
import type { FileFormat, ReadOptions } from "./reading.js";
import { parseXml, type XmlAttributes, type XmlPlace, type XmlVisitor, xmlNumber } from "./xml.js";

export const gexf: FileFormat = {
  name: "gexf",
  title: "GEXF",
  extensions: ["gexf"],
  recognises: (head) => /<(\w+:)?gexf[\s>]/.test(head),
  read: readGEXF,
};

async function readGEXF(source: ByteSource, options: ReadOptions): Promise<Dataset> {
  const notes = ["GEXF"];
  const drafts: GraphDraft[] = [];
  await parseXml(source, options, (place) => new GEXFVisitor(place, notes, drafts));
  if (drafts.length === 0) throw badData(`${source.name}: there is no <graph> in the file`);
  return assemble(source.name, drafts, notes);
}

interface Attribute {
  title: string;
  numeric: boolean;
  initial: string | undefined;
}

const NUMERIC_TYPES = new Set([
  "integer",
  "long",
  "float",
  "double",
  "byte",
  "short",
  "biginteger",
  "bigdecimal",
]);
const DIRECTIONS = ["directed", "undirected", "mutual"];

class GEXFVisitor implements XmlVisitor {
  private readonly path: string[] = [];
  private readonly attributes = { node: new Map<string, Attribute>(), edge: new Map<string, Attribute>() };
  /** What the open <attributes> describes. */
  private attributeClass: "node" | "edge" = "node";
  private attribute: Attribute | null = null;
  private draft: GraphDraft | null = null;
  private directedByDefault = false;
  private node = -1;
  /** What a picture writes beside each node. */
  private readonly captions: (string | undefined)[] = [];
  private edge: { source: number; target: number; directed: boolean; weight: number | undefined } | null =
    null;
  /** Text of the <default> that is open; null outside. */
  private content: string | null = null;

  constructor(
    private readonly place: XmlPlace,
    private readonly notes: string[],
    private readonly drafts: GraphDraft[],
  ) {}

  open(name: string, attributes: XmlAttributes): void {
    const parent = this.path.at(-1);
    this.path.push(name);
    if (parent === undefined && name !== "gexf")
      throw this.place.fail(`the root element is <${name}>, expected <gexf>`);
    if (this.node >= 0 && (name === "nodes" || name === "edges" || name === "node" || name === "graph"))
      throw this.place.fail(
        `<${name}> inside a node is not supported: expected a graph of plain nodes and edges`,
      );
    if (name === "graph") this.openGraph(attributes);
    else if (name === "attributes") this.attributeClass = attributes.class === "edge" ? "edge" : "node";
    else if (name === "attribute") this.openAttribute(attributes);
    else if (name === "default") this.content = "";
    else if (name === "node" && this.draft !== null) {
      this.node = this.draft.declare(this.need(attributes, "id", "node"), this.place);
      this.captions[this.node] = attributes.label;
    } else if (name === "edge" && this.draft !== null) this.openEdge(this.draft, attributes);
    else if (name === "attvalue") this.value(attributes);
  }

  private need(attributes: XmlAttributes, attribute: string, element: string): string {
    const value = attributes[attribute];
    if (value === undefined) throw this.place.fail(`<${element}> has no ${attribute}`);
    return value;
  }

  private direction(value: string, attribute: string): boolean {
    if (!DIRECTIONS.includes(value))
      throw this.place.fail(`${attribute}: got ${value}, expected ${DIRECTIONS.join(", ")}`);
    return value === "directed";
  }

  private openGraph(attributes: XmlAttributes): void {
    if (this.draft !== null || this.drafts.length > 0)
      throw this.place.fail("a second <graph>: expected one graph in a GEXF file");
    this.draft = new GraphDraft();
    this.directedByDefault = this.direction(attributes.defaultedgetype ?? "undirected", "defaultedgetype");
    if (attributes.mode === "dynamic") this.notes.push("the graph changes over time: times were not used");
  }

  private openAttribute(attributes: XmlAttributes): void {
    const id = this.need(attributes, "id", "attribute");
    this.attribute = {
      title: attributes.title ?? id,
      numeric: NUMERIC_TYPES.has((attributes.type ?? "").toLowerCase()),
      initial: undefined,
    };
    this.attributes[this.attributeClass].set(id, this.attribute);
  }

  private openEdge(draft: GraphDraft, attributes: XmlAttributes): void {
    for (const key of ["label", "kind"]) if (attributes[key]) draft.unused.add(`edge key ${key}`);
    this.edge = {
      source: draft.use(this.need(attributes, "source", "edge"), this.place),
      target: draft.use(this.need(attributes, "target", "edge"), this.place),
      directed:
        attributes.type === undefined ? this.directedByDefault : this.direction(attributes.type, "type"),
      weight: attributes.weight === undefined ? undefined : this.weight(attributes.weight),
    };
  }

  /** Captions that are not the ids again are names where the ids only number the nodes. */
  private takeCaptions(draft: GraphDraft): void {
    const captions = draft.ids.map((id, i) => this.captions[i] ?? id);
    if (captions.every((caption, i) => wholeText(caption) === draft.ids[i])) return;
    const differ = new Set(captions).size === draft.nodeCount && draft.ids.every((_, i) => this.captions[i]);
    if (!differ || !draft.ids.every((id) => /^\d+$/.test(id))) {
      draft.unused.add("what a picture writes beside nodes (label)");
      return;
    }
    draft.names = captions;
    this.notes.push("the labels of the nodes all differ: they were taken as names");
  }

  private weight(text: string): number {
    return checkWeight(xmlNumber(text) ?? text, this.place);
  }

  private value(attributes: XmlAttributes): void {
    const id = attributes.for ?? attributes.id ?? this.need(attributes, "for", "attvalue");
    const text = attributes.value ?? "";
    if (this.edge !== null) {
      const title = this.attributes.edge.get(id)?.title ?? id;
      if (title === "weight" && this.edge.weight === undefined) this.edge.weight = this.weight(text);
      else if (title !== "weight") this.draft?.unused.add(`edge key ${inSentence(title)}`);
    } else if (this.node >= 0) {
      const { title, numeric } = this.attributes.node.get(id) ?? { title: id, numeric: false };
      const value = this.typed(title, numeric, text);
      if (value !== undefined) this.draft!.setValue(this.node, title, value);
    }
  }

  /** A number where the attribute is declared as one, else the text; undefined for NaN and infinities, which are no values. */
  private typed(title: string, numeric: boolean, text: string): string | number | undefined {
    if (!numeric) return text;
    const value = xmlNumber(text);
    if (value === undefined)
      throw this.place.fail(
        `the value of the attribute ${title} is not a number: got ${JSON.stringify(text)}`,
      );
    return Number.isFinite(value) ? value : undefined;
  }

  text(text: string): void {
    if (this.content !== null) this.content += text;
  }

  close(name: string): void {
    this.path.pop();
    if (name === "default") {
      if (this.attribute !== null) this.attribute.initial = this.content!.trim();
      this.content = null;
    } else if (name === "attribute") this.attribute = null;
    else if (name === "node") this.node = -1;
    else if (name === "edge" && this.edge !== null) {
      this.draft!.edge(this.edge.source, this.edge.target, this.edge.weight, this.edge.directed);
      this.edge = null;
    } else if (name === "graph") this.closeGraph(this.draft!);
  }

  private closeGraph(draft: GraphDraft): void {
    for (const { title, numeric, initial } of this.attributes.node.values()) {
      const value = initial === undefined ? undefined : this.typed(title, numeric, initial);
      if (value !== undefined) draft.fillValues(title, value);
    }
    draft.check();
    this.takeCaptions(draft);
    this.drafts.push(draft);
    this.draft = null;
  }
}
