/**
 * GraphDraft: a graph while a reader of named nodes (GraphML, GEXF, JSON, GML, DOT and others) collects it; assemble() makes a Dataset of
 * the drafts.
 *
 * Node values come under keys. The key "label" becomes the node labels: whole numbers as they are, else words numbered in
 * order over the whole set, so that the same word has the same number in every graph. Keys whose values are numbers, or lists of
 * numbers of one length, become attributes, in the order in which the file brings them. A key that some node lacks is not
 * used, and a note says so. O(nodes · keys + edges).
 */
import { badData } from "../base/errors.js";
import { GraphBuilder } from "../graph/build.js";
import { addCleaning, emptyCleaning } from "../graph/cleaning.js";
import { type Dataset, DIRECTION, indexClasses, type NodeIds, unreadDirection } from "./dataset.js";
import { inSentence } from "./each-line.js";
import { Float64List, Uint32List } from "./growable.js";
import { NameIndex, sameNumberNote, wholeNames, wholeText } from "./ids.js";
import { baseName } from "./names.js";
import { shown } from "./shown.js";

export type NodeValue = string | number | readonly number[];

/** Where in the file something stands; its text is made only when it is needed. */
type Place = string | { toString(): string };

export class GraphDraft {
  readonly ids: string[] = [];
  private readonly index = new NameIndex();
  readonly sources = new Uint32List(64);
  readonly targets = new Uint32List(64);
  readonly weights = new Float64List(64);
  readonly columns = new Map<string, (NodeValue | undefined)[]>();
  weightedEdges = 0;
  directedEdges = 0;
  /** True when the file writes every id as a number. */
  numericIds = false;
  /** Nodes that have numbers alone, 0 to numbered - 1, where the file gives no ids. */
  numbered = 0;
  /** What the nodes are called, where that is not their ids: see takeNames. */
  names: string[] | null = null;
  /** What the file says of nodes and edges and is not used: "edge key colour". */
  readonly unused = new Set<string>();
  className: string | number | undefined;
  target: number | undefined;
  name: string | undefined;
  /** Where an id that no node has declared yet was first used. */
  private readonly undeclared = new Map<number, string>();

  /** Two spellings of one id, 2 and 2.0, where the file has such. */
  get joinedIds(): readonly [string, string] | null {
    return this.index.joined;
  }

  get nodeCount(): number {
    return Math.max(this.numbered, this.ids.length);
  }

  /** Number of the node `id`, which is used at `place` and may be declared later. */
  use(id: string, place: Place): number {
    let i = this.index.get(id);
    if (i === undefined) {
      this.index.set(id, (i = this.ids.push(wholeText(id)) - 1));
      this.undeclared.set(i, String(place));
    }
    return i;
  }

  /** Number of the node `id`, which is declared at `place`. */
  declare(id: string, place: Place): number {
    let i = this.index.get(id);
    if (i === undefined) this.index.set(id, (i = this.ids.push(wholeText(id)) - 1));
    else if (!this.undeclared.delete(i)) throw badData(`${place}: node ${id} was declared before`);
    return i;
  }

  /** Ids that only edges name become nodes: for adjacency lists, where nothing else declares them. Says how many. */
  declareAll(): number {
    const { size } = this.undeclared;
    this.undeclared.clear();
    return size;
  }

  /** Where every id is a whole number, nodes come in ascending order, as in edge lists; for nodes without values. O(n log n + edges). */
  sortNumericIds(): void {
    if (!this.ids.every((id) => /^(0|[1-9]\d{0,14})$/.test(id))) return;
    this.numericIds = true;
    const order = Float64Array.from(this.ids, Number).sort();
    const place = new Map(Array.from(order, (id, k) => [id, k]));
    const moved = Uint32Array.from(this.ids, (id) => place.get(Number(id))!);
    for (const list of [this.sources.values(), this.targets.values()])
      for (let e = 0; e < list.length; e++) list[e] = moved[list[e]];
    order.forEach((id, k) => {
      this.ids[k] = String(id);
      this.index.set(this.ids[k], k);
    });
  }

  edge(i: number, j: number, weight: number | undefined, directed: boolean): void {
    this.sources.push(i);
    this.targets.push(j);
    this.weights.push(weight ?? 1);
    if (weight !== undefined) this.weightedEdges++;
    if (directed) this.directedEdges++;
  }

  setValue(i: number, key: string, value: NodeValue): void {
    let column = this.columns.get(key);
    if (column === undefined) this.columns.set(key, (column = []));
    column[i] = value;
  }

  /** Gives `value` to the nodes that have none under `key`. */
  fillValues(key: string, value: NodeValue): void {
    for (let i = 0; i < this.nodeCount; i++)
      if (this.columns.get(key)?.[i] === undefined) this.setValue(i, key, value);
  }

  /** Refuses edges to nodes that do not exist. */
  check(): void {
    for (const [i, where] of this.undeclared)
      throw badData(`${where}: an edge names node ${this.ids[i]}, which does not exist`);
  }
}

