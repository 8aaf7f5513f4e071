/**
 * The graph-level sets of karateclub and SNAP (Rozemberczki, Kiss, Sarkar, CIKM 2020): two files,
 *
 *   NAMEgraphs.json or NAMEedges.json    {"0": [[0, 1], [1, 2]], "1": ...}: the edges of each graph
 *   NAMEtarget.csv                       id,target: the class of each graph
 */
import { badData, throwIfAborted } from "../base/errors.js";
import { GraphBuilder } from "../graph/build.js";
import { addCleaning, emptyCleaning } from "../graph/cleaning.js";
import { MAX_NODES } from "../graph/graph.js";
import type { ByteSource } from "./bytes.js";
import { readCsv } from "./csv.js";
import { type Dataset, emptyGraphsNote, indexClasses, unreadDirection } from "./dataset.js";
import { compactIds, wholeText } from "./ids.js";
import { readJsonValue } from "./json-syntax.js";
import type { FileTree, ReadOptions } from "./reading.js";
import { shown } from "./shown.js";

const GRAPHS = /(^|[/_-])(graphs|edges)\.json$/i;
const TARGET = /(^|[/_-])target\.csv$/i;

/** The only file whose path matches; null when there is none or more than one. */
function only(tree: FileTree, pattern: RegExp): ByteSource | null {
  const found = [...tree.files].filter(([path]) => pattern.test(path) && !path.startsWith("__MACOSX/"));
  return found.length === 1 ? found[0][1] : null;
}

/** True when the tree holds one file of graphs and one of targets. */
export function isKarateclub(tree: FileTree): boolean {
  return only(tree, GRAPHS) !== null && only(tree, TARGET) !== null;
}

export async function readKarateclub(tree: FileTree, options: ReadOptions = {}): Promise<Dataset> {
  const graphFile = only(tree, GRAPHS);
  const targetFile = only(tree, TARGET);
  if (graphFile === null || targetFile === null)
    throw badData(`${tree.name}: expected one file *graphs.json or *edges.json and one *target.csv`);
  const notes = ["karateclub format"];
  const targets = await readTargets(targetFile, notes);
  const lists = await readJsonValue(graphFile, options.signal);
  if (typeof lists !== "object" || lists === null || Array.isArray(lists))
    throw badData(
      `${graphFile.name}: expected an object with the edges of each graph: {"0": [[0, 1], ...], ...}`,
    );

  const builder = new GraphBuilder();
  const cleaning = emptyCleaning();
  const dataset: Dataset = {
    name: tree.name,
    graphs: [],
    classes: null,
    classNames: [],
    targets: null,
    graphNames: null,
    nodeIds: null,
    cleaning,
    notes,
  };
  const raw: string[] = [];
  const ids = Object.keys(lists);
  const nodeIds: (Float64Array | null)[] = [];
  for (const [id, edges] of Object.entries(lists)) {
    if (raw.length % 256 === 0) {
      throwIfAborted(options.signal);
      options.onProgress?.({
        task: `reading ${tree.name}`,
        done: raw.length,
        total: ids.length,
        unit: "graphs",
      });
    }
    const target = targets.get(wholeText(id));
    if (target === undefined)
      throw badData(`${targetFile.name}: there is no row for graph ${id} of ${graphFile.name}`);
    targets.delete(wholeText(id));
    raw.push(target);
    const ends = readEnds(edges, `${graphFile.name}: graph ${id}`);
    const { nodeCount, nodeIds: original } = compactIds(ends.sources, ends.targets, []);
    nodeIds.push(original as Float64Array | null);
    const built = builder.build({ nodeCount, ...ends }, `${graphFile.name}: graph ${id}`);
    dataset.graphs.push(built.graph);
    addCleaning(cleaning, built.cleaning);
  }
  const empty = ids.filter((_, g) => dataset.graphs[g].nodeCount === 0);
  if (empty.length > 0) dataset.notes.push(emptyGraphsNote(empty));
  for (const id of targets.keys())
    throw badData(`${targetFile.name}: names graph ${id}, which ${graphFile.name} does not have`);
  if (raw.length === 0) throw badData(`${graphFile.name}: there are no graphs in the file`);
  if (ids.some((id, g) => id !== String(g))) dataset.graphNames = ids;
  if (nodeIds.some((original) => original !== null)) dataset.nodeIds = nodeIds;
  return { ...dataset, ...indexClasses(raw, notes), unread: unreadDirection(dataset.graphs, cleaning) };
}

/** Class of each graph by its id. */
async function readTargets(source: ByteSource, notes: string[]): Promise<Map<string, string>> {
  const rows = await readCsv(source, notes);
  const header = rows[0]?.fields.map((field) => field.toLowerCase()) ?? [];
  const idColumn = header.indexOf("id");
  const targetColumn = header.indexOf("target");
  if (idColumn < 0 || targetColumn < 0)
    throw badData(
      `${source.name} line 1: got ${header.join(",") || "nothing"}, expected the header id,target`,
    );
  const targets = new Map<string, string>();
  for (const { line, fields } of rows.slice(1)) {
    const id = wholeText(fields[idColumn] ?? "");
    const target = fields[targetColumn] ?? "";
    if (id === "" || target === "")
      throw badData(`${source.name} line ${line}: got ${fields.join(",")}, expected an id and a target`);
    if (targets.has(id)) throw badData(`${source.name} line ${line}: a second row for graph ${id}`);
    targets.set(id, target);
  }
  return targets;
}

function readEnds(edges: unknown, where: string): { sources: Uint32Array; targets: Uint32Array } {
  if (!Array.isArray(edges)) throw badData(`${where}: expected a list of edges [[0, 1], ...]`);
  const sources = new Uint32Array(edges.length);
  const targets = new Uint32Array(edges.length);
  for (let e = 0; e < edges.length; e++) {
    const edge: unknown = edges[e];
    const isNode = (x: unknown) => Number.isInteger(x) && (x as number) >= 0 && (x as number) <= MAX_NODES;
    if (!(Array.isArray(edge) && edge.length === 2 && edge.every(isNode)))
      throw badData(`${where}: edge ${e}: got ${shown(edge)}, expected two node numbers`);
    sources[e] = edge[0];
    targets[e] = edge[1];
  }
  return { sources, targets };
}
