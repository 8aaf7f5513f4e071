/** The map and the heat map as SVG that stands alone, in the colours of the light theme. */
import { formatShare, shorten } from "graphdos";
import type { CollectionMap } from "../engine/collection-calls.js";
import type { OpenedSet } from "../engine/protocol.js";
import { toScreenX, toScreenY, wholeFrame } from "./frame.js";
import { printedColour, shapePath } from "./palette.js";

const INK = "#1d232b";
const SOFT = "#56616d";
const FONT = "system-ui, sans-serif";
const TOP = 64;
const LEGEND_ROW = 22;
const MAP = { width: 880, height: 620 };
const HEAT = 640;
const MOST_NAMED = 14;

const escaped = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.codePointAt(0)};`);

const text = (x: number, y: number, words: string, more = "") =>
  `<text x="${x}" y="${y}" ${more}>${escaped(words)}</text>`;

const svg = (width: number, height: number, title: string, body: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}" font-size="13" fill="${INK}"><title>${escaped(title)}</title><rect width="100%" height="100%" fill="#ffffff"/>${body}</svg>`;

/** The shown classes of the whole map, with axes and a legend. */
export function mapPicture(
  { coordinates, share }: CollectionMap,
  set: OpenedSet,
  hidden: ReadonlySet<number>,
  kernel: string,
): string {
  const frame = wholeFrame(coordinates, MAP);
  const n = coordinates.length / 2;
  const r = Math.max(2.5, Math.min(6, 120 / Math.sqrt(n)));
  const names = set.classes === null ? ["all graphs"] : set.classNames;
  const shown = names.map((_, c) => c).filter((c) => !hidden.has(c));
  const paths = shown.map((c) => {
    let d = "";
    for (let k = 0; k < n; k++)
      if ((set.classes?.[k] ?? 0) === c)
        d += shapePath(
          c,
          toScreenX(frame, MAP, coordinates[2 * k]),
          toScreenY(frame, MAP, coordinates[2 * k + 1]),
          r,
        );
    return `<path d="${d}" fill="${printedColour(c)}" stroke="#ffffff" stroke-width="0.6"/>`;
  });
  const [x0, y0] = [toScreenX(frame, MAP, 0), toScreenY(frame, MAP, 0)];
  const title = `${set.name}: kernel PCA, ${kernel}`;
  const legend = shown.map((c, k) => {
    const y = TOP + k * LEGEND_ROW;
    const x = MAP.width + 24;
    return `<path d="${shapePath(c, x, y, 5.5)}" fill="${printedColour(c)}"/>${text(x + 14, y + 4.5, shorten(names[c], 24))}`;
  });
  const body = [
    text(20, 30, title, 'font-size="16" font-weight="600"'),
    text(
      20,
      TOP + MAP.height + 22,
      `first axis (right) ${formatShare(share[0])} of the variance, second (up) ${formatShare(share[1])}`,
      `fill="${SOFT}"`,
    ),
    `<g transform="translate(0,${TOP - 10})"><path d="M0,${y0}H${MAP.width}M${x0},0V${MAP.height}" stroke="#dde2e6" fill="none"/>${paths.join("")}</g>`,
    ...legend,
  ].join("");
  return svg(
    MAP.width + 240,
    Math.max(TOP + MAP.height + 40, TOP + shown.length * LEGEND_ROW + 20),
    title,
    body,
  );
}

/** Where the classes end along the heat map's side, in rows. */
export function classRanges(
  order: readonly number[],
  classes: Int32Array | null,
): { c: number; from: number; to: number }[] {
  const ranges: { c: number; from: number; to: number }[] = [];
  order.forEach((graph, row) => {
    const c = classes?.[graph] ?? 0;
    const last = ranges.at(-1);
    if (last !== undefined && last.c === c) last.to = row + 1;
    else ranges.push({ c, from: row, to: row + 1 });
  });
  return ranges;
}

/** `image`: the heat map's pixels as a data address; `colourAt`: the colour of a share of the scale. */
export function heatMapPicture(
  { order }: CollectionMap,
  set: OpenedSet,
  kernel: string,
  image: string,
  [low, high]: readonly [number, number],
  colourAt: (t: number) => string,
): string {
  const side = order.length;
  const left = 150;
  const title = `${set.name}: kernel values, ${kernel}, class by class`;
  const ranges = classRanges(order, set.classes);
  const lines = ranges.slice(1).map(({ from }) => {
    const at = (HEAT * from) / side;
    return `M0,${at}H${HEAT}M${at},0V${HEAT}`;
  });
  const names =
    set.classes === null || ranges.length > MOST_NAMED
      ? []
      : ranges.map(({ c, from, to }) =>
          text(
            left - 10,
            TOP + (HEAT * (from + to)) / 2 / side + 4,
            shorten(set.classNames[c], 18),
            'text-anchor="end"',
          ),
        );
  const steps = Array.from({ length: 40 }, (_, k) => {
    const y = TOP + 200 - (k + 1) * 5;
    return `<rect x="${left + HEAT + 20}" y="${y}" width="14" height="5.5" fill="${colourAt(k / 39)}"/>`;
  });
  const body = [
    text(20, 30, title, 'font-size="16" font-weight="600"'),
    `<g transform="translate(${left},${TOP})"><image href="${image}" width="${HEAT}" height="${HEAT}" preserveAspectRatio="none" image-rendering="pixelated"/><path d="${lines.join("")}" stroke="#ffffff" stroke-width="1.2" fill="none"/></g>`,
    ...names,
    ...steps,
    text(left + HEAT + 42, TOP + 10, high.toPrecision(3)),
    text(left + HEAT + 42, TOP + 200, low.toPrecision(3)),
  ].join("");
  return svg(left + HEAT + 110, TOP + HEAT + 24, title, body);
}
