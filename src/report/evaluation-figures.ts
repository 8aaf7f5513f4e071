/** The figures of an evaluation's report: accuracies, choices, the map of the graphs, the Gram matrix, densities by class. */
import * as Plot from "@observablehq/plot";
import { Random } from "../base/random.js";
import type { EvaluationPictures, KernelResult } from "../experiment/evaluation-types.js";
import { formatNumber, shorten, textLength } from "../experiment/wording.js";
import { barFigure } from "./charts.js";
import { figure, NEUTRAL, seriesColour } from "./figure.js";
import { html, type SafeHtml } from "./html.js";
import { dataAddress, encodePng } from "./png.js";
import { axisNumber } from "./spectrum-frame.js";

/** 0.9234 → "92.3": tables line up by the point. */
export const percent = (share: number, digits = 1) =>
  Number.isFinite(share) ? (100 * share).toFixed(digits) : "–";

export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const LETTER = 7.2;
const SQUARE = 470;

/** A dot a kernel; thick bars for the spread over repeats, thin ones over folds. */
export function accuracyFigure(results: readonly KernelResult[], best: number, baseline: number): SafeHtml {
  const rows = results.map(({ kernel, accuracy }, k) => {
    const { mean, std, foldStd } = accuracy;
    const spread = accuracy.perRepeat.length > 1 ? std : foldStd;
    return {
      kernel: String(k),
      name: kernel,
      mean: 100 * mean,
      repeats: [100 * (mean - std), 100 * (mean + std)],
      folds: [Math.max(0, 100 * (mean - foldStd)), Math.min(100, 100 * (mean + foldStd))],
      colour: k === best ? seriesColour(0) : NEUTRAL,
      note: `${percent(mean)} ± ${percent(spread)}`,
    };
  });
  const shown = (index: string) => shorten(results[Number(index)].kernel, 22);
  const longest = Math.max(...rows.map((row) => textLength(shown(row.kernel))));
  const low = Math.min(100 * baseline, ...rows.map((row) => row.folds[0]));
  const high = Math.max(...rows.map((row) => row.folds[1]), 100 * baseline);
  const room = Math.max(2, high - low);
  return figure({
    description: `Accuracies: ${rows.map((row) => `${row.name} ${row.note} %`).join(", ")}; guessing ${percent(baseline)} %`,
    width: 960,
    height: 84 + 34 * rows.length,
    marginTop: 34,
    marginBottom: 44,
    marginLeft: Math.max(40, 18 + LETTER * longest),
    marginRight: 104,
    x: {
      domain: [Math.max(0, low - 0.06 * room), Math.min(100, high + 0.04 * room)],
      label: "accuracy (%)",
      labelAnchor: "center",
      labelArrow: "none",
      grid: true,
      ticks: 8,
    },
    y: {
      domain: rows.map((row) => row.kernel),
      label: null,
      tickSize: 0,
      tickFormat: shown,
    },
    color: { type: "identity" },
    marks: [
      Plot.ruleX([100 * baseline], { stroke: seriesColour(3), strokeDasharray: "5 4" }),
      Plot.text([`guessing ${percent(baseline)} %`], {
        x: [100 * baseline],
        frameAnchor: "top",
        dy: -20,
        textAnchor: 2 * (100 * baseline - low) > high - low ? "end" : "start",
        dx: 2 * (100 * baseline - low) > high - low ? 4 : -4,
        fill: seriesColour(3),
      }),
      Plot.ruleY(rows, {
        ...{ x1: (d: Row) => d.folds[0], x2: (d: Row) => d.folds[1], y: "kernel" },
        ...{ stroke: "colour", strokeWidth: 1.5, strokeOpacity: 0.75 },
      }),
      Plot.ruleY(rows, {
        ...{ x1: (d: Row) => d.repeats[0], x2: (d: Row) => d.repeats[1], y: "kernel" },
        ...{ stroke: "colour", strokeWidth: 7, strokeOpacity: 0.45, strokeLinecap: "round" },
      }),
      Plot.dot(rows, { x: "mean", y: "kernel", fill: "colour", r: 5 }),
      Plot.text(rows, {
        ...{ y: "kernel", text: "note", frameAnchor: "right", textAnchor: "start", dx: 12, fontSize: 13 },
      }),
    ],
  });
}

interface Row {
  kernel: string;
  repeats: number[];
  folds: number[];
}

