/**
 * What the report of an evaluation draws besides its numbers: the Gram matrix in the order of the classes, the map by kernel PCA and
 * the densities of states of the classes. Large sets are thinned out evenly, class by class, so that the pictures stay small.
 *
 * Cost: kernel PCA of the map is O(steps · m²) for m graphs, the densities O(graphs · bins · M).
 */
import { badCall, badData, unknownName } from "../base/errors.js";
import type { Dataset } from "../data/dataset.js";
import { kernelPca } from "../learn/kernel-pca.js";
import type { GramValues } from "../learn/smo.js";
import { dampingFactors } from "../spectrum/damping.js";
import { evenEdges, histogram } from "../spectrum/density.js";
import type { SpectralProfile } from "../spectrum/profile.js";
import { quantile } from "./distribution.js";
import type { EvaluationPictures } from "./evaluation-types.js";

export interface PictureOptions {
  /** Most graphs in the heat map. Default 300. */
  heatMapGraphs?: number;
  /** Most graphs in the map. Default 2000. */
  mapGraphs?: number;
  /** Bins of the densities over [-1, 1]. Default 200. */
  bins?: number;
}

const DEFAULTS: Required<PictureOptions> = { heatMapGraphs: 300, mapGraphs: 2000, bins: 200 };
const LOW = 0.1;
const HIGH = 0.9;
/** Below this share of the trace, what is left of a centred Gram is rounding. */
const NO_VARIANCE = 1e-10;

type Classified = Pick<Dataset, "name" | "classes" | "classNames">;

/** `gram` is n × n, row by row; `profiles` are those of the n graphs, or null where the kernel has none. */
export function evaluationPictures(
  dataset: Classified,
  gram: GramValues,
  n: number,
  profiles: readonly Pick<SpectralProfile, "nodeCount" | "trace">[] | null,
  options: PictureOptions = {},
): EvaluationPictures {
  const { heatMapGraphs, mapGraphs, bins } = resolved(options);
  const { name, classes, classNames } = dataset;
  if (classes === null) throw badData(`${name}: pictures of an evaluation: the graphs have no classes`);
  if (classes.length !== n) throw badCall(`pictures: got ${classes.length} classes, expected ${n}`);
  if (gram.length !== n * n)
    throw badCall(`pictures: got a Gram of ${gram.length} values, expected ${n} × ${n}`);
  if (profiles !== null && profiles.length !== n)
    throw badCall(`pictures: got ${profiles.length} profiles, expected ${n}`);
  const members: number[][] = classNames.map(() => []);
  for (let g = 0; g < n; g++) members[classes[g]].push(g);
  const onMap = thinned(members, mapGraphs)
    .flat()
    .sort((a, b) => a - b);
  const { coordinates, share } = mapOf(onMap.length === n ? gram : part(gram, n, onMap), onMap.length);
  return {
    heatMap: heatMap(gram, n, thinned(members, heatMapGraphs)),
    map: { coordinates, share: Array.from(share), classes: onMap.map((g) => classes[g]) },
    densities: profiles && classDensities(classNames, members, profiles, bins),
  };
}

function resolved(options: PictureOptions): Required<PictureOptions> {
  const known = Object.keys(DEFAULTS);
  for (const [key, value] of Object.entries(options)) {
    if (!known.includes(key)) throw unknownName("option of the pictures", key, known);
    if (value !== undefined && !(Number.isInteger(value) && value > 0))
      throw badCall(`pictures: ${key}: got ${value}, expected an integer of at least 1`);
  }
  return {
    heatMapGraphs: options.heatMapGraphs ?? DEFAULTS.heatMapGraphs,
    mapGraphs: options.mapGraphs ?? DEFAULTS.mapGraphs,
    bins: options.bins ?? DEFAULTS.bins,
  };
}

/**
 * How many graphs of each class are among `total` chosen ones: in proportion, by largest remainders (the earlier class on a tie),
 * and at least one of every class that has any while there is room. With `total` at the number of graphs, all of them.
 */
