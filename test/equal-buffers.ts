/**
 * Before the tests of a file: buffers are equal when their bytes are. Vitest's toEqual looks at the enumerable fields of objects, of which
 * buffers have none, and takes any two of them for equal.
 */
import { expect } from "vitest";

const isBuffer = (value: unknown) => value instanceof ArrayBuffer || value instanceof SharedArrayBuffer;

expect.addEqualityTesters([
  (a: unknown, b: unknown) => {
    if (!isBuffer(a) || !isBuffer(b)) return undefined;
    return Buffer.from(a as ArrayBuffer).equals(Buffer.from(b as ArrayBuffer));
  },
]);
