import { expect, it } from "vitest";

it("buffers are equal in tests when their bytes are (test/equal-buffers.ts)", () => {
  for (const kind of [ArrayBuffer, SharedArrayBuffer]) {
    const [a, b] = [new kind(3), new kind(3)];
    expect({ a }).toEqual({ a: b });
    new Uint8Array(b)[2] = 1;
    expect({ a }).not.toEqual({ a: b });
    expect(a).not.toEqual(new kind(4));
  }
});
