/** Small charts of block characters, as lines of text. Widths are in columns; nothing here knows of the terminal. */

import type { Histogram } from "../experiment/distribution.js";
import { formatNumber, shorten, textLength } from "../experiment/wording.js";
import { plainText } from "./terminal.js";

const RISING = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const GROWING = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"];
const MAX_LABEL = 24;

export interface ChartOptions {
  /** Columns to use at most. Default 80. */
  width?: number;
  /** Rows of a histogram. Default 4. */
  height?: number;
  /** Colours the bars; labels stay as they are. */
  paint?: (bar: string) => string;
}

/** Upright bars, one for each bin, with a baseline and the edges below it. Any filled bin shows at least a sliver. */
export function histogramChart(histogram: Histogram, options: ChartOptions = {}): string[] {
  const { width = 80, height = 4, paint = (bar) => bar } = options;
  const { edges, counts } = histogram;
  if (counts.length === 0) return ["(nothing to show)"];
  const each = Math.max(1, Math.min(4, Math.floor(width / counts.length)));
  const most = Math.max(...counts);
  const levels = counts.map((count) =>
    count === 0 ? 0 : Math.max(1, Math.round((8 * height * count) / most)),
  );
  const lines: string[] = [];
  for (let row = height - 1; row >= 0; row--) {
    const bars = levels.map((level) => RISING[Math.max(0, Math.min(8, level - 8 * row))].repeat(each));
    lines.push(paint(bars.join("").trimEnd()));
  }
  lines.push("─".repeat(each * counts.length));
  lines.push(axis(edges, each));
  return lines;
}

/** Edges written under where their bins begin, as many as fit with two columns between them; always the first and the last. */
function axis(edges: readonly number[], each: number): string {
  const bins = edges.length - 1;
  const last = formatNumber(edges[bins]);
  const total = Math.max(each * bins, formatNumber(edges[0]).length + 2 + last.length);
  let line = "";
  for (let k = 0; k < bins; k++) {
    const label = formatNumber(edges[k]);
    const at = k * each;
    const free = line === "" ? at === 0 : line.length + 2 <= at;
    if (free && at + label.length + 2 <= total - last.length) line = line.padEnd(at) + label;
  }
  return line.padEnd(total - last.length) + last;
}

export interface Bar {
  label: string;
  value: number;
  /** Text behind the bar, instead of the value. */
  note?: string;
}

/** Lying bars with their labels in front and notes behind. */
export function barChart(bars: readonly Bar[], options: ChartOptions = {}): string[] {
  const { width = 80, paint = (bar) => bar } = options;
  const labels = bars.map((bar) => shorten(plainText(bar.label), MAX_LABEL));
  const notes = bars.map((bar) => bar.note ?? formatNumber(bar.value));
  const labelWidth = Math.max(0, ...labels.map((label) => textLength(label)));
  const noteWidth = Math.max(0, ...notes.map((note) => note.length));
  const room = Math.max(8, Math.min(48, width - labelWidth - noteWidth - 3));
  const most = Math.max(...bars.map((bar) => bar.value), Number.MIN_VALUE);
  return bars.map((bar, k) => {
    const eighths = bar.value <= 0 ? 0 : Math.max(1, Math.round((8 * room * bar.value) / most));
    const drawn = "█".repeat(Math.floor(eighths / 8)) + GROWING[eighths % 8];
    const label = labels[k] + " ".repeat(labelWidth - textLength(labels[k]));
    return `${label}  ${paint(drawn)}${" ".repeat(Math.max(0, room - drawn.length))} ${notes[k]}`.trimEnd();
  });
}
