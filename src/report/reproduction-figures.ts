/** Figures 1 to 3 of a reproduction: accuracy against moments, time against edges. Each says in its caption what one sees. */
import * as Plot from "@observablehq/plot";
import type { MomentsCurve, Reproduction, ScalingPoint } from "../experiment/reproduction/types.js";
import { formatDuration, formatNumber, quantity, shorten, textLength } from "../experiment/wording.js";
import { percent } from "./evaluation-figures.js";
import { NEUTRAL, seriesColour } from "./figure.js";
import type { SafeHtml } from "./html.js";
import {
  drawWithLegend,
  geometricMean,
  growthPower,
  LETTER,
  logAxis,
  logDomain,
  placeNames,
  powerLine,
  spreadApart,
} from "./plot-frame.js";

/** A drawing of the report; as a file it is `${name}.svg`. */
export interface ReportFigure {
  name: string;
  title: string;
  caption: string;
  svg: SafeHtml;
}

export const FIGURE_WIDTH = 960;
const LONGEST_NAME = 22;

export type Colours = (set: string) => string;

/** Every set has its colour in all figures: by its place among the sets of the run. */
export function setColours({ sets, moments, ablation }: Reproduction): Colours {
  const names = new Set([
    ...sets.map(({ name }) => name),
    ...moments.flatMap(({ points }) => points.map(({ set }) => set)),
    ...ablation.map(({ set }) => set),
  ]);
  const places = new Map([...names].map((name, k) => [name, k]));
  return (set) => seriesColour(places.get(set) ?? names.size);
}

/** 0.0123 → "+1.23"; what rounds to nothing has no sign. */
export function signedPoints(share: number, digits = 2): string {
  if (!Number.isFinite(share)) return "–";
  const size = Math.abs(100 * share).toFixed(digits);
  return Number(size) === 0 ? size : `${share < 0 ? "−" : "+"}${size}`;
}

/** Accuracy with a band of one standard deviation, a line a set. */
export function momentsFigure(curve: MomentsCurve, colourOf: Colours, repeats: number): ReportFigure | null {
  const sets = groupBy(
    curve.points.filter(({ mean, moments }) => Number.isFinite(mean) && moments > 0),
    ({ set }) => set,
  ).map(([set, points]) => ({ set, points: points.sort((a, b) => a.moments - b.moments) }));
  if (sets.length === 0) return null;
  const points = sets.flatMap(({ points: own }) =>
    own.map(({ set, moments, mean, std }) => {
      const spread = Number.isFinite(std) ? std : 0;
      return {
        ...{ set, moments, mean: 100 * mean, colour: colourOf(set) },
        ...{ low: 100 * (mean - spread), high: 100 * (mean + spread) },
        title: `${set}, ${quantity(moments, "moment")}: ${percent(mean, 2)} ± ${percent(std, 2)} %`,
      };
    }),
  );
  const moments = [...new Set(points.map((point) => point.moments))].sort((a, b) => a - b);
  const [few, many] = [moments[0], moments[moments.length - 1]];
  const low = Math.floor(Math.max(0, Math.min(...points.map((point) => point.low)) - 1));
  const high = Math.ceil(Math.min(100, Math.max(...points.map((point) => point.high)) + 1));
  const [height, marginTop, marginBottom] = [500, 16, 48];
  const pixel = (value: number) => ((high - value) / (high - low)) * (height - marginTop - marginBottom);
  const ends = sets.map(({ set, points: own }) => ({
    ...{ set, name: shorten(set, LONGEST_NAME), colour: colourOf(set) },
    ...{ moments: own[own.length - 1].moments, mean: 100 * own[own.length - 1].mean },
  }));
  const places = spreadApart(
    ends.map(({ mean }) => pixel(mean)),
    16,
    [0, height - marginTop - marginBottom],
  );
  const longest = Math.max(...ends.map(({ name }) => textLength(name)));
  const svg = drawWithLegend(
    {
      ...{ width: FIGURE_WIDTH, height, marginTop, marginBottom, marginLeft: 58 },
      marginRight: 22 + LETTER * longest,
      x: {
        ...logAxis(
          few < many ? [few, many] : [few / 2, few * 2],
          "Chebyshev moments (log scale)",
          42,
          thinned(moments),
        ),
        insetLeft: 8,
      },
      y: {
        ...{ domain: [low, high], grid: true, ticks: 8 },
        ...{ label: "accuracy (%)", labelAnchor: "center", labelArrow: "none", labelOffset: 50 },
      },
      color: { type: "identity" },
      marks: [
        Plot.areaY(points, {
          ...{ x: "moments", y1: "low", y2: "high", z: "set", fill: "colour", fillOpacity: 0.28 },
        }),
        Plot.lineY(points, { x: "moments", y: "mean", z: "set", stroke: "colour", strokeWidth: 1.8 }),
        Plot.dot(points, { x: "moments", y: "mean", fill: "colour", r: 3, title: "title" }),
        ends.map((end, k) =>
          Plot.text([end], {
            ...{ x: "moments", y: "mean", text: "name", fill: "colour" },
            ...{ textAnchor: "start" as const, dx: 12, dy: places[k] - pixel(end.mean) },
          }),
        ),
      ],
    },
    [],
    `Accuracy of ${curve.kernel} against the number of moments for ${sets.map(({ set }) => set).join(", ")}`,
  );
  return {
    name: `figure-${curve.figure}`,
    title: `Figure ${curve.figure}. Accuracy of ${curve.kernel} against the number of moments`,
    caption: `${spreadWords(repeats)}${momentsWords(sets)}`,
    svg,
  };
}

