/**
 * Block models of one size law and one degree law: every node of every class has the same expected degree, so only the
 * arrangement of the edges tells the classes apart.
 *
 * With g equal groups, the probability of an edge is proportional to 1 + strength·(w_rs / mean(w) - 1), where w is the ideal
 * pattern: "assortative": w_rs = 1 within a group; "bipartite": groups alternate between two sides, w_rs = 1 across them; "ring":
 * w_rs = 1 for groups next to each other on a ring, not within. At strength 0 all three are the Erdős-Rényi graph, and
 * the strength, drawn for each graph, often leaves the pattern near the limit of what can be detected.
 */
import type { Random } from "../../base/random.js";
import { blockEdges } from "../../graph/generators/blocks.js";
import type { EdgeList } from "../../graph/generators/edges.js";
import { logitNormal, logUniform, type Recipe } from "./recipe.js";

const PATTERNS: readonly ((r: number, s: number, groups: number) => boolean)[] = [
  (r, s) => r === s,
  (r, s) => (r + s) % 2 === 1,
  (r, s, groups) => (r + 1) % groups === s || (s + 1) % groups === r,
];
const GROUPS = [
  [2, 3, 4],
  [2, 2, 2],
  [5, 6, 7],
];

export const communities: Recipe = {
  note: "Synthetic block models: assortative, bipartite-like and ring-like groups, with the same law of sizes and the same expected degree of every node.",
  classNames: ["assortative", "bipartite", "ring"],
  graphs: 360,
  draw(c: number, random: Random): EdgeList {
    const n = logUniform(random, 40, 150);
    const degree = 6 + 4 * random.uniform();
    const groups = GROUPS[c][random.integer(GROUPS[c].length)];
    const strength = logitNormal(random, 1.5, 1);
    const sizes = Array.from({ length: groups }, (_, r) => Math.floor((n + r) / groups));
    const pattern = (r: number, s: number) => (PATTERNS[c](r, s, groups) ? 1 : 0);

    let patterned = 0;
    for (let s = 0; s < groups; s++) patterned += pattern(0, s);
    const density = patterned / groups;
    const weights = sizes.map((_, r) => sizes.map((_, s) => 1 + strength * (pattern(r, s) / density - 1)));

    // scale the weights so that the expected number of edges is n·degree/2 to the digit
    let total = 0;
    for (let r = 0; r < groups; r++)
      for (let s = 0; s < groups; s++) total += weights[r][s] * sizes[r] * (sizes[s] - (r === s ? 1 : 0));
    const scale = (n * degree) / total;
    const probabilities = weights.map((row) => row.map((weight) => Math.min(1, scale * weight)));
    return blockEdges("communities", sizes, probabilities, random);
  },
};
