/**
 * The built program in a folder of its own, with a small data set, a cache and outputs; what it leaves there, and the bytes of that
 * without what may differ between two runs: seconds, the date, what came from the cache and how large that is.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { strToU8, zipSync } from "fflate";
import { parseHTML } from "linkedom";
import { Random } from "../../src/base/random.js";
import type { EvaluationResult } from "../../src/experiment/evaluation-types.js";
import { tableRows } from "../../src/experiment/evaluation-words.js";
import type { Reproduction } from "../../src/experiment/reproduction/types.js";
import { reproductionFiles } from "../../src/report/reproduction-tables.js";

const MAIN = resolve("dist/cli/main.js");
const GRAPHS = 36;

/** Something to run again and again. */
export interface Plan {
  name: string;
  args: string[];
  /** What it made, by name, without times. */
  made(workshop: Workshop, stdout: string): Record<string, string>;
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  ended: Promise<Ended>;
}

export interface StartOptions {
  env?: NodeJS.ProcessEnv;
  /** Default: the cache of the workshop. */
  cache?: string;
  /** A file descriptor for what is printed. Default: it is gathered. */
  stdout?: number;
}

export class Workshop {
  readonly folder = mkdtempSync(join(tmpdir(), "graphdos-faults-"));
  readonly cache = join(this.folder, "cache");
  readonly results = join(this.cache, "results");

  constructor() {
    mkdirSync(join(this.folder, "data"));
    writeFileSync(join(this.folder, "data", "IMDB-BINARY.zip"), smallSet("IMDB-BINARY"));
  }

  /** All but the data goes. */
  reset(): void {
    for (const name of readdirSync(this.folder))
      if (name !== "data") rmSync(join(this.folder, name), { recursive: true, force: true });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  start(args: readonly string[], { env = {}, cache = this.cache, stdout }: StartOptions = {}): Running {
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd: this.folder,
      stdio: ["ignore", stdout ?? "pipe", "pipe"],
      env: {
        ...process.env,
        NO_COLOR: "1",
        GRAPHDOS_CACHE: cache,
        GRAPHDOS_DATA: join(this.folder, "data"),
        ...env,
      },
    });
    const said = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name]?.setEncoding("utf8").on("data", (text: string) => {
        said[name] += text;
      });
    const ended = new Promise<Ended>((done) => {
      child.on("close", (code, signal) => done({ code, signal, ...said }));
    });
    return { child, ended };
  }

  run(args: readonly string[], options?: StartOptions): Promise<Ended> {
    return this.start(args, options).ended;
  }

  /** Runs a plan to its end and gives what it made. */
  whole(plan: Plan, options?: StartOptions): Promise<Record<string, string>> {
    return this.endOf(plan, this.start(plan.args, options));
  }

  async endOf(plan: Plan, { ended }: Running): Promise<Record<string, string>> {
    const { code, signal, stdout, stderr } = await ended;
    if (code !== 0) throw new Error(`${plan.name} ended with ${code ?? signal}: ${stderr}`);
    return plan.made(this, stdout);
  }

  /** Paths of all files, from the folder on, sorted. */
  files(under = ""): string[] {
    return readdirSync(join(this.folder, under), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.folder.length + 1))
      .sort();
  }

  /** Files that someone began to write. */
  partials(): string[] {
    return this.files().filter((path) => path.endsWith(".partial"));
  }

  text(path: string): string {
    return readFileSync(join(this.folder, path), "utf8");
  }
}

/** Small random graphs of two classes, sparse and dense, in the TU format. */
function smallSet(name: string): Uint8Array {
  const random = new Random(7);
  const [entries, owners, labels]: string[][] = [[], [], []];
  for (let g = 0, first = 1; g < GRAPHS; g++) {
    const nodes = 4 + random.integer(4);
    const density = g % 2 === 0 ? 0.25 : 0.4;
    for (let i = 0; i < nodes; i++) {
      owners.push(String(g + 1));
      for (let j = 0; j < i; j++)
        if (j === i - 1 || random.uniform() < density)
          entries.push(`${first + i}, ${first + j}`, `${first + j}, ${first + i}`);
    }
    labels.push(String(g % 2));
    first += nodes;
  }
  const file = (lines: string[]) => strToU8(`${lines.join("\n")}\n`);
  return zipSync({
    [`${name}/${name}_A.txt`]: file(entries),
    [`${name}/${name}_graph_indicator.txt`]: file(owners),
    [`${name}/${name}_graph_labels.txt`]: file(labels),
  });
}

