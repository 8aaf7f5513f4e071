/** Which kernels, with which options and grids: `--kernel a,b --option ldos.width=0.05 --grid multiple=0.3,1,3`. */
import { type Command, InvalidArgumentError } from "commander";
import { badCall } from "../base/errors.js";
import { expand, type KernelRequest } from "../experiment/grid.js";
import type { OptionSpec, OptionValue } from "../kernel/options.js";
import { KERNELS, type KernelSpec, kernelByName } from "../kernel/registry.js";
import type { DampingName } from "../spectrum/damping.js";

export interface KernelChoice {
  kernel: string;
  option: [string, string][];
  grid: [string, string][];
  selfLoops?: boolean;
  damping?: DampingName;
}

export function addKernelOptions(command: Command, standard: string): Command {
  return command
    .option(
      "--kernel <names>",
      `kernels, with commas between, or all: ${KERNELS.map((spec) => spec.name).join(" ")}`,
      standard,
    )
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
    );
}

function assignment(text: string, before: [string, string][]): [string, string][] {
  const at = text.indexOf("=");
  if (at < 1 || at === text.length - 1) throw new InvalidArgumentError(`expected name=value, got ${text}.`);
  return [...before, [text.slice(0, at), text.slice(at + 1)]];
}

/** The kernels asked for. --self-loops and --damping hold for every part that has such an option; `fixed` comes first. */
export function kernelRequests(
  choice: KernelChoice,
  fixed: Readonly<Record<string, OptionValue>> = {},
): KernelRequest[] {
  const names =
    choice.kernel === "all"
      ? KERNELS.map((spec) => spec.name)
      : choice.kernel.split(",").map((name) => name.trim());
  const specs = names.map(kernelByName);
  const used = new Set<string>();
  const requests = specs.map((spec) => {
    const options: Record<string, OptionValue> = { ...only(spec, fixed) };
    if (choice.selfLoops) Object.assign(options, only(spec, { selfLoops: true }));
    if (choice.damping)
      Object.assign(
        options,
        only(spec, { "dos.damping": choice.damping }),
        spec.name === "dos" ? { damping: choice.damping } : {},
      );
    for (const [name, value] of choice.option)
      if (has(spec, name)) {
        used.add(name);
        Object.assign(options, typed(spec, name, value));
      }
    const grid: Record<string, readonly OptionValue[]> = {};
    for (const [name, values] of choice.grid)
      if (name === "moments" || has(spec, name)) {
        used.add(name);
        grid[name] = values
          .split(",")
          .map((value) => (name === "moments" ? Number(value) : Object.values(typed(spec, name, value))[0]));
      }
    if (
      Object.keys(grid).length > 0 &&
      !("exponent" in grid) &&
      !("exponent" in options) &&
      has(spec, "exponent")
    )
      grid.exponent = [1, 2];
    return { name: spec.name, options, grid: Object.keys(grid).length > 0 ? grid : undefined };
  });
  for (const [name] of [...choice.option, ...choice.grid])
    if (!used.has(name)) expand(specs[0], { [name]: "" });
  return requests;
}

const lastName = (name: string) => name.slice(name.lastIndexOf(".") + 1);
const matching = (spec: KernelSpec, name: string) =>
  name in spec.options ? [name] : Object.keys(spec.options).filter((full) => lastName(full) === name);
const has = (spec: KernelSpec, name: string) => matching(spec, name).length > 0;

function only(spec: KernelSpec, options: Readonly<Record<string, OptionValue>>): Record<string, OptionValue> {
  return Object.fromEntries(Object.entries(options).filter(([name]) => has(spec, name)));
}

/** A word of the command line as the option's own kind of value. */
function typed(spec: KernelSpec, name: string, text: string): Record<string, OptionValue> {
  const table: OptionSpec = spec.options[matching(spec, name)[0]];
  const { allowed } = table;
  if ("from" in allowed) {
    if (text.trim() === "" || Number.isNaN(Number(text)))
      throw badCall(`option ${name}: got ${text}, expected a number`);
    return { [name]: Number(text) };
  }
  const value = allowed.find((one) => String(one) === text);
  if (value === undefined)
    throw badCall(`option ${name}: got ${text}, expected one of ${allowed.join(", ")}`);
  return { [name]: value };
}

/** A parser for lists of C. */
export function numbersAboveZero(text: string): number[] {
  const values = text.split(",").map(Number);
  if (values.some((value) => !(value > 0 && value < Number.POSITIVE_INFINITY)))
    throw new InvalidArgumentError(`expected numbers above 0 with commas between, got ${text}.`);
  return [...new Set(values)].sort((a, b) => a - b);
}
