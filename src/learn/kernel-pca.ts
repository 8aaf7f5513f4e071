/**
 * Kernel PCA (Schölkopf, Smola, Müller 1998): a map of graphs in few dimensions that keeps as much of their kernel distances as it
 * can. The centred Gram is HKH, H = I − 11ᵀ/n; coordinate k of graph i is √λ_k·u_k(i). O(n²) a step, some tens of steps.
 */
import { leadingEigen } from "./leading-eigen.js";
import type { GramValues } from "./smo.js";

export interface KernelMap {
  dimensions: number;
  /** n × dimensions, row by row. */
  coordinates: Float64Array;
  /** Share of the total variance (trace of HKH) that each dimension holds. */
  share: Float64Array;
}

export function kernelPca(gram: GramValues, n: number, dimensions = 2): KernelMap {
  const means = new Float64Array(n);
  let grand = 0;
  let trace = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) means[i] += gram[i * n + j] / n;
    grand += means[i] / n;
    trace += gram[i * n + i];
  }
  // graphs that are all the same leave rounding alone, which holds no share of anything
  const total = trace - n * grand;
  const anything = total > 1e-12 * Math.abs(trace);
  const multiply = (x: Float64Array, y: Float64Array) => {
    // HKHx = K(Hx) centred again
    const mean = x.reduce((sum, value) => sum + value, 0) / n;
    let average = 0;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let j = 0, at = i * n; j < n; j++, at++) sum += gram[at] * (x[j] - mean);
      y[i] = sum;
      average += sum / n;
    }
    for (let i = 0; i < n; i++) y[i] -= average;
  };
  const { values, vectors } = leadingEigen(multiply, n, dimensions);
  const coordinates = new Float64Array(n * dimensions);
  const share = new Float64Array(dimensions);
  for (let k = 0; k < values.length; k++) {
    const scale = Math.sqrt(Math.max(0, values[k]));
    share[k] = anything ? Math.max(0, values[k]) / total : 0;
    for (let i = 0; i < n; i++) coordinates[i * dimensions + k] = scale * vectors[k][i];
  }
  return { dimensions, coordinates, share };
}