export function classQuotas(counts: readonly number[], total: number): number[] {
  const graphs = counts.reduce((sum, count) => sum + count, 0);
  if (total >= graphs) return [...counts];
  const filled = counts.map((_, c) => c).filter((c) => counts[c] > 0);
  const quotas = counts.map(() => 0);
  // one each, the largest classes first
  const bySize = [...filled].sort((a, b) => counts[b] - counts[a] || a - b);
  for (const c of bySize.slice(0, total)) quotas[c] = 1;
  for (let left = total - Math.min(total, filled.length); left > 0; left--) {
    let neediest = -1;
    for (const c of filled) if (neediest < 0 || lack(c) > lack(neediest) + 1e-9) neediest = c;
    quotas[neediest]++;
  }
  return quotas;
  function lack(c: number) {
    return (counts[c] * total) / graphs - quotas[c];
  }
}

/** Of each class its quota, at even distances in its list. */
function thinned(members: readonly number[][], limit: number): number[][] {
  const total = members.reduce((sum, list) => sum + list.length, 0);
  const quotas = classQuotas(
    members.map((list) => list.length),
    Math.min(limit, total),
  );
  return members.map((list, c) =>
    Array.from({ length: quotas[c] }, (_, k) => list[Math.floor(((k + 0.5) * list.length) / quotas[c])]),
  );
}

/** Classes one after another; within a class along the first axis of the map, so that alike graphs are neighbours. */
function heatMap(gram: GramValues, n: number, chosen: readonly number[][]): EvaluationPictures["heatMap"] {
  const listed = chosen.flat();
  const { coordinates } = mapOf(part(gram, n, listed), listed.length);
  const place = new Map(listed.map((g, k) => [g, coordinates[2 * k]]));
  const order = chosen.flatMap((list) => [...list].sort((a, b) => place.get(a)! - place.get(b)! || a - b));
  return { order, values: Float32Array.from(part(gram, n, order)) };
}

/** Kernel PCA in two dimensions; graphs without any difference all lie at the origin. */
function mapOf(gram: GramValues, n: number): { coordinates: Float64Array; share: Float64Array } {
  let trace = 0;
  let sum = 0;
  for (let i = 0; i < n; i++) trace += gram[i * n + i];
  for (let k = 0; k < gram.length; k++) sum += gram[k];
  if (!Number.isFinite(sum))
    throw badData("pictures: the Gram holds values that are not finite, expected numbers");
  if (n === 0 || trace - sum / n <= NO_VARIANCE * Math.abs(trace))
    return { coordinates: new Float64Array(2 * n), share: new Float64Array(2) };
  return kernelPca(gram, n, 2);
}

/** The Gram among some of the graphs. */
function part(gram: GramValues, n: number, chosen: readonly number[]): Float64Array {
  const m = chosen.length;
  const values = new Float64Array(m * m);
  for (let i = 0; i < m; i++) {
    const row = chosen[i] * n;
    for (let j = 0; j < m; j++) values[i * m + j] = gram[row + chosen[j]];
  }
  return values;
}

/**
 * Every graph's density has mass 1 (its trace over its nodes) and Jackson's damping; a class has the mean of its graphs and, bin by
 * bin, their quantiles. Graphs without nodes have no density; a class without others is left out.
 */
function classDensities(
  classNames: readonly string[],
  members: readonly number[][],
  profiles: readonly Pick<SpectralProfile, "nodeCount" | "trace">[],
  bins: number,
): EvaluationPictures["densities"] {
  const edges = evenEdges(bins);
  const factors = new Map<number, Float64Array>();
  const damping = (moments: number) => {
    if (!factors.has(moments)) factors.set(moments, dampingFactors("jackson", moments));
    return factors.get(moments)!;
  };
  const classes = members.flatMap((list, c) => {
    const densities = list
      .filter((g) => profiles[g].nodeCount > 0)
      .map((g) => {
        const { trace, nodeCount } = profiles[g];
        return histogram(trace, damping(trace.length - 1), edges).map(
          (mass) => (mass * bins) / (2 * nodeCount),
        );
      });
    if (densities.length === 0) return [];
    const mean: number[] = [];
    const low: number[] = [];
    const high: number[] = [];
    const column = new Float64Array(densities.length);
    for (let k = 0; k < bins; k++) {
      for (let g = 0; g < column.length; g++) column[g] = densities[g][k];
      mean.push(column.reduce((sum, value) => sum + value, 0) / column.length);
      column.sort();
      low.push(quantile(column, LOW));
      high.push(quantile(column, HIGH));
    }
    return [{ name: classNames[c], mean, low, high }];
  });
  const grid = Array.from({ length: bins }, (_, k) => (edges[k] + edges[k + 1]) / 2);
  return classes.length > 0 ? { grid, classes } : null;
}
