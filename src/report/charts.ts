/** The figures that reports share: bars, histograms of one or several series, scatter plots. */
import * as Plot from "@observablehq/plot";
import type { Histogram } from "../experiment/distribution.js";
import { formatNumber, formatShare, shorten, textLength } from "../experiment/wording.js";
import { figure } from "./figure.js";
import type { SafeHtml } from "./html.js";

export interface Series {
  name: string;
  colour: string;
  /** How many values fall into each bin. */
  counts: readonly number[];
}

const axisNumber = (value: number) =>
  Math.abs(value) >= 10_000
    ? value.toLocaleString("en-US", { notation: "compact", maximumFractionDigits: 1 })
    : formatNumber(value);

/**
 * Shares of each series in the bins. Bins are drawn equally wide whatever they span, which shows bins of equal ratio as a
 * logarithmic axis would and leaves room for zeros. One series is drawn as bars, several as outlines over each other.
 */
export function histogramFigure(
  histogram: Pick<Histogram, "edges" | "scale">,
  series: readonly Series[],
  { label, description, width = 320 }: { label: string; description: string; width?: number },
): SafeHtml {
  const { edges, scale } = histogram;
  const bins = edges.length - 1;
  const step = Math.max(1, Math.ceil(bins / Math.max(2, Math.floor(width / 62))));
  // bins of a single whole number are labelled in their middle, others at their edges
  const single = edges.every((edge, k) => k === 0 || edge - edges[k - 1] === 1);
  const ticks: number[] = [];
  for (let k = 0; k < (single ? bins : bins + 1); k += step) ticks.push(single ? k + 0.5 : k);
  const shares = series.flatMap(({ name, colour, counts }) => {
    const total = Math.max(
      1,
      counts.reduce((a, b) => a + b, 0),
    );
    return counts.map((count, k) => ({ name, colour, k, count, share: count / total }));
  });
  const outline = shares.flatMap((bin) => [bin, { ...bin, k: bin.k + 1 }]);
  const range = (k: number) =>
    edges[k + 1] - edges[k] === 1
      ? axisNumber(edges[k])
      : `${axisNumber(edges[k])} to ${axisNumber(edges[k + 1])}`;
  return figure({
    description,
    width,
    height: 190,
    marginLeft: 42,
    marginRight: 18,
    marginTop: 14,
    marginBottom: 38,
    x: {
      domain: [0, bins],
      ticks,
      tickFormat: (k: number) => axisNumber(edges[Math.floor(k)]),
      label: scale === "log" ? `${label} (log scale)` : label,
      labelAnchor: "center",
      labelArrow: "none",
    },
    y: { tickFormat: (share: number) => formatShare(share), ticks: 4, label: null, grid: true },
    color: { type: "identity" },
    marks: [
      series.length === 1
        ? Plot.rectY(shares, {
            x1: "k",
            x2: (bin: { k: number }) => bin.k + 1,
            y: "share",
            fill: "colour",
            insetLeft: 0.5,
            insetRight: 0.5,
            title: (bin: { k: number; count: number }) => `${range(bin.k)}: ${formatNumber(bin.count)}`,
          })
        : [
            Plot.areaY(outline, { x: "k", y1: 0, y2: "share", z: "name", fill: "colour", fillOpacity: 0.1 }),
            Plot.lineY(outline, { x: "k", y: "share", z: "name", stroke: "colour", strokeWidth: 1.6 }),
          ],
      Plot.ruleY([0]),
    ],
  });
}

export interface ScatterPoint {
  x: number;
  y: number;
  colour: string;
  title: string;
}

/** Points of two positive quantities; an axis is logarithmic when its values span a factor of 30. Zeros are then drawn at ½. */
export function scatterFigure(
  points: readonly ScatterPoint[],
  { x, y, description, caption }: { x: string; y: string; description: string; caption?: string },
): SafeHtml {
  const axis = (values: number[], label: string) => {
    const largest = values.reduce((a, b) => Math.max(a, b), 0);
    const smallest = values.reduce((a, b) => (b > 0 ? Math.min(a, b) : a), largest);
    const logarithmic = largest > 30 * Math.max(1e-9, smallest);
    if (!logarithmic) return { label, nice: true, zero: false, tickFormat: axisNumber };
    const domain = [values.includes(0) ? 0.5 : smallest, 1.1 * largest];
    return {
      type: "log" as const,
      domain,
      label,
      ticks: decadeTicks(domain),
      tickFormat: axisNumber,
      clamp: true,
    };
  };
  return figure({
    description,
    caption,
    width: 960,
    height: 420,
    marginLeft: 60,
    marginRight: 24,
    marginTop: 28,
    marginBottom: 42,
    grid: true,
    x: axis(
      points.map((point) => point.x),
      x,
    ),
    y: axis(
      points.map((point) => point.y),
      y,
    ),
    color: { type: "identity" },
    marks: [Plot.dot(points, { x: "x", y: "y", fill: "colour", fillOpacity: 0.55, r: 2.4, title: "title" })],
  });
}

/** 1, 2, 5 times powers of ten within the domain; powers alone when it spans more than three decades. */
function decadeTicks([low, high]: number[]): number[] {
  const steps = high / low > 1000 ? [1] : [1, 2, 5];
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++)
    for (const step of steps) {
      const tick = step * 10 ** power;
      if (tick >= low && tick <= high && (tick >= 1 || low > 0.5)) ticks.push(tick);
    }
  return ticks;
}

export interface NamedValue {
  name: string;
  value: number;
  colour: string;
  note: string;
}

/** Lying bars with the note behind each. Long names are cut; their full text is the tooltip. */
export function barFigure(bars: readonly NamedValue[], { description }: { description: string }): SafeHtml {
  const shortName = (name: string) => shorten(name, 18);
  const longest = bars.reduce((most, { name }) => Math.max(most, textLength(shortName(name))), 0);
  const notes = bars.reduce((most, { note }) => Math.max(most, note.length), 0);
  return figure({
    description,
    width: 440,
    height: 16 + 30 * bars.length,
    marginTop: 6,
    marginBottom: 6,
    marginLeft: Math.max(24, 14 + 7.4 * longest),
    marginRight: 12 + 6.8 * notes,
    x: { axis: null, domain: [0, Math.max(...bars.map((bar) => bar.value), 1e-9)] },
    y: { domain: bars.map((bar) => bar.name), label: null, tickSize: 0, tickFormat: shortName, padding: 0.3 },
    color: { type: "identity" },
    marks: [
      Plot.barX(bars, { x: "value", y: "name", fill: "colour", title: "name", rx2: 3 }),
      Plot.text(bars, { x: "value", y: "name", text: "note", textAnchor: "start", dx: 6 }),
    ],
  });
}
