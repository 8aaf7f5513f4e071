import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.js";
import { typescriptKernels } from "../../src/compute/twin.js";
import { loadKernels } from "../../src/compute/wasm.js";
import { type BinaryProblem, BinarySmo } from "../../src/learn/smo.js";
import { SvmWorkspace } from "../../src/learn/workspace.js";
import { blobProblem } from "./golden.js";

const solvers = [await loadKernels(), typescriptKernels()].map(
  (kernels) => new BinarySmo(new SvmWorkspace(kernels)),
);

describe("a workspace", () => {
  const Cs = [0.01, 1, 100, 1e4];

  /** Everything a path says, as bits. */
  function path(solver: BinarySmo, problem: Omit<BinaryProblem, "C">) {
    return Cs.map((C, i) => {
      const { coefficients, ...rest } = i === 0 ? solver.solve({ ...problem, C }) : solver.resume(C);
      return { ...rest, coefficients: coefficients.slice() };
    });
  }

  test("gives the same bits in WASM and in plain TypeScript, in double and in single precision", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e6 }),
        fc.integer({ min: 2, max: 150 }),
        fc.constantFrom(0.1, 1, 30),
        fc.boolean(),
        (seed, points, width, single) => {
          const problem = blobProblem(seed, points, width);
          const gram = single ? Float32Array.from(problem.gram) : problem.gram;
          const [fast, plain] = solvers.map((solver) => path(solver, { ...problem, gram, tolerance: 1e-5 }));
          expect(fast).toEqual(plain);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("gives the same bits with equal points, with a core that is too small, and in Newton steps", () => {
    const twice = blobProblem(2, 120, 3);
    const doubled = twice.positives.map((i) => i - (i % 2));
    const crowded = { ...blobProblem(5, 1500, 0.02), tolerance: 1e-2 };
    const smooth = { ...blobProblem(3, 300, 20), tolerance: 1e-6 };
    for (const problem of [{ ...twice, positives: doubled }, crowded, smooth]) {
      const [fast, plain] = solvers.map((solver) => path(solver, problem));
      expect(fast).toEqual(plain);
      if (problem === smooth) expect(fast[3].newtonSteps).toBeGreaterThan(0);
    }
  });

  test("that holds more points and classes than the machine uses changes no bit", () => {
    const { gram, stride } = blobProblem(21, 90);
    const random = new Random(2);
    const classes = Array.from({ length: 90 }, () => random.integer(4));
    const of = (c: number) => classes.flatMap((name, i) => (name === c && random.integer(5) > 0 ? [i] : []));
    for (const [a, b] of [
      [0, 1],
      [3, 1],
      [2, 0],
    ]) {
      const problem = { gram, stride, positives: of(a), negatives: of(b) };
      for (const { workspace } of solvers) {
        const alone = path(new BinarySmo(workspace), problem);
        for (const groups of [classes, null]) {
          const everybody = Array.from({ length: 90 }, (_, i) => i);
          workspace.loadGram(gram, stride, everybody, groups);
          expect(path(new BinarySmo(workspace), problem)).toEqual(alone);
          expect(workspace.holds(gram, stride, everybody)).toBe(true);
        }
        workspace.forgetGram();
      }
    }
  });

  test("survives that its memory grows for others, and gives it back", () => {
    for (const { workspace } of solvers) {
      const { arena } = workspace.kernels;
      workspace.release();
      const before = arena.mark();
      const problem = { ...blobProblem(22, 60), C: 1 };
      const solver = new BinarySmo(workspace);
      const there = solver.solve(problem).objective;
      const bytes = arena.f64.byteLength;
      arena.allocate(2 * bytes);
      expect(solver.solve(problem).objective).toBe(there);
      workspace.release();
      expect(arena.mark()).toBe(before);
    }
  });

  test("keeps a Gram that was loaded into it, until told otherwise", () => {
    const workspace = new SvmWorkspace();
    const { gram, stride } = blobProblem(23, 20);
    workspace.loadGram(gram, stride, [3, 4, 5, 6]);
    expect(workspace.holds(gram, stride, [4, 6])).toBe(true);
    expect(workspace.holds(gram, stride, [4, 7])).toBe(false);
    expect(workspace.holds(gram, stride, [4, 20])).toBe(false);
    expect(workspace.holds(gram.slice(), stride, [4, 6])).toBe(false);
    expect(() => workspace.loadGram(gram, stride, [1, 1])).toThrow(/index 1: got it twice/);
    expect(() => workspace.loadGram(gram, stride, [20])).toThrow(/got 20/);
    workspace.forgetGram();
    expect(workspace.holds(gram, stride, [4, 6])).toBe(false);
  });

  test("tells a point that comes twice from one that comes once", () => {
    const { gram, stride, positives, negatives } = blobProblem(25, 20);
    const problem = { gram, stride, positives: [...positives, positives[0]], negatives };
    const alone = path(new BinarySmo(), problem);
    const workspace = new SvmWorkspace();
    workspace.loadGram(gram, stride, [...positives, ...negatives]);
    expect(path(new BinarySmo(workspace), problem)).toEqual(alone);
    expect(path(new BinarySmo(workspace), { ...problem, positives })).not.toEqual(alone);
  });

  test("lets nobody resume where another has been", () => {
    const workspace = new SvmWorkspace();
    const problem = { ...blobProblem(24, 20), C: 1 };
    const first = new BinarySmo(workspace);
    first.solve(problem);
    first.resume(2);
    new BinarySmo(workspace).solve(problem);
    expect(() => first.resume(4)).toThrow(/no other use of the workspace/);
  });
});