/** How often each value of one parameter was chosen. */
export function choiceFigure(
  parameter: string,
  values: readonly { name: string; times: number }[],
): SafeHtml {
  const width = 320;
  const description = `${parameter}: ${values.map(({ name, times }) => `${name} ${times} times`).join(", ")}`;
  const fill = seriesColour(0);
  const longest = Math.max(...values.map(({ name }) => textLength(name)));
  if (longest * LETTER * values.length > width - 60) {
    const bars = values.map(({ name, times }) => ({
      name,
      value: times,
      colour: fill,
      note: formatNumber(times),
    }));
    return barFigure(bars, { description });
  }
  return figure({
    description,
    ...{ width, height: 150, marginTop: 22, marginBottom: 26, marginLeft: 10, marginRight: 10 },
    // bands as wide with two values as with six
    x: {
      ...{ domain: values.map(({ name }) => name), label: null, tickSize: 0 },
      ...{ padding: 0.25, paddingOuter: Math.max(0, 3.5 - values.length / 2) },
    },
    y: { axis: null, domain: [0, Math.max(...values.map(({ times }) => times), 1)] },
    marks: [
      Plot.barY(values, { x: "name", y: "times", fill, ry2: 3 }),
      Plot.text(values, {
        ...{ x: "name", y: "times", dy: -9 },
        text: ({ times }: { times: number }) => (times > 0 ? formatNumber(times) : ""),
      }),
      Plot.ruleY([0]),
    ],
  });
}

const CELL = "text-align:center;padding:0.55rem 0.4rem;border:2px solid var(--card);border-radius:0.3rem";

/** Shares of each true class (row) that went to each predicted one, of the classes `shown`: blue is right, orange is wrong. */
export function confusionTable(
  confusion: readonly number[][],
  shown: readonly number[],
  classNames: readonly string[],
  classCounts: readonly number[],
): SafeHtml {
  const rows = shown.map((t) => {
    const total = sum(confusion[t]);
    const cells = shown.map((p) => {
      const share = total > 0 ? confusion[t][p] / total : 0;
      // at most 60 %, so that the text stays readable in light and dark; mistakes by their root, since few of them matter
      const strength = Math.round(60 * (t === p ? share : Math.sqrt(share)));
      const tint = `color-mix(in srgb, ${seriesColour(t === p ? 0 : 3)} ${strength}%, transparent)`;
      const title = `${classNames[t]} taken for ${classNames[p]}: ${formatNumber(confusion[t][p])} of ${formatNumber(total)}`;
      return html`<td style="${CELL};background:${tint}" title="${title}">${total > 0 ? percent(share) : "–"}</td>`;
    });
    return html`<tr><th scope="row" title="${classNames[t]}" style="text-align:left;border:0;color:var(--ink);overflow-wrap:anywhere">${shorten(classNames[t], 20)}</th>${cells}<td style="border:0">${formatNumber(classCounts[t])}</td></tr>`;
  });
  const heads = shown.map(
    (c) =>
      html`<th scope="col" title="${classNames[c]}" style="text-align:center;border:0;overflow-wrap:anywhere">${shorten(classNames[c], 16)}</th>`,
  );
  const columns = shown.length;
  const width = `table-layout:fixed;width:min(100%, ${14 + 9 * columns}rem);min-width:${12 + 4 * columns}rem`;
  return html`<table style="${width};border-collapse:separate;border-spacing:0"><colgroup><col style="width:8.5rem"><col span="${columns}"><col style="width:4.5rem"></colgroup><thead><tr><th style="border:0">true class</th><th scope="colgroup" colspan="${columns}" style="text-align:center;border:0">taken for</th><th style="border:0"></th></tr><tr><th style="border:0"></th>${heads}<th scope="col" style="border:0">graphs</th></tr></thead><tbody>${rows}</tbody></table>`;
}

/** Two coordinates a graph in equal units, so that distances on paper are those of the map. */
export function mapFigure(
  { coordinates, share, classes }: EvaluationPictures["map"],
  colours: readonly string[],
  classNames: readonly string[],
): SafeHtml {
  const margin = { left: 56, right: 14, top: 14, bottom: 44 };
  const inner = [SQUARE - margin.left - margin.right, SQUARE - margin.top - margin.bottom];
  const ranges = [0, 1].map((axis) => {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let k = axis; k < coordinates.length; k += 2) {
      low = Math.min(low, coordinates[k]);
      high = Math.max(high, coordinates[k]);
    }
    return { middle: (low + high) / 2, half: (high - low) / 2 };
  });
  const unit = Math.max(...ranges.map(({ half }, axis) => (1.05 * half) / inner[axis]), 1e-9);
  const domain = (axis: number) => {
    const { middle } = ranges[axis];
    return [middle - unit * inner[axis], middle + unit * inner[axis]];
  };
  // in random order, so that no class lies on top of the others
  const order = new Random(0).shuffle(Uint32Array.from({ length: classes.length }, (_, k) => k));
  const points = Array.from(order, (k) => ({
    x: coordinates[2 * k],
    y: coordinates[2 * k + 1],
    colour: colours[classes[k]],
    title: classNames[classes[k]],
  }));
  const label = (axis: number) =>
    `${axis === 0 ? "first" : "second"} axis (${percent(share[axis] ?? 0)} % of the variance)`;
  return figure({
    description: "Map of the graphs by kernel PCA, coloured by class",
    ...{ width: SQUARE, height: SQUARE, marginLeft: margin.left, marginRight: margin.right },
    ...{ marginTop: margin.top, marginBottom: margin.bottom },
    x: { domain: domain(0), label: label(0), labelAnchor: "center", labelArrow: "none", ticks: 5 },
    y: {
      ...{ domain: domain(1), label: label(1), labelAnchor: "center", labelArrow: "none", labelOffset: 52 },
      ticks: 5,
    },
    color: { type: "identity" },
    marks: [
      Plot.frame({ strokeOpacity: 0.2 }),
      Plot.dot(points, { x: "x", y: "y", fill: "colour", fillOpacity: 0.6, r: 2.6, title: "title" }),
    ],
  });
}

