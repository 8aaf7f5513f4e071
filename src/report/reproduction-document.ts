/**
 * What the report of a reproduction says, part by part, before it is HTML or Markdown: both are made from this, so neither can say more than
 * the other. A part without data is not there.
 */
import { isAsGood } from "../experiment/reproduction/table.js";
import type { Reproduction, SetSummary, Stage } from "../experiment/reproduction/types.js";
import { formatBytes, formatDuration, formatNumber, quantity } from "../experiment/wording.js";
import { percent, sum } from "./evaluation-figures.js";
import { scientific } from "./plot-frame.js";
import {
  ablationTable,
  accuracyTable,
  choiceTable,
  type Entry,
  protocolWords,
  reached,
  type TableBlock,
  totteringTable,
} from "./reproduction-accuracies.js";
import { ablationFigure, conditionFigure, errorFigure } from "./reproduction-analysis-figures.js";
import {
  groupBy,
  momentsFigure,
  type ReportFigure,
  scalingFigure,
  setColours,
} from "./reproduction-figures.js";

const SLOWEST = 8;
const MOST_LEFT_OUT = 40;

export type Block =
  | TableBlock
  | ({ kind: "figure" } & ReportFigure)
  | { kind: "list"; sentences: readonly string[] };

export interface Part {
  title: string;
  lead?: string;
  blocks: Block[];
}

export interface ReproductionDocument {
  title: string;
  subtitle: string;
  cards: { label: string; value: string; note?: string }[];
  parts: Part[];
  provenance: [name: string, value: string][];
}

export function reproductionDocument(result: Reproduction): ReproductionDocument {
  const figures = reproductionFigures(result);
  const show = (...wanted: (ReportFigure | null)[]): Block[] =>
    wanted.filter((drawn) => drawn !== null).map((drawn) => ({ kind: "figure", ...drawn }));
  const parts: Part[] = [
    { title: "Aims", lead: "What was to be reached, and what was.", blocks: list(aimTable(result)) },
    {
      title: "Table 1: accuracies",
      lead: accuracyLead(result),
      blocks: result.tables.flatMap((table) => list(accuracyTable(table, result.sets))),
    },
    {
      title: "What was chosen most often",
      lead: "The choice of the inner folds that most of the outer folds share, and how many of them.",
      blocks: result.tables.flatMap((table) => list(choiceTable(table, result.protocol))),
    },
    { title: "Accuracy and the number of moments", blocks: show(...figures.moments) },
    { title: "Time and the number of edges", blocks: show(figures.scaling) },
    {
      title: "Error analysis",
      lead: figures.errors
        ? "Return probabilities of nodes by random probes, against exact ones."
        : undefined,
      blocks: [...show(figures.errors, figures.conditions), ...list(conditionTable(result))],
    },
    {
      title: "Ablation",
      lead: `One thing is changed at a time, ${quantity(figureRepeats(result), "repeat")} of the folds. The table has the differences to the standard level in points; below, smaller: the accuracies in per cent.`,
      blocks: [
        ...show(figures.ablation),
        ...list(ablationTable(result.ablation)),
        ...list(totteringTable(result.tottering)),
      ],
    },
    { title: "Data sets", blocks: list(setTable(result.sets)) },
    { title: "What was left out", blocks: leftOutList(result) },
    { title: "Time and disk", lead: cacheWords(result), blocks: stageTables(result) },
  ];
  return {
    title: "Density of states graph kernels: the paper, reproduced",
    subtitle: `${quantity(result.sets.length, "data set")}, by ${protocolWords(result.protocol)}`,
    cards: cards(result),
    parts: parts.filter(({ blocks }) => blocks.length > 0),
    provenance: provenance(result),
  };
}

const figureRepeats = ({ protocol }: Reproduction) => protocol.figureRepeats ?? protocol.repeats;

const list = <T>(item: T | null): T[] => (item === null ? [] : [item]);

