/** What the commands on kernels share: which kernel with which options, and workers. */
import type { Command } from "commander";
import pc from "picocolors";
import { badCall, badData } from "../base/errors.js";
import type { Dataset } from "../data/dataset.js";
import { givenOptions, setInParts } from "../experiment/kernel-run.js";
import { setNotes } from "../experiment/unused-marks.js";
import type { OptionValues } from "../kernel/options.js";
import type { KernelNeeds } from "../kernel/part.js";
import { KERNELS, type KernelSpec, kernelByName, kernelNeeds, kernelOptions } from "../kernel/registry.js";
import type { ProfileOptions } from "../spectrum/profiles.js";
import { addDataOptions, type DataOptions } from "./common.js";
import { addClusterOptions, type ClusterOptions } from "./executor-choice.js";
import { addMemoryOption, type MemoryOptions } from "./memory-limit.js";
import { addSpectralOptions, profileOptions, type SpectralOptions } from "./spectral-options.js";
import { say } from "./terminal.js";

export interface KernelCommandOptions extends DataOptions, SpectralOptions, ClusterOptions, MemoryOptions {
  store?: string;
  seed: number;
  kernel: string;
  option: string[];
  json?: boolean;
}

/** A kernel as the command line asks for it. */
export interface ChosenKernel {
  spec: KernelSpec;
  /** Every option with its value. */
  options: OptionValues;
  needs: KernelNeeds[];
  profiling: ProfileOptions;
}

/** Options of data, spectra and kernels. */
export function addKernelCommandOptions(command: Command, kernel: string): Command {
  addDataOptions(command)
    .option("--kernel <name>", `kernel: ${KERNELS.map(({ name }) => name).join(", ")}`, kernel)
    .option(
      "--option <name=value>",
      "an option of the kernel (repeatable): width=0.05, ldos.mmd=exact",
      (word: string, before: string[]) => [...before, word],
      [],
    )
    .option("--json", "print one JSON document");
  return addMemoryOption(addClusterOptions(addSpectralOptions(command))).addHelpText("after", kernelHelp);
}

/** Kernels, and the options of their parts with their defaults. */
export function kernelHelp(): string {
  const lines = ["", "Kernels:"];
  for (const { name, title } of KERNELS) lines.push(`  ${name.padEnd(12)}${title}`);
  lines.push("", "Options of their parts (--option part.name=value), with defaults:");
  for (const part of new Set(KERNELS.flatMap(({ parts }) => parts))) {
    const words = Object.entries(part.options).map(([name, spec]) => `${name}=${spec.default}`);
    let line = `  ${part.name.padEnd(12)}`;
    for (const word of words) {
      if (line.length + word.length > 98) {
        lines.push(line.trimEnd());
        line = " ".repeat(14);
      }
      line += `${word} `;
    }
    lines.push(line.trimEnd());
  }
  lines.push("  Kernels of several parts also have combine=composite and productWeight=0.5.");
  lines.push(
    "--self-loops and --seed are those of every part that has them, --damping that of dos and dos-cdf.",
  );
  return lines.join("\n");
}

/** Spectral options that matter only where profiles are computed. */
export const PROFILE_ONLY = ["moments", "estimator", "probes", "tolerance", "filter"] as const;

/** What --damping is of. Local densities are not damped unless an option of the kernel says so. */
export const DAMPED_PARTS = ["dos", "dos-cdf"];

/** Refuses spectral options that do nothing with these kernels. `taken`: whether a part of one of them took the option. */
export function refuseUseless(
  names: readonly string[],
  {
    selfLoops,
    damping,
    profileOption,
  }: { selfLoops: boolean; damping: string | null; profileOption: string | undefined },
): void {
  const kernels = `kernel${names.length === 1 ? "" : "s"} ${names.join(", ")}`;
  const use = names.length === 1 ? "uses" : "use";
  if (selfLoops)
    throw badCall(`--self-loops does nothing with ${kernels}, which ${use} A + I in any case or no spectra`);
  if (damping !== null)
    throw badCall(
      `--damping is that of the density of states, which ${kernels} ${names.length === 1 ? "has" : "have"} not: leave it out or use --option damping=${damping}`,
    );
  if (profileOption !== undefined)
    throw badCall(`--${profileOption} does nothing with ${kernels}, which ${use} no spectral profiles`);
}

/**
 * The kernel and its options. `called` tells which options were written; what would do nothing is refused, unless the command has a use
 * of its own for the options of `spectra`.
 */
export function chosenKernel(
  options: KernelCommandOptions,
  called: Command,
  { spectra = false } = {},
): ChosenKernel {
  const spec = kernelByName(options.kernel);
  const written = (name: string) => called.getOptionValueSource(name) === "cli";
  const given = givenOptions(spec, options.option);
  const looped = !options.selfLoops || setInParts(spec, given, "selfLoops", true);
  const damped = !written("damping") || setInParts(spec, given, "damping", options.damping, DAMPED_PARTS);
  // a kernel without randomness of its own has no seed: the profiles may have
  if (written("seed")) setInParts(spec, given, "seed", options.seed);
  const resolved = kernelOptions(spec, given);
  const needs = kernelNeeds(spec, resolved);
  if (!spectra)
    refuseUseless([spec.name], {
      selfLoops: !looped,
      damping: damped ? null : options.damping,
      profileOption: needs.every(({ selfLoops }) => selfLoops === null)
        ? PROFILE_ONLY.find(written)
        : undefined,
    });
  return { spec, options: resolved, needs, profiling: profileOptions({ ...options, selfLoops: false }) };
}

/** The one line on what the data holds and the kernel does not use; none when it uses all. */
export function unusedNotes(
  dataset: Dataset,
  { spec, options }: Pick<ChosenKernel, "spec" | "options">,
  written: { targets?: boolean } = {},
): string[] {
  return setNotes(dataset, [{ spec, points: [options] }], written);
}

export function requireGraphs({ graphs, name }: Dataset): void {
  if (graphs.length === 0) throw badData(`${name}: has no graphs`);
}

/** A sentence on stderr: a warning always, what is only good to know unless quiet. */
export const warn = (sentence: string) => say(`${pc.yellow("warning:")} ${sentence}`);

export function tell(options: { quiet?: boolean }, ...sentences: string[]): void {
  if (!options.quiet) for (const sentence of sentences) say(sentence);
}
