/** The numbers of a reproduction as CSV (fractions in 0..1, as in its JSON), and all files that `reproduce` writes. */
import { csvField } from "../data/csv.js";
import type { Reproduction } from "../experiment/reproduction/types.js";
import { standalone } from "./plot-frame.js";
import { choiceText } from "./reproduction-accuracies.js";
import { reproductionFigures } from "./reproduction-document.js";
import { reproductionMarkdown } from "./reproduction-markdown.js";
import { reproductionReport } from "./reproduction-report.js";

export interface ReportFile {
  name: string;
  content: string;
}

type Field = string | number | boolean | null | undefined;

/** Every file of the report; parts without data have none. */
export function reproductionFiles(result: Reproduction): ReportFile[] {
  const { moments, scaling, errors, conditions, ablation } = reproductionFigures(result);
  const drawn = [...moments, scaling, errors, conditions, ablation].filter((figure) => figure !== null);
  return [
    { name: "reproduction.html", content: reproductionReport(result) },
    { name: "reproduction.md", content: reproductionMarkdown(result) },
    { name: "reproduction.json", content: `${JSON.stringify(result, null, 2)}\n` },
    ...reproductionTables(result),
    ...drawn.map(({ name, svg }) => ({ name: `${name}.svg`, content: standalone(svg) })),
  ];
}

/** The CSV files; those that would have a header alone are left out. */
export function reproductionTables(result: Reproduction): ReportFile[] {
  const cells = result.tables.flatMap(({ experiment, cells: own }) =>
    own.map((cell): Field[] => {
      const { row, set, accuracy, paper, deviations, pOfDifference, chosen, seconds, knownDifferences } =
        cell;
      return [
        ...[experiment, row, set, accuracy.mean, accuracy.std, accuracy.foldStd, accuracy.perRepeat.length],
        ...[
          paper?.mean,
          paper?.std,
          deviations,
          pOfDifference,
          choiceText(chosen),
          seconds,
          knownDifferences,
        ],
      ];
    }),
  );
  const files = [
    csvFile(
      "table.csv",
      "experiment,row,set,accuracy,std,fold_std,repeats,paper,paper_std,deviations,p_of_difference,chosen,seconds,known_differences",
      cells,
    ),
    csvFile(
      "moments.csv",
      "figure,kernel,set,moments,accuracy,std",
      result.moments.flatMap(({ figure, kernel, points }) =>
        points.map(({ set, moments, mean, std }) => [figure, kernel, set, moments, mean, std]),
      ),
    ),
    csvFile(
      "scaling.csv",
      "graph,kind,nodes,edges,moments,probes,dos_seconds,ldos_seconds",
      result.scaling.map(({ graph, kind, nodes, edges, moments, probes, dosSeconds, ldosSeconds }) => [
        ...[graph, kind, nodes, edges, moments, probes, dosSeconds, ldosSeconds],
      ]),
    ),
    csvFile(
      "errors.csv",
      "set,probes,filter,damping,rms,largest",
      (result.errors?.points ?? []).map(({ set, probes, filter, damping, rms, largest }) => [
        ...[set, probes, filter, damping, rms, largest],
      ]),
    ),
    csvFile(
      "conditions.csv",
      "moments,two_norm,skeel",
      (result.errors?.conditions ?? []).map(({ moments, twoNorm, skeel }) => [moments, twoNorm, skeel]),
    ),
    csvFile(
      "ablation.csv",
      "factor,level,set,kernel,accuracy,std,difference",
      result.ablation.map(({ factor, level, set, kernel, accuracy, difference }) => [
        ...[factor, level, set, kernel, accuracy.mean, accuracy.std, difference],
      ]),
    ),
    csvFile(
      "tottering.csv",
      "set,quarter,fewest_nodes,most_nodes,graphs,ldos,composite",
      result.tottering.map(({ set, quarter, fewestNodes, mostNodes, graphs, ldos, composite }) => [
        ...[set, quarter, fewestNodes, mostNodes, graphs, ldos, composite],
      ]),
    ),
  ];
  return files.filter((file) => file !== null);
}

function csvFile(name: string, head: string, rows: readonly (readonly Field[])[]): ReportFile | null {
  if (rows.length === 0) return null;
  const lines = rows.map((row) => row.map(fieldText).join(","));
  return { name, content: `${[head, ...lines].join("\n")}\n` };
}

/** Numbers in full, so that they parse back; nothing for what is unknown. */
function fieldText(field: Field): string {
  if (field === null || field === undefined) return "";
  if (typeof field === "number") return Number.isFinite(field) ? String(field) : "";
  return csvField(String(field));
}
