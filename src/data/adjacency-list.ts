/**
 * Adjacency lists as text, three ways; comments behind #.
 *
 *   adjlist     "node neighbour neighbour ..." on each line, as networkx writes it
 *   multiline   "node degree", then so many lines "neighbour {attributes}", as networkx writes it; the weight is taken from the attributes
 *   lgl         "# node", then lines "neighbour" or "neighbour weight" (Large Graph Layout, igraph)
 *
 * None of them says whether edges are directed: every edge is read in both directions. Numbers as ids come in ascending order, words in
 * order of appearance. Streams; O(file size).
 */
import { EmptyFileError } from "../base/errors.js";
import type { ByteSource } from "./bytes.js";
import type { Dataset } from "./dataset.js";
import { forEachLine, inSentence, LinePlace } from "./each-line.js";
import { oddField } from "./edge-fields.js";
import { assemble, GraphDraft } from "./graph-draft.js";
import type { FileFormat, ReadOptions } from "./reading.js";

/** networkx's first lines: the program, the time, the name of the graph; then what follows. */
const NETWORKX = /^#[^\n]*\n# GMT [^\n]*\n#[^\n]*\n/;
/** A neighbour with its attributes, on any line. */
const WITH_ATTRIBUTES = /[^\n] \{[^\n]*\}\r?\n/;

/** Of the two that begin alike: one has attributes behind neighbours, or, without any edge, "node 0" on every line. */
function networkxKind(head: string): "adjlist" | "multiline-adjlist" | null {
  const first = NETWORKX.exec(head)?.[0];
  if (first === undefined) return null;
  const rest = head.slice(first.length);
  const edgeless = rest.split("\n").every((line) => /\s0\r?$|^$/.test(line));
  return WITH_ATTRIBUTES.test(rest) || edgeless ? "multiline-adjlist" : "adjlist";
}

export const adjacencyList: FileFormat = {
  name: "adjlist",
  title: "adjacency list",
  extensions: ["adjlist", "adj"],
  recognises: (head) => networkxKind(head) === "adjlist",
  read: (source, options) => readLists(source, options, "adjacency list", rowReader),
};

export const multilineAdjacencyList: FileFormat = {
  name: "multiline-adjlist",
  title: "multiline adjacency list",
  extensions: ["multiline_adjlist", "multiline-adjlist", "madjlist"],
  recognises: (head) => networkxKind(head) === "multiline-adjlist",
  read: (source, options) => readLists(source, options, "multiline adjacency list", multilineReader),
};

export const lgl: FileFormat = {
  name: "lgl",
  title: "LGL",
  extensions: ["lgl"],
  recognises: () => false,
  read: (source, options) => readLists(source, options, "LGL", lglReader),
};

interface LineReader {
  line(text: string): void;
  /** At the end of the file. */
  end?(): void;
}

async function readLists(
  source: ByteSource,
  options: ReadOptions,
  title: string,
  readerOf: (draft: GraphDraft, place: LinePlace) => LineReader,
): Promise<Dataset> {
  const place = new LinePlace(source.name);
  const draft = new GraphDraft();
  const reader = readerOf(draft, place);
  await forEachLine(source, options, place, (text) => {
    if (text.includes("\0")) throw place.fail("holds a zero byte: this is not a text file");
    reader.line(text);
  });
  reader.end?.();
  if (draft.nodeCount === 0)
    throw new EmptyFileError(`${source.name}: no nodes found: the file is empty or has only comments`);
  draft.declareAll();
  draft.check();
  draft.sortNumericIds();
  return assemble(source.name, [draft], [title]);
}

const withoutComment = (text: string) => text.replace(/(^|\s)#.*$/, "").trim();

function rowReader(draft: GraphDraft, place: LinePlace): LineReader {
  return {
    line(text) {
      const words = withoutComment(text).split(/\s+/);
      if (words[0] === "") return;
      // a tuple of networkx, (0, 1), is two words
      const odd = /[<()[\]{}]/.test(text) ? words.map(oddField).find((why) => why !== null) : undefined;
      if (odd !== undefined)
        throw place.fail(
          `not a line of an adjacency list: ${odd} in ${inSentence(text.trim())}, expected names without blanks`,
        );
      const i = draft.use(words[0], place);
      for (let k = 1; k < words.length; k++) draft.edge(i, draft.use(words[k], place), undefined, false);
    },
  };
}

function multilineReader(draft: GraphDraft, place: LinePlace): LineReader {
  let node = -1;
  let expected = 0;
  return {
    line(text) {
      const line = expected > 0 ? text.trim() : withoutComment(text);
      if (line === "" || (expected > 0 && line.startsWith("#"))) return;
      if (expected === 0) {
        const [, id, degree] = /^(.*\S)\s+(\S+)$/.exec(line) ?? [];
        if (id === undefined)
          throw place.fail(`got ${inSentence(line)}, expected a node and its number of neighbours`);
        node = draft.use(id, place);
        expected = place.whole(degree, `number of neighbours of ${inSentence(id)}`, 0, 2 ** 31 - 1);
        return;
      }
      expected--;
      const brace = line.search(/\s\{/);
      const id = brace < 0 ? line : line.slice(0, brace).trim();
      const weight = brace < 0 ? undefined : /['"]weight['"]\s*:\s*([^\s,}]+)/.exec(line.slice(brace))?.[1];
      draft.edge(node, draft.use(id, place), weight === undefined ? undefined : place.weight(weight), false);
    },
    end() {
      if (expected > 0)
        throw place.fail(`the file is cut off: ${expected} more neighbours of the last node expected`);
    },
  };
}

function lglReader(draft: GraphDraft, place: LinePlace): LineReader {
  let node = -1;
  return {
    line(text) {
      const words = text.trim().split(/\s+/);
      if (words[0] === "") return;
      if (words[0] === "#") {
        if (words.length !== 2)
          throw place.fail(`got ${inSentence(text.trim())}, expected # and the name of a node`);
        node = draft.use(words[1], place);
        return;
      }
      if (node < 0)
        throw place.fail(`got ${inSentence(text.trim())}, expected # and the name of a node first`);
      if (words.length > 2)
        throw place.fail(`got ${words.length} words, expected a neighbour or a neighbour and a weight`);
      draft.edge(
        node,
        draft.use(words[0], place),
        words[1] === undefined ? undefined : place.weight(words[1]),
        false,
      );
    },
  };
}
