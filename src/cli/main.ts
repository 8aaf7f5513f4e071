#!/usr/bin/env node
/** The command line: one file a command, one place where an error becomes a sentence and an exit code. */
import { inspect } from "node:util";
import { Command, CommanderError } from "commander";
import pc from "picocolors";
import { type ErrorCode, GraphdosError, nearestName } from "../base/errors.js";
import { fileError, removePartialFiles } from "../node/atomic-file.js";
import { version } from "../version.js";
import { addCacheCommand } from "./cache.js";
import { addClusterCommand } from "./cluster.js";
import { addDatasetsCommand } from "./datasets.js";
import { addEvaluateCommand } from "./evaluate.js";
import { addFeaturesCommand } from "./features.js";
import { addGramCommand } from "./gram.js";
import { addInspectCommand } from "./inspect.js";
import { INTERRUPTED } from "./interrupt.js";
import { addMergeCommand } from "./merge.js";
import { addPredictCommand } from "./predict.js";
import { addReproduceCommand } from "./reproduce.js";
import { addServeCommand } from "./serve.js";
import { addSimilarCommand } from "./similar.js";
import { addSpectrumCommand } from "./spectrum.js";
import { say, terminalText } from "./terminal.js";
import { addTrainCommand } from "./train.js";
import { addWorkerCommand } from "./worker.js";

const EXIT: Record<ErrorCode, number> = {
  "bad-data": 1,
  io: 1,
  limit: 1,
  "bad-call": 2,
  interrupted: INTERRUPTED,
};

export function createProgram(): Command {
  const program = new Command("graphdos")
    .description("Classify, compare, search and look at graphs by their spectra.")
    .version(version)
    .option("-q, --quiet", "no progress")
    .option("--debug", "show where an error came from")
    .showSuggestionAfterError(true)
    .showHelpAfterError(false)
    .exitOverride();
  addInspectCommand(program);
  addSpectrumCommand(program);
  addFeaturesCommand(program);
  addGramCommand(program);
  addMergeCommand(program);
  addEvaluateCommand(program);
  addTrainCommand(program);
  addPredictCommand(program);
  addSimilarCommand(program);
  addReproduceCommand(program);
  addDatasetsCommand(program);
  addWorkerCommand(program);
  addClusterCommand(program);
  addCacheCommand(program);
  addServeCommand(program);
  for (const command of allCommands(program))
    command.exitOverride().configureOutput({ outputError: () => undefined });
  return program;
}

function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)];
}

/** Runs the command line and returns the exit code. */
export async function run(argv: string[]): Promise<number> {
  const program = createProgram();
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
  const got = argv.find((word) => !word.startsWith("-")) ?? "";
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
