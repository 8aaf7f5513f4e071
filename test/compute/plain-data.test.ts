import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodePlain, encodePlain } from "../../src/compute/plain-data.js";

const key = fc.string().filter((name) => name !== "$" && name !== "__proto__");
const typed = fc.oneof(
  fc.float64Array(),
  fc.float32Array(),
  fc.int32Array(),
  fc.uint32Array(),
  fc.uint8Array(),
  fc.uint8Array().map((bytes) => bytes.slice().buffer),
);
const { plain } = fc.letrec((tie) => ({
  plain: fc.oneof(
    { maxDepth: 5 },
    fc.constant(null),
    fc.boolean(),
    fc.string(),
    fc.double(),
    typed,
    fc.array(tie("plain")),
    fc.dictionary(key, tie("plain"), { noNullPrototype: true }),
  ),
}));

describe("plain data as bytes", () => {
  it("comes back equal, NaN, infinities, -0 and empty arrays included", () => {
    fc.assert(
      fc.property(plain, (value) => {
        expect(decodePlain(encodePlain(value))).toEqual(value);
      }),
    );
    for (const value of [-0, Number.NaN, Number.NEGATIVE_INFINITY, new Float64Array(0), [], {}])
      expect(decodePlain(encodePlain({ value }))).toEqual({ value });
  });

  it("keeps only the viewed part of a buffer, shares equal views, and shared memory stays shared", () => {
    const view = new Float64Array([1, 2, 3, 4]).subarray(1, 3);
    const shared = new Int32Array(new SharedArrayBuffer(8));
    shared.set([7, 8]);
    const bytes = encodePlain({ view, again: view, shared });
    const read = decodePlain(bytes) as { view: Float64Array; again: Float64Array; shared: Int32Array };
    expect(Array.from(read.view)).toEqual([2, 3]);
    expect(read.again.buffer).toBe(read.view.buffer);
    expect(read.shared.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(Array.from(read.shared)).toEqual([7, 8]);
  });

  it("takes arrays elsewhere and finds them again", () => {
    const kept = new Map<string, Uint8Array>();
    const big = new Float64Array(100).fill(3);
    const bytes = encodePlain(
      { big, small: new Float64Array(1) },
      {
        elsewhere(part) {
          if (part.length < 100) return null;
          kept.set("name", part);
          return "name";
        },
      },
    );
    expect(bytes.length).toBeLessThan(200);
    const find = (name: string) => kept.get(name)!.slice().buffer;
    expect(decodePlain(bytes, { find })).toEqual({ big, small: new Float64Array(1) });
    expect(() => decodePlain(bytes)).toThrow("elsewhere");
    expect(() => decodePlain(bytes, { find: () => new ArrayBuffer(8) })).toThrow("length of an array");
  });

  it("refuses what is not plain", () => {
    for (const value of [() => 1, Symbol("x"), new Date(), new Map(), { $: 1 }, 1n])
      expect(() => encodePlain({ value: value as unknown }), typeof value).toThrow("plain data");
    let deep: unknown = 1;
    for (let k = 0; k < 50; k++) deep = [deep];
    expect(() => encodePlain(deep)).toThrow("deep");
  });

  it("with any bytes changed or cut off gives data or a sentence, never anything else", () => {
    const bytes = encodePlain({ a: [1, "two", { b: new Float64Array([1, 2]) }], c: new Uint8Array(5) });
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), fc.nat(bytes.length), (place, value, end) => {
        const damaged = bytes.slice(0, end);
        if (place < end) damaged[place] = value;
        try {
          decodePlain(damaged);
        } catch (error) {
          expect((error as Error).name).toBe("GraphdosError");
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("never sets a prototype", () => {
    const bytes = encodePlain({ aaaaaaaaa: { polluted: 1 } });
    const text = Buffer.from(bytes).toString("latin1").replace("aaaaaaaaa", "__proto__");
    expect(() => decodePlain(Buffer.from(text, "latin1"))).toThrow("forbidden");
  });
});
