import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.js";
import { typescriptKernels } from "../../src/compute/twin.js";
import { type FoldUnit, foldTask } from "../../src/experiment/evaluation-unit.js";
import { distancesAmong, stratifiedSample } from "../../src/experiment/screening.js";
import { kernelByName, kernelOptions } from "../../src/kernel/registry.js";

describe("a stratified sample", () => {
  test("has as many members as asked for, once each, and every class with its share rounded down or up", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 2, maxLength: 80 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 0, max: 99 }),
        (list, share, seed) => {
          const classes = Int32Array.from(list);
          const indices = classes.map((_, i) => i).filter((i) => i % 5 !== 3);
          const count = Math.floor(share * indices.length);
          const sample = stratifiedSample(indices, classes, count, seed);
          expect(new Set(sample).size).toBe(count);
          expect([...sample]).toEqual([...sample].sort((a, b) => a - b));
          for (const i of sample) expect(indices.includes(i)).toBe(true);
          for (const c of new Set(list)) {
            const of = (among: Int32Array) => among.filter((i) => classes[i] === c).length;
            expect(Math.abs(of(sample) - (of(indices) * count) / indices.length)).toBeLessThan(1);
          }
          expect(stratifiedSample(indices, classes, count, seed)).toEqual(sample);
        },
      ),
    );
  });

  test("is another one for another seed", () => {
    const classes = Int32Array.from({ length: 100 }, (_, i) => i % 2);
    const indices = classes.map((_, i) => i);
    expect(stratifiedSample(indices, classes, 50, 1)).not.toEqual(stratifiedSample(indices, classes, 50, 2));
  });
});

/** Points on two overlapping bells; several columns of noise stand in for other signatures. */
function unit(changes: Partial<FoldUnit> = {}): FoldUnit {
  const n = 120;
  const random = new Random(3);
  const classes = Int32Array.from({ length: n }, (_, i) => i % 2);
  const columns = [0, 0, 2, 0].map((shift) => Array.from(classes, (c) => random.normal() + shift * c));
  const distances = columns.map((x) => ({
    ...{ rows: n, columns: n, mostNegative: 0, errorBound: 0 },
    values: Float32Array.from({ length: n * n }, (_, k) => Math.abs(x[Math.floor(k / n)] - x[k % n])),
  }));
  const spec = kernelByName("dos");
  return {
    kernel: "dos",
    points: columns.flatMap((_, k) =>
      [1, 2].map((exponent) => ({
        ...{ label: { k, exponent }, options: kernelOptions(spec, { exponent }), parts: [k] },
      })),
    ),
    ...{ distances, classes, groups: null, Cs: [0.1, 1, 10], inner: 3, seed: 7 },
    train: classes.map((_, i) => i).filter((i) => i % 10 !== 0),
    test: classes.map((_, i) => i).filter((i) => i % 10 === 0),
    ...changes,
  };
}
const run = (given: FoldUnit) => foldTask.run({ kernels: typescriptKernels(), memory: new Map() }, given);
const withoutTimes = (outcome: object) => ({ ...outcome, seconds: null });

describe("a screened fold", () => {
  test("finds the signature that tells the classes apart, with fewer graphs in most fits", async () => {
    const whole = await run(unit());
    const screened = await run(unit({ screening: { graphs: 60, finalists: 2 } }));
    expect(unit().points[whole.point].label.k).toBe(2);
    expect(unit().points[screened.point].label.k).toBe(2);
    expect(screened.fits).toBeGreaterThan(0);
  });

  test("is the plain one where the training part is small or there is nothing to leave out", async () => {
    const whole = withoutTimes(await run(unit()));
    expect(withoutTimes(await run(unit({ screening: { graphs: 108, finalists: 2 } })))).toEqual(whole);
    expect(withoutTimes(await run(unit({ screening: { graphs: 20, finalists: 8 } })))).toEqual(whole);
  });

  test("never looks at the test graphs: neither their classes nor their distances change the choice", async () => {
    const screening = { graphs: 60, finalists: 2 };
    const clean = unit({ screening });
    const poisoned = unit({ screening });
    for (const i of poisoned.test) poisoned.classes[i] = 1 - poisoned.classes[i];
    expect(withoutTimes(await run(poisoned))).toEqual(withoutTimes(await run(clean)));
    for (const { values } of poisoned.distances)
      for (const i of poisoned.test)
        for (let j = 0; j < 120; j++) if (j !== i) values[i * 120 + j] = values[j * 120 + i] = 5;
    const { point, C, innerAccuracy } = await run(poisoned);
    const before = await run(clean);
    expect({ point, C, innerAccuracy }).toEqual({
      ...{ point: before.point, C: before.C, innerAccuracy: before.innerAccuracy },
    });
  });
});

test("distances among some graphs are theirs, gathered once", () => {
  const values = Float32Array.from({ length: 16 }, (_, k) => 10 * Math.floor(k / 4) + (k % 4));
  const whole = { rows: 4, columns: 4, values, mostNegative: 0, errorBound: 0 };
  const among = distancesAmong([whole], Int32Array.of(1, 3));
  expect(among(0)).toMatchObject({ rows: 2, columns: 2, values: Float32Array.of(11, 13, 31, 33) });
  expect(among(0)).toBe(among(0));
});
