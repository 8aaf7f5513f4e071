/**
 * Plain values and typed arrays by name, as a file brought them, read with their kind, range and length checked: the first that is not
 * what it must be ends in a sentence, before anything is computed with it. A checksum shows that a file was not damaged, not that it was
 * made by us.
 */
import { badData } from "./errors.js";

export interface PlainState {
  values: Readonly<Record<string, string | number | boolean | null>>;
  arrays: Readonly<Record<string, Float64Array | Uint32Array>>;
}

export class CheckedState {
  constructor(
    private readonly state: PlainState,
    private readonly where = "kernel state",
  ) {}

  fail(name: string, got: unknown, expected: string) {
    return badData(
      `${this.where}: damaged: ${name}: got ${String(got)}, expected ${expected}; make the file again`,
    );
  }

  has(name: string): boolean {
    return Object.hasOwn(this.state.values, name) || Object.hasOwn(this.state.arrays, name);
  }

  /** A finite number. */
  number(name: string, from = -Number.MAX_VALUE, to = Number.MAX_VALUE): number {
    const value = this.value(name);
    if (typeof value !== "number" || !(value >= from && value <= to))
      throw this.fail(name, value, `a number from ${from} to ${to}`);
    return value;
  }

  whole(name: string, from = 0, to = 2 ** 32 - 1): number {
    const value = this.number(name, from, to);
    if (!Number.isInteger(value)) throw this.fail(name, value, "a whole number");
    return value;
  }

  flag(name: string): boolean {
    const value = this.value(name);
    if (typeof value !== "boolean") throw this.fail(name, value, "true or false");
    return value;
  }

  word<const Word extends string>(name: string, allowed: readonly Word[]): Word {
    const value = this.value(name);
    const found = allowed.find((word) => word === value);
    if (found === undefined) throw this.fail(name, value, `one of ${allowed.join(", ")}`);
    return found;
  }

  /** Finite numbers, so many where that is known. */
  floats(name: string, length?: number): Float64Array {
    const array = this.array(name);
    if (!(array instanceof Float64Array)) throw this.fail(name, "whole numbers", "floating-point ones");
    this.checkLength(name, array.length, length);
    for (let k = 0; k < array.length; k++)
      if (!Number.isFinite(array[k])) throw this.fail(`${name}[${k}]`, array[k], "a finite number");
    return array;
  }

  /** Whole numbers below `bound`. */
  words(name: string, length?: number, bound = 2 ** 32): Uint32Array {
    const array = this.array(name);
    if (!(array instanceof Uint32Array)) throw this.fail(name, "floating-point numbers", "whole ones");
    this.checkLength(name, array.length, length);
    for (let k = 0; k < array.length; k++)
      if (array[k] >= bound) throw this.fail(`${name}[${k}]`, array[k], `at most ${bound - 1}`);
    return array;
  }

  /** Where runs begin: from 0 up to the `end` of the last, never falling. */
  offsets(name: string, runs?: number, end?: number): Uint32Array {
    const array = this.words(name, runs === undefined ? undefined : runs + 1);
    if (array.length === 0 || array[0] !== 0)
      throw this.fail(name, array.length === 0 ? "no numbers" : array[0], "0 in front");
    for (let k = 1; k < array.length; k++)
      if (array[k] < array[k - 1]) throw this.fail(`${name}[${k}]`, array[k], `at least ${array[k - 1]}`);
    const last = array[array.length - 1];
    if (end !== undefined && last !== end) throw this.fail(name, `${last} at its end`, String(end));
    return array;
  }

  private checkLength(name: string, got: number, expected: number | undefined): void {
    if (expected !== undefined && got !== expected) throw this.fail(name, `${got} numbers`, String(expected));
  }

  private value(name: string) {
    return Object.hasOwn(this.state.values, name) ? this.state.values[name] : "nothing";
  }

  private array(name: string): Float64Array | Uint32Array {
    if (!Object.hasOwn(this.state.arrays, name)) throw this.fail(name, "nothing", "an array");
    return this.state.arrays[name];
  }
}
