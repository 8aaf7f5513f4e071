/** The local densities of the nodes as an image in a frame with axes, and its colours explained. Dark is dense; the scale is that of square roots. */
import * as Plot from "@observablehq/plot";
import type { LocalDensityMap } from "../experiment/local-map.js";
import { formatNumber, shorten } from "../experiment/wording.js";
import { plotSvg } from "./figure.js";
import { plain } from "./html.js";
import { dataAddress, encodePng } from "./png.js";
import { DOMAIN, eigenvalueAxis, FRAME, SOFT } from "./spectrum-frame.js";

const HEIGHT = 400;
const LEGEND_HEIGHT = 40;
const MARGIN = { top: 10, bottom: 50 } as const;
const STEPS = 256;
const IMAGE_ROWS = 1200;
const SCHEME = "ylgnbu";
/** Of the names beside the rows. */
const NAME_LENGTH = 10;
const RAMP = { width: 200, height: 11 } as const;
/** Colours end where all but this share of the values lie: single spikes would else wash out the rest. */
const BEYOND = 0.005;

export function heatMapPanel(map: LocalDensityMap): { svg: string; height: number } {
  const { grid, rows, values, nodes, names } = map;
  const most = clampValue(values);
  const colours = colourTable();
  const columns = grid.length;
  // renderers blend neighbouring pixels: rows are repeated, so that a node keeps a sharp edge
  const repeat = Math.max(1, Math.floor(IMAGE_ROWS / rows));
  const rgb = new Uint8Array(3 * rows * repeat * columns);
  for (let r = 0, at = 0; r < rows; r++) {
    for (let k = r * columns; k < (r + 1) * columns; k++, at += 3) {
      const level = Math.sqrt(Math.max(0, Math.min(1, values[k] / most)));
      rgb.set(colours[Math.round(level * (STEPS - 1))], at);
    }
    const end = at;
    for (let copy = 1; copy < repeat; copy++, at += 3 * columns) rgb.copyWithin(at, end - 3 * columns, end);
  }
  const address = dataAddress(encodePng(columns, rows * repeat, rgb));
  const plot = plotSvg(
    {
      width: FRAME.width,
      height: HEIGHT,
      marginLeft: FRAME.left,
      marginRight: FRAME.right,
      marginTop: MARGIN.top,
      marginBottom: MARGIN.bottom,
      style: { fontSize: "13px" },
      x: { domain: DOMAIN },
      y: { domain: [0, nodes], reverse: true },
      marks: [
        // an image between −1 and 1, stretched over the whole height
        Plot.image([0], {
          x: () => 0,
          y: () => nodes / 2,
          src: () => address,
          width: ((FRAME.width - FRAME.left - FRAME.right) * 2) / (DOMAIN[1] - DOMAIN[0]),
          height: HEIGHT - MARGIN.top - MARGIN.bottom,
          preserveAspectRatio: "none",
        }),
        eigenvalueAxis("eigenvalue λ"),
        names === undefined
          ? Plot.axisY({
              ...{ label: "nodes, alike ones together", labelAnchor: "center", labelArrow: "none" },
              ...{ labelOffset: 62, ticks: 5, tickFormat: compact },
            })
          : Plot.axisY({
              ...{ label: null, ticks: names.map((_, r) => r + 0.5), tickSize: 0 },
              tickFormat: (at: number) => shorten(plain(names[Math.floor(at)]), NAME_LENGTH),
            }),
      ],
    },
    "Local densities of states of the nodes",
  ).text;
  const clamped = values.some((value) => value > most);
  const svg = `<svg width="${FRAME.width}" height="${HEIGHT + LEGEND_HEIGHT}">${colourLegend(colours, most, clamped)}${plot.replace("<svg", `<svg y="${LEGEND_HEIGHT}"`)}</svg>`;
  return { svg, height: HEIGHT + LEGEND_HEIGHT };
}

const compact = (value: number) =>
  value >= 10_000
    ? value.toLocaleString("en-US", { notation: "compact", maximumFractionDigits: 1 })
    : Number.isInteger(value)
      ? formatNumber(value)
      : "";

function clampValue(values: Float64Array): number {
  const sorted = values.slice().sort();
  const value = sorted[Math.min(sorted.length - 1, Math.floor((1 - BEYOND) * sorted.length))];
  return value > 0 ? value : Math.max(sorted[sorted.length - 1], Number.MIN_VALUE);
}

/** The colour scheme as bytes: pale for none, dark for dense; readable in grey and without red and green. */
function colourTable(): [number, number, number][] {
  const scale = Plot.scale({ color: { type: "linear", domain: [0, 1], scheme: SCHEME } })!;
  return Array.from({ length: STEPS }, (_, k) => {
    const colour = String(scale.apply(k / (STEPS - 1)));
    const numbers = colour.startsWith("#")
      ? [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
      : (colour.match(/\d+/g) ?? []).map(Number);
    return [numbers[0], numbers[1], numbers[2]];
  });
}

function colourLegend(colours: readonly (readonly number[])[], most: number, clamped: boolean): string {
  const left = FRAME.left + 190;
  const slices = 50;
  const bars = Array.from({ length: slices }, (_, k) => {
    const colour = colours[Math.round((k / (slices - 1)) * (STEPS - 1))].join(",");
    const x = left + (k * RAMP.width) / slices;
    return `<rect x="${x}" y="8" width="${RAMP.width / slices + 0.5}" height="${RAMP.height}" fill="rgb(${colour})"/>`;
  });
  const ticks = [0, 0.25, 1].map((part) => {
    const x = left + Math.sqrt(part) * RAMP.width;
    const words = `${part === 1 && clamped ? "≥ " : ""}${formatNumber(part * most)}`;
    return `<path d="M${x},${8 + RAMP.height}v4" stroke="${SOFT}"/><text x="${x}" y="${8 + RAMP.height + 16}" font-size="12" text-anchor="middle">${words}</text>`;
  });
  return `<text x="${FRAME.left}" y="18">local density of states</text>${bars.join("")}${ticks.join("")}`;
}