const spreadWords = (repeats: number) =>
  repeats > 1
    ? `Lines are means over ${repeats} repeats, bands one standard deviation over repeats to each side.`
    : "Lines are accuracies over all folds of one repeat, bands one standard deviation over folds to each side.";

/** The best number of moments of each set, and what more moments brought. */
function momentsWords(sets: readonly { set: string; points: MomentsCurve["points"] }[]): string {
  const grown = sets.filter(({ points }) => points.length > 1);
  if (grown.length === 0) return "";
  const best = grown.map(({ set, points }) => {
    const top = points.reduce((a, b) => (b.mean > a.mean ? b : a));
    return `${set} ${percent(top.mean, 2)} % with ${formatNumber(top.moments)}`;
  });
  const ends = grown.map(({ points }) => [points[0], points[points.length - 1]]);
  const ranges = new Set(
    ends.map(([few, many]) => `${formatNumber(few.moments)} to ${formatNumber(many.moments)}`),
  );
  const change = grown.map(({ set }, k) => `${set} ${signedPoints(ends[k][1].mean - ends[k][0].mean)}`);
  const range = ranges.size === 1 ? [...ranges][0] : "the fewest to the most";
  return ` Highest: ${best.join(", ")}. Change in points from ${range} moments: ${change.join(", ")}.`;
}

/** Ticks of a logarithmic axis without those that would touch the one before; about `most` of them fit. */
export function thinned(values: readonly number[], most = 12): number[] {
  const span = Math.log(values[values.length - 1] / values[0]);
  const kept: number[] = [];
  for (const value of values)
    if (kept.length === 0 || Math.log(value / kept[kept.length - 1]) >= span / most) kept.push(value);
  return kept;
}

