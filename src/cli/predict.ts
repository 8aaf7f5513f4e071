/** `graphdos predict model.graphdos DATA`: a class for each graph, with decision values. */
import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { csvField } from "../data/csv.js";
import { graphTitle } from "../data/dataset.js";
import { type GraphModel, predictGraphs } from "../model/model.js";
import { loadModel } from "../model/model-file.js";
import { fileError, writeFileAtomically } from "../node/atomic-file.js";
import { threadExecutor } from "../node/worker-threads.js";
import {
  addDataOptions,
  type DataOptions,
  emit,
  emitJson,
  loadData,
  wholeNumber,
  withProgress,
} from "./common.js";
import { alignedTable } from "./evaluation-text.js";
import { plainText } from "./terminal-chart.js";

interface PredictCommand extends DataOptions {
  json?: boolean;
  csv?: string | boolean;
  workers?: number;
}

interface Row {
  graph: string | number;
  label: string;
  /** One number for two classes (positive: the second, as in scikit-learn), else one for each pair. */
  decision: number | number[];
  probability?: Record<string, number>;
}

export function addPredictCommand(program: Command): void {
  const command = program
    .command("predict")
    .description("classify graphs that a model has never seen")
    .argument("<model>", "a file written by graphdos train")
    .argument("<data>", "a data set by name, file or folder, or synthetic:NAME");
  addDataOptions(command)
    .option("--workers <number>", "worker threads (default: one a core; 0: none)", wholeNumber)
    .option("--seed <number>", "seed of synthetic sets", wholeNumber)
    .option("--json", "print one JSON document")
    .option("--csv [file]", "comma-separated values, to a file or to stdout")
    .action(async (model: string, data: string, _: unknown, self: Command) => {
      await run(model, data, self.optsWithGlobals() as PredictCommand);
    });
}

async function run(modelPath: string, data: string, options: PredictCommand): Promise<void> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(modelPath);
  } catch (error) {
    throw fileError("read", modelPath, error);
  }
  const model = loadModel(bytes, modelPath);
  const dataset = await loadData(data, options);
  const executor = threadExecutor(options.workers);
  try {
    const { classes, decisions, probabilities } = await withProgress(options, (control) =>
      predictGraphs(model, dataset, { ...control, executor }),
    );
    const pairs = model.svc.pairs.length;
    const rows: Row[] = Array.from(classes, (c, g) => ({
      graph: dataset.graphNames === null ? g : graphTitle(dataset, g),
      label: model.classNames[c],
      decision: decisionOf(decisions.subarray(g * pairs, (g + 1) * pairs)),
      probability: probabilities ? probabilityOf(model, probabilities, g) : undefined,
    }));
    const known =
      dataset.classes &&
      classes.reduce(
        (sum, c, g) => sum + (model.classNames[c] === dataset.classNames[dataset.classes![g]] ? 1 : 0),
        0,
      ) / classes.length;
    if (options.csv !== undefined) {
      const text = csvText(rows, model);
      if (typeof options.csv === "string") await writeFileAtomically(options.csv, text);
      else emit(text);
    }
    if (options.json) emitJson({ model: modelPath, accuracy: known ?? undefined, predictions: rows });
    else if (options.csv === undefined) emit(textTable(rows, known));
  } finally {
    await executor.close();
  }
}

/** With two classes the sign is turned around, so that a positive number speaks for the second class, as scikit-learn has it. */
function decisionOf(values: Float64Array): number | number[] {
  return values.length === 1 ? -values[0] : [...values];
}

function probabilityOf(model: GraphModel, probabilities: Float64Array, g: number): Record<string, number> {
  const { classes } = model.svc;
  return Object.fromEntries(
    Array.from(classes, (c, k) => [model.classNames[c], probabilities[g * classes.length + k]]),
  );
}

function textTable(rows: readonly Row[], known: number | null): string {
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

function csvText(rows: readonly Row[], model: GraphModel): string {
  const { pairs } = model.svc;
  const names =
    pairs.length === 1
      ? ["decision"]
      : pairs.map((pair) => `${model.classNames[pair.first]} against ${model.classNames[pair.second]}`);
  const probabilityNames = rows[0]?.probability ? Object.keys(rows[0].probability) : [];
  const head = ["graph", "label", ...names, ...probabilityNames.map((name) => `p(${name})`)];
  const body = rows.map((row) => [
    String(row.graph),
    row.label,
    ...[row.decision].flat().map(String),
    ...probabilityNames.map((name) => String(row.probability![name])),
  ]);
  return `${[head, ...body].map((cells) => cells.map(csvField).join(",")).join("\n")}\n`;
}
