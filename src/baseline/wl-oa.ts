/**
 * Weisfeiler-Lehman optimal assignment kernel: the value of the best one-to-one assignment between the nodes of two graphs (the
 * smaller filled up with nodes worth nothing), where a pair of nodes is worth the number of iterations 0..h in which their
 * labels agree. Labels of deeper iterations only split those before them, which is a hierarchy, and for a hierarchy the best
 * assignment is the histogram intersection
 *
 *   K(G, H) = Σ_{i=0..h} Σ_{f of iteration i} min(c_f(G), c_f(H)),   K(G, G) = (h + 1) n.
 *
 * Cost: the features of wl.ts, and a Gram of the same cost as the linear one.
 *
 * Reference: Kriege, Giscard, Wilson: On valid optimal assignment kernels and applications to graph classification, NIPS (2016).
 * When: as WL, and mostly some points better: a label that is frequent in both graphs counts once a node, not squared.
 */
import type { Graph } from "../graph/graph.js";
import {
  type CountFeatures,
  type CountVectoriser,
  intersectionDiagonal,
  intersectionGram,
  type Vocabulary,
} from "./sparse-counts.js";
import { WeisfeilerLehman, type WeisfeilerLehmanOptions } from "./wl.js";

export class WeisfeilerLehmanAssignment implements CountVectoriser {
  private readonly labels: WeisfeilerLehman;

  /** The options of WL. */
  constructor(options: WeisfeilerLehmanOptions = {}) {
    this.labels = new WeisfeilerLehman(options);
  }

  /** The label counts of WL, iteration 0 included. */
  fit(graphs: readonly Graph[]): CountFeatures {
    return this.labels.fit(graphs);
  }

  transform(graphs: readonly Graph[]): CountFeatures {
    return this.labels.transform(graphs);
  }

  vocabulary(): Vocabulary {
    return this.labels.vocabulary();
  }

  restore(vocabulary: Vocabulary): void {
    this.labels.restore(vocabulary);
  }

  /** Histogram intersections of counts by this fit, row-major, left.graphs × right.graphs. */
  gram(left: CountFeatures, right: CountFeatures): Float64Array {
    return intersectionGram(left, right);
  }

  diagonal(features: CountFeatures): Float64Array {
    return intersectionDiagonal(features);
  }
}