/** Pale to dark, in equal steps of lightness: ColorBrewer's YlGnBu. */
const RAMP = [
  "#ffffd9",
  "#edf8b1",
  "#c7e9b4",
  "#7fcdbb",
  "#41b6c4",
  "#1d91c0",
  "#225ea8",
  "#253494",
  "#081d58",
];
const LEVELS = 64;
/** Seen on pale and on dark. */
const BORDER = "#e0473a";
/** Pixels a graph, about: renderers blend neighbouring pixels. */
const IMAGE = 600;

/** The Gram in the order of the classes, `counts` graphs each; colours run from the smallest to the largest value beside the diagonal. */
export function gramFigure(
  { order, values }: EvaluationPictures["heatMap"],
  counts: readonly number[],
  classNames: readonly string[],
  colours: readonly string[],
): SafeHtml {
  const n = order.length;
  const { low, high } = colourRange(values, n);
  const ramp = Array.from({ length: LEVELS }, (_, k) => mixed(k / (LEVELS - 1)));
  const repeat = Math.max(1, Math.floor(IMAGE / n));
  const width = n * repeat;
  const rgb = new Uint8Array(3 * width * width);
  for (let y = 0, at = 0; y < width; y++)
    for (let x = 0; x < width; x++, at += 3) {
      const value = values[Math.floor(y / repeat) * n + Math.floor(x / repeat)];
      const level = high > low ? Math.max(0, Math.min(1, (value - low) / (high - low))) : 1;
      rgb.set(ramp[Math.round(level * (LEVELS - 1))], at);
    }
  const address = dataAddress(encodePng(width, width, rgb));
  let start = 0;
  const blocks = counts.map((count, c) => {
    const block = { start, end: start + count, colour: colours[c], name: shorten(classNames[c], 12) };
    start += count;
    return block;
  });
  const strip = 7;
  const margin = { left: 30, right: 14, top: 14, bottom: 44 };
  const side = SQUARE - margin.top - margin.bottom;
  // names where there is room for all of them; the legend has them anyway
  const roomy = blocks.every(
    ({ start: from, end, name }) => end === from || ((end - from) * side) / n > LETTER * textLength(name),
  );
  const named = roomy ? blocks.filter((block) => block.end > block.start) : [];
  const inside = blocks.slice(1).filter((block) => block.end > block.start && block.start > 0);
  const scale = [low, (low + high) / 2, high].map((value) => axisNumber(Number(value.toPrecision(2))));
  return html`${figure({
    description: `Kernel values of ${n} graphs with each other, in the order of their classes`,
    ...{ width: margin.left + side + margin.right, height: SQUARE, marginLeft: margin.left },
    ...{ marginRight: margin.right, marginTop: margin.top, marginBottom: margin.bottom },
    x: { domain: [0, n], axis: null },
    y: { domain: [0, n], reverse: true, axis: null },
    color: { type: "identity" },
    marks: [
      Plot.image([address], {
        ...{ x: [n / 2], y: [n / 2], src: (d: string) => d, width: side, height: side },
        ...{ preserveAspectRatio: "none", imageRendering: "pixelated" },
      }),
      Plot.ruleX(inside, { x: "start", stroke: BORDER, strokeWidth: 1.5 }),
      Plot.ruleY(inside, { y: "start", stroke: BORDER, strokeWidth: 1.5 }),
      Plot.rect(blocks, {
        ...{ y1: "start", y2: "end", fill: "colour" },
        ...{ insetLeft: -strip - 2, insetRight: side + 2 },
      }),
      Plot.rect(blocks, {
        ...{ x1: "start", x2: "end", fill: "colour" },
        ...{ insetBottom: -strip - 2, insetTop: side + 2 },
      }),
      Plot.text(named, {
        ...{ y: (d: Block) => (d.start + d.end) / 2, text: "name", rotate: -90 },
        ...{ frameAnchor: "left", textAnchor: "middle", dx: -strip - 12 },
      }),
      Plot.text(named, {
        ...{ x: (d: Block) => (d.start + d.end) / 2, text: "name" },
        ...{ frameAnchor: "bottom", textAnchor: "middle", dy: strip + 16 },
      }),
    ],
  })}<div style="display:flex;align-items:center;gap:0.6rem;font-size:0.8rem;color:var(--soft)"><span>${scale[0]}</span><span style="flex:0 1 14rem;height:0.6rem;border-radius:0.2rem;background:linear-gradient(to right,${RAMP.join(",")})"></span><span>${scale[2]}</span><span>kernel value</span></div>`;
}

