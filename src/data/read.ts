/**
 * Bytes or a folder in, Dataset out: finds out what it is by content first, then by name, and hands it to its reader.
 */
import { badData, EmptyFileError, GraphdosError, unknownName } from "../base/errors.js";
import { adjacencyList, lgl, multilineAdjacencyList } from "./adjacency-list.js";
import { adjacencyMatrix } from "./adjacency-matrix.js";
import { type ByteSource, peek } from "./bytes.js";
import { type Dataset, emptyGraphsNotes } from "./dataset.js";
import { dot } from "./dot.js";
import { lineFields } from "./edge-fields.js";
import { edgeList } from "./edge-list.js";
import { readAsUtf8, readTreeAsUtf8 } from "./encoding.js";
import { gdf } from "./gdf.js";
import { gexf } from "./gexf.js";
import { gml } from "./gml.js";
import { readGraphFolder } from "./graph-folder.js";
import { graph6 } from "./graph6.js";
import { graphml } from "./graphml.js";
import { gunzipSource, webInflate } from "./inflate.js";
import { json } from "./json.js";
import { isKarateclub, readKarateclub } from "./karateclub.js";
import { matrixMarket } from "./matrix-market.js";
import { metis } from "./metis.js";
import { pajek } from "./pajek.js";
import { DEFAULT_MAX_UNPACKED_BYTES, type FileFormat, type FileTree, type ReadOptions } from "./reading.js";
import { isTU, readTU } from "./tu/index.js";
import { isZip, openZip } from "./zip.js";

/** The formats of single files; the edge list is last because its content says least. */
export const fileFormats: readonly FileFormat[] = [
  matrixMarket,
  graphml,
  gexf,
  gml,
  dot,
  pajek,
  graph6,
  gdf,
  metis,
  adjacencyList,
  multilineAdjacencyList,
  lgl,
  json,
  adjacencyMatrix,
  edgeList,
];

const HEAD_BYTES = 4096;

/** Reads a file (also zipped or gzipped) or a folder of files. */
export async function readDataset(input: ByteSource | FileTree, options: ReadOptions = {}): Promise<Dataset> {
  try {
    const set = "files" in input ? await readTree(input, options) : await readFile(input, options);
    if (set.graphs.every(({ nodeCount }) => nodeCount === 0))
      throw badData(
        `${input.name}: ${set.graphs.length === 1 ? "the graph has" : "all graphs have"} no nodes: expected at least one`,
      );
    return set;
  } catch (error) {
    if (error instanceof GraphdosError || !(error instanceof RangeError)) throw error;
    throw new GraphdosError("limit", `${input.name}: does not fit into memory: ${error.message}`, {
      cause: error,
    });
  }
}

async function readTree(tree: FileTree, options: ReadOptions): Promise<Dataset> {
  if (tree.files.size === 0) throw badData(`${tree.name}: the folder is empty`);
  if (isTU(tree)) return readTreeAsUtf8(tree, (files) => readTU(files, options));
  if (isKarateclub(tree)) return readTreeAsUtf8(tree, (files) => readKarateclub(files, options));
  return readGraphFolder(tree, options, readFile);
}

async function readFile(source: ByteSource, options: ReadOptions): Promise<Dataset> {
  const inflate = options.inflate ?? webInflate;
  const limit = options.maxUnpackedBytes ?? DEFAULT_MAX_UNPACKED_BYTES;
  if (source.size === 0) throw new EmptyFileError(`${source.name}: the file is empty`);
  const head = await peek(source, HEAD_BYTES);
  if (isZip(head)) return readTree(await openZip(source, inflate, limit), options);
  if (head[0] === 0x50 && head[1] === 0x4b)
    throw badData(`${source.name}: looks like a zip file, but its beginning is damaged; get the file again`);
  if (head[0] === 0x1f && head[1] === 0x8b) return readPlain(gunzipSource(source, inflate, limit), options);
  const packed = /\.(zip|gz)$/i.exec(source.name);
  if (packed !== null && options.format === undefined)
    throw badData(`${source.name}: not a ${packed[1].toLowerCase()} file; get the file again`);
  return readPlain(source, options);
}

async function readPlain(source: ByteSource, options: ReadOptions): Promise<Dataset> {
  const notes: string[] = [];
  const set = await readAsUtf8(source, notes, async (text) => {
    const head = new TextDecoder().decode(await peek(text, HEAD_BYTES));
    if (head.length < HEAD_BYTES && head.trim() === "")
      throw new EmptyFileError(`${source.name}: the file is empty`);
    return findFormat(source.name, head, options.format).read(text, options);
  });
  if (set.graphs.length > 1) notes.push(...emptyGraphsNotes(set));
  return { ...set, notes: [...set.notes, ...notes] };
}

