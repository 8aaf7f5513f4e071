/**
 * What drawings need to be read on their own: a legend inside of the SVG, names beside lines and dots without overlap, ticks of
 * logarithmic axes, and the same drawing as a file on white.
 */
import type * as Plot from "@observablehq/plot";
import { formatNumber, textLength } from "../experiment/wording.js";
import { plotSvg } from "./figure.js";
import { html, SafeHtml } from "./html.js";
import { INK } from "./spectrum-frame.js";

/** Pixels a letter of 12 px takes, about. */
export const LETTER = 6.9;
const LEGEND_LINE = 20;

export interface LegendItem {
  mark: "line" | "dashed" | "dot" | "ring" | "square";
  colour: string;
  text: string;
}

export interface Drawing extends Plot.PlotOptions {
  width: number;
  height: number;
  marginLeft: number;
  /** Room for the plot's own text above the frame; that of the legend is added. */
  marginTop: number;
}

/** A plot with its legend above it, one SVG element. */
export function drawWithLegend(
  options: Drawing,
  items: readonly LegendItem[],
  description: string,
): SafeHtml {
  const places: { x: number; line: number }[] = [];
  let x = options.marginLeft;
  let line = 0;
  for (const { text } of items) {
    const width = 44 + LETTER * textLength(text);
    if (x > options.marginLeft && x + width > options.width) {
      x = options.marginLeft;
      line++;
    }
    places.push({ x, line });
    x += width;
  }
  const room = items.length > 0 ? LEGEND_LINE * (line + 1) + 8 : 0;
  const { text } = plotSvg(
    { ...options, height: options.height + room, marginTop: options.marginTop + room },
    description,
  );
  const legend = items.map((item, k) => {
    const { x: left, line: row } = places[k];
    const y = 12 + LEGEND_LINE * row;
    return html`${legendMark(item, left, y)}<text x="${left + 26}" y="${y}" dy="0.32em">${item.text}</text>`;
  });
  const end = text.lastIndexOf("</svg>");
  return new SafeHtml(`${text.slice(0, end)}${html`<g text-anchor="start">${legend}</g>`.text}</svg>`);
}

function legendMark({ mark, colour }: LegendItem, x: number, y: number): SafeHtml {
  switch (mark) {
    case "dot":
      return html`<circle cx="${x + 12}" cy="${y}" r="4.5" fill="${colour}"/>`;
    case "ring":
      return html`<circle cx="${x + 12}" cy="${y}" r="4" fill="none" stroke="${colour}" stroke-width="1.8"/>`;
    case "square":
      return html`<rect x="${x + 8}" y="${y - 4}" width="8" height="8" fill="${colour}"/>`;
    default:
      return html`<line x1="${x}" x2="${x + 20}" y1="${y}" y2="${y}" stroke="${colour}" stroke-width="2"${
        mark === "dashed" && html` stroke-dasharray="5 4"`
      }/>`;
  }
}

