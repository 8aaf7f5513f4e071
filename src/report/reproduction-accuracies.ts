/**
 * The tables of accuracies of a reproduction, in per cent: Table 1 in its blocks with the paper's numbers below ours, what was chosen most
 * often, the ablation, and the short table of a README.
 */
import type { Choice } from "../experiment/evaluation-types.js";
import { isAsGood, SIZE_ALONE } from "../experiment/reproduction/table.js";
import type {
  AblationRow,
  Cell,
  PaperAccuracy,
  Reproduction,
  SetSummary,
  SizeRow,
  Table,
} from "../experiment/reproduction/types.js";
import { formatNumber, quantity } from "../experiment/wording.js";
import { percent } from "./evaluation-figures.js";
import { groupBy, signedPoints } from "./reproduction-figures.js";

/** One field of a table. */
export interface Entry {
  text: string;
  strong?: boolean;
  /** Smaller, below the text. */
  below?: string;
  /** ▲ or ▼ and the number of a footnote. */
  mark?: { up: boolean; note: number };
  tone?: "good" | "bad";
}

export interface TableBlock {
  kind: "table";
  title?: string;
  /** Sentences under the title. */
  about?: string;
  head: string[];
  rows: (string | Entry)[][];
  /** Columns that are text, besides the first. */
  textColumns?: number[];
  /** Numbered from 1. */
  footnotes?: string[];
}

/** Beyond this many of the paper's standard deviations a difference is marked, with what is known to be done differently. */
const FAR = 2;

const isFar = ({ deviations }: Cell) => deviations !== null && Math.abs(deviations) > FAR;

/** 0.9248 and 0.0024 → "92.48 ± 0.24". */
const plusMinus = (mean: number, std: number | null) =>
  std === null ? percent(mean, 2) : `${percent(mean, 2)} ± ${percent(std, 2)}`;

/** One repeat has no spread over repeats. */
const ours = ({ accuracy }: Cell) =>
  plusMinus(accuracy.mean, accuracy.perRepeat.length === 1 ? null : accuracy.std);

const paperWords = (paper: PaperAccuracy) => plusMinus(paper.mean, paper.std);

/**
 * One block of Table 1, with the ceiling of each set in the last row; null without any cell. The best of a column is strong where there is a
 * choice.
 */
export function accuracyTable(table: Table, summaries: readonly SetSummary[]): TableBlock | null {
  if (table.cells.length === 0) return null;
  const rows = [...new Set([...table.rows, ...table.cells.map(({ row }) => row)])];
  const sets = [...new Set([...table.sets, ...table.cells.map(({ set }) => set)])];
  const shown = ({ accuracy }: Cell) => Number(percent(accuracy.mean, 2));
  const best = new Map(
    groupBy(table.cells, ({ set }) => set).map(([set, cells]) => [
      set,
      cells.length > 1 ? Math.max(...cells.map(shown)) : Number.POSITIVE_INFINITY,
    ]),
  );
  const notes = groupBy(
    rows.flatMap((row) => sets.flatMap((set) => find(table, row, set) ?? [])).filter(noted),
    ({ knownDifferences }) => knownDifferences ?? "no difference is known",
  );
  const entry = (cell: Cell | undefined): Entry => {
    if (cell === undefined) return { text: "–" };
    const note = notes.findIndex(([, cells]) => cells.includes(cell)) + 1;
    return {
      text: ours(cell) + (isAsGood(cell) ? " ≈" : ""),
      strong: shown(cell) === best.get(cell.set),
      ...(cell.paper ? { below: paperWords(cell.paper) } : {}),
      ...(note > 0 ? { mark: { up: aboveThePaper(cell), note } } : {}),
    };
  };
  const ceiling = (set: string) => summaries.find(({ name }) => name === set)?.ceiling;
  return {
    kind: "table",
    title: table.title,
    about: table.about,
    head: ["accuracy (%)", ...sets],
    rows: [
      ...rows.map((row) => [row, ...sets.map((set) => entry(find(table, row, set)))]),
      ...(sets.some(ceiling) ? [["ceiling", ...sets.map((set) => percentOr(ceiling(set)))]] : []),
    ],
    footnotes: notes.map(([sentence, cells]) => `${cellsWords(cells)}: ${sentence}`),
  };
}

const percentOr = (share: number | undefined) => (share === undefined ? "–" : percent(share, 2));

const find = ({ cells }: Table, row: string, set: string) =>
  cells.find((cell) => cell.row === row && cell.set === set);

const noted = (cell: Cell) => isFar(cell) || cell.knownDifferences !== null;

const aboveThePaper = ({ deviations, paper, accuracy }: Cell) =>
  deviations !== null ? deviations > 0 : paper !== null && accuracy.mean > paper.mean;

