/** What the panels of a picture of a spectrum share, so that their eigenvalue axes stand above each other. */
import * as Plot from "@observablehq/plot";
import { formatNumber } from "../experiment/wording.js";

export const INK = "#1f2430";
export const SOFT = "#59616d";
export const FRAME = { width: 920, left: 72, right: 68 } as const;
/** A little beyond [-1, 1], so that stems at the ends stand free. */
export const DOMAIN: [number, number] = [-1.03, 1.03];
const TICKS = [-1, -0.5, 0, 0.5, 1];

export const axisNumber = (value: number) => formatNumber(value).replace("-", "−");

export const eigenvalueAxis = (label: string) =>
  Plot.axisX({
    ...{ label, labelAnchor: "center", labelArrow: "none", labelOffset: 40 },
    ...{ ticks: TICKS, tickFormat: axisNumber },
  });

export const eigenvalueGrid = () => Plot.gridX({ ticks: TICKS });
