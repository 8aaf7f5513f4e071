import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Atom,
  chebyshevGrid,
  cumulativeAt,
  densityAt,
  evenEdges,
  histogram,
  integrate,
} from "../../src/spectrum/density.js";
import golden from "../golden/spectrum/density.json" with { type: "json" };

/** Moments of a measure with these points, by the cosine and not by the recurrence of the code. */
function momentsOf(points: number[], M: number, masses = points.map(() => 1)): Float64Array {
  return Float64Array.from({ length: M + 1 }, (_, m) =>
    points.reduce((sum, x, i) => sum + masses[i] * Math.cos(m * Math.acos(x)), 0),
  );
}

const sum = (values: Iterable<number>) => Array.from(values).reduce((a, b) => a + b, 0);
const spectrum = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 });
const degree = fc.integer({ min: 0, max: 120 });

describe("density from moments", () => {
  it("of one moment alone is the arcsine density, by hand 1 / (π √(1 − x²))", () => {
    const moments = Float64Array.of(3);
    expect(densityAt(moments, "none", [0, 0.6])[0]).toBeCloseTo(3 / Math.PI, 15);
    expect(densityAt(moments, "none", [0, 0.6])[1]).toBeCloseTo(3 / (Math.PI * 0.8), 15);
    expect(Array.from(cumulativeAt(moments, "none", [-1, -0.5, 0, 0.5, 1]))).toEqual(
      [0, 1, 1.5, 2, 3].map((x) => expect.closeTo(x, 14)),
    );
  });

  it("agrees with numpy's Chebyshev series and scipy's integral of it", () => {
    const moments = Float64Array.from(golden.moments);
    const density = densityAt(moments, "jackson", golden.points);
    const below = cumulativeAt(moments, "jackson", golden.points);
    for (let p = 0; p < golden.points.length; p++) {
      expect(Math.abs(density[p] / golden.density[p] - 1)).toBeLessThan(1e-12);
      expect(Math.abs(below[p] - golden.cumulative[p])).toBeLessThan(1e-10);
    }
  });

  it("of no points at all is empty, and of a zero measure is zero", () => {
    expect(densityAt(Float64Array.of(1, 0), "jackson", []).length).toBe(0);
    expect(Array.from(densityAt(new Float64Array(5), "jackson", [0.5]))).toEqual([0]);
  });

  it("is never negative with Jackson damping", () => {
    fc.assert(
      fc.property(spectrum, degree, (points, M) => {
        for (const y of densityAt(momentsOf(points, M), "jackson", chebyshevGrid(200)))
          expect(y).toBeGreaterThan(-1e-12 * points.length);
      }),
      { numRuns: 50 },
    );
  });

  it("does oscillate below zero without damping, so that the test above can fail", () => {
    expect(Math.min(...densityAt(momentsOf([0.3], 50), "none", chebyshevGrid(2000)))).toBeLessThan(-1);
  });

  it("has a cumulative function that rises from 0 to the mass with Jackson damping", () => {
    fc.assert(
      fc.property(spectrum, degree, (points, M) => {
        const n = points.length;
        const values = cumulativeAt(momentsOf(points, M), "jackson", [-2, -1, ...evenEdges(100), 1, 2]);
        expect(values[0]).toBe(0);
        expect(values.at(-1)).toBeCloseTo(n, 12);
        for (let k = 1; k < values.length; k++) expect(values[k] - values[k - 1]).toBeGreaterThan(-1e-13 * n);
      }),
      { numRuns: 50 },
    );
  });

  it("integrates to its mass, by Gauss–Chebyshev quadrature of the density itself", () => {
    fc.assert(
      fc.property(spectrum, degree, (points, M) => {
        const grid = chebyshevGrid(256);
        const y = densityAt(momentsOf(points, M), "lorentz", grid);
        const total = y.reduce((s, v, k) => s + (v * Math.PI * Math.sqrt(1 - grid[k] ** 2)) / 256, 0);
        expect(total).toBeCloseTo(points.length, 9);
      }),
      { numRuns: 50 },
    );
  });

  it("has the slope of its cumulative function", () => {
    const moments = momentsOf([-0.9, -0.2, 0.1, 0.7], 30);
    const h = 1e-5;
    for (const x of [-0.95, -0.3, 0, 0.42, 0.9]) {
      const [a, b] = cumulativeAt(moments, "jackson", [x - h, x + h]);
      expect((b - a) / (2 * h)).toBeCloseTo(densityAt(moments, "jackson", [x])[0], 5);
    }
  });

  it("refuses the ends, where its weight is infinite, and bad input", () => {
    const moments = Float64Array.of(1, 0);
    for (const x of [-1, 1, 2, Number.NaN])
      expect(() => densityAt(moments, "jackson", [x])).toThrow("strictly inside (-1, 1)");
    expect(() => cumulativeAt(moments, "jackson", [Number.NaN])).toThrow("got NaN");
    expect(() => densityAt(new Float64Array(0), "jackson", [0])).toThrow("got no moments");
    expect(() => densityAt(moments, new Float64Array(3), [0])).toThrow("3 damping factors for 2 moments");
    expect(() => densityAt(Float64Array.of(1, Number.NaN), "none", [0])).toThrow("moment 1: got NaN");
    expect(() => histogram(moments, "none", [0])).toThrow("1 edges");
    expect(() => histogram(moments, "none", [0, 0])).toThrow("must ascend");
    expect(() => densityAt(moments, "none", [0], [{ at: 1.5, mass: 1 }])).toThrow("atom at 1.5");
    expect(() => densityAt(moments, "none", [0], [{ at: 0, mass: -1 }])).toThrow("has mass -1");
  });
});

