/** Neighbours of a graph, and the difference of two graphs, as text for a terminal. */
import pc from "picocolors";
import { type Dataset, graphTitle } from "../data/dataset.js";
import type { NodeGap, NodeGaps } from "../experiment/similarity.js";
import type { GraphSpectrum } from "../experiment/spectrum.js";
import { noGapsText, sizeText } from "../experiment/spectrum-words.js";
import { formatNumber, quantity, shorten } from "../experiment/wording.js";
import type { KernelPart } from "../kernel/part.js";
import type { KernelSpec } from "../kernel/registry.js";
import { plainText } from "./terminal.js";

/** What tells two graphs apart. */
export interface Difference {
  spectra: [GraphSpectrum, GraphSpectrum];
  distance: number;
  gaps: NodeGaps;
}

export interface PartDistance {
  part: string;
  distance: number;
  errorBound: number;
}

export const distanceText = (distance: number) =>
  `Wasserstein-1 distance of the two spectra: ${formatNumber(distance, 3)}`;

export const className = ({ classes, classNames }: Dataset, g: number) =>
  classes === null ? null : classNames[classes[g]];

export interface NeighbourRow {
  graph: number;
  name: string;
  class: string | null;
  similarity: number;
  distance: number;
  nodes: number;
  edges: number;
}

export function neighbourText(
  dataset: Dataset,
  of: number,
  spec: KernelSpec,
  rows: readonly NeighbourRow[],
): string {
  const { nodeCount, edgeCount } = dataset.graphs[of];
  const own = className(dataset, of);
  const title = `${plainText(graphTitle(dataset, of))}: ${quantity(nodeCount, "node")}, ${quantity(edgeCount, "edge")}`;
  const table = rows.map((row) => [
    dataset.graphNames === null ? String(row.graph) : shorten(plainText(row.name), 32),
    ...(own === null ? [] : [shorten(plainText(row.class!), 20)]),
    row.similarity.toFixed(4),
    row.distance.toFixed(4),
    formatNumber(row.nodes),
    formatNumber(row.edges),
  ]);
  const head = ["graph", ...(own === null ? [] : ["class"]), "similarity", "distance", "nodes", "edges"];
  const lines = [
    pc.bold(title),
    `nearest by kernel ${spec.name}${own === null ? "" : `; its class is ${plainText(own)}`}`,
    "",
    ...columns([head, ...table]).map((line, k) => (k === 0 ? pc.dim(line) : line)),
  ];
  if (own !== null) {
    const same = rows.filter((row) => row.class === own).length;
    lines.push("", `${same} of the ${rows.length} are of the same class`);
  }
  return lines.join("\n");
}

const columns = (rows: readonly string[][]) => {
  const widths = rows[0].map((_, c) => Math.max(...rows.map((row) => row[c].length)));
  return rows.map((row) => row.map((word, c) => word.padStart(widths[c])).join("  "));
};

export function comparisonText(
  spec: KernelSpec,
  { spectra, distance, gaps }: Difference,
  parts: readonly PartDistance[],
  scaled: { value: number; reference: string } | null,
): string {
  const lines = spectra.map(
    (spectrum) => `${pc.bold(shorten(plainText(spectrum.name), 60))}: ${sizeText(spectrum)}`,
  );
  lines.push("", `${distanceText(distance)} (0 to 2)`);
  parts.forEach(({ part, distance: d }, p) => {
    lines.push(`Distance by ${part}: ${formatNumber(d, 4)} (${distanceMeaning(spec.parts[p])})`);
  });
  if (scaled !== null)
    lines.push(
      `Similarity by kernel ${spec.name}, with the bandwidths of ${scaled.reference}: ${scaled.value.toFixed(4)} (1 is equal)`,
    );
  lines.push(...gapLines(gaps.first, spectra[0], spectra[1]));
  lines.push(...gapLines(gaps.second, spectra[1], spectra[0]));
  return lines.join("\n");
}

/** Parts with a kernel between nodes compare distributions of nodes. */
const distanceMeaning = (part: KernelPart) =>
  "node" in part.options ? "MMD of the two sets of nodes, at most 1.41" : part.title;

function gapLines(list: readonly NodeGap[], graph: GraphSpectrum, other: GraphSpectrum): string[] {
  const [own, second] = [graph, other].map(({ name }) => shorten(plainText(name), 40));
  if (list.length === 0) return ["", noGapsText(graph, other, [own, second])];
  const rows = list.map(({ node, degree, alike, gap, nearest: near }) => [
    shorten(plainText(node), 20),
    ...[formatNumber(degree), formatNumber(alike), gap.toFixed(3)],
    ...[shorten(plainText(near.node), 20), formatNumber(near.degree)],
  ]);
  const head = ["node", "degree", "alike", "distance", "nearest", "degree"];
  const table = columns([head, ...rows]).map((line, k) => (k === 0 ? pc.dim(line) : line));
  return ["", `Nodes of ${own} whose local density is farthest from any of ${second}`, ...table];
}
