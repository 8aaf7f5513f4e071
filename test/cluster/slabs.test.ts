/** Memory for results: every piece its own, in few blocks. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BLOCK_BYTES, Slabs } from "../../src/node/cluster/slabs.js";

describe("memory for results", () => {
  it("has the wanted length, begins at a multiple of 8 and is nobody else's", () => {
    const lengths = fc.array(
      fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100_000 })),
    );
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1, max: 2000 }), (wanted, results) => {
        const slabs = new Slabs(results);
        const pieces = wanted.map((length) => slabs.take(length));
        for (const [k, piece] of pieces.entries()) {
          expect(piece.length).toBe(wanted[k]);
          expect(piece.byteOffset % 8).toBe(0);
          piece.fill(k % 251);
        }
        for (const [k, piece] of pieces.entries()) expect(piece.every((byte) => byte === k % 251)).toBe(true);
      }),
    );
  });

  it("is a block for many results, and one alone for a result that no block holds", () => {
    const slabs = new Slabs(1001);
    const small = Array.from({ length: 500 }, () => slabs.take(1000).buffer);
    expect(new Set(small).size).toBe(1);
    const large = slabs.take(BLOCK_BYTES + 1);
    expect(large.buffer.byteLength).toBe(BLOCK_BYTES + 1);
    const rest = Array.from({ length: 500 }, () => slabs.take(1000).buffer);
    expect(new Set([...small, ...rest]).size).toBe(1);
  });

  it("holds more results, and larger ones, than were expected", () => {
    const slabs = new Slabs(2);
    const buffers = new Set(
      [10, 100_000, 10, BLOCK_BYTES, BLOCK_BYTES].map((length) => slabs.take(length).buffer),
    );
    expect(buffers.size).toBeGreaterThan(2);
    for (const { byteLength } of buffers) expect(byteLength).toBeLessThanOrEqual(BLOCK_BYTES);
  });
});