/** "DOS on COLLAB (+3.1 σ), IMDB-MULTI (+4.0 σ); LDOS on COLLAB (+2.8 σ)". */
const cellsWords = (cells: readonly Cell[]) =>
  groupBy(cells, ({ row }) => row)
    .map(
      ([row, own]) =>
        `${row} on ${own.map(({ set, deviations }) => set + deviationWords(deviations)).join(", ")}`,
    )
    .join("; ");

const deviationWords = (deviations: number | null) =>
  deviations === null ? "" : ` (${signedPoints(deviations / 100, 1)} σ)`;

/** How many of the cells that can be compared are not more than two standard deviations below the paper. */
export function reached({ tables }: Reproduction): { held: number; all: number } {
  const compared = tables
    .filter(({ experiment }) => experiment !== "ours")
    .flatMap(({ cells }) => cells.filter(({ deviations }) => deviations !== null));
  return { held: compared.filter(({ deviations }) => deviations! >= -FAR).length, all: compared.length };
}

/** Parameters that fit into one cell. */
const FEW = 3;

/**
 * The most frequent choice of each cell; null where nothing was chosen. Parameters that are the same everywhere are said once; few others
 * stand in the cells of a table of kernels and sets, many have a column each.
 */
export function choiceTable(table: Table, { repeats, folds }: Reproduction["protocol"]): TableBlock | null {
  const chosen = table.rows
    .flatMap((row) => table.cells.filter((cell) => cell.row === row))
    .filter((cell) => cell.chosen.length > 0)
    .map(({ row, set, accuracy, chosen: [{ C, point, times }] }) => {
      const all = accuracy.perFold.length > 0 ? accuracy.perFold.length : repeats * folds;
      const values = new Map(
        Object.entries({ C, ...point }).map(([name, value]) => [name, valueWords(value)]),
      );
      return { row, set, values, share: `${formatNumber(times)} of ${formatNumber(Math.max(all, times))}` };
    });
  if (chosen.length === 0) return null;
  const names = [...new Set(chosen.flatMap(({ values }) => [...values.keys()]))];
  const varied = names.filter((name) => new Set(chosen.map(({ values }) => values.get(name))).size > 1);
  const fixed = names.filter((name) => !varied.includes(name));
  const same = fixed.map((name) => `${name} = ${chosen[0].values.get(name)}`).join(", ");
  const about = fixed.length > 0 && chosen.length > 1 ? { about: `The same everywhere: ${same}.` } : {};
  const columns = varied.length > 0 ? varied : names;
  if (columns.length > FEW) {
    const rows = chosen.map(({ row, set, values, share }, k) => [
      k > 0 && chosen[k - 1].row === row ? "" : row,
      set,
      ...columns.map((name) => values.get(name) ?? "–"),
      share,
    ]);
    const head = ["kernel", "set", ...columns, "folds"];
    return { kind: "table", title: table.title, ...about, head, rows, textColumns: [1] };
  }
  const sets = table.sets.filter((name) => chosen.some(({ set }) => set === name));
  const rows = groupBy(chosen, ({ row }) => row).map(([row, own]) => [
    row,
    ...sets.map((set): string | Entry => {
      const cell = own.find((other) => other.set === set);
      if (cell === undefined) return "–";
      const known = columns.filter((name) => cell.values.has(name));
      return {
        text: known.map((name) => `${name} = ${cell.values.get(name)}`).join(", "),
        below: cell.share,
      };
    }),
  ]);
  return { kind: "table", title: table.title, ...about, head: ["kernel", ...sets], rows };
}

const valueWords = (value: string | number | boolean | undefined): string =>
  value === undefined
    ? "–"
    : typeof value === "number"
      ? String(Number(value.toPrecision(4)))
      : typeof value === "boolean"
        ? value
          ? "yes"
          : "no"
        : value;

/** "C=10 p=1 (34)": all that is known of the choices of a cell, for a field of a CSV. */
export const choiceText = (chosen: readonly Choice[]) =>
  chosen
    .map(({ C, point, times }) =>
      [["C", C] as const, ...Object.entries(point)]
        .map(([name, value]) => `${name}=${valueWords(value)}`)
        .join(" ")
        .concat(` (${times})`),
    )
    .join("; ");

/** Differences in points with the accuracies below; the standard level of each factor comes first. */
export function ablationTable(ablation: readonly AblationRow[]): TableBlock | null {
  if (ablation.length === 0) return null;
  const sets = groupBy(ablation, ({ set }) => set).map(([set]) => set);
  const rows = groupBy(ablation, ({ factor }) => factor).flatMap(([factor, own]) => {
    const levels = groupBy(own, ({ level, kernel }) => JSON.stringify([level, kernel]))
      .map(([, cells]) => cells)
      .sort(([a], [b]) => Number(a.difference !== null) - Number(b.difference !== null));
    return levels.map((cells, k) => [
      k === 0 ? factor : "",
      cells[0].level,
      cells[0].kernel,
      ...sets.map((set): string | Entry => {
        const cell = cells.find((other) => other.set === set);
        if (cell === undefined) return "–";
        const { mean, std } = cell.accuracy;
        return {
          text: cell.difference === null ? "standard" : signedPoints(cell.difference),
          // a single repeat has no spread
          below: plusMinus(mean, std > 0 ? std : null),
        };
      }),
    ]);
  });
  return {
    kind: "table",
    head: ["factor", "level", "kernel", ...sets],
    textColumns: [1, 2],
    rows,
  };
}

