import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.js";
import { stratifiedFolds } from "../../src/learn/folds.js";
import { chooseByFolds, type GramGrid, nestedFold, PAPER_CS } from "../../src/learn/nested.js";
import { predictSvc, trainSvc } from "../../src/learn/svc.js";
import { SvmWorkspace } from "../../src/learn/workspace.js";

/** Two overlapping clouds in the plane, RBF kernels of two widths. */
function problem(n = 80) {
  const random = new Random(5);
  const classes = Int32Array.from({ length: n }, (_, i) => i % 2);
  const points = Array.from(classes, (c) => [random.normal() + 1.2 * c, random.normal()]);
  const gram = (width: number) => {
    const out = new Float64Array(n * n);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++)
        out[i * n + j] = Math.exp(
          -((points[i][0] - points[j][0]) ** 2 + (points[i][1] - points[j][1]) ** 2) / width,
        );
    return out;
  };
  const widths = [0.05, 2, 50];
  const grid: GramGrid = { points: widths.map((width) => ({ width })), gram: (k) => gram(widths[k]) };
  return { classes, grid, n, points: gram };
}

describe("nestedFold", () => {
  it("one at a time: tries each option with the others as they are, and finds the best where options do not interact", () => {
    const { classes, n } = problem();
    const plain = problem().grid;
    const tried: string[] = [];
    const points = plain.points.flatMap(({ width }) => [1, 2, 3].map((shift) => ({ width, shift })));
    const grid: GramGrid = {
      points,
      gram(k, train) {
        tried.push(`${points[k].width} ${points[k].shift}`);
        // only shift 2 leaves the kernel as it is; the others blur it with a constant
        const blur = points[k].shift === 2 ? 0 : 0.9;
        const gram = plain.gram(Math.floor(k / 3), train) as Float64Array;
        return gram.map((x) => (1 - blur) * x + blur);
      },
    };
    const [{ train, test }] = stratifiedFolds(classes, { folds: 4, seed: 1 }).folds;
    const options = { inner: 5, seed: 3, Cs: [1, 10] } as const;
    const found = nestedFold(grid, classes, train, test, { ...options, search: "one-at-a-time" });
    // the last one is the refit
    expect(tried.length - 1).toBe(1 + 2 + 2);
    expect(new Set(tried.slice(0, 3))).toEqual(new Set(["0.05 1", "2 1", "50 1"]));
    const chosen = points[found.point];
    expect(tried.slice(3, 5).every((name) => name.startsWith(`${chosen.width} `))).toBe(true);
    expect(found.predicted.length).toBe(n - train.length);
    const all = nestedFold(grid, classes, train, test, options);
    expect(found.innerAccuracy).toBeLessThanOrEqual(all.innerAccuracy);
  });

  it("predicts the same when all points of the grid write into one array and one workspace serves all fits", () => {
    const { classes, grid, n } = problem();
    const buffer = new Float64Array(n * n);
    const reusing: GramGrid = {
      points: grid.points,
      gram(k, train) {
        buffer.set(grid.gram(k, train));
        return buffer;
      },
    };
    for (const { train, test } of stratifiedFolds(classes, { folds: 4, seed: 1 }).folds) {
      const plain = nestedFold(grid, classes, train, test, { inner: 3, seed: 3 });
      const svm = { workspace: new SvmWorkspace() };
      const found = nestedFold(reusing, classes, train, test, { inner: 3, seed: 3, svm });
      expect(found.point).toBe(plain.point);
      expect(found.predicted).toEqual(plain.predicted);
    }
  });

  it("chooses what trying every point and C on every inner fold chooses, and predicts what that choice predicts", () => {
    const { classes, grid, n } = problem();
    for (const { train, test } of stratifiedFolds(classes, { folds: 4, seed: 1 }).folds) {
      const found = nestedFold(grid, classes, train, test, { inner: 5, seed: 3 });
      const { folds } = stratifiedFolds(classes, { folds: 5, seed: 3, indices: train });
      let best = { right: -1, point: -1, C: 0 };
      grid.points.forEach((_, point) => {
        const gram = grid.gram(point, train) as Float64Array;
        for (const C of PAPER_CS) {
          let right = 0;
          for (const fold of folds) {
            const { classes: predicted } = predictSvc(
              trainSvc(gram, n, fold.train, classes, C),
              gram,
              n,
              fold.test,
            );
            predicted.forEach((c, t) => {
              if (c === classes[fold.test[t]]) right++;
            });
          }
          if (right > best.right) best = { right, point, C };
        }
      });
      expect({
        point: found.point,
        C: found.C,
        right: Math.round(found.innerAccuracy * train.length),
      }).toEqual({
        point: best.point,
        C: best.C,
        right: best.right,
      });
      const gram = grid.gram(best.point, train) as Float64Array;
      expect(found.predicted).toEqual(
        predictSvc(trainSvc(gram, n, train, classes, best.C), gram, n, test).classes,
      );
    }
  });

  it("names as finalists the points with the most right answers, best first, whatever was dropped on the way", () => {
    const { classes, grid, n } = problem();
    const widths = [0.05, 2, 50, 0.3, 10, 1000];
    const points = problem().points;
    const many: GramGrid = { points: widths.map((width) => ({ width })), gram: (k) => points(widths[k]) };
    expect(many.gram(1, Int32Array.of())).toEqual(grid.gram(1, Int32Array.of()));
    const [{ train }] = stratifiedFolds(classes, { folds: 4, seed: 1 }).folds;
    const { folds } = stratifiedFolds(classes, { folds: 5, seed: 3, indices: train });
    const best = widths.map((_, k) => {
      const gram = many.gram(k, train) as Float64Array;
      return Math.max(
        ...PAPER_CS.map((C) => {
          let right = 0;
          for (const fold of folds) {
            const model = trainSvc(gram, n, fold.train, classes, C);
            predictSvc(model, gram, n, fold.test).classes.forEach((c, t) => {
              if (c === classes[fold.test[t]]) right++;
            });
          }
          return right;
        }),
      );
    });
    const ranked = widths.map((_, k) => k).sort((a, b) => best[b] - best[a] || a - b);
    for (const finalists of [1, 3, 6, 9])
      expect(chooseByFolds(many, classes, train, { inner: 5, seed: 3, finalists }).finalists).toEqual(
        ranked.slice(0, finalists),
      );
    expect(() => chooseByFolds(many, classes, train, { finalists: 0 })).toThrow(/finalists: got 0/);
  });

  it("never looks at the test graphs: poisoned test labels change neither the choice nor the predictions", () => {
    const { classes, grid } = problem();
    const [{ train, test }] = stratifiedFolds(classes, { folds: 4, seed: 1 }).folds;
    const poisoned = classes.slice();
    for (const i of test) poisoned[i] = 1 - poisoned[i];
    const trains: Int32Array[] = [];
    const watched: GramGrid = {
      points: grid.points,
      gram: (k, t) => {
        trains.push(t);
        return grid.gram(k, t);
      },
    };
    const clean = nestedFold(grid, classes, train, test, { inner: 5 });
    const dirty = nestedFold(watched, poisoned, train, test, { inner: 5 });
    expect({ ...dirty, seconds: null }).toEqual({ ...clean, seconds: null });
    for (const given of trains) expect(given).toEqual(train);
  });

  it("takes a single choice as it is", () => {
    const { classes, grid } = problem();
    const [{ train, test }] = stratifiedFolds(classes, { folds: 4, seed: 1 }).folds;
    const one: GramGrid = { points: [{ width: 2 }], gram: () => grid.gram(1, train) };
    const found = nestedFold(one, classes, train, test, { Cs: [1] });
    expect(found).toMatchObject({ point: 0, C: 1, fits: 1, innerAccuracy: Number.NaN });
  });

  it("reports fits that hit the cap", () => {
    const { classes, grid } = problem();
    const [{ train, test }] = stratifiedFolds(classes, { folds: 4, seed: 1 }).folds;
    const found = nestedFold(grid, classes, train, test, { inner: 3, svm: { maxIterations: 3 } });
    expect(found.capped).toBeGreaterThan(0);
    expect(found.largestGap).toBeGreaterThan(1e-3);
  });

  it("refuses C of zero, an empty grid and NaN in a Gram", () => {
    const { classes, grid, n } = problem();
    const [{ train, test }] = stratifiedFolds(classes, { folds: 4, seed: 1 }).folds;
    expect(() => nestedFold(grid, classes, train, test, { Cs: [0, 1] })).toThrow(
      "C: got 0, 1, expected numbers above 0",
    );
    for (const Cs of [[], [1, Number.POSITIVE_INFINITY], [Number.NaN]])
      expect(() => nestedFold(grid, classes, train, test, { Cs })).toThrow("expected numbers above 0");
    expect(() => nestedFold({ ...grid, gram: () => new Float64Array(3) }, classes, train, test)).toThrow(
      `Gram: got 3 values, expected ${n} × ${n}`,
    );
    expect(() => nestedFold({ points: [], gram: () => new Float64Array(0) }, classes, train, test)).toThrow(
      "the grid has no points",
    );
    const broken: GramGrid = { points: grid.points, gram: () => new Float64Array(n * n).fill(Number.NaN) };
    expect(() => nestedFold(broken, classes, train, test)).toThrow("row 0, column 0: got NaN");
  });
});
