/** What the commands share: options for reading data, loading with progress, output that never breaks half-way. */
import { fstatSync, writeSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type Dataset, isEmptyGraphsNote } from "../data/dataset.js";
import { fileFormats } from "../data/read.js";
import { fileError } from "../node/atomic-file.js";
import { type OpenOptions, openData } from "../node/open.js";
import { interruptSignal } from "./interrupt.js";
import { type TerminalProgress, terminalProgress } from "./progress.js";
import { say, terminalJson, terminalText } from "./terminal.js";

/** Options of the program itself, seen by every command through optsWithGlobals(). */
export interface GlobalOptions {
  quiet?: boolean;
  debug?: boolean;
}

export interface DataOptions extends GlobalOptions {
  dataDir?: string;
  format?: string;
  ids?: "auto" | "words";
  header?: "auto" | "yes" | "no";
  edgeWeights?: boolean;
  maxUnpacked?: number;
  seed?: number;
}

export function addDataOptions(command: Command): Command {
  return command
    .option("--data-dir <folder>", "where to look for data sets first")
    .addOption(
      new Option("--format <name>", "format of a single file").choices(fileFormats.map((f) => f.name)),
    )
    .addOption(new Option("--ids <kind>", "edge lists: take ids as words").choices(["auto", "words"]))
    .addOption(
      new Option(
        "--header <yes|no|auto>",
        "edge lists: whether the first line is a header (default: auto)",
      ).choices(["auto", "yes", "no"]),
    )
    .option("--edge-weights", "TU sets: take the first edge attribute as weight")
    .option(
      "--max-unpacked <bytes>",
      "most bytes that a zip or gzip file may unpack to (default 16 GiB)",
      positiveInteger,
    );
}

/** A parser for whole numbers above zero. */
export function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value <= 0)
    throw new InvalidArgumentError(`expected a whole number above 0, got ${text}.`);
  return value;
}

/** A parser for seeds: whole numbers from 0. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isSafeInteger(value) || value < 0)
    throw new InvalidArgumentError(`expected a whole number from 0 on, got ${text}.`);
  return value;
}

/** Runs `work` with progress on stderr and the signal of Ctrl-C; the progress line is gone when it ends. */
export async function withProgress<T>(
  options: GlobalOptions,
  work: (control: { onProgress: TerminalProgress["onProgress"]; signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const progress = terminalProgress({ quiet: options.quiet });
  try {
    return await work({ onProgress: progress.onProgress, signal: interruptSignal() });
  } finally {
    progress.done();
  }
}

/** DATA as the user names it, read with progress; what its reader had to decide is said. */
export async function loadData(nameOrPath: string, options: DataOptions): Promise<Dataset> {
  const dataset = await readData(nameOrPath, options);
  const sentence = readingSentence(dataset);
  if (sentence !== null && !options.quiet) say(sentence);
  return dataset;
}

/**
 * "a.csv: edge list; line 1 (from, to) was read as a header; …", or null where a format leaves nothing to decide. What is not used and which graphs are
 * empty is said beside the results (experiment/unused-marks.ts).
 */
export function readingSentence({ name, notes }: Pick<Dataset, "name" | "notes">): string | null {
  const [format, ...decided] = notes;
  const said = decided.filter((note) => !/\bnot used\b/.test(note) && !isEmptyGraphsNote(note));
  return said.length === 0 ? null : `${name}: ${[format, ...said].join("; ")}`;
}

/** The same without a word, for who says all of it elsewhere. */
export function readData(nameOrPath: string, options: DataOptions): Promise<Dataset> {
  return withProgress(options, (control) => {
    const open: OpenOptions = {
      ...control,
      dataDir: options.dataDir,
      format: options.format,
      ids: options.ids,
      header: options.header,
    };
    open.edgeWeights = options.edgeWeights;
    open.maxUnpackedBytes = options.maxUnpacked;
    open.seed = options.seed;
    return openData(nameOrPath, open);
  });
}

/** This call as a shell takes it again: words with anything special in quotes. */
export function commandLine(words: readonly string[] = process.argv.slice(2)): string {
  const quoted = (word: string) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
  return ["graphdos", ...words.map(quoted)].join(" ");
}

/** A result in words, to stdout, with a newline at its end. */
export const emit = (text: string) => emitData(terminalText(text));

/**
 * A result for a program, as it is. Into a file it is written here: Node's own stream takes a write that a full disk cut short for a
 * whole one, and the process would end well with half a result.
 */
export function emitData(text: string): void {
  const whole = text.endsWith("\n") ? text : `${text}\n`;
  if (!STDOUT_IS_FILE) {
    process.stdout.write(whole);
    return;
  }
  const bytes = Buffer.from(whole);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(STDOUT, bytes, at);
  } catch (error) {
    throw fileError("write", "the result to stdout", error);
  }
}

const STDOUT = 1;
const STDOUT_IS_FILE = isPlainFile(STDOUT);

function isPlainFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}

export const emitJson = (value: unknown) => emitData(terminalJson(value, 2));
