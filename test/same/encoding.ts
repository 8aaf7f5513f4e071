/** Results as text, so that they can leave a page or a process, and what to say of two of them. */
import type { Results } from "./results.js";

export type EncodedResults = Record<string, string>;

export function encodeResults(results: Results): EncodedResults {
  const encoded: EncodedResults = {};
  for (const [name, numbers] of Object.entries(results)) {
    const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    let text = "";
    for (let k = 0; k < bytes.length; k += 4096) text += String.fromCharCode(...bytes.subarray(k, k + 4096));
    encoded[name] = btoa(text);
  }
  return encoded;
}

function decode(text: string): Float64Array {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Float64Array(bytes.buffer);
}

/** "=" where all bits are the same; else how many numbers differ and by how much at most, relative to the larger of the two. */
export function compareEncoded(a: string | undefined, b: string | undefined): string {
  if (a === undefined || b === undefined) return "missing";
  if (a === b) return "=";
  const [x, y] = [decode(a), decode(b)];
  if (x.length !== y.length) return `${x.length} ≠ ${y.length} numbers`;
  let count = 0;
  let largest = 0;
  for (let k = 0; k < x.length; k++) {
    if (Object.is(x[k], y[k])) continue;
    count++;
    // zeros of two signs differ in a bit, not in size
    const size = Math.max(Math.abs(x[k]), Math.abs(y[k]));
    const difference = size === 0 ? 0 : Math.abs(x[k] - y[k]) / size;
    if (!(difference <= largest)) largest = difference;
  }
  return `${count} of ${x.length}, ${largest.toExponential(1)}`;
}
