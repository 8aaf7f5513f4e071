/**
 * Graphs in JSON, four ways:
 *
 *   {nodes: [{id, ...}], links | edges: [{source, target, weight?}], directed?, graph?}     node-link, as networkx and d3 have it
 *   {nodes: [{key, attributes}], edges: [{source, target, attributes}], attributes}         as graphology exports it
 *   [ ... several of these ... ]                                                            a data set
 *   {"a": ["b", "c"], ...} or [[1, 2], [0], [0]]                                            adjacency lists
 *
 * The class of a graph is "class", "label" or "target" in graph, in attributes or beside nodes; "value" there is a number to
 * predict, and so is "target" when it is not whole. Node keys as in graph-draft.ts. The text is parsed whole: O(size) memory.
 */
import { badData, type GraphdosError, throwIfAborted } from "../base/errors.js";
import type { ByteSource } from "./bytes.js";
import type { Dataset } from "./dataset.js";
import { inSentence } from "./each-line.js";
import { assemble, checkWeight, GraphDraft, type NodeValue } from "./graph-draft.js";
import { readJsonValue } from "./json-syntax.js";
import type { FileFormat, ReadOptions } from "./reading.js";
import { shown } from "./shown.js";

export const json: FileFormat = {
  name: "json",
  title: "JSON",
  extensions: ["json"],
  recognises: (head) => /^\s*[[{]/.test(head),
  read: readJson,
};

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

async function readJson(source: ByteSource, options: ReadOptions): Promise<Dataset> {
  const value = await readJsonValue(source, options.signal);
  throwIfAborted(options.signal);
  const { name } = source;
  const other = otherKind(value);
  if (other !== null) throw badData(`${name}: ${other}`);
  if (isFields(value)) {
    if ("nodes" in value) return nodeLinks([value], name, [`${name}: `]);
    return assemble(name, [adjacencyObject(value, name)], ["JSON, adjacency lists"]);
  }
  if (!Array.isArray(value))
    throw badData(`${name}: got ${shown(value)}, expected a graph: an object or a list in JSON`);
  if (value.length === 0) throw badData(`${name}: the list is empty: expected at least one graph`);
  if (Array.isArray(value[0]))
    return assemble(name, [adjacencyArrays(value, name)], ["JSON, adjacency lists"]);
  value.forEach((item: unknown, g) => {
    if (!isFields(item) || !("nodes" in item))
      throw badData(`${name}: [${g}]: got ${shown(item)}, expected a graph: an object with nodes`);
  });
  return nodeLinks(
    value,
    name,
    value.map((_, g) => `${name}: [${g}].`),
  );
}

const NODE_LINK = "write it as node-link JSON (networkx: node_link_data) or GraphML instead";

/** The sentence on JSON of graphs that is known and not read; null for any other. */
function otherKind(value: unknown): string | null {
  if (isFields(value)) {
    if (isFields(value.elements) && Array.isArray(value.elements.nodes))
      return `this is Cytoscape's JSON, which is not read; ${NODE_LINK}`;
    if (
      Array.isArray(value.nodes) &&
      Array.isArray(value.adjacency) &&
      !("links" in value) &&
      !("edges" in value)
    )
      return `this is networkx's adjacency JSON (adjacency_data), which is not read; ${NODE_LINK}`;
    if (Array.isArray(value.children) && value.children.every(isFields))
      return `this is a tree in JSON (children within children), which is not read; ${NODE_LINK}`;
    return null;
  }
  if (!Array.isArray(value)) return null;
  if (value.some((item) => isFields(item) && isFields(item.data) && !("nodes" in item)))
    return `this is a list of Cytoscape's elements, which is not read; ${NODE_LINK}`;
  return isPairs(value)
    ? 'every list holds two nodes, as in a list of edges, and they are not neighbours of each other, as in adjacency lists: write "u v" on each line of a text file for edges, {"0": [1, 2], ...} for neighbours'
    : null;
}

/** [[0, 1], [0, 2], ...]: two ids in each list, which are not the two neighbours of each node. */
function isPairs(lists: readonly unknown[]): boolean {
  if (lists.length < 1) return false;
  const isPair = (list: unknown): list is [unknown, unknown] =>
    Array.isArray(list) &&
    list.length === 2 &&
    list.every((id) => typeof id === "number" || typeof id === "string");
  if (!lists.every(isPair)) return false;
  return !lists.every((list, i) =>
    list.every(
      (j) => typeof j === "number" && j !== i && (lists[j] as readonly unknown[] | undefined)?.includes(i),
    ),
  );
}

function nodeLinks(graphs: readonly Fields[], name: string, places: readonly string[]): Dataset {
  const drafts = graphs.map((graph, g) => nodeLink(graph, places[g]));
  separateTargets(drafts);
  drafts.forEach(({ className }, g) => {
    if (typeof className === "number") exact(className, `${places[g]}class`);
  });
  return assemble(name, drafts, [kindOf(graphs[0])]);
}

/** graphology's nodes have a key where node-link ones have an id. */
const kindOf = (graph: Fields) => {
  const first: unknown = Array.isArray(graph.nodes) ? graph.nodes[0] : undefined;
  return isFields(first) && "key" in first && !("id" in first) ? "JSON, graphology" : "JSON, node-link";
};

function nodeLink(graph: Fields, where: string): GraphDraft {
  const draft = new GraphDraft();
  if (!Array.isArray(graph.nodes)) throw badData(`${where}nodes: got ${shown(graph.nodes)}, expected a list`);
  draft.numericIds = true;
  for (let i = 0; i < graph.nodes.length; i++) addNode(draft, graph.nodes[i], `${where}nodes[${i}]`);
  const { list, edges } = edgesOf(graph, where);
  const isGraphology = kindOf(graph) === "JSON, graphology";
  const type = isFields(graph.options) ? graph.options.type : undefined;
  const directed = isGraphology ? type !== "undirected" : graph.directed === true;
  const place = new EdgePlace(where, list);
  for (let e = 0; e < edges.length; e++) {
    const edge: unknown = edges[e];
    place.edge = e;
    if (!isFields(edge)) throw badData(`${where}${list}[${e}]: got ${shown(edge)}, expected an object`);
    const source = endOf(draft, edge, "source", place);
    const target = endOf(draft, edge, "target", place);
    place.field = ".weight";
    const weight =
      edge.weight ?? (isFields(edge.attributes) ? edge.attributes.weight : undefined) ?? undefined;
    const checked = weight === undefined ? undefined : checkWeight(weight, place);
    noteUnused(draft, edge);
    draft.edge(source, target, checked, directed && !(isGraphology && edge.undirected === true));
  }
  describe(draft, graph);
  draft.check();
  return draft;
}

/** The list under links or edges, the one that is filled where both are there; both filled must hold the same. */
function edgesOf(graph: Fields, where: string): { list: "links" | "edges"; edges: readonly unknown[] } {
  const there = (["links", "edges"] as const).filter((list) => graph[list] != null);
  const lists = there.map((list) => {
    const edges = graph[list];
    if (!Array.isArray(edges)) throw badData(`${where}${list}: got ${shown(edges)}, expected a list`);
    return { list, edges };
  });
  if (lists.length === 0) throw badData(`${where}links is missing: expected a list under links or edges`);
  const filled = lists.filter(({ edges }) => edges.length > 0);
  if (filled.length === 2 && JSON.stringify(graph.links) !== JSON.stringify(graph.edges))
    throw badData(
      `${where}links and edges both hold edges, and not the same: got ${filled[0].edges.length} and ${filled[1].edges.length}, expected one of the two lists`,
    );
  return filled[0] ?? lists[0];
}

const OF_EDGES = new Set(["source", "target", "weight", "key", "id", "undirected", "attributes"]);

/** What an edge says beside its ends and its weight: no graph here holds it. */
function noteUnused(draft: GraphDraft, edge: Fields): void {
  for (const key in edge) if (!OF_EDGES.has(key)) draft.unused.add(`edge key ${inSentence(key)}`);
  if (isFields(edge.attributes))
    for (const key in edge.attributes) if (key !== "weight") draft.unused.add(`edge key ${inSentence(key)}`);
}

/** "file.json: links[3].source", made only when it is needed. */
class EdgePlace {
  edge = 0;
  field = "";

  constructor(
    private readonly where: string,
    private readonly list: string,
  ) {}

  toString(): string {
    return `${this.where}${this.list}[${this.edge}]${this.field}`;
  }

  missing(): GraphdosError {
    return badData(`${this} is missing`);
  }
}

function endOf(draft: GraphDraft, edge: Fields, end: "source" | "target", place: EdgePlace): number {
  place.field = `.${end}`;
  if (edge[end] === undefined) throw place.missing();
  return draft.use(idText(edge[end], place), place);
}

/** How deep the lists of an id may be nested. */
const MOST_NESTED = 16;

const isNestedWithin = (value: unknown, depth: number): boolean =>
  Array.isArray(value)
    ? depth > 0 && value.every((item) => isNestedWithin(item, depth - 1))
    : !isFields(value);

/** Beyond 2^53 two numbers in the text may be one when it is parsed, and two nodes or classes with it: refused. */
function exact(value: number, place: string | EdgePlace): number {
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  throw badData(
    `${place}: got a number near ${value}, expected at most 2^53 - 1, beyond which numbers in JSON lose digits: write it in quotes`,
  );
}

/** Ids are words or numbers; lists, which networkx makes of tuples, are called by their JSON text. */
function idText(id: unknown, place: string | EdgePlace): string {
  if (typeof id === "string") return id;
  if (typeof id === "number" && Number.isFinite(id)) return String(exact(id, place));
  if (typeof id === "boolean") return String(id);
  if (Array.isArray(id) && isNestedWithin(id, MOST_NESTED)) return JSON.stringify(id);
  throw badData(`${place}: got ${shown(id)}, expected a word or a number`);
}

function addNode(draft: GraphDraft, node: unknown, where: string): void {
  const fields: Fields = isFields(node) ? node : { id: node };
  const key = fields.id === undefined && fields.key !== undefined ? "key" : "id";
  if (fields[key] === undefined) throw badData(`${where}.id is missing`);
  const i = draft.declare(idText(fields[key], `${where}.${key}`), `${where}.${key}`);
  if (typeof fields[key] !== "number") draft.numericIds = false;
  for (const [name, value] of Object.entries(fields)) {
    if (name === key) continue;
    if (name === "attributes" && isFields(value))
      for (const [inner, content] of Object.entries(value)) setValue(draft, i, inner, content, where);
    else setValue(draft, i, name, value, where);
  }
}

function setValue(draft: GraphDraft, i: number, key: string, value: unknown, where: string): void {
  if (value === null || value === undefined) return;
  const scalar = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  if (key === "label" && typeof value === "number") exact(value, `${where}.label`);
  if (key === "label" && !scalar)
    throw badData(`${where}.label: got ${shown(value)}, expected a number or a word`);
  const numbers = Array.isArray(value) && value.every((x) => typeof x === "number");
  const kept =
    typeof value === "number" || numbers ? (value as NodeValue) : scalar ? String(value) : shown(value);
  draft.setValue(i, key, kept);
}

const CLASS_KEYS = ["class", "label", "target"];

/** Class, number to predict and name of the graph, from graph (networkx), attributes (graphology) or the object itself. */
function describe(draft: GraphDraft, graph: Fields): void {
  const places = [graph.graph, graph.attributes, graph].filter(isFields);
  const find = (key: string) => places.map((place) => place[key]).find((value) => value != null);
  for (const key of CLASS_KEYS) {
    const value = find(key);
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") continue;
    draft.className = typeof value === "boolean" ? String(value) : value;
    break;
  }
  const value = find("value");
  if (typeof value === "number") draft.target = value;
  const name = find("name");
  if (typeof name === "string" && name !== "") draft.name = name;
}

/** Numbers that are not all whole are no classes but numbers to predict. */
function separateTargets(drafts: readonly GraphDraft[]): void {
  const values = drafts.map((draft) => draft.className);
  if (!values.every((value) => typeof value === "number") || values.every(Number.isInteger)) return;
  for (const draft of drafts) {
    draft.target ??= draft.className as number;
    draft.className = undefined;
  }
}

/** {"a": ["b", "c"]}, or with weights {"a": {"b": 2, "c": {"weight": 3}}}. */
function adjacencyObject(lists: Fields, name: string): GraphDraft {
  const draft = new GraphDraft();
  for (const id of Object.keys(lists)) draft.use(id, name);
  for (const [id, neighbours] of Object.entries(lists)) {
    const place = `${name}: ${JSON.stringify(id)}`;
    const i = draft.use(id, place);
    if (Array.isArray(neighbours))
      for (let k = 0; k < neighbours.length; k++) {
        if (Array.isArray(neighbours[k]))
          throw badData(
            `${place}[${k}]: got ${shown(neighbours[k])}, expected a node; edge lists by graph are read from a folder that also has their target.csv`,
          );
        draft.edge(i, draft.use(idText(neighbours[k], `${place}[${k}]`), place), undefined, false);
      }
    else if (isFields(neighbours))
      for (const [other, value] of Object.entries(neighbours)) {
        if (isFields(value)) noteUnused(draft, value);
        const weight = isFields(value) ? value.weight : value;
        const where = `${place}[${JSON.stringify(other)}]`;
        draft.edge(
          i,
          draft.use(other, place),
          weight == null ? undefined : checkWeight(weight, where),
          false,
        );
      }
    else
      throw badData(
        `${place}: got ${shown(neighbours)}, expected a list of neighbours, or an object with nodes and links`,
      );
  }
  draft.declareAll();
  draft.check();
  return draft;
}

/** [[1, 2], [0], [0]]: list i holds the neighbours of node i. */
function adjacencyArrays(lists: readonly unknown[], name: string): GraphDraft {
  const draft = new GraphDraft();
  for (let i = 0; i < lists.length; i++) draft.declare(String(i), name);
  lists.forEach((neighbours, i) => {
    if (!Array.isArray(neighbours))
      throw badData(`${name}: [${i}]: got ${shown(neighbours)}, expected a list of neighbours`);
    neighbours.forEach((j: unknown, k) => {
      if (!(Number.isInteger(j) && (j as number) >= 0 && (j as number) < lists.length))
        throw badData(
          `${name}: [${i}][${k}]: got ${shown(j)}, expected a node number from 0 to ${lists.length - 1}`,
        );
      draft.edge(i, j as number, undefined, false);
    });
  });
  return draft;
}
