/** Predictions as rows for people and programs: a graph, its class, the decision values, and probabilities where the model has them. */
import { type Dataset, graphTitle } from "../data/dataset.js";
import type { GraphModel, ModelPrediction } from "./model.js";

export interface PredictionRow {
  graph: string | number;
  label: string;
  /** One number for two classes (positive: the second, as in scikit-learn), else one for each pair. */
  decision: number | number[];
  probability?: Record<string, number>;
}

export function predictionRows(
  model: GraphModel,
  dataset: Dataset,
  { classes, decisions, probabilities }: ModelPrediction,
): PredictionRow[] {
  const pairs = model.svc.pairs.length;
  return Array.from(classes, (c, g) => ({
    graph: dataset.graphNames === null ? g : graphTitle(dataset, g),
    label: model.classNames[c],
    decision: decisionOf(decisions.subarray(g * pairs, (g + 1) * pairs)),
    probability: probabilities ? probabilityOf(model, probabilities, g) : undefined,
  }));
}

/** Share of the graphs whose predicted class is the one that the data states; null where it states none. */
export function statedAccuracy(rows: readonly PredictionRow[], dataset: Dataset): number | null {
  const { classes, classNames } = dataset;
  if (classes === null) return null;
  return (
    rows.reduce((sum, { label }, g) => sum + (label === classNames[classes[g]] ? 1 : 0), 0) / rows.length
  );
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

/** Comma-separated values, a line of names first. */
export function predictionCsv(rows: readonly PredictionRow[], model: GraphModel): string {
  const quoted = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
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
  return `${[head, ...body].map((cells) => cells.map(quoted).join(",")).join("\n")}\n`;
}
