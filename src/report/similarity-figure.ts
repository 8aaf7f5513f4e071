/**
 * Two graphs in one picture, as SVG that stands alone: their densities over each other, and below, for the nodes with the largest gaps
 * (experiment/similarity.ts), the local density of the node and that of the node of the other graph that comes nearest.
 */
import * as Plot from "@observablehq/plot";
import type { NodeGap, NodeGaps } from "../experiment/similarity.js";
import type { GraphSpectrum } from "../experiment/spectrum.js";
import { noGapsText } from "../experiment/spectrum-words.js";
import { formatNumber, quantity, shorten } from "../experiment/wording.js";
import { densityPicture } from "./density-figure.js";
import { PALETTE, plotSvg } from "./figure.js";
import { escapeHtml } from "./html.js";
import { axisNumber, DOMAIN, eigenvalueGrid, FRAME, INK, SOFT } from "./spectrum-frame.js";

const PANELS = 3;
const PANEL = { height: 160, text: 44, gap: 14 } as const;
const HEADING = 64;
const COLUMN_GAP = 40;
/** The colours that the densities of the two graphs have above. */
const COLOURS = [PALETTE[0], PALETTE[3]] as const;
const NAME_LENGTH = 28;

export interface SimilarityPictureOptions {
  /** The line under the title. */
  note: string;
}

export function similarityPicture(
  spectra: readonly [GraphSpectrum, GraphSpectrum],
  gaps: NodeGaps,
  { note }: SimilarityPictureOptions,
): string {
  const above = densityPicture(spectra, { note });
  const top = Number(/ height="([\d.]+)"/.exec(above)![1]);
  const sides = [gaps.first.slice(0, PANELS), gaps.second.slice(0, PANELS)];
  const rows = Math.max(sides[0].length, sides[1].length);
  const names = spectra.map(({ name }) => shorten(plain(name), NAME_LENGTH));
  const width = (FRAME.width - FRAME.left - FRAME.right - COLUMN_GAP) / 2;
  const left = [FRAME.left, FRAME.left + width + COLUMN_GAP];
  const parts = [above];
  parts.push(line("Nodes whose local density (per unit of λ) differs most", FRAME.left, top + 22, "title"));
  sides.forEach((side, s) => {
    const heading =
      side.length > 0
        ? `of ${names[s]} (solid) and the nearest (dashed)`
        : noGapsText(spectra[s], spectra[1 - s], [names[s], "the other"]);
    parts.push(line(heading, left[s], top + 46, "soft"));
    side.forEach((each, k) => {
      const y = top + HEADING + k * (PANEL.text + PANEL.height + PANEL.gap);
      const [first, second] = captions(each);
      parts.push(line(first, left[s], y + 14, "plain"), line(second, left[s], y + 32, "soft"));
      parts.push(nested(panel(gaps.grid, each, s, width), left[s] - MARGIN.left, y + PANEL.text));
    });
  });
  const height = top + HEADING + rows * (PANEL.text + PANEL.height + PANEL.gap);
  const size = `width="${FRAME.width}" height="${height}" viewBox="0 0 ${FRAME.width} ${height}"`;
  const font = `font-family="system-ui, 'DejaVu Sans', 'Liberation Sans', Arial, sans-serif" font-size="13"`;
  const title = `${names.join(" and ")} compared: densities of states, and the nodes that differ most`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${font} fill="${INK}" color="${INK}" role="img"><title>${escapeHtml(title)}</title><rect width="100%" height="100%" fill="#ffffff"/>${parts.join("")}</svg>\n`;
}

/** "node 12: 3 neighbours, 5 nodes alike" and "nearest: node 7 with 2 neighbours, distance 0.21". */
function captions({ node, degree, alike, gap, nearest }: NodeGap): [string, string] {
  const others = alike > 1 ? `; ${quantity(alike, "node")} alike` : "";
  return [
    `node ${shorten(plain(node), 16)}, ${quantity(degree, "neighbour")}${others}`,
    `nearest: node ${shorten(plain(nearest.node), 16)}, ${quantity(nearest.degree, "neighbour")}; distance ${formatNumber(gap, 3)}`,
  ];
}

const MARGIN = { left: 44, right: 4, top: 6, bottom: 36 } as const;

function panel(grid: Float64Array, { density, nearestDensity, node }: NodeGap, side: number, width: number) {
  const points = Array.from(grid, (x, k) => ({ x, own: density[k], other: nearestDensity[k] }));
  const [own, other] = side === 0 ? COLOURS : [COLOURS[1], COLOURS[0]];
  const most = points.reduce((top, point) => Math.max(top, point.own, point.other), 0);
  return plotSvg(
    {
      ...{ width: width + MARGIN.left + MARGIN.right, height: PANEL.height },
      ...{ marginLeft: MARGIN.left, marginRight: MARGIN.right },
      ...{ marginTop: MARGIN.top, marginBottom: MARGIN.bottom, style: { fontSize: "12px" } },
      x: { domain: DOMAIN },
      y: { domain: [Math.min(0, ...density, ...nearestDensity), 1.06 * most] },
      marks: [
        eigenvalueGrid(),
        Plot.axisX({
          ...{ label: "λ", labelAnchor: "center", labelArrow: "none", labelOffset: 31 },
          ...{ ticks: [-1, -0.5, 0, 0.5, 1], tickFormat: axisNumber },
        }),
        Plot.axisY({ label: null, ticks: 3, tickFormat: axisNumber }),
        Plot.areaY(points, { x: "x", y: "own", fill: own, fillOpacity: 0.15 }),
        Plot.lineY(points, { x: "x", y: "own", stroke: own, strokeWidth: 1.8 }),
        Plot.lineY(points, { x: "x", y: "other", stroke: other, strokeWidth: 1.8, strokeDasharray: "6 3" }),
        Plot.ruleY([0], { stroke: INK }),
      ],
    },
    `Local density of node ${plain(node)} and of its nearest node`,
  ).text;
}

/** Names come from files: characters that XML cannot hold are replaced. */
const plain = (name: string) => name.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, "\ufffd");

const LOOK = { title: ' font-weight="600" font-size="15"', plain: "", soft: ` fill="${SOFT}"` } as const;

const line = (text: string, x: number, y: number, look: keyof typeof LOOK) =>
  `<text x="${x}" y="${y}"${LOOK[look]}>${escapeHtml(text)}</text>`;

const nested = (svg: string, x: number, y: number) => svg.replace("<svg", `<svg x="${x}" y="${y}"`);
