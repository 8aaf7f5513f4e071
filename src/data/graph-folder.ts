/**
 * A folder of graph files, one graph a file. Their classes come from a labels.csv
 *
 *   file,label            the header may be missing, or name more columns; fields may be quoted
 *   a.edges,ring
 *
 * else from the files, where each names its own, else from the sub-folders (ring/a.edges), where each file is in one of several.
 * With labels.csv the graphs come in its order, else by file name with numbers by value (g2 before g10). Names are relative to the innermost folder
 * that holds all files. Files that hold nothing, or comments alone, are left out, and a note names them; graphs without nodes, which a file
 * can state (graph { }), are kept as empty graphs, as in every set, and a note names them too.
 */
import { badData, EmptyFileError, throwIfAborted } from "../base/errors.js";
import { buildGraph } from "../graph/build.js";
import { addCleaning, emptyCleaning } from "../graph/cleaning.js";
import type { Graph } from "../graph/graph.js";
import type { ByteSource } from "./bytes.js";
import { type CsvRow, readCsv } from "./csv.js";
import { type Dataset, emptyGraphsNotes, indexClasses } from "./dataset.js";
import { isWordLabelNote, wordLabelNote } from "./graph-draft.js";
import type { FileTree, ReadOptions } from "./reading.js";

export type ReadFile = (source: ByteSource, options: ReadOptions) => Promise<Dataset>;

const FILE_HEADERS = ["file", "filename", "file_name", "path", "graph", "name", "id"];
const LABEL_HEADERS = ["label", "class", "target", "y"];
/** Files that lie about in folders and are no graphs. */
const NOT_GRAPHS =
  /(^|\/)(\.[^/]*|__MACOSX\/.*|thumbs\.db|desktop\.ini|(readme|license|licence|citation)[^/]*|[^/]*\.(md|pdf|html?|png|svg|py|ts|js))$/i;

interface Entry {
  /** Path within the folder of labels.csv: what the graph is called. */
  name: string;
  source: ByteSource;
}

export async function readGraphFolder(
  tree: FileTree,
  options: ReadOptions,
  readFile: ReadFile,
): Promise<Dataset> {
  const files = withoutOuterFolder(new Map([...tree.files].filter(([path]) => !NOT_GRAPHS.test(path))));
  const labelPath = findLabels(tree.name, [...files.keys()]);
  let entries: Entry[];
  let labels: string[] | null = null;
  const labelNotes: string[] = [];
  if (labelPath === null) {
    entries = [...files]
      .map(([name, source]) => ({ name, source }))
      .sort((a, b) => byNumber.compare(a.name, b.name) || (a.name < b.name ? -1 : 1));
  } else ({ entries, labels } = await matchLabels(labelPath, files, labelNotes));
  if (entries.length === 0) throw badData(`${tree.name}: there are no graph files in the folder`);

  const parts: Dataset[] = [];
  const read: number[] = [];
  const empty: string[] = [];
  for (const [k, { name, source }] of entries.entries()) {
    throwIfAborted(options.signal);
    options.onProgress?.({ task: `reading ${tree.name}`, done: k, total: entries.length, unit: "graphs" });
    const part =
      source.size === 0 ? null : await unlessEmpty(readFile(source, { ...options, onProgress: undefined }));
    if (part === null) {
      empty.push(name);
      continue;
    }
    if (part.graphs.length !== 1 && (entries.length > 1 || labels !== null))
      throw badData(`${name}: holds ${part.graphs.length} graphs, expected one in each file of a folder`);
    parts.push(part);
    read.push(k);
  }
  if (parts.length === 0) throw badData(`${tree.name}: all graph files in the folder are empty`);
  const notes = [
    ...(empty.length === 0 ? [] : [emptyFilesNote(empty)]),
    ...labelNotes.map((note) => `${labelPath}: ${note}`),
  ];
  entries = read.map((k) => entries[k]);
  labels = labels && read.map((k) => labels![k]);
  if (entries.length === 1 && labels === null) return { ...parts[0], notes: [...parts[0].notes, ...notes] };
  return merge(tree.name, entries, parts, { labels, notes });
}

