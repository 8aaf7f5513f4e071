import { describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.js";
import { checkGram, predictSvc, type SvcModel, svcPath, trainSvc } from "../../src/learn/svc.js";
import { SvmWorkspace } from "../../src/learn/workspace.js";
import { goldenNames, kernelMatrix, readGolden } from "./golden.js";

const range = (count: number) => Int32Array.from({ length: count }, (_, i) => i);

describe.each(goldenNames)("against LIBSVM: %s", (name) => {
  const golden = readGolden(name);
  const { points, classes, test: unseen, dims, kernel, gamma, runs } = golden;
  const count = classes.length;
  const gram = kernelMatrix(points, points, dims, kernel, gamma);
  const cross = kernelMatrix(unseen, points, dims, kernel, gamma);
  const rows = range(unseen.length / dims);
  const weights = new Map(Object.entries(golden.weights).map(([c, w]) => [Number(c), w]));
  const options = { tolerance: 1e-6, classWeights: weights };
  const agree = (model: SvcModel, i: number) => {
    const run = runs[i];
    expect(model.pairs.map((pair) => pair.converged)).not.toContain(false);
    model.pairs.forEach((pair, q) => {
      expect(Math.abs(pair.objective / run.objectives[q] - 1)).toBeLessThan(1e-6);
    });
    const { classes: said, decisions } = predictSvc(model, cross, count, rows);
    // LIBSVM keeps kernel values in single precision: its decisions are off by about ε₃₂ Σ|coefficients|
    const slack = Math.max(
      ...model.pairs.map((pair) => 1e-5 + 1e-7 * pair.coefficients.reduce((sum, c) => sum + Math.abs(c), 0)),
    );
    let off = 0;
    for (let r = 0; r < rows.length; r++) {
      let near = false;
      for (let q = 0; q < model.pairs.length; q++) {
        const decision = decisions[r * model.pairs.length + q];
        const theirs = run.decisions[r * model.pairs.length + q];
        off = Math.max(off, Math.abs(decision - theirs));
        near ||= Math.abs(decision) <= slack;
      }
      if (!near) expect(said[r]).toBe(run.predictions[r]);
    }
    // where no support is free, rho may lie anywhere in an interval and LIBSVM's own choice is followed
    expect(off).toBeLessThan(slack);
  };

  test("every C by itself", () => {
    runs.forEach((run, i) => {
      agree(trainSvc(gram, count, range(count), classes, run.C, options), i);
    });
  });

  test("the objectives svm-train prints, which are those of kernel values in single precision", () => {
    const single = Float32Array.from(gram);
    for (const { C, printed } of runs) {
      const model = trainSvc(single, count, range(count), classes, C, options);
      model.pairs.forEach(({ objective }, q) => {
        expect(Math.abs(objective - printed[q])).toBeLessThan(1e-6 + 1e-8 * Math.abs(objective));
      });
    }
  });

  test("the path of increasing C with warm starts", () => {
    const Cs = runs.map((run) => run.C);
    svcPath(gram, count, range(count), classes, Cs, options).forEach((model, i) => {
      agree(model, i);
    });
  });

  test("the training points in any order, within a larger Gram", () => {
    const random = new Random(1);
    const place = random.shuffle(range(count + 7));
    const stride = count + 7;
    const wide = new Float64Array(stride * stride);
    const wideClasses = new Int32Array(stride).fill(-9);
    for (let i = 0; i < count; i++) {
      wideClasses[place[i]] = classes[i];
      for (let j = 0; j < count; j++) wide[place[i] * stride + place[j]] = gram[i * count + j];
    }
    const wideCross = new Float64Array(rows.length * stride);
    for (let r = 0; r < rows.length; r++)
      for (let j = 0; j < count; j++) wideCross[r * stride + place[j]] = cross[r * count + j];
    const model = trainSvc(wide, stride, place.subarray(0, count), wideClasses, runs[4].C, options);
    const { decisions } = predictSvc(model, wideCross, stride, rows);
    const scale = Math.max(...model.pairs.flatMap((pair) => [...pair.coefficients].map(Math.abs)));
    for (let k = 0; k < decisions.length; k++)
      expect(Math.abs(decisions[k] - runs[4].decisions[k])).toBeLessThan(1e-5 * Math.max(1, scale));
  });
});

describe("the multi-class machine", () => {
  // three corners of a triangle, far from each other
  const x = [0, 0, 0.1, 0, 5, 0, 5.1, 0, 0, 5, 0, 5.1];
  const gram = kernelMatrix(x, x, 2, "gaussian", 0.1);
  const classes = [7, 7, 2, 2, 4, 4];

  test("names its classes in ascending order and its supports by Gram index", () => {
    const model = trainSvc(gram, 6, range(6), classes, 10);
    expect(Array.from(model.classes)).toEqual([2, 4, 7]);
    expect(model.pairs.map(({ first, second }) => [first, second])).toEqual([
      [2, 4],
      [2, 7],
      [4, 7],
    ]);
    expect(Array.from(predictSvc(model, gram, 6, range(6)).classes)).toEqual(classes);
  });

  test("gives a circle of votes to the smallest class index", () => {
    const machine = { positions: new Int32Array(0), coefficients: new Float64Array(0) };
    const rest = { objective: 0, iterations: 0, gap: 0, converged: true, sigmoid: null };
    const pair = (first: number, second: number, rho: number) => ({
      first,
      second,
      rho,
      ...machine,
      ...rest,
    });
    // 1 beats 2, 2 beats 3, 3 beats 1
    const model = {
      C: 1,
      classes: Int32Array.of(1, 2, 3),
      supports: new Int32Array(0),
      pairs: [pair(1, 2, -1), pair(1, 3, 1), pair(2, 3, -1)],
    };
    expect(Array.from(predictSvc(model, new Float64Array(1), 1, [0]).classes)).toEqual([1]);
    // a decision of exactly zero is a vote for the second class
    const even = { ...model, classes: Int32Array.of(1, 2), pairs: [pair(1, 2, 0)] };
    expect(Array.from(predictSvc(even, new Float64Array(1), 1, [0]).classes)).toEqual([2]);
  });

  test("predicts from columns of the supports alone", () => {
    const model = trainSvc(gram, 6, [0, 2, 4, 5], classes, 1);
    const { supports } = model;
    const narrow = new Float64Array(6 * supports.length);
    for (let i = 0; i < 6; i++)
      supports.forEach((s, at) => {
        narrow[i * supports.length + at] = gram[i * 6 + s];
      });
    const whole = predictSvc(model, gram, 6, range(6));
    expect(predictSvc(model, narrow, supports.length, range(6), "supports")).toEqual(whole);
  });

  test("weighs classes as balanced by points / (classes · points of the class)", () => {
    const two = readGolden("two-weighted");
    const count = two.classes.length;
    const k = kernelMatrix(two.points, two.points, two.dims, two.kernel, two.gamma);
    const balanced = trainSvc(k, count, range(count), two.classes, 1, { classWeights: "balanced" });
    // 120 points: 90 and 30
    const weights = new Map([
      [0, 120 / 180],
      [1, 120 / 60],
    ]);
    const byHand = trainSvc(k, count, range(count), two.classes, 1, { classWeights: weights });
    expect(balanced).toEqual(byHand);
    const plain = { 0: 120 / 180, 1: 120 / 60 };
    expect(trainSvc(k, count, range(count), two.classes, 1, { classWeights: plain })).toEqual(byHand);
    expect(trainSvc(k, count, range(count), two.classes, 1)).not.toEqual(byHand);
  });

  test("uses a given workspace, and is the same with it, the Gram loaded before or not", () => {
    const plain = trainSvc(gram, 6, range(6), classes, 3);
    const workspace = new SvmWorkspace();
    expect(trainSvc(gram, 6, range(6), classes, 3, { workspace })).toEqual(plain);
    const reused = gram.slice();
    workspace.loadGram(reused, 6, range(6), classes);
    expect(trainSvc(reused, 6, range(6), classes, 3, { workspace })).toEqual(plain);
  });

  test("names the row and the column of a NaN", () => {
    const broken = gram.slice();
    broken[2 * 6 + 4] = Number.NaN;
    expect(() => checkGram(broken, 6)).toThrow(/row 2, column 4: got NaN/);
    expect(() => trainSvc(broken, 6, range(6), classes, 1)).toThrow(/row 2, column 4: got NaN/);
    broken[2 * 6 + 4] = Infinity;
    expect(() => checkGram(broken, 6)).toThrow(/got Infinity/);
  });

  test("refuses one class, an unknown option and a path that goes back", () => {
    expect(() => trainSvc(gram, 6, [0, 1], classes, 1)).toThrow(/got 1, expected at least 2/);
    expect(() => trainSvc(gram, 6, [], classes, 1)).toThrow(/got 0, expected at least 2/);
    const wrong = { tolerence: 1 } as object;
    expect(() => trainSvc(gram, 6, range(6), classes, 1, wrong)).toThrow(/did you mean tolerance/);
    expect(() => svcPath(gram, 6, range(6), classes, [1, 0.1])).toThrow(/increasing/);
    for (const weights of [new Map([[2, -1]]), { 2: -1 }])
      expect(() => trainSvc(gram, 6, range(6), classes, 1, { classWeights: weights })).toThrow(
        /class 2: got -1/,
      );
    const named = { classWeights: { first: 2 } as Record<number, number> };
    expect(() => trainSvc(gram, 6, range(6), classes, 1, named)).toThrow(/got class first, expected the num/);
  });
});

describe("class probabilities", () => {
  const golden = readGolden("three-gaussian");
  const count = golden.classes.length;
  const gram = kernelMatrix(golden.points, golden.points, golden.dims, golden.kernel, golden.gamma);
  const model = trainSvc(gram, count, range(count), golden.classes, 1, { probability: true, seed: 5 });
  const { probabilities, classes: said } = predictSvc(model, gram, count, range(count));

  test("are positive, sum to one and mostly agree with the votes", () => {
    let same = 0;
    for (let r = 0; r < count; r++) {
      const p = (probabilities as Float64Array).subarray(3 * r, 3 * r + 3);
      expect(p[0] + p[1] + p[2]).toBeCloseTo(1, 10);
      expect(Math.min(...p)).toBeGreaterThan(0);
      if (p.indexOf(Math.max(...p)) === said[r]) same++;
    }
    expect(same / count).toBeGreaterThan(0.9);
  });

  test("of a point are its own: the same alone as among others, in any order", () => {
    const rows = [0, count - 1, 3, count >> 1, 7];
    const some = predictSvc(model, gram, count, rows).probabilities as Float64Array;
    rows.forEach((row, r) => {
      const alone = predictSvc(model, gram, count, [row]).probabilities as Float64Array;
      expect(some.subarray(3 * r, 3 * r + 3)).toEqual(alone);
      expect(probabilities!.subarray(3 * row, 3 * row + 3)).toEqual(alone);
    });
    expect(() => predictSvc(model, gram, count, [0], "rows" as "gram")).toThrow(/kind of columns/);
  });

  test("are the same for the same seed and absent unless asked for", () => {
    const again = trainSvc(gram, count, range(count), golden.classes, 1, { probability: true, seed: 5 });
    expect(again).toEqual(model);
    const other = trainSvc(gram, count, range(count), golden.classes, 1, { probability: true, seed: 6 });
    expect(other).not.toEqual(model);
    const plain = trainSvc(gram, count, range(count), golden.classes, 1);
    expect(predictSvc(plain, gram, count, [0]).probabilities).toBeNull();
  });

  test("are calibrated: points said to be of a class with probability p are so about as often", () => {
    // one dimension, two unit normals at ±1: P(first | x) = 1 / (1 + exp(−2x)) exactly
    const random = new Random(9);
    const truth = Array.from({ length: 300 }, (_, i) => i % 2);
    const x = truth.map((c) => random.normal() + (c === 0 ? 1 : -1));
    const k = kernelMatrix(x, x, 1, "gaussian", 0.1);
    const fitted = trainSvc(k, 300, range(300), truth, 1, { probability: true });
    const p = predictSvc(fitted, k, 300, range(300)).probabilities as Float64Array;
    let error = 0;
    for (let i = 0; i < 300; i++) error += Math.abs(p[2 * i] - 1 / (1 + Math.exp(-2 * x[i]))) / 300;
    expect(error).toBeLessThan(0.06);
  });

  test("come from points the machine did not see: a kernel that only memorises says one half", () => {
    // orthogonal points: every training point is told right, an unseen one not at all
    const identity = new Float64Array(1600);
    for (let i = 0; i < 40; i++) identity[41 * i] = 1;
    const truth = range(40).map((i) => i % 2);
    const fitted = trainSvc(identity, 40, range(40), truth, 10, { probability: true });
    const { classes: said, probabilities: p } = predictSvc(fitted, identity, 40, range(40));
    expect(said).toEqual(truth);
    for (const value of p as Float64Array) expect(value).toBeCloseTo(0.5, 2);
  });

  test("survive a class of a single point", () => {
    const lonely = trainSvc(gram, count, [0, 40, 41, 42], golden.classes, 1, { probability: true });
    expect((predictSvc(lonely, gram, count, [0]).probabilities as Float64Array).length).toBe(2);
  });
});
