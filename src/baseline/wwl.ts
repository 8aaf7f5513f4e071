/**
 * Wasserstein Weisfeiler-Lehman distance, for labels: each node is the sequence of its labels in the rounds 0..h, two nodes are as far apart
 * as the share of rounds in which their labels differ, and two graphs as far as the cheapest transport of the nodes of one, each of
 * mass 1/n, to those of the other.
 *
 * No transport problem has to be solved. Labels of later rounds only split those before them, so the distance between nodes is that of a
 * tree, in which a label of round i is a subtree under an edge of length 1 / (2h + 2). On a tree each edge carries the difference of the
 * masses below it and no more, which with the frequencies p_f = c_f / n gives, exactly,
 *
 *   W(G, H) = 1 / (2h + 2) · Σ_i Σ_{f of round i} |p_f(G) − p_f(H)| = 1 − 1 / (h + 1) · Σ_i Σ_f min(p_f(G), p_f(H)):
 *
 * one less an intersection of histograms. exp(−λ W) is positive definite, since W is an L1 distance. (With attributes of nodes in place of
 * labels there is no tree, and each pair of graphs is a transport problem: not built.)
 *
 * Cost: as wl.ts. Reference: Togninalli, Ghisu, Llinares-López, Rieck, Borgwardt: Wasserstein Weisfeiler-Lehman graph kernels, NeurIPS (2019);
 * transport on trees: Le, Yamada, Fukumizu, Cuturi: Tree-sliced variants of Wasserstein distances, NeurIPS (2019).
 * When: as wl-oa, where graphs of unlike sizes are to be compared by their shares of patterns.
 */
import type { Graph } from "../graph/graph.js";
import type { CountFeatures, CountVectoriser, Vocabulary } from "./sparse-counts.js";
import { WeisfeilerLehman, type WeisfeilerLehmanOptions } from "./wl.js";

export class WassersteinWeisfeilerLehman implements CountVectoriser {
  private readonly labels: WeisfeilerLehman;

  /** The options of WL. */
  constructor(options: WeisfeilerLehmanOptions = {}) {
    this.labels = new WeisfeilerLehman(options);
  }

  /** p_f / (h + 1): the numbers of a graph with nodes sum to 1, and W is 1 less the intersection. */
  fit(graphs: readonly Graph[]): CountFeatures {
    return shares(this.labels.fit(graphs));
  }

  transform(graphs: readonly Graph[]): CountFeatures {
    return shares(this.labels.transform(graphs));
  }

  vocabulary(): Vocabulary {
    return this.labels.vocabulary();
  }

  restore(vocabulary: Vocabulary): void {
    this.labels.restore(vocabulary);
  }
}

/** Shares are whole multiples of this: their sums, at most 1, are exact, and no distance depends on how labels are numbered. */
const GRAIN = 2 ** -50;

function shares(features: CountFeatures): CountFeatures {
  const { graphs, offsets } = features;
  const counts = features.counts.slice();
  for (let g = 0; g < graphs; g++) {
    let total = 0;
    for (let k = offsets[g]; k < offsets[g + 1]; k++) total += counts[k];
    for (let k = offsets[g]; k < offsets[g + 1]; k++)
      counts[k] = Math.round(counts[k] / total / GRAIN) * GRAIN;
  }
  return { ...features, counts };
}
