/**
 * `--memory-limit 2GiB`: a command that would need more says so before it starts, with what to change. The estimates are those of
 * experiment/memory.ts; the default limit is most of what the machine and its containers can give now.
 */
import { availableParallelism } from "node:os";
import { type Command, InvalidArgumentError } from "commander";
import { GraphdosError } from "../base/errors.js";
import type { Dataset } from "../data/dataset.js";
import { type MemoryEstimate, type MemorySize, memorySize } from "../experiment/memory.js";
import { bytesOf } from "../node/cache-limit.js";
import { defaultMemoryLimit } from "../node/machine-memory.js";
import { chosenAddress, type ExecutorOptions } from "./executor-choice.js";

export interface MemoryOptions {
  /** Bytes. */
  memoryLimit?: number;
}

export function addMemoryOption(command: Command): Command {
  return command.option(
    "--memory-limit <size>",
    "refuse to start when more memory would be needed: 2GiB, 500MB (default: 90 % of what is available)",
    parseSize,
  );
}

export function parseSize(text: string): number {
  const bytes = bytesOf(text);
  if (bytes === null) throw new InvalidArgumentError(`expected a size such as 2GiB or 500MB, got ${text}.`);
  return bytes;
}

/** Threads of a command that runs on this machine alone, whatever GRAPHDOS_CLUSTER says. */
export const ownWorkers = ({ workers }: { workers?: number }) => workers ?? availableParallelism();

/** Threads on this machine; the workers of a cluster have memory of their own. */
export function localWorkers(options: ExecutorOptions): number {
  if (options.workers !== undefined) return options.workers;
  return chosenAddress(options) === null ? availableParallelism() : 0;
}

export interface MemoryPlan {
  /** "gram of REDDIT-MULTI-5K". */
  what: string;
  estimate(size: MemorySize): MemoryEstimate;
  /** What could be done instead, in words, and what would be needed then. */
  ways: { words: string; estimate(size: MemorySize): MemoryEstimate }[];
}

/** Throws when the plan does not fit. Twins are counted only where it does not fit without them. */
export function requireMemory(
  dataset: Pick<Dataset, "graphs">,
  { memoryLimit: limit = defaultMemoryLimit() }: MemoryOptions,
  plan: MemoryPlan,
): void {
  if (plan.estimate(memorySize(dataset)).bytes <= limit) return;
  requireMemoryOf(memorySize(dataset, { twins: true }), limit, plan);
}

export function requireMemoryOf(size: MemorySize, limit: number, plan: MemoryPlan): void {
  const refusal = memoryRefusal(size, limit, plan);
  if (refusal !== null) throw new GraphdosError("limit", refusal);
}

/** In words, why a plan does not fit and what would; null when it does. */
export function memoryRefusal(
  size: MemorySize,
  limit: number,
  { what, estimate, ways }: MemoryPlan,
): string | null {
  const { bytes, parts } = estimate(size);
  if (bytes <= limit) return null;
  const main = parts
    .filter((part) => part.bytes >= 0.1 * bytes)
    .map((part) => `${part.what} ${inMemory(part.bytes)}`);
  const instead = ways
    .map((way) => ({ words: way.words, bytes: way.estimate(size).bytes }))
    .filter((way) => way.bytes < 0.98 * bytes)
    .sort((a, b) => a.bytes - b.bytes)
    .map((way) => `${way.words} (${inMemory(way.bytes)})`);
  return `${what} needs about ${inMemory(bytes)} of memory (${main.join(", ")}) and the limit is ${inMemory(limit)}: use ${[...instead, "a larger --memory-limit"].join(", or ")}`;
}

/** 3328599654 → "3.1 GiB". */
export function inMemory(bytes: number): string {
  const [unit, name] = bytes >= 2 ** 30 ? [2 ** 30, "GiB"] : [2 ** 20, "MiB"];
  return `${(bytes / unit).toFixed(unit === 2 ** 30 ? 1 : 0)} ${name}`;
}