/** By the option, else by content, else by the ending of the name; else an edge list if it looks like one. */
export function findFormat(name: string, head: string, format?: string): FileFormat {
  if (format !== undefined) {
    const named = fileFormats.find((f) => f.name === format);
    if (!named)
      throw unknownName(
        "format",
        format,
        fileFormats.map((f) => f.name),
      );
    return named;
  }
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  const other = otherFormat(head, ending);
  if (other !== null)
    throw badData(
      `${name}: this is ${other}, which is not read; write it as GraphML or an edge list instead, or give --format edges if it is one`,
    );
  const found =
    fileFormats.find((f) => f.recognises(head)) ?? fileFormats.find((f) => f.extensions.includes(ending));
  if (found !== undefined && found !== edgeList) return found;
  if (mayBeLGL(head))
    throw badData(
      `${name}: lines such as ${/^\s*(#.*)/m.exec(head)![1].trim()} may be nodes of LGL or comments of an edge list: give --format lgl or --format edges`,
    );
  const why = notEdges(head, found === edgeList);
  if (why === null) return edgeList;
  const formats = fileFormats.map((f) =>
    f.title.toLowerCase() === f.name ? f.title : `${f.title} (${f.name})`,
  );
  throw badData(`${name}: ${why}; give --format NAME if it is one of these: ${formats.join(", ")}`);
}

/** Formats that are known and not read: their lines would pass for edges. Null for any other. */
function otherFormat(head: string, ending: string): string | null {
  if (/^\s*LEDA\.GRAPH\b/.test(head)) return "LEDA's format";
  const lines = linesOf(head).filter((line) => line !== "");
  const filled = lines.filter((line) => !/^c(\s|$)/.test(line));
  if (/^p\s+\S+\s+\d+\s+\d+$/.test(filled[0] ?? "")) return "DIMACS' format";
  if (filled.length > 1 && filled.every((line) => /^[ea](\s+\d+){2,3}$/.test(line))) return "DIMACS' format";
  return ending === "tgf" || isTrivialGraph(lines) ? "the trivial graph format (TGF)" : null;
}

/** "id label" for each node, a line with # alone, then "id id label" for each edge: all ids behind the # stand before it. */
function isTrivialGraph(lines: readonly string[]): boolean {
  const border = lines.indexOf("#");
  if (border < 1 || border === lines.length - 1) return false;
  const nodes = lines.slice(0, border).map((line) => line.split(/\s+/)[0]);
  const ids = new Set(nodes);
  return (
    ids.size === nodes.length &&
    lines.slice(border + 1).every((line) => {
      const [source, target = ""] = line.split(/\s+/);
      return ids.has(source) && ids.has(target);
    })
  );
}

/** The lines of a head, trimmed; the last one may be cut off by its end. */
function linesOf(head: string): string[] {
  const lines = head.split(/\r?\n/).map((line) => line.trim());
  if (lines.length > 2) lines.pop();
  return lines;
}

/** "# node" first and again behind other lines, no other comments, and at most an id and a number on all other lines. */
function mayBeLGL(head: string): boolean {
  const filled = linesOf(head).filter((line) => line !== "");
  const isNode = (line: string) => /^#\s+\S+$/.test(line);
  return (
    isNode(filled[0] ?? "") &&
    filled.some((line, k) => k > 0 && isNode(line) && !isNode(filled[k - 1])) &&
    filled.every((line) => isNode(line) || /^[^#%\s]\S*(\s+[-+.\deE]+)?$/.test(line))
  );
}

/**
 * Why a text is no edge list, null when it may be one. Where the name says that it is one, its reader looks at the lines; else the lines of
 * the head that name two nodes must have one number of fields and, but for a header, a number or {attributes} as the third.
 */
function notEdges(head: string, named: boolean): string | null {
  if (/^\s*</.test(head)) return "looks like HTML or XML, and not like a format that is read";
  if (named) return null;
  if (head.includes("\0")) return "is not text, and its format is not one that is read";
  const rows = linesOf(head)
    .filter((line) => !/^\s*(#|%|\/\/|$)/.test(line))
    .map(lineFields)
    .filter((fields) => fields.length > 1);
  const unknown = "its format cannot be told, and";
  if (rows.length === 0) return `${unknown} no line names two nodes, as those of an edge list do`;
  if (rows.some((fields) => fields.length !== rows[0].length))
    return `${unknown} its lines differ in their number of fields, unlike those of an edge list`;
  const third = (rows[1] ?? rows[0])[2] ?? "{";
  if (!third.startsWith("{") && Number.isNaN(Number(third)))
    return `${unknown} the third field is no weight, as in an edge list: got ${third.slice(0, 40)}`;
  return null;
}
