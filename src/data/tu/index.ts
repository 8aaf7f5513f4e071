/**
 * The TU format (Morris et al., "TUDataset", 2020): a folder or zip with
 *
 *   NAME_A.txt                 "i, j" a line: entries of the adjacency matrices, nodes numbered from 1 through all graphs
 *   NAME_graph_indicator.txt   line i: the graph of node i, numbered from 1; a graph that no line names has no nodes
 *   NAME_graph_labels.txt      line g: the class of graph g          (or NAME_graph_attributes.txt: a number to predict)
 *   NAME_node_labels.txt       line i: integer label of node i        NAME_node_attributes.txt: numbers
 *   NAME_edge_labels.txt, NAME_edge_attributes.txt: parallel to NAME_A.txt; used only as weights, by option
 */
import { badData, throwIfAborted } from "../../base/errors.js";
import { GraphBuilder } from "../../graph/build.js";
import { addCleaning, emptyCleaning } from "../../graph/cleaning.js";
import type { Graph } from "../../graph/graph.js";
import type { ByteSource } from "../bytes.js";
import { type Dataset, emptyGraphsNote, indexClasses, unreadDirection } from "../dataset.js";
import type { FileTree, ReadOptions } from "../reading.js";
import { integerColumn, readTable, readWords, type Table } from "./columns.js";
import { type EdgeLines, type NodeIndex, readEdgeLines } from "./edges.js";

/** The files of one set inside a tree, by role ("A", "graph_indicator", ...); null when there is no NAME_A.txt. */
interface TUFiles {
  name: string;
  role(suffix: string): ByteSource | undefined;
}

const ROLE =
  /^(.*?)_(A|graph_indicator|graph_labels|graph_attributes|node_labels|node_attributes|edge_labels|edge_attributes)\.txt$/;

/** True when the tree holds files that only a TU set has. */
export function isTU(tree: FileTree): boolean {
  for (const path of tree.files.keys()) if (/_(A|graph_indicator)\.txt$/.test(path)) return true;
  return false;
}

function findFiles(tree: FileTree): TUFiles {
  const sets = new Map<string, Map<string, ByteSource>>();
  for (const [path, source] of tree.files) {
    const match = ROLE.exec(path);
    if (match === null || path.startsWith("__MACOSX/")) continue;
    const roles = sets.get(match[1]) ?? new Map<string, ByteSource>();
    sets.set(match[1], roles.set(match[2], source));
  }
  const complete = [...sets].filter(([, roles]) => roles.has("A"));
  if (complete.length > 1)
    throw badData(
      `${tree.name}: holds ${complete.length} TU sets (${complete.map(([path]) => path).join(", ")}): give the folder of one`,
    );
  if (complete.length === 0)
    throw badData(`${tree.name}: a TU set needs a file NAME_A.txt with its edges: there is none`);
  const [path, roles] = complete[0];
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (!roles.has("graph_indicator"))
    throw badData(
      `${tree.name}: the indicator file ${name}_graph_indicator.txt is missing: it says which graph each node is in`,
    );
  return { name, role: (suffix) => roles.get(suffix) };
}

export async function readTU(tree: FileTree, options: ReadOptions = {}): Promise<Dataset> {
  const { signal, onProgress } = options;
  const files = findFiles(tree);
  const { name } = files;
  const notes = [`TU format`];
  const edgeFile = files.role("A")!;
  const nodes = await readIndicator(files.role("graph_indicator")!, signal);
  const classes = await readClasses(files, nodes, notes);
  const { graphOf, position, graphCount } = nodes;
  const nodeStarts = new Uint32Array(graphCount + 1);
  for (let i = 0; i < graphOf.length; i++) nodeStarts[graphOf[i] + 1]++;
  const empty: string[] = [];
  for (let g = 0; g < graphCount; g++) {
    if (nodeStarts[g + 1] === 0) empty.push(String(g + 1));
    nodeStarts[g + 1] += nodeStarts[g];
  }
  if (empty.length > 0) notes.push(emptyGraphsNote(empty));

  const labels = await readNodeLabels(files, graphOf.length, position, notes, signal);
  const attributes = await readNodeAttributes(files, graphOf.length, position, signal);

  let bytesDone = 0;
  const task = `reading ${name}`;
  const edges = await readEdgeLines(edgeFile, nodes, signal, (bytes) => {
    bytesDone += bytes;
    onProgress?.({ task, done: bytesDone, total: edgeFile.size, unit: "B" });
  });
  const unread: string[] = [];
  const weights = await readWeights(files, edges, options, { notes, unread });

  const builder = new GraphBuilder();
  const cleaning = emptyCleaning();
  const graphs: Graph[] = [];
  for (let g = 0; g < graphCount; g++) {
    if (g % 256 === 0) throwIfAborted(signal);
    const [first, last] = [nodeStarts[g], nodeStarts[g + 1]];
    const built = builder.build(
      {
        nodeCount: last - first,
        sources: edges.sources,
        targets: edges.targets,
        weights,
        from: edges.starts[g],
        to: edges.starts[g + 1],
        base: first,
        labels: labels?.subarray(first, last),
        attributes: attributes && {
          dimension: attributes.columns,
          values: attributes.values.subarray(first * attributes.columns, last * attributes.columns),
        },
      },
      `${name}: graph ${g + 1}`,
    );
    graphs.push(built.graph);
    addCleaning(cleaning, built.cleaning);
  }
  unread.push(...unreadDirection(graphs, cleaning));
  return { name, graphs, ...classes, graphNames: null, nodeIds: null, cleaning, notes, unread };
}

