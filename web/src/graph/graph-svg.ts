/** The drawing of a graph as SVG that stands alone. */
import type { GraphDrawing } from "./drawing.svelte.js";
import { nodeSizes } from "./node-paint.js";

export interface SvgPaint {
  fill: string[];
  ring: (string | null)[] | null;
  edge: string;
  ground: string;
  ink: string;
  title: string;
  /** Under the title: what the colours are. */
  note: string;
}

const SIZE = 900;
const MARGIN = 40;
const HEAD = 64;

const escapeXml = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");

export function graphSvg({ drawn, places }: GraphDrawing, paint: SvgPaint): string {
  if (drawn === null || places === null) throw new Error("The graph is not laid out yet.");
  const { nodeCount, edges, degrees } = drawn;
  let [left, right, top, bottom] = [0, 1, 0, 1];
  for (let i = 0; i < nodeCount; i++) {
    const [x, y] = [places[2 * i], places[2 * i + 1]];
    if (i === 0) [left, right, top, bottom] = [x, x, y, y];
    [left, right, top, bottom] = [
      Math.min(left, x),
      Math.max(right, x),
      Math.min(top, y),
      Math.max(bottom, y),
    ];
  }
  const scale = (SIZE - 2 * MARGIN) / Math.max(right - left, bottom - top, 1e-9);
  const x = (i: number) => (SIZE / 2 + (places[2 * i] - (left + right) / 2) * scale).toFixed(1);
  const y = (i: number) => (HEAD + SIZE / 2 + (places[2 * i + 1] - (top + bottom) / 2) * scale).toFixed(1);
  const sizes = nodeSizes(degrees);
  let path = "";
  for (let k = 0; k < edges.length; k += 2)
    path += `M${x(edges[k])},${y(edges[k])}L${x(edges[k + 1])},${y(edges[k + 1])}`;
  const discs = Array.from({ length: nodeCount }, (_, i) => {
    const ring = paint.ring?.[i] ?? null;
    const radius = (ring === null ? sizes[i] : sizes[i] * 0.84).toFixed(1);
    const stroke = ring === null ? "" : ` stroke="${ring}" stroke-width="${(sizes[i] * 0.32).toFixed(1)}"`;
    return `<circle cx="${x(i)}" cy="${y(i)}" r="${radius}" fill="${paint.fill[i]}"${stroke}/>`;
  });
  const height = SIZE + HEAD;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${height}" viewBox="0 0 ${SIZE} ${height}" font-family="system-ui, 'DejaVu Sans', Arial, sans-serif" role="img"><title>${escapeXml(paint.title)}</title><rect width="100%" height="100%" fill="${paint.ground}"/><text x="${MARGIN}" y="34" font-size="17" font-weight="600" fill="${paint.ink}">${escapeXml(paint.title)}</text><text x="${MARGIN}" y="56" font-size="13" fill="${paint.ink}">${escapeXml(paint.note)}</text><path d="${path}" stroke="${paint.edge}" stroke-width="0.8" fill="none"/>${discs.join("")}</svg>\n`;
}
