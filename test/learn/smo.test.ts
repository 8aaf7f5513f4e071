import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.js";
import { typescriptKernels } from "../../src/compute/twin.js";
import { loadKernels } from "../../src/compute/wasm.js";
import { type BinaryProblem, BinarySmo, type GramValues } from "../../src/learn/smo.js";
import { SvmWorkspace } from "../../src/learn/workspace.js";
import { itAtSize } from "../at-size.js";
import { blobProblem, kernelMatrix } from "./golden.js";

/** Everything the optimality conditions say, recomputed from the Gram and the coefficients alone. */
function audit(problem: BinaryProblem, coefficients: ArrayLike<number>, rho: number) {
  const { gram, stride, positives, negatives } = problem;
  const C = typeof problem.C === "number" ? { positive: problem.C, negative: problem.C } : problem.C;
  const at = [...Array.from(positives), ...Array.from(negatives)];
  let outside = 0;
  let sum = 0;
  let objective = 0;
  let violation = 0;
  for (let k = 0; k < at.length; k++) {
    const y = k < positives.length ? 1 : -1;
    const bound = y > 0 ? C.positive : C.negative;
    const alpha = y * coefficients[k];
    outside = Math.max(outside, -alpha, alpha - bound);
    sum += coefficients[k];
    let output = 0;
    for (let l = 0; l < at.length; l++) output += coefficients[l] * gram[at[k] * stride + at[l]];
    objective += 0.5 * coefficients[k] * output - alpha;
    const margin = y * (output - rho) - 1;
    if (alpha < bound) violation = Math.max(violation, -margin);
    if (alpha > 0) violation = Math.max(violation, margin);
  }
  return { outside, sum, objective, violation };
}

const makes = { "WASM SIMD": await loadKernels(), "plain TypeScript": typescriptKernels() };

