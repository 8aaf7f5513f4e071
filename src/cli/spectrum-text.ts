/** A spectrum in the terminal: its density in block characters, known eigenvalues as stems over it, the largest of them in a table. */
import pc from "picocolors";
import type { LocalDensityMap } from "../experiment/local-map.js";
import type { GraphSpectrum } from "../experiment/spectrum.js";
import {
  eigenvalueText,
  estimatorText,
  kindsText,
  largestAtoms,
  sizeText,
  visibleAtoms,
} from "../experiment/spectrum-words.js";
import { formatNumber, formatShare, shorten } from "../experiment/wording.js";
import { plainText } from "./terminal.js";

const RISING = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const SHADES = [" ", "░", "▒", "▓", "█"];
const CHART_ROWS = 10;
const TABLE_ROWS = 8;
/** Columns for the labels left and right of a chart. */
const LEFT = 7;
const RIGHT = 9;
/** Of a node beside its row. */
const NAME_LENGTH = RIGHT - 1;
/** Charts below this get a line for each item of the legend. */
const NARROW = 40;

export interface SpectrumTextOptions {
  columns?: number;
  /** Whether the estimator was left to the program. */
  chosen?: boolean;
}

/** Columns of a chart in a terminal of so many columns. */
export const chartWidth = (columns: number) => Math.max(40, Math.min(columns, 120)) - LEFT - RIGHT;

export function spectrumText(spectrum: GraphSpectrum, options: SpectrumTextOptions = {}): string {
  const { columns = 80, chosen = false } = options;
  const width = Math.max(40, Math.min(columns, 120));
  const { moments, damping, nodes } = spectrum;
  const settings = [`${moments} moments`, damping === "none" ? "no damping" : `${damping} damping`];
  if (spectrum.selfLoops) settings.push("A + I");
  const lines = [
    pc.bold(shorten(plainText(spectrum.name), width)),
    ...wrapped(`${sizeText(spectrum)}; ${settings.join(", ")}`, width),
    ...wrapped(estimatorText(spectrum, chosen), width),
    ...errorLines(spectrum, width),
  ];
  if (nodes === 0) return lines.join("\n");
  lines.push("", ...densityChart(spectrum, chartWidth(columns)));
  if (spectrum.atoms.length > 0) lines.push("", ...atomTable(spectrum, width));
  return lines.join("\n");
}

function errorLines(
  { standardError, densityError, errorMethod, nodes }: GraphSpectrum,
  width: number,
): string[] {
  if (standardError === null || densityError === null) return [];
  const moment = standardError.reduce((a, b) => Math.max(a, b), 0) / nodes;
  const density = densityError.reduce((a, b) => Math.max(a, b), 0);
  return wrapped(
    `standard error: at most ${formatNumber(moment)} for a mean moment, ${formatNumber(density)} for the density (${errorMethod})`,
    width,
  );
}

/** The density as bars and the known eigenvalues as stems, each with the scale of its own largest value. */
export function densityChart(spectrum: GraphSpectrum, columns: number): string[] {
  const bars = rebin(spectrum.density, columns);
  const most = bars.reduce((a, b) => Math.max(a, b), 0);
  const shares = new Float64Array(columns);
  for (const { eigenvalue, mass } of visibleAtoms(spectrum)) shares[columnOf(eigenvalue, columns)] += mass;
  const mostShare = shares.reduce((a, b) => Math.max(a, b), 0);
  const levels = bars.map((bar) => (most > 0 ? Math.round((8 * CHART_ROWS * Math.max(0, bar)) / most) : 0));
  const stems = shares.map((share) =>
    share > 0 ? Math.max(1, Math.round((CHART_ROWS * share) / mostShare)) : 0,
  );
  const lines: string[] = [];
  for (let row = CHART_ROWS - 1; row >= 0; row--) {
    const left = row === CHART_ROWS - 1 && most > 0 ? formatNumber(most) : row === 0 ? "0" : "";
    const right =
      mostShare === 0 ? "" : row === CHART_ROWS - 1 ? formatShare(mostShare) : row === 0 ? "0 %" : "";
    let line = "";
    for (let column = 0; column < columns; column++) {
      if (stems[column] > row) line += pc.yellow(stems[column] === row + 1 ? "●" : "│");
      else {
        const block = RISING[Math.max(0, Math.min(8, levels[column] - 8 * row))];
        line += block === " " ? " " : pc.cyan(block);
      }
    }
    lines.push(`${left.padStart(LEFT - 1)} ${line} ${pc.yellow(right)}`.trimEnd());
  }
  lines.push(`${" ".repeat(LEFT)}${"─".repeat(columns)}`, axisLine(columns));
  const legend = [
    ...(most > 0 ? [`${pc.cyan("█")} density`] : []),
    ...(mostShare > 0 ? [`${pc.yellow("●")} known eigenvalues (right)`] : []),
  ];
  const indent = " ".repeat(LEFT);
  if (columns < NARROW) lines.push(...legend.map((item) => indent + item));
  else lines.push(indent + legend.join("   "));
  return lines;
}

