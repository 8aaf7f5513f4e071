/**
 * Pictures of spectra, as SVG that stands alone: white ground, dark ink, no outside fonts or styles. The smooth density is a curve on the
 * left axis, known eigenvalues are stems on the right axis (their share of the nodes); below it, where asked for, the local densities
 * of the nodes as a map on the same eigenvalue axis.
 */
import * as Plot from "@observablehq/plot";
import type { LocalDensityMap } from "../experiment/local-map.js";
import type { GraphSpectrum } from "../experiment/spectrum.js";
import { eigenvalueText, largestAtoms, sizeText, visibleAtoms } from "../experiment/spectrum-words.js";
import { formatShare, shorten } from "../experiment/wording.js";
import { PALETTE, plotSvg } from "./figure.js";
import { heatMapPanel } from "./heat-map.js";
import { escapeHtml, plain } from "./html.js";
import { type Box, placeLabels } from "./label-places.js";
import { axisNumber, DOMAIN, eigenvalueAxis, eigenvalueGrid, FRAME, INK, SOFT } from "./spectrum-frame.js";

const PANEL = { height: 404, top: 16, bottom: 50 } as const;
const HEADER_LINE = 22;
const LABELS = 8;
/** A band of less than this part of the height is hidden by the line. */
const THIN_BAND = 0.006;
const LEAST_LABELLED = 0.002;
/** Stems stay below this part of the panel, so that there is room for a label above. */
const STEM_ROOM = 0.9;

/** Colours of the first and second graph: curve, and a darker one for text. */
const COLOURS = [
  { curve: PALETTE[0], stem: PALETTE[3], text: "#9c4500" },
  { curve: PALETTE[3], stem: PALETTE[3], text: "#9c4500" },
] as const;
const FIRST_OF_TWO = { curve: PALETTE[0], stem: PALETTE[0], text: "#005a8d" } as const;

export interface DensityPictureOptions {
  /** A line under the title: the distance of two spectra, for example. */
  note?: string;
  /** Local densities of the first graph, drawn below. */
  localMap?: LocalDensityMap;
}

interface LegendItem {
  mark: "curve" | "dashed" | "stem" | "band";
  colour: string;
  text: string;
}

/** One spectrum, or two over each other. */
export function densityPicture(
  spectra: readonly [GraphSpectrum] | readonly [GraphSpectrum, GraphSpectrum],
  { note, localMap }: DensityPictureOptions = {},
): string {
  const names = spectra.map((spectrum) => shorten(plain(spectrum.name), 60));
  const description = `Density of states of ${names.join(" and ")}`;
  const title = spectra.length === 1 ? `${names[0]}: ${sizeText(spectra[0])}` : names.join(" and ");
  const lines = [title, ...(note === undefined ? [] : [note])];
  const legend = legendItems(spectra, names);
  const top = 12 + HEADER_LINE * (lines.length + Math.ceil(legend.length / 3));
  const parts = [
    ...lines.map((line, k) => text(line, FRAME.left, 24 + HEADER_LINE * k, k === 0)),
    legendRow(legend, 24 + HEADER_LINE * lines.length),
    nested(densityPanel(spectra, description), top),
  ];
  let height = top + PANEL.height;
  if (localMap !== undefined && localMap.rows > 0) {
    const panel = heatMapPanel(localMap);
    parts.push(nested(panel.svg, height));
    height += panel.height;
  }
  const size = `width="${FRAME.width}" height="${height}" viewBox="0 0 ${FRAME.width} ${height}"`;
  const font = `font-family="system-ui, 'DejaVu Sans', 'Liberation Sans', Arial, sans-serif" font-size="13"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${font} fill="${INK}" color="${INK}" role="img"><title>${escapeHtml(description)}</title><rect width="100%" height="100%" fill="#ffffff"/>${parts.join("")}</svg>\n`;
}

const text = (line: string, x: number, y: number, bold: boolean) =>
  `<text x="${x}" y="${y}"${bold ? ' font-weight="600" font-size="15"' : ` fill="${SOFT}"`}>${escapeHtml(plain(line))}</text>`;

const nested = (svg: string, y: number) => svg.replace("<svg", `<svg y="${y}"`);

const coloursOf = (k: number, count: number) => (count === 2 && k === 0 ? FIRST_OF_TWO : COLOURS[k]);

