/**
 * x = L⁺ b for the Laplacian L of a large graph, with an error that is proved by the residual and not assumed.
 *
 * T, a spanning forest by breadth-first search, is a part of the graph, so that T ≤ L and L⁺ ≤ T⁺ as forms on vectors whose sum over each
 * component is 0. T⁺ r takes two passes over the nodes. With the residual r = b − L x,
 *
 *   |cᵀ (L⁺ b − x)| = |cᵀ L⁺ r| ≤ √(cᵀ T⁺ c) √(rᵀ T⁺ r)      and      1 / λ₂(L) ≤ trace T⁺ = Σ_e s_e (n_e − s_e) / (n_e w_e),
 *
 * s_e the nodes beyond edge e in its component of n_e nodes. Conjugate gradients, preconditioned by T (one step on trees, a few with few cycles),
 * by the diagonal (graphs that mix fast), then by T again. A step: O(nodes + edges).
 */
import { connectedComponents } from "../graph/components.js";
import type { Graph } from "../graph/graph.js";
import { multiply, type SparseOperator } from "../spectrum/operator.js";
import { laplacianOperator } from "./laplacian.js";

/** Steps with the forest before the diagonal is tried. */
const FIRST_STEPS = 100;
/** Steps with the diagonal between two looks at the error. */
const BETWEEN = 20;
/** What rounding leaves of rᵀ T⁺ r, in units of bᵀ T⁺ b. */
const ROUNDING = 1e-28;

export class LaplacianSolver {
  /** trace T⁺, at least 1 / λ₂. */
  readonly inverseGap: number;
  private readonly operator: SparseOperator;
  private readonly component: Uint32Array;
  private readonly sizes: ArrayLike<number>;
  /** Nodes from the roots down; parent of each (itself for roots) and the weight of the edge to it. */
  private readonly order: Uint32Array;
  private readonly parent: Uint32Array;
  private readonly coupling: Float64Array;
  private readonly diagonal: Float64Array;

  constructor(graph: Graph) {
    const n = graph.nodeCount;
    this.operator = laplacianOperator(graph);
    const { component, sizes } = connectedComponents(graph);
    this.component = Uint32Array.from(component);
    this.sizes = sizes;
    this.order = new Uint32Array(n);
    this.parent = new Uint32Array(n);
    this.coupling = new Float64Array(n);
    this.diagonal = new Float64Array(n);
    const { offsets, targets, values } = this.operator;
    const seen = new Uint8Array(n);
    let filled = 0;
    for (let root = 0; root < n; root++) {
      if (seen[root] === 1) continue;
      seen[root] = 1;
      this.parent[root] = root;
      let next = filled;
      this.order[filled++] = root;
      for (; next < filled; next++) {
        const i = this.order[next];
        for (let k = offsets[i]; k < offsets[i + 1]; k++) {
          const j = targets[k];
          if (j === i) this.diagonal[i] = values[k];
          if (seen[j] === 1 || values[k] === 0) continue;
          seen[j] = 1;
          this.parent[j] = i;
          this.coupling[j] = -values[k];
          this.order[filled++] = j;
        }
      }
    }
    const below = new Float64Array(n).fill(1);
    let trace = 0;
    for (let k = n - 1; k >= 0; k--) {
      const i = this.order[k];
      if (this.parent[i] === i) continue;
      below[this.parent[i]] += below[i];
      const size = this.sizes[this.component[i]];
      trace += (below[i] * (size - below[i])) / (size * this.coupling[i]);
    }
    this.inverseGap = trace;
  }

  /** Subtracts from a vector its mean over each component. */
  project(x: Float64Array): void {
    const { component, sizes } = this;
    const means = new Float64Array(sizes.length);
    for (let i = 0; i < x.length; i++) means[component[i]] += x[i];
    for (let i = 0; i < x.length; i++) x[i] -= means[component[i]] / sizes[component[i]];
  }

  /** T⁺ b, for b whose sum over each component is 0. */
  forestInverse(b: Float64Array): Float64Array {
    const { order, parent, coupling } = this;
    const flow = Float64Array.from(b);
    for (let k = order.length - 1; k >= 0; k--) {
      const i = order[k];
      if (parent[i] !== i) flow[parent[i]] += flow[i];
    }
    const x = new Float64Array(b.length);
    for (const i of order) if (parent[i] !== i) x[i] = x[parent[i]] + flow[i] / coupling[i];
    this.project(x);
    return x;
  }

  /**
   * x ≈ L⁺ b, until rᵀ T⁺ r is at most `target`, or what rounding allows, or `steps` are done with each preconditioner; `left` is the
   * rᵀ T⁺ r of the residual of this x, computed anew.
   */
  solve(b: Float64Array, target: number, steps: number): { x: Float64Array; left: number } {
    const enough = Math.max(target, ROUNDING * dot(b, this.forestInverse(b)));
    let best: { x: Float64Array; left: number } = {
      x: new Float64Array(b.length),
      left: Number.POSITIVE_INFINITY,
    };
    const phases: [forest: boolean, most: number][] = [
      [true, Math.min(FIRST_STEPS, steps)],
      [false, steps],
      [true, steps],
    ];
    for (const [forest, most] of phases) {
      const x = this.gradients(b, best.x, { forest, most, enough });
      const r = this.residual(b, x);
      const left = Math.max(0, dot(r, this.forestInverse(r)));
      if (left < best.left) best = { x, left };
      if (best.left <= 4 * enough) break;
    }
    return best;
  }

  private residual(b: Float64Array, x: Float64Array): Float64Array {
    const r = new Float64Array(b.length);
    multiply(this.operator, x, r);
    for (let i = 0; i < r.length; i++) r[i] = b[i] - r[i];
    this.project(r);
    return r;
  }

  /** Preconditioned conjugate gradients from x on. */
  private gradients(
    b: Float64Array,
    from: Float64Array,
    { forest, most, enough }: { forest: boolean; most: number; enough: number },
  ): Float64Array {
    const n = b.length;
    const x = Float64Array.from(from);
    const r = this.residual(b, x);
    const scaled = (v: Float64Array) => {
      if (forest) return this.forestInverse(v);
      const z = v.map((value, i) => (this.diagonal[i] > 0 ? value / this.diagonal[i] : 0));
      this.project(z);
      return z;
    };
    let z = scaled(r);
    const p = Float64Array.from(z);
    const Lp = new Float64Array(n);
    let rz = dot(r, z);
    for (let step = 0; step < most && rz > 0; step++) {
      if (forest ? rz <= enough : step % BETWEEN === 0 && dot(r, this.forestInverse(r)) <= enough) break;
      multiply(this.operator, p, Lp);
      const curvature = dot(p, Lp);
      if (!(curvature > 0)) break;
      const alpha = rz / curvature;
      for (let i = 0; i < n; i++) {
        x[i] += alpha * p[i];
        r[i] -= alpha * Lp[i];
      }
      z = scaled(r);
      const next = dot(r, z);
      for (let i = 0; i < n; i++) p[i] = z[i] + (next / rz) * p[i];
      rz = next;
    }
    this.project(x);
    return x;
  }
}

export function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i] * y[i];
  return sum;
}