interface Block {
  start: number;
  end: number;
}

/** From the 1 % to the 99 % quantile beside the diagonal: single values would else wash out the rest. */
function colourRange(values: Float32Array, n: number): { low: number; high: number } {
  const beside = values.filter((_, k) => k % (n + 1) !== 0).sort();
  if (beside.length === 0) return { low: 0, high: values[0] ?? 1 };
  const last = beside.length - 1;
  return { low: beside[Math.floor(0.01 * last)], high: beside[Math.ceil(0.99 * last)] };
}

function mixed(level: number): number[] {
  const at = level * (RAMP.length - 1);
  const k = Math.min(RAMP.length - 2, Math.floor(at));
  return [1, 3, 5].map((from) => {
    const [a, b] = [RAMP[k], RAMP[k + 1]].map((hex) => Number.parseInt(hex.slice(from, from + 2), 16));
    return Math.round(a + (at - k) * (b - a));
  });
}

export interface DensityCurve {
  colour: string;
  mean: readonly number[];
  low: readonly number[];
  high: readonly number[];
}

/** Mean densities as lines, their quantiles as bands. The height is in square roots, which leaves room beside a spike at 0. */
export function densityFigure(
  grid: readonly number[],
  curves: readonly DensityCurve[],
  { width, top, description, behind = [] }: DensityFigureOptions,
): SafeHtml {
  const wide = width > 600;
  const inside = (density: number) => Math.max(0, Math.min(top, density));
  const points = curves.flatMap(({ colour, mean, low, high }) =>
    grid.map((x, k) => ({ x, colour, mean: inside(mean[k]), low: inside(low[k]), high: inside(high[k]) })),
  );
  const others = behind.flatMap((mean, z) => grid.map((x, k) => ({ x, z, y: inside(mean[k]) })));
  return figure({
    description,
    ...{ width, height: wide ? 380 : 210, marginTop: 14, marginRight: 18, marginBottom: wide ? 44 : 40 },
    marginLeft: 48,
    x: {
      ...{ domain: [-1, 1], ticks: [-1, -0.5, 0, 0.5, 1], tickFormat: axisNumber, label: "eigenvalue λ" },
      ...{ labelAnchor: "center", labelArrow: "none" },
    },
    y: {
      ...{ type: "sqrt", domain: [0, top], ticks: densityTicks(top, wide ? 8 : 5), grid: true },
      ...{ tickFormat: axisNumber, label: wide ? "density of states" : null, labelAnchor: "center" },
      ...{ labelArrow: "none", labelOffset: 44 },
    },
    color: { type: "identity" },
    marks: [
      Plot.lineY(others, { x: "x", y: "y", z: "z", stroke: NEUTRAL, strokeOpacity: 0.45, strokeWidth: 1 }),
      Plot.areaY(points, { x: "x", y1: "low", y2: "high", z: "colour", fill: "colour", fillOpacity: 0.18 }),
      Plot.lineY(points, { x: "x", y: "mean", z: "colour", stroke: "colour", strokeWidth: 2 }),
      Plot.ruleY([0]),
    ],
  });
}

export interface DensityFigureOptions {
  width: number;
  /** End of the vertical axis; what is above is cut. */
  top: number;
  description: string;
  /** Other means, thin and grey, to compare with. */
  behind?: readonly (readonly number[])[];
}

/** 1, 2, 5 times powers of ten, every so far apart that at most `count` fit evenly on a scale of square roots. */
function densityTicks(top: number, count: number): number[] {
  const ticks = [0];
  for (let power = -3; power <= 6; power++)
    for (const step of [1, 2, 5]) {
      const tick = step * 10 ** power;
      const gap = (Math.sqrt(tick) - Math.sqrt(ticks[ticks.length - 1])) / Math.sqrt(top);
      if (tick <= top && gap >= 1 / (count + 1)) ticks.push(tick);
    }
  return ticks;
}
