/** `graphdos predict model.graphdos DATA`: a class for each graph, with decision values. */
import type { Command } from "commander";
import { badCall } from "../base/errors.js";
import { type MemorySize, predictMemory } from "../experiment/memory.js";
import { predictGraphs } from "../model/model.js";
import { loadModel } from "../model/model-file.js";
import {
  type PredictionRow,
  predictionCsv,
  predictionRows,
  statedAccuracy,
} from "../model/prediction-rows.js";
import { writeFileAtomically } from "../node/atomic-file.js";
import { readWholeFile } from "../node/read-whole-file.js";
import { threadExecutor } from "../node/worker-threads.js";
import {
  addDataOptions,
  type DataOptions,
  emit,
  emitData,
  emitJson,
  loadData,
  wholeNumber,
  withProgress,
} from "./common.js";
import { alignedTable } from "./evaluation-text.js";
import { tell, unusedNotes } from "./kernel-options.js";
import { addMemoryOption, type MemoryOptions, ownWorkers, requireMemory } from "./memory-limit.js";
import { checkOutputs } from "./outputs.js";
import { plainText } from "./terminal.js";

interface PredictCommand extends DataOptions, MemoryOptions {
  json?: boolean;
  csv?: string | boolean;
  workers?: number;
}

export function addPredictCommand(program: Command): void {
  const command = program
    .command("predict")
    .description("classify graphs that a model has never seen")
    .argument("<model>", "a file written by graphdos train")
    .argument("<data>", "a data set by name, file or folder, or synthetic:NAME");
  addMemoryOption(addDataOptions(command))
    .option("--workers <number>", "worker threads (default: one a core; 0: none)", wholeNumber)
    .option("--seed <number>", "seed of synthetic sets", wholeNumber)
    .option("--json", "print one JSON document")
    .option("--csv [file]", "comma-separated values, to a file, or to stdout without one or with -")
    .action(async (model: string, data: string, _: unknown, self: Command) => {
      await run(model, data, self.optsWithGlobals() as PredictCommand);
    });
}

async function run(modelPath: string, data: string, options: PredictCommand): Promise<void> {
  const toStdout = options.csv === true || options.csv === "-";
  const table = typeof options.csv === "string" && !toStdout ? options.csv : undefined;
  if (options.json && toStdout)
    throw badCall("--json and --csv without a file both write to stdout: leave one out or name a file");
  await checkOutputs([{ option: "--csv", path: table }], { ...options, data: [data], files: [modelPath] });
  const model = loadModel(await readWholeFile(modelPath), modelPath);
  const dataset = await loadData(data, options);
  const { spec, options: own, profile, svc } = model;
  const task = { moments: profile.moments ?? 50, supports: svc.supports.length };
  const estimate = (workers: number) => (size: MemorySize) =>
    predictMemory(spec, own, { ...task, workers, size });
  requireMemory(dataset, options, {
    what: `predict on ${dataset.name}`,
    estimate: estimate(ownWorkers(options)),
    ways: [{ words: "--workers 1", estimate: estimate(1) }],
  });
  const executor = threadExecutor(options.workers);
  try {
    const prediction = await withProgress(options, (control) =>
      predictGraphs(model, dataset, { ...control, executor }),
    );
    const notes = unusedNotes(dataset, model);
    tell(options, ...notes);
    const rows = predictionRows(model, dataset, prediction);
    const known = statedAccuracy(rows, dataset);
    if (options.csv !== undefined) {
      const text = predictionCsv(rows, model);
      if (table !== undefined) await writeFileAtomically(table, text);
      else emitData(text);
    }
    if (options.json) emitJson({ model: modelPath, accuracy: known ?? undefined, predictions: rows, notes });
    else if (options.csv === undefined) emit(textTable(rows, known));
  } finally {
    await executor.close();
  }
}

function textTable(rows: readonly PredictionRow[], known: number | null): string {
  const cells = rows.map(({ graph, label, decision }) => [
    plainText(String(graph)),
    plainText(label),
    [decision]
      .flat()
      .map((value) => value.toFixed(3))
      .join(" "),
  ]);
  const lines = alignedTable([["graph", "class", "decision"], ...cells]);
  if (known !== null) lines.push("", `${(100 * known).toFixed(2)} % of the classes that the data states`);
  return lines.join("\n");
}