/** Seconds against edges on logarithmic axes, with a line of slope 1 through the middle of the LDOS points. */
export function scalingFigure(scaling: readonly ScalingPoint[]): ReportFigure | null {
  const series = [
    {
      name: "LDOS, every node",
      colour: seriesColour(0),
      seconds: (point: ScalingPoint) => point.ldosSeconds,
    },
    {
      name: "DOS, the whole graph",
      colour: seriesColour(1),
      seconds: (point: ScalingPoint) => point.dosSeconds,
    },
  ];
  const dots = series.flatMap(({ name, colour, seconds }) =>
    scaling
      .filter((point) => point.edges > 0 && seconds(point) > 0 && Number.isFinite(seconds(point)))
      .map((point) => ({
        ...{ series: name, colour, graph: point.graph, kind: point.kind, x: point.edges, y: seconds(point) },
        title: `${point.graph} (${point.kind}): ${quantity(point.nodes, "node")}, ${quantity(point.edges, "edge")}, ${name}: ${formatDuration(seconds(point))}`,
      })),
  );
  if (dots.length === 0) return null;
  const xDomain = logDomain(dots.map(({ x }) => x));
  const yDomain = logDomain(dots.map(({ y }) => y));
  const lower = dots.filter((dot) => dot.series === series[0].name);
  const middle = geometricMean((lower.length > 0 ? lower : dots).map(({ x, y }) => y / x));
  const [height, marginTop, marginBottom, marginLeft, marginRight] = [500, 10, 48, 66, 24];
  const frame = { width: FIGURE_WIDTH - marginLeft - marginRight, height: height - marginTop - marginBottom };
  const toPixels = ({ x, y }: { x: number; y: number }) => ({
    x: (frame.width * Math.log(x / xDomain[0])) / Math.log(xDomain[1] / xDomain[0]),
    y: (frame.height * Math.log(yDomain[1] / y)) / Math.log(yDomain[1] / yDomain[0]),
  });
  const named = lower
    .filter(({ kind }) => kind === "real")
    .map((dot) => ({ ...toPixels(dot), name: shorten(dot.graph, LONGEST_NAME) }));
  const alongTheLine = Array.from({ length: 80 }, (_, k) => {
    const x = xDomain[0] * (xDomain[1] / xDomain[0]) ** (k / 79);
    return { x, y: middle * x };
  });
  const names = placeNames(named, [...dots, ...alongTheLine].map(toPixels), frame);
  const kinds = [...new Set(dots.map(({ kind }) => kind))];
  const svg = drawWithLegend(
    {
      ...{ width: FIGURE_WIDTH, height, marginTop, marginBottom, marginLeft, marginRight, grid: true },
      x: logAxis(xDomain, "edges", 42),
      y: logAxis(yDomain, "seconds", 56),
      color: { type: "identity" },
      marks: [
        Plot.line(powerLine(middle, 1, xDomain, yDomain), {
          ...{ x: "x", y: "y", stroke: NEUTRAL, strokeDasharray: "5 4", strokeWidth: 1.6 },
        }),
        Plot.dot(
          dots.filter(({ kind }) => kind === "real"),
          { x: "x", y: "y", fill: "colour", r: 4.5, title: "title" },
        ),
        Plot.dot(
          dots.filter(({ kind }) => kind === "generated"),
          { x: "x", y: "y", stroke: "colour", strokeWidth: 1.8, r: 4, title: "title" },
        ),
        names.map(({ x, y, name, anchor }) =>
          Plot.text([name], {
            ...{ frameAnchor: "top-left" as const, dx: x, dy: y, textAnchor: anchor, lineAnchor: "middle" },
            ...{ text: (d: string) => d, fillOpacity: 0.8, fontSize: 11.5 },
          }),
        ),
      ],
    },
    [
      ...series.map(({ name, colour }) => ({ mark: "square" as const, colour, text: name })),
      ...(kinds.includes("real") ? [{ mark: "dot" as const, colour: NEUTRAL, text: "real graphs" }] : []),
      ...(kinds.includes("generated")
        ? [{ mark: "ring" as const, colour: NEUTRAL, text: "generated graphs" }]
        : []),
      { mark: "dashed", colour: NEUTRAL, text: "in proportion to edges" },
    ],
    `Seconds for features against edges of ${quantity(scaling.length, "graph")}`,
  );
  return {
    name: "figure-3",
    title: "Figure 3. Time for features against edges",
    caption: scalingWords(scaling, series),
    svg,
  };
}

function scalingWords(
  scaling: readonly ScalingPoint[],
  series: readonly { name: string; seconds: (point: ScalingPoint) => number }[],
): string {
  const effort = [
    ...new Set(
      scaling.map(
        ({ moments, probes }) => `${formatNumber(moments)} moments by ${formatNumber(probes)} probes`,
      ),
    ),
  ];
  const powers = series.flatMap(({ name, seconds }) => {
    const power = growthPower(scaling.map((point) => ({ x: point.edges, y: seconds(point) })));
    return power === null ? [] : [`${power.toFixed(2)} for ${name.split(",")[0]}`];
  });
  const largest = scaling.reduce((a, b) => (b.edges > a.edges ? b : a));
  return [
    `Both axes are logarithmic; each dot is one graph${effort.length === 1 ? ` with ${effort[0]}` : ""}.`,
    powers.length > 0
      ? `Fitted by least squares, time grows with edges to the power of ${powers.join(" and ")}; 1 would be the dashed line.`
      : "",
    `The largest graph, ${largest.graph} with ${quantity(largest.edges, "edge")}, took ${formatDuration(largest.ldosSeconds)} for LDOS and ${formatDuration(largest.dosSeconds)} for DOS.`,
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

/** Items by key, keys in the order of their first item. */
export function groupBy<T>(items: readonly T[], key: (item: T) => string): [key: string, items: T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return [...groups];
}
