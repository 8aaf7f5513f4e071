/**
 * The data sets that graphdos knows by name: the TU collection's graph classification sets.
 *
 * Figures are those of the collection's own table (https://chrsmrrs.github.io/datasets/docs/datasets/), edges counted once. A figure is
 * null where that table contradicts the source that it cites: DHFR repeats COX2's number of graphs, Letter-med repeats
 * Letter-high's edges, Fingerprint counts the classes of the article and not those of the file.
 *
 * Morris, Kriege, Bause, Kersting, Mutzel, Neumann: TUDataset, a collection of benchmark datasets for learning with graphs, 2020.
 */
import { badCall, type GraphdosError, unknownName } from "../base/errors.js";

export type Domain = "molecules" | "biology" | "vision" | "social" | "synthetic";

export interface RegisteredSet {
  /** As the collection spells it; the zip is NAME.zip. */
  name: string;
  domain: Domain;
  graphs: number | null;
  /** null when not known, and 0 when the graphs carry numbers to predict instead of classes. */
  classes: number | null;
  meanNodes: number | null;
  meanEdges: number | null;
  /** What the files hold besides the edges. */
  nodeLabels: boolean;
  edgeLabels: boolean;
  /** Numbers a node or an edge; 0 for none. */
  nodeAttributes: number;
  edgeAttributes: number;
  /** False for a set that is not in the public collection: a copy of it must be at hand. */
  downloadable: boolean;
}

type Row = [
  name: string,
  graphs: number | null,
  classes: number | null,
  meanNodes: number | null,
  meanEdges: number | null,
  /** n: node labels, e: edge labels. */
  labels?: string,
  nodeAttributes?: number,
  edgeAttributes?: number,
];

const molecules: Row[] = [
  ["AIDS", 2000, 2, 15.69, 16.2, "ne", 4],
  ["BZR", 405, 2, 35.75, 38.36, "n", 3],
  ["BZR_MD", 306, 2, 21.3, 225.06, "ne", 0, 1],
  ["COX2", 467, 2, 41.22, 43.45, "n", 3],
  ["COX2_MD", 303, 2, 26.28, 335.12, "ne", 0, 1],
  ["DHFR", null, 2, 42.43, 44.54, "n", 3],
  ["DHFR_MD", 393, 2, 23.87, 283.01, "ne", 0, 1],
  ["ER_MD", 446, 2, 21.33, 234.85, "ne", 0, 1],
  ["FRANKENSTEIN", 4337, 2, 16.9, 17.88, "", 780],
  ["MCF-7", 27770, 2, 26.39, 28.52, "ne"],
  ["MOLT-4", 39765, 2, 26.09, 28.13, "ne"],
  ["MUTAG", 188, 2, 17.93, 19.79, "ne"],
  ["Mutagenicity", 4337, 2, 30.32, 30.77, "ne"],
  ["NCI1", 4110, 2, 29.87, 32.3, "n"],
  ["NCI109", 4127, 2, 29.68, 32.13, "n"],
  ["NCI-H23", 40353, 2, 26.07, 28.1, "ne"],
  ["OVCAR-8", 40516, 2, 26.07, 28.1, "ne"],
  ["P388", 41472, 2, 22.11, 23.55, "ne"],
  ["PC-3", 27509, 2, 26.35, 28.49, "ne"],
  ["PTC_FM", 349, 2, 14.11, 14.48, "ne"],
  ["PTC_FR", 351, 2, 14.56, 15, "ne"],
  ["PTC_MM", 336, 2, 13.97, 14.32, "ne"],
  ["PTC_MR", 344, 2, 14.29, 14.69, "ne"],
  ["SF-295", 40271, 2, 26.06, 28.08, "ne"],
  ["SN12C", 40004, 2, 26.08, 28.11, "ne"],
  ["SW-620", 40532, 2, 26.05, 28.08, "ne"],
  ["UACC257", 39988, 2, 26.09, 28.12, "ne"],
  ["Yeast", 79601, 2, 21.54, 22.84, "ne"],
  ["ZINC_full", 249456, 0, 23.14, 24.91, "ne"],
];

const biology: Row[] = [
  ["DD", 1178, 2, 284.32, 715.66, "n"],
  ["ENZYMES", 600, 6, 32.63, 62.14, "n", 18],
  ["KKI", 83, 2, 26.96, 48.42, "n"],
  ["OHSU", 79, 2, 82.01, 199.66, "n"],
  ["Peking_1", 85, 2, 39.31, 77.35, "n"],
  ["PROTEINS", 1113, 2, 39.06, 72.82, "n", 1],
  ["PROTEINS_full", 1113, 2, 39.06, 72.82, "n", 29],
];

