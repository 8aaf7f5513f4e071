/** A spectrum in words: eigenvalues as fractions where they are, motifs by name, the estimator as a sentence. */
import type { AtomKind } from "./known-eigenvalues.js";
import type { GraphSpectrum, SpectrumAtom } from "./spectrum.js";
import { quantity } from "./wording.js";

/** In a list each has its own name; alone it is also explained. */
const ALONE: Partial<Record<AtomKind, string>> = {
  leaves: "leaves of one parent",
  "open twins": "open twins (same neighbours)",
  "clique twins": "clique twins (adjacent, same neighbours)",
  components: "connected components",
  bipartite: "bipartite components",
};

const LARGEST_DENOMINATOR = 99;

/** "−1/3", "0", "0.427". */
export function eigenvalueText(value: number): string {
  const sign = value < 0 ? "−" : "";
  const size = Math.abs(value);
  if (size < 1e-9) return "0";
  const k = Math.round(1 / size);
  if (k <= LARGEST_DENOMINATOR && Math.abs(size * k - 1) < 1e-9) return sign + (k === 1 ? "1" : `1/${k}`);
  return sign + size.toFixed(size < 0.01 ? 4 : 3);
}

/** Where the eigenvalue comes from, the most frequent first: "leaves 120, isolated nodes 3". */
export function kindsText({ kinds }: SpectrumAtom): string {
  const parts = (Object.entries(kinds) as [AtomKind, number][]).sort((a, b) => b[1] - a[1]);
  if (parts.length === 1) return ALONE[parts[0][0]] ?? parts[0][0];
  return parts.map(([kind, count]) => `${kind} ${count.toLocaleString("en-US")}`).join(", ");
}

/** What was done, and by whose choice. */
export function estimatorText({ estimator }: GraphSpectrum, chosen: boolean): string {
  return `${estimator.name}${chosen ? " (chosen by cost)" : ""}: ${estimator.reason}`;
}

/** "4,039 nodes, 88,234 edges". */
export const sizeText = ({ nodes, edges }: GraphSpectrum) =>
  `${quantity(nodes, "node")}, ${quantity(edges, "edge")}`;

/** Why no node of a graph is listed as one that the other graph has no like of (nodeGaps); the names as they are to be shown. */
export function noGapsText(
  own: GraphSpectrum,
  other: GraphSpectrum,
  [name, second]: readonly string[],
): string {
  if (own.nodes === 0) return `${name} has no nodes`;
  if (other.nodes === 0) return `${name} has nodes, ${second} has none`;
  const sampled = own.estimator.name === "sample" ? " that was sampled" : "";
  return `Every node of ${name}${sampled} has its like in ${second}`;
}

/** Stems below this part of the tallest would be dots on the axis: they are left to the table. */
const VISIBLE = 0.002;

/** The atoms that a drawing shows. */
export function visibleAtoms({ atoms }: GraphSpectrum): SpectrumAtom[] {
  const most = atoms.reduce((largest, { mass }) => Math.max(largest, mass), 0);
  return atoms.filter(({ mass }) => mass >= VISIBLE * most);
}

/** The atoms with the largest mass, at most `count` of them. */
export function largestAtoms({ atoms }: GraphSpectrum, count: number): SpectrumAtom[] {
  return [...atoms].sort((a, b) => b.count - a.count || a.eigenvalue - b.eigenvalue).slice(0, count);
}