/** The drawing as a file: on white, in colours that do not depend on a page, without characters that XML cannot hold. */
export function standalone({ text }: SafeHtml): string {
  const fixed = text
    .replace(/var\(--series-\d+, (#[0-9a-f]{6})\)/g, "$1")
    .replace(/(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu, "\ufffd")
    .replace("<svg", `<svg color="${INK}"`);
  const at = fixed.indexOf("</title>") + "</title>".length;
  return `${fixed.slice(0, at)}<rect width="100%" height="100%" fill="#ffffff"/>${fixed.slice(at)}\n`;
}

/** Moves heights (pixels, downwards) apart until each is `gap` from the next, within `low` to `high` where there is room. */
export function spreadApart(
  heights: readonly number[],
  gap: number,
  [low, high]: readonly [number, number],
): number[] {
  const order = heights.map((_, k) => k).sort((a, b) => heights[a] - heights[b]);
  const places = [...heights];
  let bottom = low - gap;
  for (const k of order) places[k] = bottom = Math.max(places[k], bottom + gap);
  let top = high + gap;
  for (const k of order.reverse()) places[k] = top = Math.min(places[k], top - gap);
  return places;
}

export interface PlacedName {
  x: number;
  y: number;
  name: string;
  anchor: "start" | "middle" | "end";
}

const HALF_LINE = 7;

/** Names beside their dots (pixels), where no dot and no other name is; those without room are left out. */
export function placeNames(
  points: readonly { x: number; y: number; name: string }[],
  dots: readonly { x: number; y: number }[],
  { width, height }: { width: number; height: number },
): PlacedName[] {
  const taken = dots.map(({ x, y }) => ({ left: x - 5, right: x + 5, top: y - 5, bottom: y + 5 }));
  const placed: PlacedName[] = [];
  for (const { x, y, name } of points) {
    const length = LETTER * textLength(name);
    const candidates: PlacedName[] = [
      { x: x - 10, y: y - 4, name, anchor: "end" },
      { x, y: y - 14, name, anchor: "middle" },
      { x: x + 10, y: y + 4, name, anchor: "start" },
      { x, y: y + 15, name, anchor: "middle" },
      { x: x - 10, y: y - 16, name, anchor: "end" },
      { x: x + 10, y: y + 16, name, anchor: "start" },
    ];
    for (const candidate of candidates) {
      const shift = candidate.anchor === "start" ? 0 : candidate.anchor === "end" ? 1 : 0.5;
      const left = candidate.x - shift * length;
      const box = {
        left,
        right: left + length,
        top: candidate.y - HALF_LINE,
        bottom: candidate.y + HALF_LINE,
      };
      const free =
        box.left >= 0 &&
        box.right <= width &&
        box.top >= 0 &&
        box.bottom <= height &&
        !taken.some(
          (other) =>
            box.left < other.right &&
            other.left < box.right &&
            box.top < other.bottom &&
            other.top < box.bottom,
        );
      if (!free) continue;
      taken.push(box);
      placed.push(candidate);
      break;
    }
  }
  return placed;
}

/** Smallest and largest, widened by a share of their distance on a logarithmic axis; at least a factor of 3 apart, so that a tick falls between. */
export function logDomain(values: readonly number[], widen = 0.04): [number, number] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const factor = Math.max(Math.sqrt((3 * low) / high), (high / low) ** widen);
  return [low / factor, high * factor];
}

/** Powers of ten in the domain, every second or third when there are many; 1, 2, 5 times them when there are fewer than three. */
export function logTicks([low, high]: readonly [number, number], most = 8): number[] {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  if (last - first < 2) {
    const ticks: number[] = [];
    for (let power = first - 1; power <= last + 1; power++)
      for (const step of [1, 2, 5]) ticks.push(step * 10 ** power);
    return ticks.filter((tick) => tick >= low && tick <= high);
  }
  const step = Math.ceil((last - first + 1) / most);
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, k) => 10 ** (first + k * step));
}

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

const raised = (power: number) =>
  (power < 0 ? "⁻" : "") + Array.from(String(Math.abs(power)), (digit) => RAISED[Number(digit)]).join("");

/** 0.00032 → "3.2·10⁻⁴"; powers of ten alone as "10⁻⁴", what lies between 0.01 and 10,000 in full. */
export function scientific(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0 || (Math.abs(value) >= 0.01 && Math.abs(value) < 10_000)) return formatNumber(value);
  const [mantissa, power] = value.toExponential(1).split("e");
  const tail = `10${raised(Number(power))}`;
  return mantissa === "1.0" ? tail : `${mantissa.replace(".0", "")}·${tail}`;
}

/** How the ticks of one axis are written: all in full, or all by powers of ten. */
export function tickWriter(ticks: readonly number[]): (value: number) => string {
  if (ticks.every((tick) => tick >= 1e-4 && tick < 1e5)) return (value) => formatNumber(value);
  return (value) => {
    const power = Math.log10(value);
    return Math.abs(power - Math.round(power)) < 1e-9 ? `10${raised(Math.round(power))}` : scientific(value);
  };
}

/** A logarithmic axis with its name in the middle: a linear one of logarithms, since Plot's own hides some of the ticks it is given. */
export function logAxis(
  domain: readonly [number, number],
  label: string,
  labelOffset: number,
  ticks = logTicks(domain),
) {
  const write = tickWriter(ticks);
  return {
    ...{ type: "linear" as const, transform: Math.log10, domain: domain.map(Math.log10) },
    ...{ ticks: ticks.map(Math.log10), tickFormat: (power: number) => write(10 ** power) },
    ...{ label, labelAnchor: "center" as const, labelArrow: "none" as const, labelOffset },
  };
}

/** Least squares of log y on log x: the power by which y grows with x; null with fewer than three different x. */
export function growthPower(points: readonly { x: number; y: number }[]): number | null {
  const usable = points.filter(({ x, y }) => x > 0 && y > 0 && Number.isFinite(x * y));
  if (new Set(usable.map(({ x }) => x)).size < 3) return null;
  const logs = usable.map(({ x, y }) => [Math.log(x), Math.log(y)]);
  const [mx, my] = [0, 1].map((axis) => logs.reduce((total, log) => total + log[axis], 0) / logs.length);
  let above = 0;
  let below = 0;
  for (const [x, y] of logs) {
    above += (x - mx) * (y - my);
    below += (x - mx) ** 2;
  }
  return above / below;
}

/**
 * The ends of the line y = scale·x^power within a logarithmic frame (power not 0); none where it misses the frame. Plot's own clipping
 * numbers its paths through the whole process, so that the same figure would differ when it is drawn again.
 */
export function powerLine(
  scale: number,
  power: number,
  [left, right]: readonly [number, number],
  heights: readonly [number, number],
): { x: number; y: number }[] {
  const crossings = heights.map((y) => (y / scale) ** (1 / power)).sort((a, b) => a - b);
  const [from, to] = [Math.max(left, crossings[0]), Math.min(right, crossings[1])];
  return from < to ? [from, to].map((x) => ({ x, y: scale * x ** power })) : [];
}

export const geometricMean = (values: readonly number[]) =>
  Math.exp(values.reduce((total, value) => total + Math.log(value), 0) / values.length);