/**
 * In GML, Pajek, DOT and GDF a label is what a picture writes beside a node. Where all labels of each graph differ they are names: those of
 * the nodes when these have only numbers for ids (`naming`), else not used. Where nodes share a label it says what kind of node they
 * are, as the key "label" does elsewhere. Where no node has a label, names may stand under "name", as igraph writes them.
 */
export function takeNames(drafts: readonly GraphDraft[], notes: string[], naming: boolean): void {
  const labelled = drafts.some((draft) => draft.columns.has("label"));
  if (labelled || naming) takeNamesFrom(labelled ? "label" : "name", drafts, notes, naming);
}

/** The same of igraph's GraphML: its ids only number the nodes, n0, n1, ..., and the key "name" says what they are called. */
export function takeNamesOfNumbered(drafts: readonly GraphDraft[], notes: string[]): void {
  if (drafts.every(({ ids }) => ids.every((id, i) => id === `n${i}`)))
    takeNamesFrom("name", drafts, notes, true);
}

function takeNamesFrom(
  key: "label" | "name",
  drafts: readonly GraphDraft[],
  notes: string[],
  naming: boolean,
): void {
  const names = drafts.map((draft) => draft.columns.get(key)?.map((name) => wholeText(String(name))) ?? []);
  const differ = drafts.every(({ nodeCount }, g) => new Set(names[g]).size === nodeCount);
  if (!differ || lacking(drafts, key) > 0) return;
  drafts.forEach((draft, g) => {
    draft.columns.delete(key);
    if (naming) draft.names = names[g];
  });
  notes.push(
    naming
      ? `the ${key}s of the nodes all differ: they were taken as names`
      : "the labels of the nodes all differ: they were not used, the nodes have ids",
  );
}

/** The number when it can be a weight, else the sentence that says where it is wrong. */
export function checkWeight(weight: unknown, place: Place): number {
  if (typeof weight === "number" && weight >= 0 && weight < Number.POSITIVE_INFINITY) return weight;
  throw badData(`${place}: the weight must be a finite number that is not negative: got ${shown(weight)}`);
}

