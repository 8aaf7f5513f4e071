import { expect, test } from "vitest";
import { CountRows, intersectionDiagonal, sparseDiagonal } from "../../src/baseline/sparse-counts.js";
import { inlineExecutor } from "../../src/compute/executor.js";
import { type Form, fromProduct } from "../../src/kernel/form.js";
import { type CountSignatures, pairwiseDistances } from "../../src/kernel/signatures.js";

const executor = inlineExecutor();
const ROWS = [{ 0: 2, 3: 1 }, { 1: 4 }, {}, { 0: 1, 1: 1, 3: 5 }] as Record<number, number>[];

function countsOf(rows: Record<number, number>[]) {
  const builder = new CountRows();
  for (const row of rows) {
    for (const [id, count] of Object.entries(row)) builder.add(Number(id), count);
    builder.endGraph();
  }
  return builder.finish(4);
}

const signatures = (
  features: CountSignatures["features"],
  form: Form,
  compare: CountSignatures["compare"] = "product",
): CountSignatures => ({
  ...{ kind: "counts", count: features.graphs, compare, form, features },
  squares: compare === "product" ? sparseDiagonal(features) : intersectionDiagonal(features),
});

/** Pair by pair, from the rows as they are written above. */
function byHand(form: Form, compare: CountSignatures["compare"]): number[] {
  const product = (a: Record<number, number>, b: Record<number, number>) =>
    [0, 1, 2, 3].reduce((sum, f) => {
      const [x, y] = [a[f] ?? 0, b[f] ?? 0];
      return sum + (compare === "product" ? x * y : Math.min(x, y));
    }, 0);
  return ROWS.flatMap((a, g) =>
    ROWS.map((b, h) =>
      g === h ? (form === "linear" ? 1 : 0) : fromProduct(form, product(a, b), product(a, a), product(b, b)),
    ),
  );
}

const numbersOf = async (set: CountSignatures, reuse: boolean) =>
  Array.from((await pairwiseDistances(set, { executor, reuse })).values);

test.each([true, false])("every form and comparison has its distances, products kept: %s", async (reuse) => {
  const features = countsOf(ROWS);
  for (const compare of ["product", "intersection"] as const)
    for (const form of ["linear", "radial", "radial-counts"] as const)
      expect(await numbersOf(signatures(features, form, compare), reuse)).toEqual(byHand(form, compare));
});

test("products are computed once where they are kept, else every time", async () => {
  for (const reuse of [true, false]) {
    const features = countsOf(ROWS);
    const { squares } = signatures(features, "linear");
    await numbersOf(signatures(features, "linear"), reuse);
    features.counts.fill(0);
    const after = await numbersOf({ ...signatures(features, "radial-counts"), squares }, reuse);
    const before = byHand("radial-counts", "product");
    if (reuse) expect(after).toEqual(before);
    else expect(after).not.toEqual(before);
  }
});
