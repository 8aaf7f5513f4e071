/**
 * The grid of one kernel: every combination of the values given for its options.
 *
 * A name without a part ("exponent", "selfLoops") stands for that option of every part that has it, so that the parts of a composite
 * change together; "ldos.width" is that of one part. "moments" is the degree of the profiles, for all parts or, as "dos.moments", for one.
 */
import { badCall, unknownName } from "../base/errors.js";
import type { OptionValue, OptionValues } from "../kernel/options.js";
import { type KernelSpec, kernelOptions, partOptions } from "../kernel/registry.js";
import type { GridPoint, GridSearch } from "../learn/nested.js";
import { MAX_MOMENTS } from "../spectrum/exact-plan.js";
import type { Blend } from "./blend.js";

export interface KernelRequest {
  name: string;
  /** Fixed options. */
  options?: Readonly<Record<string, OptionValue>>;
  /** Values to choose from inside the training folds. Default: what the kernel proposes, and the exponents it allows. */
  grid?: Readonly<Record<string, readonly OptionValue[]>>;
  /** How the grid is searched. Default: every point. */
  search?: GridSearch;
  /** The mean of the best points instead of the best one. Default: the best one. */
  blend?: Blend;
}

export interface KernelPoint {
  /** What tells this point from the others of the grid. */
  label: GridPoint;
  options: OptionValues;
  /** For each part: the highest moment, or null for that of the profiles at hand. */
  moments: (number | null)[];
  /** For each part: what its distances depend on, as text. */
  distanceKeys: string[];
}

/** Options that act on distances that are already there. */
const RADIAL = ["exponent", "bandwidth", "multiple"];

export function kernelGrid(spec: KernelSpec, request: KernelRequest): KernelPoint[] {
  const fixed = expand(spec, request.options ?? {});
  const grid = request.grid ?? defaultGrid(spec, request.options ?? {});
  const points: KernelPoint[] = [];
  const seen = new Set<string>();
  for (const label of combinations(grid)) {
    const rest = Object.fromEntries(Object.entries(label).filter(([name]) => lastName(name) !== "moments"));
    const moments = spec.parts.map(({ name }) => degree(label[`${name}.moments`] ?? label.moments ?? null));
    const options = kernelOptions(spec, { ...fixed, ...expand(spec, rest) });
    // a linear form once, not once an exponent
    if (!usesExponent(spec, options)) delete label.exponent;
    const name = JSON.stringify(label);
    if (seen.has(name)) continue;
    seen.add(name);
    const distanceKeys = spec.parts.map((part, k) => {
      const own = Object.entries(partOptions(spec, k, options)).filter(([name]) => !RADIAL.includes(name));
      return JSON.stringify([part.name, moments[k], own]);
    });
    points.push({ label, options, moments, distanceKeys });
  }
  return points;
}

function degree(moments: OptionValue | null): number | null {
  if (
    moments !== null &&
    !(Number.isInteger(moments) && (moments as number) >= 1 && (moments as number) <= MAX_MOMENTS)
  )
    throw badCall(`grid: moments: got ${String(moments)}, expected whole numbers from 1 to ${MAX_MOMENTS}`);
  return moments as number | null;
}

/** The degree that all parts of a point share; for what keeps one set of profiles. */
export function commonMoments({ moments }: KernelPoint): number | null {
  if (moments.some((own) => own !== moments[0]))
    throw badCall("grid: moments of single parts can be evaluated but not kept in a model; give moments");
  return moments[0];
}

/** What the part of the kernel proposes; else p ∈ {1, 2} for all parts together. What is fixed is not searched. */
function defaultGrid(
  spec: KernelSpec,
  fixed: Readonly<Record<string, OptionValue>>,
): Record<string, readonly OptionValue[]> {
  const own = spec.parts.length === 1 ? spec.parts[0].grid : undefined;
  const grid = { ...own, ...(usesExponent(spec, fixed) ? { exponent: [1, 2] } : {}) };
  const names = Object.keys(fixed).map(lastName);
  return Object.fromEntries(Object.entries(grid).filter(([name]) => !names.includes(name)));
}

/** Whether the exponent of a radial kernel changes anything: not where the form is linear. */
export function usesExponent(spec: KernelSpec, given: Readonly<Record<string, unknown>>): boolean {
  return spec.parts.some((part) => {
    const allowed = part.options.exponent?.allowed ?? [];
    if (!("length" in allowed && allowed.length > 1)) return false;
    const form = given.form ?? given[`${part.name}.form`] ?? part.options.form?.default ?? "radial";
    return form !== "linear";
  });
}

const lastName = (name: string) => name.slice(name.lastIndexOf(".") + 1);

/** Names without a part become those of every part that has the option. */
export function expand(
  spec: KernelSpec,
  given: Readonly<Record<string, OptionValue>>,
): Record<string, OptionValue> {
  const known = Object.keys(spec.options);
  const out: Record<string, OptionValue> = {};
  for (const [name, value] of Object.entries(given)) {
    const matching = known.includes(name) ? [name] : known.filter((full) => lastName(full) === name);
    if (matching.length === 0)
      throw unknownName(`option of kernel ${spec.name}`, name, [
        ...new Set([...known, ...known.map(lastName)]),
      ]);
    for (const full of matching) out[full] = value;
  }
  return out;
}

/** All ways to take one value of each, the first name changing slowest. */
function combinations(grid: Readonly<Record<string, readonly OptionValue[]>>): Record<string, OptionValue>[] {
  let all: Record<string, OptionValue>[] = [{}];
  for (const [name, values] of Object.entries(grid)) {
    if (values.length === 0) throw badCall(`grid: ${name} has no values`);
    all = all.flatMap((point) => values.map((value) => ({ ...point, [name]: value })));
  }
  return all;
}
