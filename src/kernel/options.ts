/** Options of kernels: a table says names, defaults, what is allowed and what a grid should try; anything else is rejected. */
import { badCall, unknownName } from "../base/errors.js";

export type OptionValue = string | number | boolean;
export type OptionValues = Record<string, OptionValue>;

export interface OptionSpec {
  default: OptionValue;
  /** What it does, in a sentence. */
  about: string;
  /** All allowed values, or what numbers are allowed. */
  allowed: readonly OptionValue[] | NumberRange;
  /** Why nothing else is allowed, where that is not plain. */
  why?: string;
  /** Values worth trying in a search; left out when the default is all. */
  grid?: readonly OptionValue[];
}

export interface NumberRange {
  from: number;
  to: number;
  /** Whether `from` itself is out. */
  above?: boolean;
  integer?: boolean;
}

export type OptionTable = Record<string, OptionSpec>;

/** Every option of the table with its given or default value. */
export function resolveOptions(
  table: OptionTable,
  given: Readonly<Record<string, OptionValue | undefined>>,
  where: string,
): OptionValues {
  for (const name of Object.keys(given))
    if (!Object.hasOwn(table, name)) throw unknownName(`option of ${where}`, name, Object.keys(table));
  const resolved: OptionValues = {};
  for (const [name, spec] of Object.entries(table)) {
    const value = given[name] ?? spec.default;
    if (!isAllowed(value, spec.allowed))
      throw badCall(
        `${where}: ${name}: got ${String(value)}, expected ${describe(spec.allowed)}${spec.why === undefined ? "" : `: ${spec.why}`}`,
      );
    resolved[name] = value;
  }
  return resolved;
}

function isAllowed(value: OptionValue, allowed: OptionSpec["allowed"]): boolean {
  if (!("from" in allowed)) return allowed.includes(value);
  return (
    typeof value === "number" &&
    (allowed.above ? value > allowed.from : value >= allowed.from) &&
    value <= allowed.to &&
    (!allowed.integer || Number.isInteger(value))
  );
}

function describe(allowed: OptionSpec["allowed"]): string {
  if (!("from" in allowed)) return `${allowed.length > 1 ? "one of " : ""}${allowed.join(", ")}`;
  const kind = allowed.integer ? "an integer" : "a number";
  return `${kind} ${allowed.above ? "above" : "from"} ${allowed.from} to ${allowed.to}`;
}

/** The table without some options. */
export function without(table: OptionTable, names: readonly string[]): OptionTable {
  return Object.fromEntries(Object.entries(table).filter(([name]) => !names.includes(name)));
}

/** The same options under `prefix.name`. */
export function prefixed(table: OptionTable, prefix: string): OptionTable {
  return Object.fromEntries(Object.entries(table).map(([name, spec]) => [`${prefix}.${name}`, spec]));
}

/** The options of one prefix, without it. */
export function unprefixed(values: OptionValues, prefix: string): OptionValues {
  const start = `${prefix}.`;
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      name.startsWith(start) ? [[name.slice(start.length), value]] : [],
    ),
  );
}
