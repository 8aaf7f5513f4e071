/** Hashes against node:crypto, which knows nothing of pieces. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashInPieces, hashOf } from "../../src/compute/store.js";

const sha256 = (...parts: (string | Uint8Array)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
const some = fc.uint8Array({ maxLength: 200 });

describe("hashOf", () => {
  it("is the SHA-256 of one part, and that of the digests of several", async () => {
    await fc.assert(
      fc.asyncProperty(some, some, fc.string(), async (a, b, text) => {
        expect(await hashOf(a)).toBe(sha256(a).toString("hex"));
        expect(await hashOf(text)).toBe(sha256(text).toString("hex"));
        expect(await hashOf(a, text, b)).toBe(sha256(sha256(a), sha256(text), sha256(b)).toString("hex"));
      }),
    );
  });

  it("is that of the digests of the pieces where a part is larger than a piece, or comes in pieces", async () => {
    await fc.assert(
      fc.asyncProperty(some, some, fc.integer({ min: 1, max: 210 }), async (a, b, piece) => {
        const digests: Uint8Array[] = [];
        for (let at = 0; at < Math.max(1, a.length); at += piece)
          digests.push(sha256(a.subarray(at, at + piece)));
        const ofA = digests.length === 1 ? digests[0] : sha256(...digests);
        expect(await hashInPieces([a], piece)).toBe(Buffer.from(ofA).toString("hex"));
        expect(await hashInPieces([a, "x"], piece)).toBe(sha256(ofA, sha256("x")).toString("hex"));
        expect(await hashOf([a, b])).toBe(sha256(sha256(a), sha256(b)).toString("hex"));
      }),
    );
  });

  it("does not depend on where an array lies, or on shared memory", async () => {
    const shared = new Uint8Array(new SharedArrayBuffer(100)).subarray(3, 90);
    shared.set(shared.map((_, i) => 7 * i));
    const expected = sha256(Uint8Array.from(shared)).toString("hex");
    expect(await hashOf(shared)).toBe(expected);
    const numbers = new Float64Array([1, Math.PI, -0]);
    expect(await hashOf(numbers.subarray(1))).toBe(sha256(new Uint8Array(numbers.buffer, 8)).toString("hex"));
  });
});
