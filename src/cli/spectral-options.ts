/** The options of every command that computes spectra: how many moments, by which estimator, damped how, on how many workers. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { badCall } from "../base/errors.js";
import { DAMPING_NAMES, type DampingName } from "../spectrum/damping.js";
import { MAX_MOMENTS } from "../spectrum/exact-plan.js";
import { MOTIF_FILTERS, type MotifFilter } from "../spectrum/motif-filter.js";
import { ESTIMATORS, type EstimatorChoice, type ProfileOptions } from "../spectrum/profiles.js";
import { wholeNumber } from "./common.js";

export interface SpectralOptions {
  moments: number;
  estimator: EstimatorChoice;
  probes?: number;
  tolerance?: number;
  selfLoops?: boolean;
  damping: DampingName;
  /** Worker threads; undefined is one a core, 0 none. */
  workers?: number;
  seed: number;
  filter: MotifFilter;
}

export const MAX_WORKERS = 1024;

export function addSpectralOptions(command: Command): Command {
  return command
    .option(
      "--moments <number>",
      "highest Chebyshev moment",
      wholeNumberIn(1, MAX_MOMENTS, "a density needs at least one moment"),
      50,
    )
    .addOption(
      new Option("--estimator <name>", "how moments are computed; auto chooses by cost")
        .choices(ESTIMATORS)
        .default("auto"),
    )
    .option(
      "--probes <number>",
      "random probes (default 32), or nodes of --estimator sample (default 256)",
      wholeNumberIn(2, Number.MAX_SAFE_INTEGER, "a standard error needs two"),
    )
    .option(
      "--tolerance <error>",
      "add probes until the standard error of every mean moment is at most this",
      positiveNumber,
    )
    .option("--self-loops", "use A + I: one self-loop at every node")
    .addOption(
      new Option("--damping <name>", "damping of the moments").choices(DAMPING_NAMES).default("jackson"),
    )
    .option("--workers <number>", "worker threads (default: one a core)", wholeNumberIn(0, MAX_WORKERS))
    .option("--seed <number>", "seed of everything random", wholeNumber, 0)
    .addOption(
      new Option("--filter <name>", "motifs whose eigenvalues are taken out exactly")
        .choices(MOTIF_FILTERS)
        .default("all"),
    );
}

/** The part of the options that profiles are computed with. Rejects combinations in which an option would do nothing. */
export function profileOptions(options: SpectralOptions): ProfileOptions {
  const { moments, estimator, probes, tolerance, selfLoops = false, seed, filter } = options;
  if (probes !== undefined && estimator === "exact")
    throw badCall(`--probes ${probes} does nothing with --estimator exact; leave one of them out`);
  if (tolerance !== undefined && (estimator === "exact" || estimator === "sample"))
    throw badCall(
      `--tolerance ${tolerance} does nothing with --estimator ${estimator}; use --estimator probes`,
    );
  const resolved: ProfileOptions = { moments, estimator, selfLoops, seed, filter };
  if (probes !== undefined) resolved.probes = probes;
  if (tolerance !== undefined) resolved.tolerance = tolerance;
  return resolved;
}

/** A parser for whole numbers of a range, both ends included. */
export function wholeNumberIn(least: number, most: number, reason = ""): (text: string) => number {
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return (text) => {
    const value = Number(text);
    if (text.trim() === "" || !Number.isSafeInteger(value) || value < least || value > most)
      throw new InvalidArgumentError(
        `expected a whole number ${range}, got ${text}${reason && value < least ? `: ${reason}` : ""}.`,
      );
    return value;
  };
}

/** A parser for numbers of folds. */
export const foldCount = wholeNumberIn(2, Number.MAX_SAFE_INTEGER, "one is tested, the others teach");

/** A parser for numbers above zero. */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value < Number.POSITIVE_INFINITY))
    throw new InvalidArgumentError(`expected a number above 0, got ${text}.`);
  return value;
}