describe.each(Object.entries(makes))("a binary C-SVM in %s", (_, kernels) => {
  /** In the kernels' one arena: the solver before is not to be used again. */
  const newSolver = () => {
    kernels.arena.reset();
    return new BinarySmo(new SvmWorkspace(kernels));
  };

  test("of two points is the one that can be written down", () => {
    const gram = Float64Array.of(1, 0.5, 0.5, 1);
    const problem = { gram, stride: 2, positives: [0], negatives: [1], C: 10 };
    const free = newSolver().solve(problem);
    // minimise α²(1 − 0.5) − 2α: α = 2
    expect(Array.from(free.coefficients)).toEqual([2, -2]);
    expect(free.objective).toBeCloseTo(-2, 12);
    expect(free.rho).toBeCloseTo(0, 12);
    const bounded = newSolver().solve({ ...problem, C: 0.25 });
    expect(Array.from(bounded.coefficients)).toEqual([0.25, -0.25]);
    expect(bounded.objective).toBeCloseTo(0.5 * 0.25 ** 2 - 0.5, 12);
  });

  test("of scikit-learn's six points has the coefficients ±0.25 on the supports 1 and 3", () => {
    const x = [-2, -1, -1, -1, -1, -2, 1, 1, 1, 2, 2, 1];
    const gram = kernelMatrix(x, x, 2, "linear", 0);
    const solved = newSolver().solve({
      gram,
      stride: 6,
      positives: [3, 4, 5],
      negatives: [0, 1, 2],
      C: 1,
      tolerance: 1e-9,
    });
    const expected = [0.25, 0, 0, 0, -0.25, 0];
    expected.forEach((value, k) => {
      expect(solved.coefficients[k]).toBeCloseTo(value, 9);
    });
    expect(solved.rho).toBeCloseTo(0, 9);
  });

  test("of equal points with both labels gives all of them their bound and a decision of zero slope", () => {
    const gram = new Float64Array(16).fill(1);
    const { coefficients, converged, objective } = newSolver().solve({
      gram,
      stride: 4,
      positives: [0, 1],
      negatives: [2, 3],
      C: 3,
    });
    expect(Array.from(coefficients)).toEqual([3, 3, -3, -3]);
    expect(objective).toBe(-12);
    expect(converged).toBe(true);
  });

  test("of many points without any likeness gives every point the same weight", () => {
    const n = 700;
    const gram = new Float64Array(n * n);
    for (let i = 0; i < n; i++) gram[i * n + i] = 1;
    const positives = Array.from({ length: n / 2 }, (_, i) => 2 * i);
    const negatives = positives.map((i) => i + 1);
    const { coefficients, converged } = newSolver().solve({
      gram,
      stride: n,
      positives,
      negatives,
      C: 10,
    });
    expect(converged).toBe(true);
    for (let k = 0; k < n; k++) expect(Math.abs(coefficients[k])).toBeCloseTo(1, 2);
  });

  test("meets the optimality conditions, stays in its box and keeps the sum at zero", () => {
    const solver = newSolver();
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e6 }),
        fc.integer({ min: 2, max: 80 }),
        fc.constantFrom(1e-3, 0.1, 1, 30, 1000),
        fc.constantFrom(0.1, 1, 30),
        fc.constantFrom(0.2, 1, 5),
        (seed, points, C, width, weight) => {
          const bound = { positive: C, negative: C * weight };
          const problem = { ...blobProblem(seed, points, width), C: bound, tolerance: 1e-5 };
          const solved = solver.solve(problem);
          const audited = audit(problem, solved.coefficients, solved.rho);
          expect(solved.converged).toBe(true);
          expect(audited.outside).toBeLessThanOrEqual(0);
          expect(Math.abs(audited.sum)).toBeLessThanOrEqual(1e-11 * C * points);
          expect(audited.violation).toBeLessThanOrEqual(1.1e-5);
          expect(Math.abs(audited.objective / solved.objective - 1)).toBeLessThanOrEqual(1e-8);
        },
      ),
      { numRuns: 150 },
    );
  });

  itAtSize("meets them with more free points than the core can hold", () => {
    const points = 2400;
    const problem = { ...blobProblem(5, points, 0.02), C: 100, tolerance: 1e-4 };
    const solved = newSolver().solve(problem);
    const free = solved.coefficients.reduce((sum, c) => sum + (c !== 0 && Math.abs(c) < 100 ? 1 : 0), 0);
    expect(free).toBeGreaterThan(1024);
    expect(solved.converged).toBe(true);
    expect(audit(problem, solved.coefficients, solved.rho).violation).toBeLessThanOrEqual(1.1e-4);
  });

  test("meets them where pair steps alone would need very long, and says that Newton steps helped", () => {
    const problem = { ...blobProblem(3, 400, 20), C: 1e4, tolerance: 1e-6 };
    const solved = newSolver().solve(problem);
    expect(solved.newtonSteps).toBeGreaterThan(0);
    // scikit-learn 1.2.1 counts 2,918,112 for this problem
    expect(solved.iterations).toBeLessThan(20_000);
    expect(solved.converged).toBe(true);
    const audited = audit(problem, solved.coefficients, solved.rho);
    expect(audited.violation).toBeLessThanOrEqual(1.1e-6);
    expect(audited.outside).toBeLessThanOrEqual(0);
    expect(Math.abs(audited.sum)).toBeLessThanOrEqual(1e-6);
  });

  test("stops on an indefinite kernel, too, at a point that is stationary", () => {
    const random = new Random(8);
    const n = 60;
    const gram = new Float64Array(n * n);
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) gram[i * n + j] = gram[j * n + i] = random.normal();
    const positives = Array.from({ length: 30 }, (_, i) => i);
    const negatives = positives.map((i) => i + 30);
    const problem = { gram, stride: n, positives, negatives, C: 1, tolerance: 1e-4 };
    const solved = newSolver().solve(problem);
    expect(solved.converged).toBe(true);
    expect(audit(problem, solved.coefficients, solved.rho).violation).toBeLessThanOrEqual(1.1e-4);
  });

  test("has the same objective for the points in any order", () => {
    const problem = { ...blobProblem(11, 60), C: 5, tolerance: 1e-8 };
    const straight = newSolver().solve(problem).objective;
    const random = new Random(4);
    for (let round = 0; round < 5; round++) {
      const positives = random.shuffle([...problem.positives]);
      const negatives = random.shuffle([...problem.negatives]);
      const shuffled = newSolver().solve({ ...problem, positives, negatives }).objective;
      expect(Math.abs(shuffled / straight - 1)).toBeLessThan(1e-10);
    }
  });

  test("turns its sign when the classes change places", () => {
    const problem = { ...blobProblem(12, 50), C: 5, tolerance: 1e-8 };
    const there = newSolver().solve(problem);
    const back = newSolver().solve({
      ...problem,
      positives: problem.negatives,
      negatives: problem.positives,
    });
    expect(back.rho).toBeCloseTo(-there.rho, 7);
    expect(back.objective).toBeCloseTo(there.objective, 8);
  });

  test("divides its coefficients by s when K is multiplied by s and C divided", () => {
    const problem = { ...blobProblem(13, 60), C: 8, tolerance: 1e-8 };
    const plain = newSolver().solve(problem);
    for (const s of [1 / 64, 16]) {
      const scaled = newSolver().solve({ ...problem, gram: problem.gram.map((v) => s * v), C: 8 / s });
      expect(scaled.objective * s).toBeCloseTo(plain.objective, 7);
      expect(scaled.rho).toBeCloseTo(plain.rho, 6);
    }
  });

  test("comes to the same objective cold, resumed from a smaller or larger C, and from any warm start", () => {
    const problem = { ...blobProblem(14, 80, 5), tolerance: 1e-7 };
    const solver = newSolver();
    const Cs = [1e-3, 1e-2, 0.1, 1, 10, 100, 1000];
    const cold = Cs.map((C) => solver.solve({ ...problem, C }).objective);
    const close = (got: number, i: number) => expect(Math.abs(got / cold[i] - 1)).toBeLessThan(1e-9);
    solver.solve({ ...problem, C: Cs[0] });
    for (let i = 1; i < Cs.length; i++) close(solver.resume(Cs[i]).objective, i);
    for (let i = Cs.length - 2; i >= 0; i--) close(solver.resume(Cs[i]).objective, i);
    const random = new Random(3);
    const wild = Float64Array.from({ length: 80 }, () => 50 * random.normal());
    Cs.forEach((C, i) => {
      close(solver.solve({ ...problem, C, warmStart: wild }).objective, i);
    });
  });

  test("needs no step from its own solution", () => {
    const problem = { ...blobProblem(15, 60), C: 3, tolerance: 1e-5 };
    const solver = newSolver();
    const warmStart = solver.solve(problem).coefficients.slice();
    expect(solver.solve({ ...problem, warmStart, tolerance: 1.01e-5 }).iterations).toBe(0);
  });

  test("says when the cap on iterations ended it, with the gap that is left", () => {
    const problem = { ...blobProblem(16, 200, 10), C: 1000, tolerance: 1e-5, maxIterations: 40 };
    const capped = newSolver().solve(problem);
    expect(capped.converged).toBe(false);
    expect(capped.iterations).toBe(40);
    const audited = audit(problem, capped.coefficients, capped.rho);
    expect(audited.outside).toBeLessThanOrEqual(0);
    expect(capped.gap).toBeGreaterThan(1e-5);
    expect(audited.violation).toBeLessThanOrEqual(capped.gap);
    expect(audited.violation).toBeGreaterThanOrEqual(capped.gap / 2.0001);
    const none = newSolver().solve({ ...problem, maxIterations: 0 });
    expect(none).toMatchObject({ iterations: 0, gap: 2, converged: false, objective: 0 });
  });

  test("reads the Gram through its index lists: single precision, shared memory, rows it does not name", () => {
    const { gram, positives, negatives } = blobProblem(17, 40);
    const alone = newSolver().solve({ gram, stride: 40, positives, negatives, C: 2, tolerance: 1e-7 });
    const place = (k: number) => 3 * k + 1;
    const stride = 125;
    const spread: GramValues[] = [
      new Float64Array(new SharedArrayBuffer(8 * stride * stride)),
      new Float32Array(stride * stride),
    ];
    for (const wide of spread) {
      wide.fill(Number.NaN);
      for (let i = 0; i < 40; i++)
        for (let j = 0; j < 40; j++) wide[place(i) * stride + place(j)] = gram[i * 40 + j];
      const there = newSolver().solve({
        gram: wide,
        stride,
        positives: positives.map(place),
        negatives: negatives.map(place),
        C: 2,
        tolerance: 1e-7,
      });
      expect(Math.abs(there.objective / alone.objective - 1)).toBeLessThan(1e-6);
    }
  });

  test("gives the same bits for a used workspace as for a new one", () => {
    const problem = { ...blobProblem(18, 60), C: 20 };
    const fresh = newSolver().solve(problem).coefficients.slice();
    const used = newSolver();
    used.solve({ ...blobProblem(19, 500), C: 3 });
    expect(used.solve(problem).coefficients).toEqual(fresh);
  });

  test("refuses what it cannot solve, and says what it got", () => {
    const problem = { ...blobProblem(20, 10), C: 1 };
    const solver = newSolver();
    const refuse = (change: Partial<BinaryProblem>, text: RegExp) =>
      expect(() => solver.solve({ ...problem, ...change })).toThrow(text);
    refuse({ negatives: [] }, /got 5 positive and 0 negative/);
    refuse({ C: 0 }, /C: got 0/);
    refuse({ C: Number.NaN }, /C: got NaN/);
    refuse({ tolerance: 0 }, /tolerance: got 0/);
    for (const maxIterations of [-1, Number.NaN]) refuse({ maxIterations }, /maxIterations: got/);
    refuse({ positives: [10] }, /index of a point: got 10/);
    refuse({ warmStart: [1] }, /warmStart: got 1, expected 10/);
    const broken = problem.gram.slice();
    broken.fill(Number.NaN, 0, 10);
    refuse({ gram: broken }, /got NaN/);
    expect(() => newSolver().resume(1)).toThrow(/call solve first/);
  });
});
