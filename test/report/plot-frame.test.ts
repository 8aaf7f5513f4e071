import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDuration } from "../../src/experiment/wording.js";
import {
  growthPower,
  logDomain,
  logTicks,
  placeNames,
  powerLine,
  scientific,
  spreadApart,
  tickWriter,
} from "../../src/report/plot-frame.js";

describe("names beside what they name", () => {
  test("heights come apart, in their order, inside of the frame", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 400, noNaN: true }), { maxLength: 20 }), (heights) => {
        const places = spreadApart(heights, 16, [0, 400]);
        const order = heights.map((_, k) => k).sort((a, b) => heights[a] - heights[b] || a - b);
        order.forEach((k, r) => {
          if (r > 0) expect(places[k] - places[order[r - 1]]).toBeGreaterThanOrEqual(16 - 1e-9);
          expect(places[k]).toBeGreaterThanOrEqual(-1e-9);
          expect(places[k]).toBeLessThanOrEqual(400 + 1e-9);
        });
      }),
    );
    expect(spreadApart([10, 100, 200], 16, [0, 400])).toEqual([10, 100, 200]);
  });

  test("names do not cover dots, nor each other; without room there is no name", () => {
    const points = [
      { x: 100, y: 100, name: "first" },
      { x: 104, y: 100, name: "second" },
    ];
    const [a, b] = placeNames(points, points, { width: 300, height: 300 });
    expect([a.name, b.name]).toEqual(["first", "second"]);
    expect([a.x, a.y]).not.toEqual([b.x, b.y]);
    expect(placeNames(points, points, { width: 20, height: 20 })).toEqual([]);
  });
});

describe("logarithmic axes", () => {
  test("ticks are powers of ten, fewer over many decades, more over few", () => {
    expect(logTicks([0.5, 20_000])).toEqual([1, 10, 100, 1000, 10_000]);
    expect(logTicks([1, 1e16])).toEqual([1, 1e3, 1e6, 1e9, 1e12, 1e15]);
    expect(logTicks([1.5, 30])).toEqual([2, 5, 10, 20]);
  });

  test("a domain holds its values and is never a point", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), { minLength: 1 }), (values) => {
        const [low, high] = logDomain(values);
        expect(low).toBeLessThanOrEqual(Math.min(...values));
        expect(high).toBeGreaterThanOrEqual(Math.max(...values));
        expect(high / low).toBeGreaterThanOrEqual(3 - 1e-9);
        expect(logTicks([low, high]).length).toBeGreaterThan(0);
      }),
    );
  });

  test("numbers are written in full, or all of an axis by powers", () => {
    expect([0.001, 1, 100].map(tickWriter([0.001, 1, 100]))).toEqual(["0.001", "1", "100"]);
    expect([1, 100, 1e7].map(tickWriter([1, 100, 1e7]))).toEqual(["10⁰", "10²", "10⁷"]);
    expect([0.00032, 1e-4, 0.5, 87_000_000, 0].map(scientific)).toEqual([
      ...["3.2·10⁻⁴", "10⁻⁴", "0.5", "8.7·10⁷", "0"],
    ]);
    expect(scientific(Number.POSITIVE_INFINITY)).toBe("–");
  });
});

describe("power laws", () => {
  test("the power of an exact law is found, and none from two points", () => {
    const law = [1, 10, 50, 900].map((x) => ({ x, y: 3 * x ** -0.5 }));
    expect(growthPower(law)).toBeCloseTo(-0.5, 12);
    expect(growthPower(law.slice(0, 2))).toBeNull();
    expect(growthPower([...law, { x: 5, y: 0 }])).toBeCloseTo(-0.5, 12);
  });

  test("a line ends where it leaves the frame", () => {
    expect(powerLine(1, 1, [1, 100], [10, 1000])).toEqual([
      { x: 10, y: 10 },
      { x: 100, y: 100 },
    ]);
    const [start, end] = powerLine(10, -1 / 2, [1, 1e6], [0.1, 1]);
    expect([start.x, start.y, end.x, end.y].map((v) => Number(v.toPrecision(12)))).toEqual([
      100, 1, 10_000, 0.1,
    ]);
    expect(powerLine(1, 1, [1, 10], [100, 1000])).toEqual([]);
  });
});

test("durations never read 60 seconds or 60 minutes", () => {
  expect([0, 0.00034, 0.25, 3.14, 42, 59.6, 119.7, 3569.9, 3599.9, 7300].map(formatDuration)).toEqual([
    ...["0 ms", "0.34 ms", "250 ms", "3.1 s", "42 s", "1 min 0 s", "2 min 0 s", "59 min 30 s"],
    ...["1 h 0 min", "2 h 2 min"],
  ]);
});
