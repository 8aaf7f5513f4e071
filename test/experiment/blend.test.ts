import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.js";
import { typescriptKernels } from "../../src/compute/twin.js";
import { distancesAmong, meanGram, stratifiedSample } from "../../src/experiment/blend.js";
import { type FoldUnit, foldTask } from "../../src/experiment/evaluation-unit.js";
import { kernelByName, kernelGram, kernelOptions } from "../../src/kernel/registry.js";
import { predictSvc, trainSvc } from "../../src/learn/svc.js";

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

describe("a fold with a blend", () => {
  const blend = { sample: 60, best: 2 };

  test("has the signature that tells the classes apart as its best point, also when it is searched on a sample", async () => {
    for (const sample of [60, 1000]) {
      const { point, blended } = await run(unit({ blend: { sample, best: 3 } }));
      expect(unit().points[point].label.k).toBe(2);
      expect(blended?.length).toBe(3);
      expect(blended?.[0]).toBe(point);
    }
  });

  test("of one point, searched on all training graphs, predicts what the choice of one point predicts", async () => {
    const { point, C, predicted } = await run(unit());
    const one = await run(unit({ blend: { sample: 1000, best: 1 } }));
    expect({ point: one.point, C: one.C, predicted: one.predicted }).toEqual({ point, C, predicted });
  });

  test("fits the mean of the Grams of its points", async () => {
    const given = unit({ blend });
    const { blended, C, predicted } = await run(given);
    const { classes, train, test: unseen, distances, points } = given;
    const n = classes.length;
    const spec = kernelByName("dos");
    const mean = new Float64Array(n * n);
    for (const k of blended as number[]) {
      const { gram } = kernelGram(
        { spec, options: points[k].options },
        [distances[points[k].parts[0]]],
        train,
      );
      gram.values.forEach((x, i) => {
        mean[i] += x / 2;
      });
    }
    const model = trainSvc(mean, n, train, classes, C);
    expect(predicted).toEqual(Array.from(predictSvc(model, mean, n, unseen).classes));
  });

  test("never looks at the test graphs: neither their classes nor their distances change the choice", async () => {
    const clean = unit({ blend });
    const poisoned = unit({ blend });
    for (const i of poisoned.test) poisoned.classes[i] = 1 - poisoned.classes[i];
    expect(withoutTimes(await run(poisoned))).toEqual(withoutTimes(await run(clean)));
    for (const { values } of poisoned.distances)
      for (const i of poisoned.test)
        for (let j = 0; j < 120; j++) if (j !== i) values[i * 120 + j] = values[j * 120 + i] = 5;
    const choice = async (given: FoldUnit) => {
      const { C, innerAccuracy, blended } = await run(given);
      return { C, innerAccuracy, blended };
    };
    expect(await choice(poisoned)).toEqual(await choice(clean));
  });
});

test("the mean of Grams is that of their values, though they share one buffer", () => {
  const buffer = new Float32Array(2);
  const gram = (k: number) => {
    buffer.set([k, 1]);
    return buffer;
  };
  expect(meanGram(3, gram)).toEqual(Float32Array.of(1, 1));
});

test("distances among some graphs are theirs, gathered once", () => {
  const values = Float32Array.from({ length: 16 }, (_, k) => 10 * Math.floor(k / 4) + (k % 4));
  const whole = { rows: 4, columns: 4, values, mostNegative: 0, errorBound: 0 };
  const among = distancesAmong([whole], Int32Array.of(1, 3));
  expect(among(0)).toMatchObject({ rows: 2, columns: 2, values: Float32Array.of(11, 13, 31, 33) });
  expect(among(0)).toBe(among(0));
});
