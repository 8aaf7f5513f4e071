import fc from "fast-check";
import { expect, test } from "vitest";
import { FLOAT, INTEGER, NOT_A_NUMBER, NumberScanner, wordAt } from "../../src/data/numbers.js";

const scanner = new NumberScanner();
function scan(text: string) {
  const bytes = new TextEncoder().encode(text);
  scanner.scan(bytes, 0, bytes.length);
  return { value: scanner.value, next: scanner.next, kind: scanner.kind };
}

test.each([
  ["0", 0, 1, INTEGER],
  ["42 7", 42, 2, INTEGER],
  ["-17", -17, 3, INTEGER],
  ["+5", 5, 2, INTEGER],
  ["007", 7, 3, INTEGER],
  ["9007199254740993", 9007199254740992, 16, INTEGER],
  ["1.", 1, 2, FLOAT],
  [".5", 0.5, 2, FLOAT],
  ["1e3", 1000, 3, FLOAT],
  ["1E-3x", 0.001, 4, FLOAT],
  ["2e", 2, 1, INTEGER],
  ["2e+", 2, 1, INTEGER],
  ["2.5e-", 2.5, 3, FLOAT],
  ["12ab", 12, 2, INTEGER],
  ["1.2.3", 1.2, 3, FLOAT],
  ["1e400", Number.POSITIVE_INFINITY, 5, FLOAT],
  ["1e-400", 0, 6, FLOAT],
  ["5e-324", 5e-324, 6, FLOAT],
  ["0.000000000000000000000000000000000001", 1e-36, 38, FLOAT],
  ["1e99999999999999999999", Number.POSITIVE_INFINITY, 22, FLOAT],
])("reads %s", (text, value, next, kind) => {
  expect(scan(text)).toEqual({ value, next, kind });
});

test.each(["", "-", "+", ".", "-.", "e5", ".e5", "nan", "inf", "x1", " 1", "--1"])(
  "finds no number in '%s'",
  (text) => {
    expect(scan(text)).toEqual({ value: Number.NaN, next: 0, kind: NOT_A_NUMBER });
  },
);

test("every double, however it is written, is the double that Number gives", () => {
  const forms = [
    (x: number) => String(x),
    (x: number) => x.toExponential(),
    (x: number) => x.toPrecision(15),
    (x: number) => x.toPrecision(21),
    (x: number) => x.toFixed(7),
  ];
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.nat(forms.length - 1), (x, form) => {
      const text = forms[form](x);
      expect(scan(text).value).toBe(Number(text));
      expect(scan(text).next).toBe(text.length);
    }),
    { numRuns: 3000 },
  );
});

test("decimal texts of any length give the double that Number gives", () => {
  const decimal = fc
    .tuple(
      fc.stringMatching(/^[-+]?[0-9]{1,22}$/),
      fc.stringMatching(/^(\.[0-9]{0,25})?(e[-+]?[0-9]{1,3})?$/),
    )
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(decimal, (text) => {
      expect(scan(text).value).toBe(Number(text));
      expect(scan(text).next).toBe(text.length);
    }),
    { numRuns: 3000 },
  );
});

test("does not look beyond the end it is given", () => {
  const bytes = new TextEncoder().encode("123456");
  expect(scanner.scan(bytes, 1, 4)).toBe(INTEGER);
  expect(scanner.value).toBe(234);
  expect(scanner.next).toBe(4);
});

test("words for messages end at a blank and are cut when long", () => {
  const bytes = new TextEncoder().encode(`ab\tcd ${"x".repeat(100)}`);
  expect(wordAt(bytes, 0, bytes.length)).toBe("ab");
  expect(wordAt(bytes, 6, bytes.length)).toBe(`${"x".repeat(40)}…`);
});
