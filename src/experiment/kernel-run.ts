/**
 * From a data set to what kernels work on: the profiles that they need, of A and of A + I, each computed once for all of them; and
 * from `name=value` in words to the options of a kernel. The cost is that of the profiles.
 */
import { badCall, unknownName } from "../base/errors.js";
import type { OnProgress } from "../base/progress.js";
import type { Executor } from "../compute/executor.js";
import { type Dataset, graphTitle } from "../data/dataset.js";
import type { OptionSpec, OptionValue, OptionValues } from "../kernel/options.js";
import type { KernelInput, KernelNeeds } from "../kernel/part.js";
import type { KernelSpec } from "../kernel/registry.js";
import type { SpectralProfile } from "../spectrum/profile.js";
import { computeProfiles, type ProfileControl, type ProfileOptions } from "../spectrum/profiles.js";
import type { StageCache } from "./stage-cache.js";

/** KernelInput with whole profiles: what this module computes. */
export interface ComputedInput extends KernelInput {
  profiles?: SpectralProfile[];
  selfLoopProfiles?: SpectralProfile[];
  nameOf: (g: number) => string;
}

/**
 * The input of kernels with these needs (those of several kernels may be put together). `options.selfLoops` and `options.nodes` are
 * not looked at: the needs say which profiles there are to be.
 */
export async function kernelInput(
  dataset: Dataset,
  needs: readonly KernelNeeds[],
  options: ProfileOptions,
  executor: Executor,
  control: ProfileControl = {},
  stages: StageCache | null = null,
): Promise<ComputedInput> {
  const nameOf = (g: number) => graphTitle(dataset, g);
  const input: ComputedInput = { nameOf, memo: new Map() };
  if (needs.some(({ graphs }) => graphs)) input.graphs = dataset.graphs;
  for (const selfLoops of [false, true]) {
    const wanted = needs.filter((need) => need.selfLoops === selfLoops);
    if (wanted.length === 0) continue;
    const nodes = wanted.some((need) => need.nodes);
    const both = needs.some((need) => need.selfLoops === !selfLoops);
    const task = `profiles${both ? (selfLoops ? " of A + I" : " of A") : ""}`;
    const own = { ...options, selfLoops, nodes };
    const compute = () =>
      computeProfiles(dataset.graphs, own, executor, {
        ...control,
        onProgress: control.onProgress && renamed(control.onProgress, task),
      });
    const profiles = await (stages === null ? compute() : stages.profiles(own, compute));
    if (selfLoops) input.selfLoopProfiles = profiles;
    else input.profiles = profiles;
  }
  return input;
}

const renamed =
  (onProgress: OnProgress, task: string): OnProgress =>
  (update) =>
    onProgress({ ...update, task });

/** Only the options that the words give, typed as the table says; values are not yet checked against it. */
export function givenOptions(spec: KernelSpec, words: readonly string[]): OptionValues {
  const parsed = words.map((word) => {
    const at = word.indexOf("=");
    if (at <= 0) throw badCall(`option of kernel ${spec.name}: got ${word}, expected name=value`);
    const name = ownName(spec, word.slice(0, at).trim());
    const full = Object.hasOwn(spec.options, name) ? [name] : inParts(spec, name);
    if (full.length === 0)
      throw unknownName(`option of kernel ${spec.name}`, name, Object.keys(spec.options));
    const where = `kernel ${spec.name}: ${name}`;
    return { name, full, value: typedValue(spec.options[full[0]], word.slice(at + 1).trim(), where) };
  });
  const seen = new Set<string>();
  const given: OptionValues = {};
  // what is said of one part goes before what is said of all
  for (const { name, full, value } of parsed.sort((a, b) => a.full.length - b.full.length)) {
    const key = full.length === 1 ? full[0] : name;
    if (seen.has(key)) throw badCall(`kernel ${spec.name}: ${key} is given twice`);
    seen.add(key);
    for (const each of full) given[each] ??= value;
  }
  return given;
}

/** Whether a kernel has an option of that name, by the name of a part or without it. */
export function knowsOption(spec: KernelSpec, name: string): boolean {
  const own = ownName(spec, name);
  return Object.hasOwn(spec.options, own) || inParts(spec, own).length > 0;
}

/** `ldos.width` of the kernel ldos is its `width`. */
function ownName({ parts, options }: KernelSpec, name: string): string {
  const prefix = `${parts[0]?.name}.`;
  return parts.length === 1 && name.startsWith(prefix) && !(name in options)
    ? name.slice(prefix.length)
    : name;
}

const inParts = ({ options }: KernelSpec, name: string) =>
  Object.keys(options).filter((known) => known.endsWith(`.${name}`));

/** A word as the kind of value that the option has. What is not of that kind stays a word, which the table then rejects. */
function typedValue(option: OptionSpec, text: string, where: string): OptionValue {
  if (text === "") throw badCall(`${where}: got nothing, expected a value`);
  const known = "from" in option.allowed ? [] : option.allowed;
  const exact = known.find((value) => String(value) === text);
  if (exact !== undefined) return exact;
  const number = Number(text);
  return typeof option.default === "number" && !Number.isNaN(number) ? number : text;
}

/** Sets an option in every part that has it (of `parts`, where given); false when none has. What is given already stays. */
export function setInParts(
  spec: KernelSpec,
  given: OptionValues,
  name: string,
  value: OptionValue,
  parts: readonly string[] = spec.parts.map((part) => part.name),
): boolean {
  let found = false;
  for (const part of spec.parts) {
    if (!parts.includes(part.name) || !Object.hasOwn(part.options, name)) continue;
    found = true;
    given[spec.parts.length === 1 ? name : `${part.name}.${name}`] ??= value;
  }
  return found;
}