/** Mean densities of fewer or more bins. */
function rebin(density: Float64Array, columns: number): Float64Array {
  const bins = density.length;
  const below = new Float64Array(bins + 1);
  for (let b = 0; b < bins; b++) below[b + 1] = below[b] + density[b] / bins;
  const at = (part: number) => {
    const b = Math.min(bins - 1, Math.floor(part * bins));
    return below[b] + (part * bins - b) * (below[b + 1] - below[b]);
  };
  return Float64Array.from(
    { length: columns },
    (_, k) => (at((k + 1) / columns) - at(k / columns)) * columns,
  );
}

const columnOf = (eigenvalue: number, columns: number) =>
  Math.max(0, Math.min(columns - 1, Math.floor(((eigenvalue + 1) / 2) * columns)));

function axisLine(columns: number): string {
  let line = " ".repeat(LEFT);
  for (const [value, text] of [
    [-1, "−1"],
    [-0.5, "−0.5"],
    [0, "0"],
    [0.5, "0.5"],
    [1, "1"],
  ] as const) {
    const place = LEFT + columnOf(value, columns) - (value === -1 ? 0 : Math.floor(text.length / 2));
    line = line.padEnd(place) + text;
  }
  return `${line} ${pc.dim("λ")}`;
}

function atomTable(spectrum: GraphSpectrum, width: number): string[] {
  const shown = largestAtoms(spectrum, TABLE_ROWS);
  const rows = shown.map((atom) => [
    eigenvalueText(atom.eigenvalue),
    formatShare(atom.mass),
    atom.count.toLocaleString("en-US"),
    kindsText(atom),
  ]);
  const head = ["eigenvalue", "share", "times", "from"];
  const widths = [0, 1, 2].map((k) => Math.max(head[k].length, ...rows.map((row) => row[k].length)));
  const write = (row: string[]) =>
    shorten([...widths.map((size, k) => row[k].padStart(size)), row[3]].join("  "), width);
  const rest = spectrum.atoms.length - shown.length;
  const lines = [pc.dim(write(head)), ...rows.map(write)];
  if (rest > 0) {
    const mass =
      spectrum.atoms.reduce((sum, { mass: m }) => sum + m, 0) -
      shown.reduce((sum, { mass: m }) => sum + m, 0);
    lines.push(pc.dim(`and ${rest} more with ${formatShare(mass)} together`));
  }
  return lines;
}

/** The local densities in shades, on the axis of the chart above it. */
export function localMapText({ grid, rows, values, nodes, names, estimator }: LocalDensityMap): string {
  const columns = grid.length;
  const most = values.reduce((a, b) => Math.max(a, b), 0);
  const by = estimator.name === "exact" ? "" : `; ${estimator.name}: ${estimator.reason}`;
  const what = names === undefined ? `the nodes, alike ones together${by}` : "the named nodes";
  const title = wrapped(`local density of ${what}`, columns);
  const lines = title.map((line) => " ".repeat(LEFT) + line);
  for (let r = 0; r < rows; r++) {
    let line = "";
    for (let k = 0; k < columns; k++) {
      const level = most > 0 ? Math.sqrt(Math.max(0, values[r * columns + k]) / most) : 0;
      line += SHADES[Math.min(4, Math.ceil(level * 4 - 0.25))];
    }
    if (names !== undefined) {
      lines.push(`${" ".repeat(LEFT)}${pc.cyan(line)} ${shorten(plainText(names[r]), NAME_LENGTH)}`);
      continue;
    }
    const label = r === 0 ? "0" : r === rows - 1 ? compact(nodes) : "";
    lines.push(`${label.padStart(LEFT - 1)} ${pc.cyan(line.trimEnd())}`);
  }
  lines.push(`${" ".repeat(LEFT)}${"─".repeat(columns)}`, axisLine(columns));
  return lines.join("\n");
}

const compact = (value: number) =>
  value.toLocaleString("en-US", { notation: "compact", maximumFractionDigits: 1 });

function wrapped(sentence: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of sentence.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