/** All figures of a result; names differ, also where a figure has several kernels. */
export function reproductionFigures(result: Reproduction) {
  const colourOf = setColours(result);
  const moments = result.moments.map((curve, k) => {
    const before = result.moments.slice(0, k).filter(({ figure }) => figure === curve.figure).length;
    const drawn = momentsFigure(curve, colourOf, figureRepeats(result));
    return drawn && before > 0 ? { ...drawn, name: `${drawn.name}-${before + 1}` } : drawn;
  });
  return {
    moments,
    scaling: scalingFigure(result.scaling),
    errors: errorFigure(result.errors?.points ?? []),
    conditions: conditionFigure(result.errors?.conditions ?? []),
    ablation: ablationFigure(result.ablation, colourOf),
  };
}

function cards(result: Reproduction) {
  const { sets, protocol, aims, stages } = result;
  const shown: ReproductionDocument["cards"] = [
    {
      label: "data sets",
      value: formatNumber(sets.length),
      note: quantity(sum(sets.map(({ graphs }) => graphs)), "graph"),
    },
    {
      label: "repeats",
      value: `${protocol.repeats} × ${protocol.folds} folds`,
      note: `parameters by ${quantity(protocol.inner, "inner fold")}`,
    },
  ];
  const { held, all } = reached(result);
  if (all > 0)
    shown.push({
      label: "at or above the paper",
      value: `${held} of ${all}`,
      note: "accuracies not more than two of its standard deviations below",
    });
  if (aims.length > 0) {
    const missed = aims.filter((aim) => !aim.held).length;
    shown.push({
      label: "aims held",
      value: `${aims.length - missed} of ${aims.length}`,
      note: missed === 0 ? "none missed" : `${missed} missed`,
    });
  }
  if (stages.length > 0) {
    const cached = stages.filter((stage) => stage.cached).length;
    shown.push({
      label: "time",
      value: formatDuration(totalSeconds(result)),
      note: cached > 0 ? `${cached} of ${quantity(stages.length, "step")} from the cache` : undefined,
    });
  }
  return shown;
}

const totalSeconds = ({ stages }: Reproduction) => sum(stages.map(({ seconds }) => seconds));

/** Explains only the marks that are there. */
function accuracyLead({ tables }: Reproduction): string {
  const cells = tables.flatMap((table) => table.cells);
  const single = cells.some(({ accuracy }) => accuracy.perRepeat.length === 1);
  const sentences = [
    "Mean and standard deviation over repeats; the best of each column is bold.",
    "Size alone is an SVM on the numbers of nodes and edges; nobody who sees structure alone gets above the ceiling, since identical graphs of different classes get the same answer.",
  ];
  if (cells.some(({ paper }) => paper !== null)) sentences.push("Below, smaller: the paper's.");
  if (cells.some(({ deviations }) => deviations !== null && Math.abs(deviations) > 2))
    sentences.push(
      "▲ and ▼ are more than two of the paper's standard deviations (σ) above or below; the notes say what is known to be done differently, which need not be the cause.",
    );
  if (cells.some(isAsGood))
    sentences.push(
      "≈ marks what is not distinguishable from the best of its block (corrected resampled t test on the same folds, Holm's correction, p ≥ 0.05).",
    );
  if (single) sentences.push("One repeat alone has no standard deviation.");
  return sentences.join(" ");
}

function aimTable({ aims }: Reproduction): TableBlock | null {
  if (aims.length === 0) return null;
  return {
    kind: "table",
    head: ["aim", "wanted", "got", "outcome"],
    textColumns: [1, 2, 3],
    rows: aims.map(({ what, wanted, got, held }) => [
      what,
      wanted,
      got,
      held ? { text: "✓ held", tone: "good" } : { text: "✗ missed", tone: "bad", strong: true },
    ]),
  };
}