function legendItems(spectra: readonly GraphSpectrum[], names: readonly string[]): LegendItem[] {
  const items: LegendItem[] = [];
  spectra.forEach((spectrum, k) => {
    const { curve, stem } = coloursOf(k, spectra.length);
    const mark = k === 0 ? "curve" : "dashed";
    if (spectra.length === 1) items.push({ mark, colour: curve, text: densityText(spectrum.density) });
    else items.push({ mark, colour: curve, text: shorten(names[k], 30) });
    if (spectrum.densityError !== null)
      items.push({ mark: "band", colour: curve, text: bandText(spectrum.density, spectrum.densityError) });
    if (spectra.length === 1 && spectrum.atoms.length > 0)
      items.push({ mark: "stem", colour: stem, text: "known eigenvalues (right axis)" });
  });
  if (spectra.length === 2 && spectra.some(({ atoms }) => atoms.length > 0))
    items.push({ mark: "stem", colour: SOFT, text: "known eigenvalues (right axis)" });
  return items;
}

const densityText = (density: Float64Array) =>
  density.every((value) => value === 0) ? "density: zero, all eigenvalues are known" : "density (left axis)";

function bandText(density: Float64Array, error: Float64Array): string {
  const thin = 2 * largest(Array.from(error)) < THIN_BAND * largest(Array.from(density));
  return `± 2 standard errors${thin ? " (within the line)" : ""}`;
}

/** Three items a line. */
function legendRow(items: readonly LegendItem[], y: number): string {
  const each = (FRAME.width - FRAME.left - FRAME.right) / 3;
  return items
    .map(({ mark, colour, text: words }, k) => {
      const left = FRAME.left + each * (k % 3);
      const at = y + HEADER_LINE * Math.floor(k / 3);
      const drawing =
        mark === "band"
          ? `<rect x="${left}" y="${at - 10}" width="24" height="11" fill="${colour}" fill-opacity="0.25"/>`
          : mark === "stem"
            ? `<path d="M${left + 12},${at + 2}V${at - 9}" stroke="${colour}" stroke-width="2"/><circle cx="${left + 12}" cy="${at - 9}" r="3" fill="${colour}"/>`
            : `<path d="M${left},${at - 4}h24" stroke="${colour}" stroke-width="2"${mark === "dashed" ? ' stroke-dasharray="6 3"' : ""}/>`;
      return `${drawing}<text x="${left + 32}" y="${at}">${escapeHtml(words)}</text>`;
    })
    .join("");
}