/** What DOS adds to LDOS in each quarter of a set by size, in points, with both accuracies below. */
export function totteringTable(tottering: readonly SizeRow[]): TableBlock | null {
  if (tottering.length === 0) return null;
  const sets = groupBy(tottering, ({ set }) => set);
  const quarters = [...new Set(tottering.map(({ quarter }) => quarter))].sort((a, b) => a - b);
  const names = ["smallest quarter", "second", "third", "largest quarter"];
  return {
    kind: "table",
    title: "Where tottering shows",
    about:
      "What DOS adds to LDOS, in points, for the graphs of each quarter of a set by the number of nodes; below: nodes, and the accuracies of LDOS alone and of both.",
    head: ["set", ...quarters.map((quarter) => names[quarter - 1] ?? String(quarter))],
    rows: sets.map(([set, own]) => [
      set,
      ...quarters.map((quarter): string | Entry => {
        const row = own.find((other) => other.quarter === quarter);
        if (row === undefined) return "–";
        const nodes =
          row.fewestNodes === row.mostNodes ? `${row.mostNodes}` : `${row.fewestNodes} to ${row.mostNodes}`;
        return {
          text: signedPoints(row.composite - row.ldos),
          below: `${nodes} nodes: ${plusMinus(row.ldos, null)}, ${plusMinus(row.composite, null)}`,
        };
      }),
    ]),
  };
}

export interface ShortTable {
  head: string[];
  rows: Entry[][];
}

/** LDOS+DOS, by whatever order and case its row is named. */
const isComposite = (row: string) =>
  row.toLowerCase().replaceAll(/\s/g, "").split("+").sort().join("+") === "dos+ldos";

/**
 * LDOS+DOS by the paper's protocol and by ours, the paper's numbers, and what they are to be measured against: the best row of all blocks, whose
 * ever it is, size alone and the ceiling. Null without LDOS+DOS.
 */
export function shortEntries({ tables, sets }: Reproduction): ShortTable | null {
  const cells = (experiment: string) =>
    tables
      .filter((table) => table.experiment === experiment)
      .flatMap((table) => table.cells.filter(({ row }) => isComposite(row)));
  const [asPaper, own] = [cells("table"), cells("ours")];
  const all = [...asPaper, ...own];
  if (all.length === 0) return null;
  const known = new Set(all.map(({ set }) => set));
  const columns = [...new Set([...sets.map(({ name }) => name).filter((name) => known.has(name)), ...known])];
  const line = (name: string, text: (set: string) => string | undefined): Entry[] => [
    { text: name },
    ...columns.map((set) => ({ text: text(set) ?? "–" })),
  ];
  const rows: Entry[][] = [];
  const measured = (name: string, list: readonly Cell[]) => {
    if (list.length === 0) return;
    rows.push(
      line(name, (set) => {
        const cell = list.find((other) => other.set === set);
        return cell && ours(cell);
      }),
    );
  };
  measured("as in the paper", asPaper);
  measured("ours", own);
  const published = (set: string) => all.find((cell) => cell.set === set && cell.paper !== null)?.paper;
  if (columns.some((set) => published(set)))
    rows.push(
      line("the paper's", (set) => {
        const paper = published(set);
        return paper ? paperWords(paper) : undefined;
      }),
    );
  const everything = tables.flatMap((table) => table.cells.map((cell) => ({ ...cell, block: table.title })));
  if (everything.length > all.length)
    rows.push(
      line("the best of all rows", (set) => {
        const own = everything.filter((cell) => cell.set === set);
        const best = own.reduce((a, b) => (b.accuracy.mean > a.accuracy.mean ? b : a));
        return `${ours(best)} (${best.row}, ${best.block.toLowerCase()})`;
      }),
    );
  const sizes = everything.filter(({ row }) => row === SIZE_ALONE);
  measured(SIZE_ALONE, sizes);
  if (sizes.length > 0)
    rows.push(line("ceiling", (set) => percentOr(sets.find(({ name }) => name === set)?.ceiling)));
  return { head: ["LDOS+DOS, accuracy (%)", ...columns], rows };
}

/** "10 times 10 folds, stratified; ..." */
export function protocolWords({ repeats, folds, inner }: Reproduction["protocol"]): string {
  const times = repeats > 1 ? `, ${formatNumber(repeats)} times with new splits` : "";
  return `stratified ${folds}-fold cross-validation${times}; parameters chosen by ${quantity(inner, "inner fold")} of the training part`;
}