function setTable(sets: readonly SetSummary[]): TableBlock | null {
  if (sets.length === 0) return null;
  const notes = sets.filter(({ note }) => note !== null);
  return {
    kind: "table",
    head: ["set", "graphs", "classes", "mean nodes", "mean edges", "ceiling (%)"],
    rows: sets.map(({ name, graphs, classes, meanNodes, meanEdges, ceiling, note }) => [
      { text: note === null ? name : `${name}*` },
      ...[graphs, classes, meanNodes, meanEdges].map((value) => formatNumber(value)),
      percent(ceiling, 2),
    ]),
    ...(notes.length > 0 ? { about: notes.map(({ name, note }) => `* ${name}: ${note}`).join(" ") } : {}),
  };
}

/** At most a dozen numbers of moments, evenly taken. */
function conditionTable({ errors }: Reproduction): TableBlock | null {
  const conditions = [...(errors?.conditions ?? [])].sort((a, b) => a.moments - b.moments);
  if (conditions.length === 0) return null;
  const most = Math.min(12, conditions.length);
  const picked = Array.from(
    { length: most },
    (_, k) => conditions[Math.round(most > 1 ? (k * (conditions.length - 1)) / (most - 1) : 0)],
  );
  return {
    kind: "table",
    head: ["moments", "condition in the 2-norm", "condition by Skeel"],
    rows: picked.map(({ moments, twoNorm, skeel }) => [
      formatNumber(moments),
      ...[twoNorm, skeel].map((value) => scientific(Number(value.toPrecision(2)))),
    ]),
  };
}

/** Steps together by what stands before their colon: "table: DOS on COLLAB" is a step of "table". */
function stageTables(result: Reproduction): TableBlock[] {
  const { stages } = result;
  if (stages.length === 0) return [];
  const groups = groupBy(stages, ({ name }) => name.split(/: | on /)[0]);
  const line = (name: string, own: readonly Stage[]) => [
    name,
    formatNumber(own.length),
    formatNumber(own.filter(({ cached }) => cached).length),
    formatDuration(sum(own.map(({ seconds }) => seconds))),
  ];
  const total = line("all", stages).map((text): Entry => ({ text, strong: true }));
  const all: TableBlock = {
    kind: "table",
    head: ["stage", "steps", "of these from the cache", "time"],
    rows: [...groups.map(([name, own]) => line(name, own)), ...(groups.length > 1 ? [total] : [])],
  };
  const computed = stages.filter(({ cached }) => !cached).sort((a, b) => b.seconds - a.seconds);
  if (groups.length === stages.length || computed.length === 0) return [all];
  const slowest: TableBlock = {
    kind: "table",
    title: "The slowest steps",
    head: ["step", "time"],
    rows: computed.slice(0, SLOWEST).map(({ name, seconds }) => [name, formatDuration(seconds)]),
  };
  return [all, slowest];
}

/** With a small budget there are hundreds. */
function leftOutList({ leftOut }: Reproduction): Block[] {
  if (leftOut.length === 0) return [];
  const more = leftOut.length - MOST_LEFT_OUT;
  const sentences =
    more > 0
      ? [...leftOut.slice(0, MOST_LEFT_OUT), `And ${quantity(more, "more", "more")}, in reproduction.json.`]
      : leftOut;
  return [{ kind: "list", sentences }];
}

function cacheWords({ cache }: Reproduction): string | undefined {
  if (cache === null) return undefined;
  return `The cache in ${cache.folder} holds ${quantity(cache.entries, "entry", "entries")}, ${formatBytes(cache.bytes)}.`;
}

function provenance(result: Reproduction): [string, string][] {
  const { machine, protocol, version, date, seed, command } = result;
  return [
    ["Made by", `graphdos ${version}`],
    ["Date", date],
    ["Command", command],
    [
      "Machine",
      `${machine.cpu}, ${quantity(machine.cores, "core")}, ${formatNumber(machine.memoryGiB, 1)} GiB of memory; ${machine.platform}`,
    ],
    ["Run by", `Node ${machine.node.replace(/^v/, "")} with ${quantity(machine.workers, "worker")}`],
    ["Seed", String(seed)],
    ["Protocol", protocolWords(protocol)],
    ["Values of C", protocol.Cs.map((C) => String(Number(C.toPrecision(4)))).join(", ")],
  ];
}
