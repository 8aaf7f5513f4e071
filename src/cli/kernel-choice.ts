/** Which kernels, with which options and grids: `--kernel a,b --option ldos.width=0.05 --grid multiple=0.3,1,3`. */
import { type Command, InvalidArgumentError } from "commander";
import { badCall } from "../base/errors.js";
import { type KernelRequest, kernelGrid, usesExponent } from "../experiment/grid.js";
import { givenOptions, knowsOption, setInParts } from "../experiment/kernel-run.js";
import type { OptionValue } from "../kernel/options.js";
import { KERNELS, type KernelSpec, kernelByName, kernelNeeds, kernelOptions } from "../kernel/registry.js";
import type { DampingName } from "../spectrum/damping.js";
import { DAMPED_PARTS, kernelHelp, PROFILE_ONLY, refuseUseless } from "./kernel-options.js";

export interface KernelChoice {
  kernel: string;
  option: string[];
  grid: string[];
  selfLoops?: boolean;
  damping?: DampingName;
  seed?: number;
}

export function addKernelOptions(command: Command, standard: string): Command {
  return command
    .option("--kernel <names>", "kernels, with commas between, or all (see below)", standard)
    .option(
      "--option <name=value>",
      "an option of the kernel (repeatable): width=0.05, ldos.mmd=exact",
      assignment,
      [],
    )
    .option(
      "--grid <name=values>",
      "values to choose from inside the training folds (repeatable): multiple=0.3,1,3",
      assignment,
      [],
    )
    .addHelpText("after", kernelHelp);
}

function assignment(text: string, before: string[]): string[] {
  if (!/^[^=]+=./.test(text)) throw new InvalidArgumentError(`expected name=value, got ${text}.`);
  return [...before, text];
}

export interface ChoiceContext {
  /** Holds where nothing else is said. */
  fixed?: Readonly<Record<string, OptionValue>>;
  /** Tells which options were written; spectral ones that do nothing with any of the kernels are refused. */
  called: Command;
  /** The command has a use of its own for spectral options. */
  spectra?: boolean;
}

/**
 * The kernels asked for. An option or grid holds for every kernel that knows it, and must be known to one at least; --self-loops,
 * --damping and --seed hold for every part that has such an option.
 */
export function kernelRequests(
  choice: KernelChoice,
  { fixed = {}, called, spectra = false }: ChoiceContext,
): KernelRequest[] {
  const names = choice.kernel === "all" ? KERNELS.map((spec) => spec.name) : choice.kernel.split(",");
  const specs = names.map((name) => kernelByName(name.trim()));
  const again = specs.find((spec, k) => specs.indexOf(spec) < k);
  if (again !== undefined) throw badCall(`--kernel: got ${again.name} twice; expected each kernel once`);
  for (const word of [...choice.option, ...choice.grid])
    if (!specs.some((spec) => applies(spec, word))) givenOptions(specs[0], [word]);
  const written = (name: string) => called.getOptionValueSource(name) === "cli";
  let [looped, damped] = [!choice.selfLoops, !written("damping")];
  const requests = specs.map((spec) => {
    const options = givenOptions(
      spec,
      choice.option.filter((word) => applies(spec, word)),
    );
    if (choice.selfLoops && setInParts(spec, options, "selfLoops", true)) looped = true;
    if (choice.damping && setInParts(spec, options, "damping", choice.damping, DAMPED_PARTS)) damped = true;
    if (choice.seed !== undefined) setInParts(spec, options, "seed", choice.seed);
    for (const [name, value] of Object.entries(fixed)) setInParts(spec, options, name, value);
    const request = { name: spec.name, options, grid: gridOf(spec, choice.grid, options) };
    // a setting that the kernel does not have is refused here, not after the data was read
    kernelGrid(spec, request);
    return request;
  });
  const spectral = specs.some((spec, k) =>
    kernelNeeds(spec, kernelOptions(spec, requests[k].options)).some(({ selfLoops }) => selfLoops !== null),
  );
  if (!spectra)
    refuseUseless(
      specs.map(({ name }) => name),
      {
        selfLoops: !looped,
        damping: damped ? null : choice.damping!,
        profileOption: spectral ? undefined : PROFILE_ONLY.find(written),
      },
    );
  return requests;
}

const nameOf = (word: string) => word.slice(0, word.indexOf("="));
/** The degree of the profiles, for all parts or for one: not an option of a kernel, but a grid may have it. */
const isDegree = (spec: KernelSpec, name: string) =>
  name === "moments" || spec.parts.some((part) => name === `${part.name}.moments`);
const applies = (spec: KernelSpec, word: string) =>
  isDegree(spec, nameOf(word)) || knowsOption(spec, nameOf(word));

/** The grid in words; the exponents of the paper are added unless they are named. Undefined without words: the default grid. */
function gridOf(
  spec: KernelSpec,
  words: readonly string[],
  options: Readonly<Record<string, OptionValue>>,
): KernelRequest["grid"] {
  const own = words.filter((word) => applies(spec, word));
  if (own.length === 0) return undefined;
  const grid: Record<string, readonly OptionValue[]> = {};
  for (const word of own) {
    const name = nameOf(word);
    const values = word.slice(name.length + 1).split(",");
    grid[name] = isDegree(spec, name)
      ? values.map((value) => (/^\d+$/.test(value) ? Number(value) : value)) // kernelGrid refuses what is no number
      : values.map((value) => Object.values(givenOptions(spec, [`${name}=${value}`]))[0]);
  }
  if (!own.some((word) => /(^|\.)exponent=/.test(word)) && usesExponent(spec, { ...options, ...grid }))
    grid.exponent = [1, 2];
  return grid;
}

/** A parser for lists of C. */
export function numbersAboveZero(text: string): number[] {
  const values = text.split(",").map(Number);
  if (values.some((value) => !(value > 0 && value < Number.POSITIVE_INFINITY)))
    throw new InvalidArgumentError(`expected numbers above 0 with commas between, got ${text}.`);
  return [...new Set(values)].sort((a, b) => a - b);
}
