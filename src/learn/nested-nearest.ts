/**
 * One outer fold of nested cross-validation with the 1-nearest-neighbour classifier, which NetLSD's authors use: the same folds and the same
 * grid as nested.ts, without C. The point with the most right answers over the inner folds, the earliest on a tie, classifies the test part.
 * Nearest by d²(x, y) = K(x, x) + K(y, y) − 2K(x, y), the smaller index on a tie. Cost: points × |training part|².
 */
import { badCall } from "../base/errors.js";
import { innerFolds } from "./folds.js";
import type { GramGrid, NestedFold, NestedOptions } from "./nested.js";
import type { GramValues } from "./smo.js";

export function nestedNearestFold(
  grid: GramGrid,
  classes: Int32Array,
  train: Int32Array,
  test: Int32Array,
  options: Pick<NestedOptions, "inner" | "seed" | "groups" | "now"> = {},
): NestedFold {
  const { now = () => performance.now() } = options;
  const n = classes.length;
  if (grid.points.length === 0) throw badCall("nested cross-validation: the grid has no points");
  const seconds = { gram: 0, svm: 0 };
  const gramAt = (point: number) => {
    const start = now();
    const gram = grid.gram(point, train);
    if (gram.length !== n * n) throw badCall(`Gram: got ${gram.length} values, expected ${n} × ${n}`);
    seconds.gram += (now() - start) / 1000;
    return gram;
  };
  const best = { right: -1, point: 0 };
  let fits = 0;
  const folds = grid.points.length > 1 ? innerFolds(classes, train, options) : [];
  if (folds.length > 0) {
    for (let point = 0; point < grid.points.length; point++) {
      const gram = gramAt(point);
      const start = now();
      let right = 0;
      for (const fold of folds) {
        fits++;
        for (const i of fold.test) if (classes[nearestOf(gram, n, i, fold.train)] === classes[i]) right++;
      }
      if (right > best.right) Object.assign(best, { right, point });
      seconds.svm += (now() - start) / 1000;
    }
  }
  const gram = gramAt(best.point);
  const start = now();
  const predicted = Int32Array.from(test, (i) => classes[nearestOf(gram, n, i, train)]);
  seconds.svm += (now() - start) / 1000;
  const innerAccuracy = best.right < 0 ? Number.NaN : best.right / train.length;
  return {
    ...{ point: best.point, C: 0, innerAccuracy, predicted, fits: fits + 1, capped: 0, largestGap: 0 },
    seconds,
  };
}

/** K(x, x) is left out: it is the same for all candidates. */
function nearestOf(gram: GramValues, n: number, of: number, candidates: Int32Array): number {
  let nearest = candidates[0];
  let least = Number.POSITIVE_INFINITY;
  for (let c = 0; c < candidates.length; c++) {
    const index = candidates[c];
    const square = gram[index * n + index] - 2 * gram[of * n + index];
    if (square < least || (square === least && index < nearest)) {
      least = square;
      nearest = index;
    }
  }
  return nearest;
}
