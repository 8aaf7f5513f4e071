/**
 * METIS and Chaco (.graph, .metis): a line "n m [fmt [ncon]]", then one line for each node with its neighbours, from 1; comments behind %.
 *
 * The digits of fmt say what else stands in the lines: 100 the size of the node, 10 its ncon weights (both are not used, and a note says
 * so), 1 a weight behind each neighbour. Every edge stands in the lines of both its nodes. An empty line is a node without edges. O(size).
 */
import { badData } from "../base/errors.js";
import { buildGraph } from "../graph/build.js";
import { MAX_NODES } from "../graph/graph.js";
import type { ByteSource } from "./bytes.js";
import { type Dataset, DIRECTION, singleGraph } from "./dataset.js";
import { forEachLine, inSentence, LinePlace } from "./each-line.js";
import { Float64List, Uint32List } from "./growable.js";
import { baseName } from "./names.js";
import type { FileFormat, ReadOptions } from "./reading.js";

export const metis: FileFormat = {
  name: "metis",
  title: "METIS",
  extensions: ["metis", "graph", "chaco"],
  recognises: () => false,
  read: readMetis,
};

async function readMetis(source: ByteSource, options: ReadOptions): Promise<Dataset> {
  const place = new LinePlace(source.name);
  const sources = new Uint32List();
  const targets = new Uint32List();
  const weights = new Float64List();
  let header: { n: number; m: number; before: number; weighted: boolean } | null = null;
  const said = { notes: ["METIS"], unread: [] as string[] };
  const { notes, unread } = said;
  let row = 0;
  let loops = 0;
  await forEachLine(source, options, place, (line) => {
    if (line.includes("\0"))
      throw place.fail(
        "holds a zero byte: this is not a METIS file; graphs of WebGraph (BVGraph) cannot be read",
      );
    if (/^\s*%/.test(line)) return;
    const words = line.trim().split(/\s+/);
    if (words[0] === "") words.pop();
    if (header === null) {
      if (words.length > 0) header = headerOf(words, place, said);
      return;
    }
    if (row === header.n) {
      if (words.length > 0)
        throw place.fail(
          `more lines than the ${header.n} nodes of the first line; for an edge list give --format edges`,
        );
      return;
    }
    const step = header.weighted ? 2 : 1;
    if (words.length < header.before || (words.length - header.before) % step !== 0)
      throw place.fail(
        `got ${words.length} numbers, expected ${header.before > 0 ? `${header.before} for the node, then ` : ""}${header.weighted ? "a neighbour and a weight for each edge" : "its neighbours"}`,
      );
    for (let k = 0; k < header.before; k++) place.weight(words[k]);
    for (let k = header.before; k < words.length; k += step) {
      const j = place.whole(words[k], "neighbour", 1, header.n) - 1;
      if (j === row) loops++;
      sources.push(row);
      targets.push(j);
      if (header.weighted) weights.push(place.weight(words[k + 1]));
    }
    row++;
  });
  const found = header as { n: number; m: number; weighted: boolean } | null;
  if (found === null) throw badData(`${source.name}: there is no line with the numbers of nodes and edges`);
  const { n, m, weighted } = found;
  if (row < n) throw badData(`${source.name}: truncated: got the lines of ${row} nodes, expected ${n}`);
  // each edge stands in two lines; a self-loop, which METIS itself does not have, once or twice
  const entries = sources.length;
  if (entries !== 2 * m && entries + loops !== 2 * m)
    throw badData(
      `${source.name}: got ${entries} neighbours, expected twice the ${m} edges of the first line; for an edge list give --format edges`,
    );
  const values = weighted ? weights.values() : null;
  const { graph, cleaning } = buildGraph(
    {
      nodeCount: n,
      sources: sources.values(),
      targets: targets.values(),
      weights: values?.every((w) => w === 1) ? null : values,
    },
    source.name,
  );
  if (cleaning.oneWay > 0) {
    notes.push(`edges that stand in the line of one node only were symmetrised: ${cleaning.oneWay}`);
    unread.push(DIRECTION);
  }
  return { ...singleGraph(baseName(source.name), graph, cleaning, notes), unread };
}

function headerOf(
  words: readonly string[],
  place: LinePlace,
  { notes, unread }: { notes: string[]; unread: string[] },
) {
  if (words.length < 2 || words.length > 4)
    throw place.fail(
      `got ${inSentence(words.join(" "))}, expected the numbers of nodes and edges, fmt and ncon`,
    );
  const n = place.whole(words[0], "number of nodes", 0, MAX_NODES);
  const m = place.whole(words[1], "number of edges", 0, Number.MAX_SAFE_INTEGER);
  const format = (words[2] ?? "0").padStart(3, "0");
  if (!/^[01]{3}$/.test(format))
    throw place.fail(`fmt: got ${inSentence(words[2])}, expected three digits 0 or 1`);
  const sized = format[0] === "1";
  const nodeWeights = format[1] === "1" ? place.whole(words[3] ?? "1", "ncon", 1, 1000) : 0;
  for (const what of [...(sized ? ["sizes"] : []), ...(nodeWeights > 0 ? ["weights"] : [])]) {
    notes.push(`the ${what} of the nodes were not used`);
    unread.push(`${what} of nodes`);
  }
  return { n, m, before: (sized ? 1 : 0) + nodeWeights, weighted: format[2] === "1" };
}
