/**
 * Figures by Observable Plot, drawn into an SVG without a browser (linkedom stands in for its document). Text and axes take the page's
 * colour (currentColor), series take Okabe and Ito's palette, which colour-blind readers can tell apart.
 */
import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { type HtmlValue, html, SafeHtml } from "./html.js";

/** Okabe and Ito (2008), the yellow last because it is pale on white. */
export const PALETTE = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#b8a900"] as const;

/** For what has no colour of its own. */
export const NEUTRAL = "#8a94a0";

/**
 * Colour of series k on a page, which may brighten it for a dark background; beyond the palette all are neutral, rather than
 * alike by accident.
 */
export const seriesColour = (k: number): string =>
  k < PALETTE.length ? `var(--series-${k + 1}, ${PALETTE[k]})` : NEUTRAL;

export interface FigureOptions extends Omit<Plot.PlotOptions, "caption"> {
  /** What the figure shows, for those who do not see it. */
  description: string;
  /** Text under it. */
  caption?: HtmlValue;
}

/** A figure element with the drawing in it. Legends are the page's own: see `legend`. */
export function figure({ description, caption, ...options }: FigureOptions): SafeHtml {
  return html`<figure>${plotSvg(options, description)}${caption && html`<figcaption>${caption}</figcaption>`}</figure>`;
}

/** The drawing alone, as an SVG element. */
export function plotSvg(options: Plot.PlotOptions, description: string): SafeHtml {
  const { document } = parseHTML("<!doctype html><html><body></body></html>");
  const drawing = Plot.plot({
    ...options,
    style: { fontSize: "12px", overflow: "visible", ...(options.style as object | undefined) },
    document: document as unknown as Document,
  });
  const svg = drawing as unknown as SVGSVGElement;
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  svg.setAttribute("role", "img");
  const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
  title.textContent = description;
  svg.insertBefore(title as unknown as Node, svg.firstChild);
  return new SafeHtml(svg.outerHTML);
}

/** Names beside their colours. */
export function legend(names: readonly string[], colours: readonly string[]): SafeHtml {
  return html`<ul class="legend">${names.map(
    (name, k) => html`<li><span class="swatch" style="background:${colours[k]}"></span>${name}</li>`,
  )}</ul>`;
}