async function readIndicator(source: ByteSource, signal?: AbortSignal): Promise<NodeIndex> {
  const table = await readTable(source, signal);
  if (table.rows === 0)
    throw badData(`${source.name}: the file is empty: expected the graph of each node, one a line`);
  const graphOf = integerColumn(table, source.name, 1, 2 ** 31 - 1);
  let graphCount = 0;
  let sorted = true;
  for (let i = 0; i < graphOf.length; i++) {
    graphCount = Math.max(graphCount, graphOf[i]);
    graphOf[i]--;
    if (i > 0 && graphOf[i] < graphOf[i - 1]) sorted = false;
  }
  return {
    graphOf,
    graphCount,
    position: sorted ? null : consecutive(graphOf),
    indicatorName: source.name,
  };
}

/** New node numbers that put the nodes of graph 0 first, then those of graph 1, and so on, each in file order. O(n log n). */
function consecutive(graphOf: Int32Array): Uint32Array {
  const order = Uint32Array.from(graphOf, (_, i) => i).sort((i, j) => graphOf[i] - graphOf[j] || i - j);
  const position = new Uint32Array(graphOf.length);
  order.forEach((i, k) => {
    position[i] = k;
  });
  return position;
}

/**
 * The class or number of each graph. Their files know how many graphs there are: the indicator does not name those without nodes. `nodes`
 * gets that count. Without either file it is the largest number in the indicator.
 */
async function readClasses(files: TUFiles, nodes: NodeIndex, notes: string[]) {
  const labelFile = files.role("graph_labels");
  const targetFile = files.role("graph_attributes");
  const words = labelFile && (await readWords(labelFile));
  const table = targetFile && (await readTable(targetFile));
  const named = nodes.graphCount;
  if (!words && !table) {
    if (named > nodes.graphOf.length)
      throw badData(
        `${nodes.indicatorName}: names graph ${named}, but has only ${nodes.graphOf.length} nodes: graphs must be numbered from 1 without gaps`,
      );
    notes.push("no graph labels: the set can be inspected and compared, not classified");
    return { classes: null, classNames: [], targets: null };
  }
  if (words && words.length < named)
    throw badData(
      `${labelFile!.name}: labels are missing: got ${words.length}, expected one for each of ${named} graphs`,
    );
  nodes.graphCount = words?.length ?? Math.max(table!.rows, named);
  if (table && table.rows !== nodes.graphCount)
    throw badData(
      `${targetFile!.name}: got ${table.rows} lines, expected one for each of ${nodes.graphCount} graphs`,
    );
  let targets: Float64Array | null = null;
  if (table) {
    targets = Float64Array.from({ length: table.rows }, (_, g) => table.values[g * table.columns]);
    const odd = targets.findIndex((target) => !Number.isFinite(target));
    if (odd >= 0)
      throw badData(`${targetFile!.name} entry ${odd + 1}: got ${targets[odd]}, expected a finite number`);
    if (table.columns > 1)
      notes.push(`graph attributes have ${table.columns} columns; the first is the target`);
  }
  return { ...(words ? indexClasses(words, notes) : { classes: null, classNames: [] }), targets };
}

async function readNodeLabels(
  files: TUFiles,
  nodeCount: number,
  position: Uint32Array | null,
  notes: string[],
  signal?: AbortSignal,
): Promise<Int32Array | null> {
  const source = files.role("node_labels");
  if (!source) return null;
  const table = await readTable(source, signal);
  checkRows(table, source.name, nodeCount);
  if (table.columns > 1) notes.push(`node labels have ${table.columns} columns; the first is used`);
  const labels = integerColumn(table, source.name, -(2 ** 31), 2 ** 31 - 1);
  if (position === null) return labels;
  const moved = new Int32Array(nodeCount);
  for (let i = 0; i < nodeCount; i++) moved[position[i]] = labels[i];
  return moved;
}

async function readNodeAttributes(
  files: TUFiles,
  nodeCount: number,
  position: Uint32Array | null,
  signal?: AbortSignal,
): Promise<Table | null> {
  const source = files.role("node_attributes");
  if (!source) return null;
  const table = await readTable(source, signal);
  checkRows(table, source.name, nodeCount);
  if (position === null) return table;
  const { columns } = table;
  const values = new Float64Array(table.values.length);
  for (let i = 0; i < nodeCount; i++)
    values.set(table.values.subarray(i * columns, (i + 1) * columns), position[i] * columns);
  return { ...table, values };
}

function checkRows(table: Table, name: string, nodeCount: number): void {
  if (table.rows !== nodeCount)
    throw badData(`${name}: got ${table.rows} lines, expected one for each of ${nodeCount} nodes`);
}

async function readWeights(
  files: TUFiles,
  edges: EdgeLines,
  options: ReadOptions,
  { notes, unread }: { notes: string[]; unread: string[] },
) {
  if (files.role("edge_labels")) {
    notes.push("edge labels are not used");
    unread.push("edge labels");
  }
  const source = files.role("edge_attributes");
  if (!options.edgeWeights) {
    if (source) {
      notes.push("edge attributes are not used; --edge-weights takes the first column as weights");
      unread.push("edge attributes (--edge-weights takes the first as weights)");
    }
    return null;
  }
  if (!source)
    throw badData(`${files.name}: --edge-weights needs ${files.name}_edge_attributes.txt: there is none`);
  const table = await readTable(source, options.signal);
  const lines = edges.sources.length;
  if (table.columns > 1) unread.push("edge attributes after the first");
  if (table.rows !== lines)
    throw badData(`${source.name}: got ${table.rows} lines, expected one for each of ${lines} edge lines`);
  return Float64Array.from(
    { length: lines },
    (_, k) => table.values[(edges.lineOf?.[k] ?? k) * table.columns],
  );
}