/** The set of a file; null when the file holds nothing, or comments alone. */
async function unlessEmpty(reading: Promise<Dataset>): Promise<Dataset | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof EmptyFileError) return null;
    throw error;
  }
}

/** Folders that hold everything say nothing: their names are taken off. */
function withoutOuterFolder(files: Map<string, ByteSource>): Map<string, ByteSource> {
  let [outer] = files.keys();
  if (outer === undefined) return files;
  for (const path of files.keys())
    while (!path.startsWith(outer) || !(outer === "" || outer.endsWith("/")))
      outer = outer.slice(0, outer.lastIndexOf("/", outer.length - 2) + 1);
  return new Map([...files].map(([path, source]) => [path.slice(outer.length), source]));
}

function emptyFilesNote(names: readonly string[]): string {
  const some = `${names.slice(0, 5).join(", ")}${names.length > 5 ? ", …" : ""}`;
  return names.length === 1
    ? `1 file is empty and was left out: ${some}`
    : `${names.length} files are empty and were left out: ${some}`;
}

/** The outermost sub-folder of each file; null unless every file is in one and there are two at least. */
function subFolders(entries: readonly Entry[]): string[] | null {
  const folders = entries.map(({ name }) => name.slice(0, Math.max(0, name.indexOf("/"))));
  return folders.every((folder) => folder !== "") && new Set(folders).size > 1 ? folders : null;
}

const byNumber = new Intl.Collator("en", { numeric: true });

function findLabels(folder: string, paths: readonly string[]): string | null {
  const found = paths.filter((path) => /(^|\/)labels\.csv$/i.test(path));
  if (found.length > 1)
    throw badData(`${folder}: holds ${found.length} files labels.csv (${found.join(", ")}): expected one`);
  return found[0] ?? null;
}

