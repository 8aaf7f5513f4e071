/** `graphdos inspect DATA`: what is in a data set or a graph, in the terminal, as JSON or as an HTML report. */
import type { Command } from "commander";
import pc from "picocolors";
import { readingSentences } from "../experiment/cleaning-sentences.js";
import type { Distribution } from "../experiment/distribution.js";
import { type Inspection, inspectDataset, largestClasses } from "../experiment/inspection.js";
import { inspectionSentences } from "../experiment/inspection-sentences.js";
import { formatNumber, formatShare, quantity } from "../experiment/wording.js";
import { writeFileAtomically } from "../node/atomic-file.js";
import {
  addDataOptions,
  commandLine,
  type DataOptions,
  emit,
  emitJson,
  readData,
  withProgress,
} from "./common.js";
import { formatBytes } from "./format.js";
import { checkOutputs } from "./outputs.js";
import { plainText, say } from "./terminal.js";
import { barChart, histogramChart } from "./terminal-chart.js";

interface InspectOptions extends DataOptions {
  json?: boolean;
  report?: string;
}

export function addInspectCommand(program: Command): void {
  addDataOptions(program.command("inspect"))
    .description("what is in a data set or graph: sizes, classes, isomorphic copies, what was cleaned")
    .argument("<data>", "a registered name, a file, a folder, or synthetic:NAME")
    .option("--json", "print one JSON document")
    .option("--report <file>", "write an HTML report")
    .action(async (data: string, _, command: Command) =>
      inspect(data, command.optsWithGlobals<InspectOptions>()),
    );
}

async function inspect(data: string, options: InspectOptions): Promise<void> {
  await checkOutputs([{ option: "--report", path: options.report }], { ...options, data: [data] });
  const dataset = await readData(data, options);
  const inspection = await withProgress(options, async (control) => inspectDataset(dataset, control));
  if (options.report !== undefined) {
    // Plot and the small DOM take a while to load: only when they are needed
    const { inspectionReport } = await import("../report/inspection-report.js");
    const page = inspectionReport(inspection, dataset, {
      command: commandLine(),
      date: new Date().toISOString().slice(0, 10),
    });
    await writeFileAtomically(options.report, page);
    if (!options.quiet) say(`wrote ${options.report}`);
  }
  if (options.json) emitJson(inspection);
  else emit(inspectionText(inspection, process.stdout.columns ?? 80));
}

/** The whole answer for a terminal of so many columns. */
export function inspectionText(inspection: Inspection, columns = 80): string {
  const width = Math.max(40, Math.min(columns, 120)) - 2;
  const lines = [pc.bold(plainText(inspection.name)), ...facts(inspection)];
  const block = (title: string, body: string[]) => {
    if (body.length > 0) lines.push("", pc.bold(title), ...body.map((line) => `  ${line}`.trimEnd()));
  };
  const histogram = (title: string, of: Distribution) => {
    if (of.count < 2 || of.min === of.max) return;
    const chart = histogramChart(of.histogram, { width, paint: pc.cyan });
    const words = summary(of);
    if (title.length + 1 + words.length <= width) block(`${title} ${pc.dim(words)}`, chart);
    else block(title, [pc.dim(words), ...chart]);
  };
  if (inspection.classes > 0) block("Classes", classBars(inspection, width));
  histogram("Nodes in a graph", inspection.nodes);
  histogram("Edges in a graph", inspection.edges);
  histogram("Neighbours of a node", inspection.degrees);
  if (inspection.targets !== null) histogram("Target values", inspection.targets);
  block("Structure", bullets(inspectionSentences(inspection), width));
  block("Reading and cleaning", bullets(readingSentences(inspection), width));
  return lines.join("\n");
}

/** Two columns of headline numbers. */
function facts(inspection: Inspection): string[] {
  const number = (value: number) => formatNumber(value);
  const single = inspection.graphs === 1;
  const rows: [string, string][] = single
    ? [
        ["nodes", number(inspection.totalNodes)],
        ["edges", number(inspection.totalEdges)],
        ["density", number(inspection.meanDensity)],
        ["components", number(inspection.components.max)],
      ]
    : [
        ["graphs", number(inspection.graphs)],
        ["mean nodes", number(inspection.meanNodes)],
        ["mean edges", number(inspection.meanEdges)],
        ["mean density", number(inspection.meanDensity)],
        ["connected graphs", formatShare(inspection.components.connectedShare)],
        ["different graphs", number(inspection.isomorphic.distinct)],
      ];
  rows.push(["nodes with a twin", formatShare(inspection.twins.share)]);
  rows.push(
    ["isolated nodes", number(inspection.isolatedNodes)],
    ["self-loops", number(inspection.selfLoops)],
  );
  rows.push(["weights", inspection.weighted ? "yes" : "no"]);
  if (inspection.nodeLabels > 0) rows.push(["node labels", number(inspection.nodeLabels)]);
  if (inspection.attributeDimension > 0)
    rows.push(["node attributes", `${number(inspection.attributeDimension)} numbers`]);
  rows.push(["memory", formatBytes(inspection.memoryBytes)]);
  const half = Math.ceil(rows.length / 2);
  const cell = ([name, value]: [string, string]) => `${pc.dim(name.padEnd(18))}${value.padEnd(14)}`;
  return Array.from({ length: half }, (_, k) =>
    `  ${cell(rows[k])}${k + half < rows.length ? cell(rows[k + half]) : ""}`.trimEnd(),
  );
}

/** More classes would fill the screen with bars. */
const MAX_SHOWN_CLASSES = 20;

function classBars(inspection: Inspection, width: number): string[] {
  const { perClass, graphs } = inspection;
  const shown = largestClasses(inspection, MAX_SHOWN_CLASSES);
  const bars = shown.map((c) => {
    const { name, graphs: count, meanNodes, meanEdges } = perClass[c];
    const sizes = `${formatNumber(meanNodes, 1)} nodes, ${formatNumber(meanEdges, 1)} edges`;
    return {
      label: name,
      value: count,
      note: `${formatNumber(count)} (${formatShare(count / graphs)}), ${sizes}`,
    };
  });
  const lines = barChart(bars, { width, paint: pc.cyan });
  const rest = perClass.length - shown.length;
  if (rest > 0) lines.push(pc.dim(`and ${quantity(rest, "smaller class", "smaller classes")}`));
  return lines;
}

const summary = ({ min, q1, median, q3, max }: Distribution) =>
  `median ${formatNumber(median, 1)}, half in ${formatNumber(q1, 1)} to ${formatNumber(q3, 1)}, all in ${formatNumber(min)} to ${formatNumber(max)}`;

/** Sentences broken at spaces to fit the width. */
function bullets(sentences: readonly string[], width: number): string[] {
  return sentences.flatMap((sentence) => {
    const lines: string[] = [];
    let line = "";
    for (const word of plainText(sentence).split(" ")) {
      if (line !== "" && line.length + 1 + word.length > width - 2) {
        lines.push(line);
        line = word;
      } else line = line === "" ? word : `${line} ${word}`;
    }
    lines.push(line);
    return lines.map((text, k) => (k === 0 ? `- ${text}` : `  ${text}`));
  });
}