/** `file` names the data set; `notes` are what the reader has to say already. */
export function assemble(file: string, drafts: readonly GraphDraft[], notes: string[]): Dataset {
  const unread: string[] = [];
  const labels = resolveLabels(drafts, { notes, unread });
  const keys = resolveAttributes(drafts, { notes, unread });
  const dimension = keys.reduce((sum, { width }) => sum + width, 0);
  const builder = new GraphBuilder();
  const cleaning = emptyCleaning();
  const directed = drafts.reduce((sum, draft) => sum + draft.directedEdges, 0);
  if (directed > 0) notes.push(`directed edges were symmetrised: ${directed}`);
  const unweighted = drafts.reduce(
    (sum, draft) => sum + (draft.weightedEdges > 0 ? draft.sources.length - draft.weightedEdges : 0),
    0,
  );
  if (unweighted > 0) notes.push(`edges without a weight among weighted ones got weight 1: ${unweighted}`);
  const joined = drafts.find(({ joinedIds }) => joinedIds !== null)?.joinedIds;
  if (joined) notes.push(sameNumberNote(joined[0], joined[1], "ids like these are one node"));
  const unused = [...new Set(drafts.flatMap((draft) => [...draft.unused]))];
  if (unused.length > 0)
    notes.push(`not used: ${unused.slice(0, 8).join(", ")}${unused.length > 8 ? ", …" : ""}`);
  unread.push(...unused);
  const graphs = drafts.map((draft, g) => {
    const weights = draft.weights.values();
    const built = builder.build(
      {
        nodeCount: draft.nodeCount,
        sources: draft.sources.values(),
        targets: draft.targets.values(),
        weights: weights.every((w) => w === 1) ? null : weights,
        labels: labels?.values[g],
        attributes: dimension > 0 ? { values: attributeRows(draft, keys, dimension), dimension } : null,
      },
      drafts.length > 1 ? `${file}: graph ${g}` : file,
    );
    addCleaning(cleaning, built.cleaning);
    return built.graph;
  });
  unread.push(...(directed > 0 ? [DIRECTION] : unreadDirection(graphs, cleaning)));
  drafts.forEach(({ target = 0 }, g) => {
    if (!Number.isFinite(target))
      throw badData(`${file}: graph ${g}: the number to predict: got ${target}, expected a finite one`);
  });
  const name = baseName(file);
  const named = drafts.every((draft) => draft.name !== undefined);
  const nodeIds = drafts.map(originalIds);
  return {
    name,
    graphs,
    ...resolveClasses(drafts, notes),
    targets: drafts.every((draft) => draft.target !== undefined)
      ? Float64Array.from(drafts, (draft) => draft.target!)
      : null,
    graphNames: named ? drafts.map((draft) => draft.name!) : drafts.length === 1 ? [name] : null,
    nodeIds: nodeIds.every((ids) => ids === null) ? null : nodeIds,
    cleaning,
    notes,
    unread,
    ...(labels?.names ? { nodeLabelNames: labels.names } : {}),
  };
}

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? "" : "s"}`;

/** Null when the ids are 0, 1, 2, ... in this order. */
function originalIds(draft: GraphDraft): NodeIds | null {
  if (draft.names !== null) return draft.names.every((name, i) => name === String(i)) ? null : draft.names;
  if (draft.ids.every((id, i) => id === String(i))) return null;
  return draft.numericIds ? Float64Array.from(draft.ids, Number) : draft.ids;
}

function resolveClasses(drafts: readonly GraphDraft[], notes: string[]) {
  const known = drafts.filter((draft) => draft.className !== undefined).length;
  if (known === drafts.length)
    return indexClasses(
      drafts.map((draft) => draft.className!),
      notes,
    );
  if (known > 0)
    notes.push(
      `the classes were not used: ${drafts.length - known} of ${count(drafts.length, "graph")} have none`,
    );
  return { classes: null, classNames: [] };
}

/** How many nodes of all graphs have no value under `key`. */
function lacking(drafts: readonly GraphDraft[], key: string): number {
  let missing = 0;
  for (const draft of drafts) {
    const column = draft.columns.get(key);
    for (let i = 0; i < draft.nodeCount; i++) if (column?.[i] === undefined) missing++;
  }
  return missing;
}

/** What a reader says of the file, and what of it no graph holds: `Dataset.notes` and `Dataset.unread`. */
interface Said {
  notes: string[];
  unread: string[];
}

const totalNodes = (drafts: readonly GraphDraft[]) => drafts.reduce((sum, draft) => sum + draft.nodeCount, 0);

function resolveLabels(drafts: readonly GraphDraft[], { notes, unread }: Said) {
  if (!drafts.some((draft) => draft.columns.has("label"))) return null;
  const missing = lacking(drafts, "label");
  if (missing > 0) {
    const nodes = count(totalNodes(drafts), "node");
    notes.push(`the node labels were not used: ${missing} of ${nodes} have none`);
    unread.push(`node labels (${missing} of ${nodes} have none)`);
    return null;
  }
  const raw = drafts.flatMap((draft) => (draft.columns.get("label") ?? []).map(String));
  const all = wholeNames(raw, "node labels", notes);
  let next = 0;
  const columns = drafts.map(({ nodeCount }) => all.slice(next, (next += nodeCount)));
  if (all.every((name) => /^(0|-?[1-9]\d*)$/.test(name) && isInt32(Number(name))))
    return { values: columns.map((column) => Int32Array.from(column, Number)), names: null };
  const names = [...new Set(all)].sort();
  const index = new Map(names.map((name, k) => [name, k]));
  notes.push(wordLabelNote(names));
  return { values: columns.map((column) => Int32Array.from(column, (name) => index.get(name)!)), names };
}

const WORD_LABELS = "node labels are words and were numbered: ";

export function wordLabelNote(names: readonly string[]): string {
  const some = names.slice(0, 8).map((name, k) => `${name} = ${k}`);
  return `${WORD_LABELS}${some.join(", ")}${names.length > 8 ? ", …" : ""}`;
}

export const isWordLabelNote = (note: string): boolean => note.startsWith(WORD_LABELS);

const isInt32 = (x: number) => x === (x | 0);

interface AttributeKey {
  key: string;
  /** Numbers a node: 1, or the length of the lists. */
  width: number;
}

function resolveAttributes(drafts: readonly GraphDraft[], { notes, unread }: Said): AttributeKey[] {
  const used: AttributeKey[] = [];
  for (const key of new Set(drafts.flatMap((draft) => [...draft.columns.keys()]))) {
    if (key === "label") continue;
    const all = drafts.flatMap((draft) => draft.columns.get(key) ?? []);
    const width = valueWidth(all[0]);
    const numeric = all.every((value) => value === undefined || valueWidth(value) > 0);
    const missing = lacking(drafts, key);
    const refuse = (why: string) => {
      notes.push(`the node key ${key} was not used: ${why}`);
      unread.push(`node key ${inSentence(key)} (${why})`);
    };
    if (!numeric) refuse("its values are not all numbers");
    else if (missing > 0) refuse(`${missing} of ${count(totalNodes(drafts), "node")} have no value`);
    else if (all.some((value) => valueWidth(value) !== width)) refuse("its lists differ in length");
    else used.push({ key, width });
  }
  if (used.length > 0) notes.push(`node attributes: ${used.map(({ key }) => key).join(", ")}`);
  return used;
}

/** How many finite numbers a value holds, 0 when it holds anything else. */
function valueWidth(value: NodeValue | undefined): number {
  if (typeof value === "number") return Number.isFinite(value) ? 1 : 0;
  return typeof value === "object" && value.every(Number.isFinite) ? value.length : 0;
}

function attributeRows(draft: GraphDraft, keys: readonly AttributeKey[], dimension: number): Float64Array {
  const rows = new Float64Array(draft.nodeCount * dimension);
  let first = 0;
  for (const { key, width } of keys) {
    const column = draft.columns.get(key)!;
    for (let i = 0; i < draft.nodeCount; i++) {
      const value = column[i] as number | readonly number[];
      if (typeof value === "number") rows[i * dimension + first] = value;
      else for (let d = 0; d < width; d++) rows[i * dimension + first + d] = value[d];
    }
    first += width;
  }
  return rows;
}