const vision: Row[] = [
  ["COIL-DEL", 3900, 100, 21.54, 54.24, "e", 2],
  ["COIL-RAG", 3900, 100, 3.01, 3.02, "", 64, 1],
  ["Cuneiform", 267, 30, 21.27, 44.8, "ne", 3, 2],
  ["Fingerprint", 2800, null, 5.42, 4.42, "", 2, 2],
  ["FIRSTMM_DB", 41, 11, 1377.27, 3074.1, "n", 1, 2],
  ["Letter-high", 2250, 15, 4.67, 4.5, "", 2],
  ["Letter-low", 2250, 15, 4.68, 3.13, "", 2],
  ["Letter-med", 2250, 15, 4.67, null, "", 2],
  ["MSRC_9", 221, 8, 40.58, 97.94, "n"],
  ["MSRC_21", 563, 20, 77.52, 198.32, "n"],
  ["MSRC_21C", 209, 20, 40.28, 96.6, "n"],
];

const social: Row[] = [
  ["COLLAB", 5000, 3, 74.49, 2457.78],
  ["DBLP_v1", 19456, 2, 10.48, 19.65, "ne"],
  ["deezer_ego_nets", 9629, 2, 23.49, 65.25],
  ["github_stargazers", 12725, 2, 113.79, 234.64],
  ["IMDB-BINARY", 1000, 2, 19.77, 96.53],
  ["IMDB-MULTI", 1500, 3, 13, 65.94],
  ["REDDIT-BINARY", 2000, 2, 429.63, 497.75],
  ["REDDIT-MULTI-5K", 4999, 5, 508.52, 594.87],
  ["REDDIT-MULTI-12K", 11929, 11, 391.41, 456.89],
  ["reddit_threads", 203088, 2, 23.93, 24.99],
  ["REDDIT-THREADS-10K", 10000, 2, 23.74, 24.62],
  ["twitch_egos", 127094, 2, 29.67, 86.59],
  ["TWITTER-Real-Graph-Partial", 144033, 2, 4.03, 4.98, "n", 0, 1],
];

const synthetic: Row[] = [
  ["COLORS-3", 10500, 11, 61.31, 91.03, "", 4],
  ["SYNTHETIC", 300, 2, 100, 196, "", 1],
  ["SYNTHETICnew", 300, 2, 100, 196.25, "", 1],
  ["Synthie", 400, 4, 95, 172.93, "", 15],
  ["TRIANGLES", 45000, 10, 20.85, 32.74],
];

/** Sets that are subsets of the collection's, cut by others: 10,000 threads of reddit_threads. */
const notInCollection = new Set(["REDDIT-THREADS-10K"]);

const register = (domain: Domain, rows: Row[]): RegisteredSet[] =>
  rows.map(
    ([name, graphs, classes, meanNodes, meanEdges, labels = "", nodeAttributes = 0, edgeAttributes = 0]) => ({
      name,
      domain,
      graphs,
      classes,
      meanNodes,
      meanEdges,
      nodeLabels: labels.includes("n"),
      edgeLabels: labels.includes("e"),
      nodeAttributes,
      edgeAttributes,
      downloadable: !notInCollection.has(name),
    }),
  );

/** All known sets, by domain. */
export const registry: readonly RegisteredSet[] = Object.freeze([
  ...register("social", social),
  ...register("molecules", molecules),
  ...register("biology", biology),
  ...register("vision", vision),
  ...register("synthetic", synthetic),
]);

/** Where the public collection keeps its zips. */
export const publicCollection = "https://www.chrsmrrs.com/graphkerneldatasets/";

/** The address of a set's zip, in the public collection or in a mirror of it (a base address, with or without the last slash). */
export function datasetAddress(name: string, collection: string = publicCollection): string {
  return `${collection.replace(/\/+$/, "")}/${encodeURIComponent(name)}.zip`;
}

/** The set of that name, whatever its capitals: no two names differ by capitals alone. */
export function findRegistered(name: string): RegisteredSet | null {
  const wanted = name.toLowerCase();
  return registry.find((set) => set.name.toLowerCase() === wanted) ?? null;
}

/** "unknown data set: MUTAGG; did you mean MUTAG?" */
export function unknownSet(name: string): GraphdosError {
  const names = registry.map((set) => set.name);
  const error = unknownName("data set", name.replace(/\.zip$/i, ""), names);
  return badCall(
    error.message.includes("did you mean")
      ? error.message
      : `${error.message}; \`graphdos datasets list\` shows the known ones`,
  );
}