async function matchLabels(labelPath: string, files: ReadonlyMap<string, ByteSource>, notes: string[]) {
  const base = labelPath.slice(0, labelPath.lastIndexOf("/") + 1);
  const { rows, fileColumn, labelColumn } = columns(
    await readCsv(files.get(labelPath)!, notes),
    labelPath,
    (name) => files.has(base + name),
  );
  const entries: Entry[] = [];
  const labels: string[] = [];
  const seen = new Set<string>([labelPath]);
  for (const { line, fields } of rows) {
    const where = `${labelPath} line ${line}`;
    const name = (fields[fileColumn] ?? "").replaceAll("\\", "/").replace(/^\.\//, "");
    const label = fields[labelColumn] ?? "";
    if (name === "" || label === "")
      throw badData(`${where}: got ${fields.join(",")}, expected a file and a label`);
    const source = files.get(base + name);
    if (source === undefined) throw badData(`${where}: names ${name}, which is not in the folder`);
    if (seen.has(base + name)) throw badData(`${where}: a second row for ${name}`);
    seen.add(base + name);
    entries.push({ name, source });
    labels.push(label);
  }
  const left = [...files.keys()].filter((path) => !seen.has(path));
  if (left.length > 0) {
    const more = left.length > 1 ? ` (and ${left.length - 1} more)` : "";
    throw badData(
      `${labelPath}: there is no label for ${left[0]}${more}: expected a row for each graph file`,
    );
  }
  return { entries, labels };
}

/** Takes off the header, when there is one, and finds the two columns. */
function columns(rows: CsvRow[], labelPath: string, isFile: (name: string) => boolean) {
  if (rows.length === 0) throw badData(`${labelPath}: the file is empty: expected rows of file,label`);
  const header = rows[0].fields.map((field) => field.toLowerCase());
  const fileColumn = FILE_HEADERS.map((name) => header.indexOf(name)).find((k) => k >= 0) ?? -1;
  const labelColumn = LABEL_HEADERS.map((name) => header.indexOf(name)).find((k) => k >= 0) ?? -1;
  if (fileColumn >= 0 && labelColumn >= 0 && !isFile(rows[0].fields[0]))
    return { rows: rows.slice(1), fileColumn, labelColumn };
  const wide = rows.find(({ fields }) => fields.length !== 2);
  if (wide !== undefined)
    throw badData(
      `${labelPath} line ${wide.line}: got ${wide.fields.length} columns, expected file,label; with more columns a header must say which is which`,
    );
  return { rows, fileColumn: 0, labelColumn: 1 };
}

function merge(
  name: string,
  entries: readonly Entry[],
  parts: readonly Dataset[],
  { labels, notes: own }: { labels: readonly string[] | null; notes: readonly string[] },
): Dataset {
  const nodeLabelNames = unifyLabels(parts);
  const nodeIds = parts.map((part) => part.nodeIds?.[0] ?? null);
  const notes = new Map<string, number>();
  // the first note of a part is its format
  const formats = [...new Set(parts.map((part) => part.notes[0]))].join(", ");
  for (const note of parts.flatMap((part) => part.notes.slice(1).filter((text) => !isWordLabelNote(text))))
    notes.set(note, (notes.get(note) ?? 0) + 1);
  const folders = subFolders(entries);
  const inFiles = parts.every((part) => part.classes !== null);
  const [classes, from] =
    labels !== null
      ? [labels, "the classes are in labels.csv"]
      : inFiles
        ? [parts.map((part) => part.classNames[part.classes![0]]), "the classes are in the files"]
        : folders !== null
          ? [folders, "the classes are its sub-folders"]
          : [null, "without labels.csv or a sub-folder for each class"];
  const classNotes: string[] = [];
  const graphs = withSameMarks(parts.map((part) => part.graphs[0]));
  const graphNames = entries.map((entry) => entry.name);
  return {
    name,
    graphs,
    ...(classes === null ? { classes: null, classNames: [] } : indexClasses(classes, classNotes)),
    targets: parts.every((part) => part.targets !== null)
      ? Float64Array.from(parts, (part) => part.targets![0])
      : null,
    graphNames,
    nodeIds: nodeIds.every((ids) => ids === null) ? null : nodeIds,
    cleaning: parts.reduce((sum, part) => addCleaning(sum, part.cleaning), emptyCleaning()),
    notes: [
      `a folder of ${parts.length} graph files (${formats}), ${from}`,
      ...own,
      ...emptyGraphsNotes({ graphs, graphNames }),
      ...classNotes,
      ...[...notes].map(([note, times]) =>
        times === parts.length ? note : `${note} (${times} of ${parts.length} files)`,
      ),
      ...(nodeLabelNames === null ? [] : [wordLabelNote(nodeLabelNames)]),
    ],
    unread: [...new Set(parts.flatMap((part) => part.unread ?? []))],
    ...(nodeLabelNames === null ? {} : { nodeLabelNames }),
  };
}

/** A graph without nodes, of which a file cannot say whether they have labels and attributes, has those that all others have. */
function withSameMarks(graphs: Graph[]): Graph[] {
  const filled = graphs.filter(({ nodeCount }) => nodeCount > 0);
  if (filled.length === 0 || filled.length === graphs.length) return graphs;
  const isLabelled = filled.every(({ labels }) => labels !== null);
  const dimension = filled[0].attributeDimension;
  const none = new Uint32Array(0);
  const { graph: empty } = buildGraph({
    nodeCount: 0,
    sources: none,
    targets: none,
    labels: isLabelled ? new Int32Array(0) : null,
    attributes:
      dimension > 0 && filled.every(({ attributeDimension }) => attributeDimension === dimension)
        ? { values: new Float64Array(0), dimension }
        : null,
  });
  return graphs.map((graph) => (graph.nodeCount === 0 ? empty : graph));
}

/** Where node labels are words, each file numbered its own: one numbering for all, written into the graphs. */
function unifyLabels(parts: readonly Dataset[]): string[] | null {
  if (!parts.some((part) => part.nodeLabelNames)) return null;
  const words = (part: Dataset) => {
    const { labels } = part.graphs[0];
    return labels === null
      ? []
      : Array.from(labels, (label) => part.nodeLabelNames?.[label] ?? String(label));
  };
  const names = [...new Set(parts.flatMap(words))].sort();
  const index = new Map(names.map((name, k) => [name, k]));
  for (const part of parts) part.graphs[0].labels?.set(words(part).map((word) => index.get(word)!));
  return names;
}
