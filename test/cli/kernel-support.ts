/** The commands on kernels in a small program of their own, graph files to call them with, and the real numpy where there is one. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { Command, CommanderError } from "commander";
import { vi } from "vitest";
import { GraphdosError } from "../../src/base/errors.js";
import { addFeaturesCommand } from "../../src/cli/features.js";
import { addGramCommand } from "../../src/cli/gram.js";
import { addSimilarCommand } from "../../src/cli/similar.js";
import type { Graph } from "../../src/graph/graph.js";

export const temporaryFolder = (name: string) => mkdtempSync(join(tmpdir(), `graphdos-${name}-`));

export interface Printed {
  out: string;
  err: string;
}

/** Runs a command inline; what it prints, without colours. */
export async function graphdos(...words: string[]): Promise<Printed> {
  const printed: Printed = { out: "", err: "" };
  const catching = (key: keyof Printed) => (text: string | Uint8Array) => {
    printed[key] += text;
    return true;
  };
  vi.spyOn(process.stdout, "write").mockImplementation(catching("out"));
  vi.spyOn(process.stderr, "write").mockImplementation(catching("err"));
  const program = new Command("graphdos").option("-q, --quiet").exitOverride();
  addFeaturesCommand(program);
  addGramCommand(program);
  addSimilarCommand(program);
  for (const command of program.commands)
    command.exitOverride().configureOutput({ outputError: () => undefined });
  try {
    await program.parseAsync([...words, "--workers", "0"], { from: "user" });
  } finally {
    vi.restoreAllMocks();
  }
  return {
    out: stripVTControlCharacters(printed.out),
    err: stripVTControlCharacters(printed.err),
  };
}

export async function refusal(...words: string[]): Promise<{ code: string; message: string }> {
  const error = await graphdos(...words).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof GraphdosError) return { code: error.code, message: error.message };
  if (error instanceof CommanderError) return { code: "bad-call", message: error.message };
  throw error ?? new Error("nothing was refused");
}

const adjacency = (graph: Graph) =>
  JSON.stringify(
    Array.from({ length: graph.nodeCount }, (_, i) =>
      Array.from(graph.targets.subarray(graph.offsets[i], graph.offsets[i + 1])),
    ),
  );

export function writeGraph(path: string, graph: Graph): string {
  writeFileSync(path, adjacency(graph));
  return path;
}

/** A folder of graph files; with `labels`, a labels.csv. */
export function writeFolder(path: string, graphs: Record<string, Graph>, labels?: readonly string[]): string {
  mkdirSync(path, { recursive: true });
  const names = Object.keys(graphs).map((name) => `${name}.json`);
  Object.values(graphs).forEach((graph, g) => {
    writeGraph(join(path, names[g]), graph);
  });
  if (labels !== undefined)
    writeFileSync(
      join(path, "labels.csv"),
      `file,label\n${labels.map((label, g) => `${names[g]},${label}\n`).join("")}`,
    );
  return path;
}

const PYTHON = "/usr/bin/python3";

/** Runs a script with Debian's python; what it prints is JSON. */
export function python<T>(script: string, ...words: string[]): T {
  const { stdout, stderr, status } = spawnSync(PYTHON, ["-c", script, ...words], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}

export const hasModule = (name: string) => spawnSync(PYTHON, ["-c", `import ${name}`]).status === 0;
export const hasProgram = (name: string) => spawnSync("which", [name]).status === 0;
export const skippedWithout = (there: boolean, what: string) => (there ? "" : ` (skipped: no ${what} here)`);