function densityPanel(spectra: readonly GraphSpectrum[], description: string): string {
  const count = spectra.length;
  const highest = largest(spectra.map(({ density, densityError }) => top(density, densityError)));
  const lowest = Math.min(0, ...spectra.map(({ density }) => density.reduce((a, b) => Math.min(a, b), 0)));
  const yTop = highest > 0 ? 1.08 * highest : 1;
  const yBottom = lowest < -0.005 * yTop ? 1.08 * lowest : 0;
  const mostMass = largest(spectra.flatMap(({ atoms }) => atoms.map(({ mass }) => mass)));
  const shareTop = mostMass / STEM_ROOM;
  const toY = (share: number) => (share / shareTop) * yTop;
  const inner = {
    width: FRAME.width - FRAME.left - FRAME.right,
    height: PANEL.height - PANEL.top - PANEL.bottom,
  };
  const pixelX = (value: number) =>
    FRAME.left + ((value - DOMAIN[0]) / (DOMAIN[1] - DOMAIN[0])) * inner.width;
  const pixelY = (y: number) => PANEL.top + ((yTop - y) / (yTop - yBottom)) * inner.height;

  const curves = spectra.flatMap((spectrum, k) => curveMarks(spectrum, coloursOf(k, count).curve, k === 1));
  const shift = (k: number) => (count === 2 ? (k === 0 ? -2 : 2) : 0);
  const stems = spectra.flatMap((spectrum, k) => {
    const { stem } = coloursOf(k, count);
    const points = visibleAtoms(spectrum).map(({ eigenvalue, mass }) => ({ x: eigenvalue, y: toY(mass) }));
    return [
      Plot.ruleX(points, { x: "x", y1: 0, y2: "y", stroke: stem, strokeWidth: 1.8, dx: shift(k) }),
      Plot.dot(points, { x: "x", y: "y", r: 3, fill: stem, dx: shift(k) }),
    ];
  });
  const labelled = spectra
    .flatMap((spectrum, k) => largestAtoms(spectrum, LABELS).map((atom) => ({ ...atom, k })))
    .filter(({ mass }) => mass >= LEAST_LABELLED)
    .sort((a, b) => b.mass - a.mass);
  const frame = {
    left: FRAME.left + 2,
    right: FRAME.width - FRAME.right - 2,
    top: 0,
    bottom: pixelY(0),
  };
  const places = placeLabels(
    labelled.map(({ eigenvalue, mass, k }) => ({
      x: pixelX(eigenvalue) + shift(k),
      y: pixelY(toY(mass)),
      text: `${eigenvalueText(eigenvalue)} (${formatShare(mass)})`,
    })),
    frame,
    spectra.flatMap(({ grid, density }) => curveBoxes(grid, density, pixelX, pixelY)),
  );
  const labels = places.flatMap((place, index) =>
    place === null ? [] : [{ ...place, colour: coloursOf(labelled[index].k, count).text }],
  );
  const shareAxis =
    mostMass > 0
      ? [
          Plot.axisY(shareTicks(mostMass).map(toY), {
            ...{ anchor: "right", tickFormat: (y: number) => formatShare((y / yTop) * shareTop) },
            ...{ label: "share of all eigenvalues in a stem", labelAnchor: "center" },
            ...{ labelArrow: "none", labelOffset: 60 },
          }),
        ]
      : [];
  return plotSvg(
    {
      width: FRAME.width,
      height: PANEL.height,
      marginLeft: FRAME.left,
      marginRight: FRAME.right,
      marginTop: PANEL.top,
      marginBottom: PANEL.bottom,
      style: { fontSize: "13px" },
      x: { domain: DOMAIN },
      y: { domain: [yBottom, yTop] },
      marks: [
        eigenvalueGrid(),
        Plot.gridY({ ticks: 5 }),
        eigenvalueAxis("eigenvalue λ of the normalised adjacency matrix"),
        Plot.axisY({
          ...{ label: "density per unit of λ, without known eigenvalues", labelAnchor: "center" },
          ...{ labelArrow: "none", labelOffset: 62, ticks: 5, tickFormat: axisNumber },
        }),
        ...shareAxis,
        ...curves,
        Plot.ruleY([0], { stroke: INK }),
        ...stems,
        ...(["start", "middle", "end"] as const).map((anchor) =>
          Plot.text(
            labels.filter((label) => label.anchor === anchor),
            {
              // pixels: through the inverse of the scales
              x: (d: { x: number }) =>
                DOMAIN[0] + ((d.x - FRAME.left) / inner.width) * (DOMAIN[1] - DOMAIN[0]),
              y: (d: { y: number }) => yTop - ((d.y - PANEL.top) / inner.height) * (yTop - yBottom),
              text: "text",
              fill: "colour",
              textAnchor: anchor,
              stroke: "white",
              strokeWidth: 4,
            },
          ),
        ),
      ],
    },
    description,
  ).text;
}

function curveMarks(spectrum: GraphSpectrum, colour: string, dashed: boolean): Plot.Markish[] {
  const { grid, density, densityError } = spectrum;
  const points = Array.from(grid, (x, b) => {
    const band = 2 * (densityError?.[b] ?? 0);
    return {
      x,
      y: density[b],
      low: Math.max(Math.min(0, density[b]), density[b] - band),
      high: density[b] + band,
    };
  });
  const marks: Plot.Markish[] = [];
  marks.push(Plot.areaY(points, { x: "x", y: "y", fill: colour, fillOpacity: 0.12 }));
  if (densityError !== null)
    marks.push(Plot.areaY(points, { x: "x", y1: "low", y2: "high", fill: colour, fillOpacity: 0.25 }));
  const dash = dashed ? "6 3" : undefined;
  marks.push(Plot.lineY(points, { x: "x", y: "y", stroke: colour, strokeWidth: 1.8, strokeDasharray: dash }));
  return marks;
}

/** Where the curve runs, as boxes between neighbouring points: labels keep off it. */
function curveBoxes(
  grid: Float64Array,
  density: Float64Array,
  pixelX: (value: number) => number,
  pixelY: (value: number) => number,
): Box[] {
  return Array.from({ length: grid.length - 1 }, (_, b) => {
    const [y, next] = [pixelY(density[b]), pixelY(density[b + 1])];
    const [top, bottom] = [Math.min(y, next) - 2, Math.max(y, next) + 2];
    return { left: pixelX(grid[b]), right: pixelX(grid[b + 1]), top, bottom };
  });
}

const largest = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), 0);

/** Highest point of the curve and, as far as it is not much higher, of its band. */
const top = (density: Float64Array, error: Float64Array | null) =>
  density.reduce((most, value, b) => Math.max(most, Math.min(value + 2 * (error?.[b] ?? 0), 1.5 * value)), 0);

/** Up to five even ticks from 0 to the largest share. */
function shareTicks(most: number): number[] {
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((candidate) => candidate >= rough)!;
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, k) => k * step);
}