/** Ten folds of each of two kernels, printed and as a page. */
export const evaluation: Plan = {
  name: "evaluate",
  args: [
    ...["evaluate", "data/IMDB-BINARY.zip", "--kernel", "dos,ldos", "--moments", "20", "--json", "-q"],
    ...["--repeats", "2", "--folds", "5", "--inner", "2", "--c", "1,100", "--report", "report.html"],
  ],
  made: (workshop, stdout) => ({
    stdout: evaluationWithoutTimes(stdout),
    "report.html": pageWithoutTimes(workshop.text("report.html")),
  }),
};

/** The paper's table: profiles, signatures, distances and folds are kept. */
export const reproduction = reproducing("table");

/** With the errors of return probabilities, which are kept as a step and take longer than the table. */
export const longReproduction = reproducing("table,errors");

function reproducing(only: string): Plan {
  return {
    name: "reproduce",
    args: [
      ...["reproduce", "--out", "results", "--sets", "IMDB-BINARY", "--only", only, "-q"],
      ...["--repeats", "1", "--folds", "4", "--inner", "2"],
    ],
    made(workshop) {
      const text = workshop.text("results/reproduction.json");
      const result = JSON.parse(text) as Reproduction;
      const pages = Object.fromEntries(reproductionFiles(result).map(({ name, content }) => [name, content]));
      // each page is what its numbers give, to the byte; so the numbers are all that is left to compare
      const made: Record<string, string> = {};
      for (const path of workshop.files("results")) {
        const name = path.slice("results/".length);
        made[name] = workshop.text(path) === pages[name] ? "as its numbers" : workshop.text(path);
      }
      made["reproduction.json"] = reproductionWithoutTimes(result);
      return made;
    },
  };
}

/** Without seconds, and without the recommendation, which goes by them. */
export function evaluationWithoutTimes(text: string): string {
  const result = JSON.parse(text) as EvaluationResult;
  if (`${JSON.stringify(result, null, 2)}\n` !== text) throw new Error("more was printed than one document");
  for (const row of tableRows(result)) {
    checkSeconds(Object.values(row.seconds));
    row.seconds = { profile: 0, signature: 0, gram: 0, svm: 0 };
  }
  result.recommendation = null;
  return JSON.stringify(result, null, 1);
}

function reproductionWithoutTimes(result: Reproduction): string {
  checkSeconds([
    ...result.stages.map(({ seconds }) => seconds),
    ...result.tables.flatMap(({ cells }) => cells.map(({ seconds }) => seconds)),
  ]);
  return JSON.stringify(
    {
      ...result,
      date: "",
      stages: result.stages.map(({ name }) => name),
      tables: result.tables.map((table) => ({
        ...table,
        cells: table.cells.map((cell) => ({ ...cell, seconds: 0 })),
      })),
      // kept seconds have more digits or fewer, so the bytes differ; the number of entries does not
      cache: { ...result.cache, bytes: 0 },
    },
    null,
    1,
  );
}

function checkSeconds(values: readonly number[]): void {
  const wrong = values.find((value) => !(value >= 0 && value < 3600));
  if (wrong !== undefined) throw new Error(`a time of ${wrong} s`);
}

/** The page marks its seconds; the date is the last line of its foot. */
function pageWithoutTimes(text: string): string {
  const { document } = parseHTML(text);
  for (const element of document.querySelectorAll(".seconds")) element.textContent = "";
  const dates = [...document.querySelectorAll("dt")].filter((element) => element.textContent === "Date");
  for (const element of dates) element.nextElementSibling!.textContent = "";
  return document.documentElement.outerHTML;
}