describe("atoms", () => {
  const atoms: Atom[] = [
    { at: 0, mass: 40 },
    { at: -0.5, mass: 7 },
    { at: 1, mass: 1 },
  ];
  const smooth = [-0.83, -0.31, 0.12, 0.55, 0.78];
  const moments = momentsOf([...smooth, 0, -0.5, 1], 40, [1, 1, 1, 1, 1, 40, 7, 1]);

  it("leave the smooth part as if they had never been there", () => {
    const grid = chebyshevGrid(100);
    const with_ = densityAt(moments, "jackson", grid, atoms);
    const without = densityAt(momentsOf(smooth, 40), "jackson", grid);
    for (let k = 0; k < 100; k++) expect(Math.abs(with_[k] - without[k])).toBeLessThan(1e-10);
  });

  it("come back as jumps of exactly their mass", () => {
    for (const { at, mass } of atoms) {
      const [before, after] = cumulativeAt(moments, "jackson", [at - 1e-9, at], atoms);
      expect(after - before).toBeCloseTo(mass, 6);
    }
    expect(cumulativeAt(moments, "jackson", [1], atoms)[0]).toBeCloseTo(53, 10);
  });

  it("stand in their bin of a histogram, at 1 in the last, and none is lost", () => {
    const bins = histogram(moments, "jackson", evenEdges(8), atoms);
    expect(sum(bins)).toBeCloseTo(53, 10);
    const bare = histogram(momentsOf(smooth, 40), "jackson", evenEdges(8));
    const jumps = Array.from(bins, (b, k) => b - bare[k]);
    expect(jumps).toEqual([0, 0, 7, 0, 40, 0, 0, 1].map((x) => expect.closeTo(x, 9)));
  });

  it("outside the edges are left out", () => {
    const bins = histogram(moments, "jackson", [0.1, 0.2], atoms);
    expect(bins[0]).toBeLessThan(2);
  });

  it("count in an integral with the exact value of f, even a step that no polynomial follows", () => {
    const step = (x: number) => (x === 0 ? 1 : 0);
    expect(integrate(moments, "jackson", step, atoms)).toBeCloseTo(40, 12);
  });
});

describe("integral against a density", () => {
  it("is exact for polynomials up to degree M when undamped", () => {
    fc.assert(
      fc.property(
        spectrum,
        fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 1, maxLength: 21 }),
        (points, coefficients) => {
          const f = (x: number) => coefficients.reduceRight((y, c) => y * x + c, 0);
          const value = integrate(momentsOf(points, 20), "none", f);
          expect(Math.abs(value - sum(points.map(f)))).toBeLessThan(1e-11 * points.length);
        },
      ),
    );
  });

  it("is not exact one degree above: ∫ T_(M+1) comes out 0 instead of its moment", () => {
    const T3 = (x: number) => 4 * x ** 3 - 3 * x;
    expect(integrate(momentsOf([1], 2), "none", T3)).toBeCloseTo(0, 12);
    expect(integrate(momentsOf([1], 3), "none", T3)).toBeCloseTo(1, 12);
  });

  it("gives the trace of a smooth function, here the heat kernel", () => {
    const points = [-1, -0.4, 0.3, 0.3, 1];
    const heat = (x: number) => Math.exp(-2 * (1 - x));
    expect(integrate(momentsOf(points, 30), "none", heat)).toBeCloseTo(sum(points.map(heat)), 12);
  });

  it("refuses a function that is not finite", () => {
    expect(() => integrate(Float64Array.of(1), "none", () => Number.NaN)).toThrow("expected a finite number");
  });
});
