#!/usr/bin/env node
/** The command line: one file a command, one place where an error becomes a sentence and an exit code. */
import { inspect } from "node:util";
import { Command, CommanderError } from "commander";
import pc from "picocolors";
import { type ErrorCode, GraphdosError, nearestName } from "../base/errors.js";
import { fileError, removePartialFiles } from "../node/atomic-file.js";
import { version } from "../version.js";
import { INTERRUPTED } from "./interrupt.js";
import { say, terminalText } from "./terminal.js";

const EXIT: Record<ErrorCode, number> = {
  "bad-data": 1,
  io: 1,
  limit: 1,
  "bad-call": 2,
  interrupted: INTERRUPTED,
};

/** In the order of the help. A command's file brings its rooms with it, so only what is called is loaded: half a second less a start. */
const COMMANDS: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  inspect: async () => (await import("./inspect.js")).addInspectCommand,
  spectrum: async () => (await import("./spectrum.js")).addSpectrumCommand,
  features: async () => (await import("./features.js")).addFeaturesCommand,
  gram: async () => (await import("./gram.js")).addGramCommand,
  merge: async () => (await import("./merge.js")).addMergeCommand,
  evaluate: async () => (await import("./evaluate.js")).addEvaluateCommand,
  train: async () => (await import("./train.js")).addTrainCommand,
  predict: async () => (await import("./predict.js")).addPredictCommand,
  similar: async () => (await import("./similar.js")).addSimilarCommand,
  reproduce: async () => (await import("./reproduce.js")).addReproduceCommand,
  datasets: async () => (await import("./datasets.js")).addDatasetsCommand,
  worker: async () => (await import("./worker.js")).addWorkerCommand,
  cluster: async () => (await import("./cluster.js")).addClusterCommand,
  cache: async () => (await import("./cache.js")).addCacheCommand,
  serve: async () => (await import("./serve.js")).addServeCommand,
};

/** The program with the command that is called, or with all of them where none is: for help and suggestions. */
async function createProgram(called: string | undefined): Promise<Command> {
  const program = new Command("graphdos")
    .description("Classify, compare, search and look at graphs by their spectra.")
    .version(version)
    .option("-q, --quiet", "no progress")
    .option("--debug", "show where an error came from")
    .showSuggestionAfterError(true)
    .showHelpAfterError(false)
    .exitOverride();
  const names = called !== undefined && Object.hasOwn(COMMANDS, called) ? [called] : Object.keys(COMMANDS);
  for (const name of names) (await COMMANDS[name]())(program);
  for (const command of allCommands(program))
    command.exitOverride().configureOutput({ outputError: () => undefined });
  return program;
}

function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)];
}

/** Options of the program itself take no values. */
const commandIn = (argv: readonly string[]) => argv.find((word) => !word.startsWith("-"));

/** Runs the command line and returns the exit code. */
async function run(argv: string[]): Promise<number> {
  const program = await createProgram(commandIn(argv));
  try {
    await program.parseAsync(argv, { from: "user" });
    return 0;
  } catch (error) {
    return report(error, program, argv);
  }
}

function report(error: unknown, program: Command, argv: string[]): number {
  removePartialFiles();
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    if (error.code === "commander.help") return 2;
    complain(callMessage(error, program, argv));
    return 2;
  }
  if (argv.includes("--debug")) process.stderr.write(`${terminalText(inspect(error))}\n`);
  if (error instanceof GraphdosError) {
    complain(error.message);
    return EXIT[error.code];
  }
  if ((error as NodeJS.ErrnoException).code === "EPIPE") return 0;
  complain(`unexpected: ${(error as Error).message ?? error}; run again with --debug to see where`);
  return 1;
}

/** Commander's message without its prefix, with a suggestion for a mistyped command, and where to find help. */
function callMessage(error: CommanderError, program: Command, argv: string[]): string {
  const message = error.message
    .replace(/^error: /, "")
    .replace(/\n/g, " ")
    .trim()
    .replace(/\.$/, "");
  const known = program.commands.map((command) => command.name());
  const got = commandIn(argv) ?? "";
  const near = error.code === "commander.unknownCommand" ? nearestName(got, known) : null;
  const hint = near && !message.includes("Did you mean") ? ` (Did you mean ${near}?)` : "";
  return `${message}${hint}; see graphdos ${known.includes(got) ? `${got} ` : ""}--help`;
}

const complain = (message: string) => say(`${pc.red("graphdos:")} ${message}`);

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  complain(fileError("write", "the result to stdout", error).message);
  process.exit(EXIT.io);
});
process.exitCode = await run(process.argv.slice(2));
