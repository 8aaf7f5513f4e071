/** Figures 4 to 6 of a reproduction: errors of return probabilities, condition numbers, the ablation. */
import * as Plot from "@observablehq/plot";
import type { AblationRow, ConditionPoint, ErrorPoint } from "../experiment/reproduction/types.js";
import { formatNumber, quantity, shorten, textLength } from "../experiment/wording.js";
import { NEUTRAL, seriesColour } from "./figure.js";
import {
  drawWithLegend,
  geometricMean,
  growthPower,
  LETTER,
  logAxis,
  logDomain,
  logTicks,
  powerLine,
  scientific,
} from "./plot-frame.js";
import {
  type Colours,
  FIGURE_WIDTH,
  groupBy,
  type ReportFigure,
  signedPoints,
  thinned,
} from "./reproduction-figures.js";

const PANELS_IN_ROW = 3;

/** The four ways to estimate: colour tells the filter, the dash tells the damping. */
const WAYS = [
  { filter: false, damping: "none", text: "plain", colour: seriesColour(3), dashed: false },
  { filter: true, damping: "none", text: "motif filter", colour: seriesColour(0), dashed: false },
  { filter: false, damping: "jackson", text: "Jackson damping", colour: seriesColour(1), dashed: true },
  { filter: true, damping: "jackson", text: "filter and damping", colour: seriesColour(5), dashed: true },
] as const;

/** Root mean square errors against probes, a panel a set, with a line of slope −1/2 through the plain estimates. */
export function errorFigure(points: readonly ErrorPoint[]): ReportFigure | null {
  const usable = points.filter(({ probes, rms }) => probes > 0 && rms > 0 && Number.isFinite(rms));
  const sets = groupBy(usable, ({ set }) => set);
  if (sets.length === 0) return null;
  const columns = Math.min(PANELS_IN_ROW, sets.length);
  const rows = Math.ceil(sets.length / columns);
  const panelOf = new Map(sets.map(([set], k) => [set, { fx: k % columns, fy: Math.floor(k / columns) }]));
  const xDomain = logDomain(usable.map(({ probes }) => probes));
  const yDomain = logDomain(
    usable.map(({ rms }) => rms),
    0.07,
  );
  const drawn = usable
    .map((point) => {
      const way = WAYS.find(({ filter, damping }) => filter === point.filter && damping === point.damping)!;
      return {
        ...{ ...point, ...panelOf.get(point.set)!, colour: way.colour, dashed: way.dashed, way: way.text },
        title: `${point.set}, ${quantity(point.probes, "probe")}, ${way.text}: ${scientific(point.rms)} (largest ${scientific(point.largest)})`,
      };
    })
    .sort((a, b) => a.probes - b.probes);
  const reference = sets.flatMap(([set, own]) => {
    const plain = own.filter(({ filter, damping }) => !filter && damping === "none");
    const scale = geometricMean(
      (plain.length > 0 ? plain : own).map(({ rms, probes }) => rms * Math.sqrt(probes)),
    );
    return powerLine(scale, -1 / 2, xDomain, yDomain).map((end) => ({ set, ...panelOf.get(set)!, ...end }));
  });
  const present = WAYS.filter(({ text }) => drawn.some(({ way }) => way === text));
  const titles = sets.map(([set]) => ({ ...panelOf.get(set)!, name: shorten(set, 26) }));
  const ticks = [...new Set(usable.map(({ probes }) => probes))].sort((a, b) => a - b);
  const panel = { fx: "fx", fy: "fy" };
  const svg = drawWithLegend(
    {
      ...{ width: FIGURE_WIDTH, height: 60 + 280 * rows, marginLeft: 70 },
      ...{ marginTop: 26, marginBottom: 46, marginRight: 18, grid: true },
      fx: { axis: null, paddingInner: columns > 1 ? 0.08 : 0, paddingOuter: 0 },
      fy: { axis: null, paddingInner: rows > 1 ? 0.2 : 0, paddingOuter: 0 },
      x: logAxis(xDomain, "probes", 40, ticks.length <= 8 ? thinned(ticks, 6) : logTicks(xDomain)),
      y: logAxis(yDomain, "root mean square error", 60),
      color: { type: "identity" },
      marks: [
        Plot.frame({ strokeOpacity: 0.25 }),
        Plot.line(reference, {
          ...{ ...panel, x: "x", y: "y", z: "set" },
          ...{ stroke: NEUTRAL, strokeDasharray: "2 3", strokeWidth: 1.5 },
        }),
        [false, true].map((dashed) =>
          Plot.line(
            drawn.filter((point) => point.dashed === dashed),
            {
              ...{ ...panel, x: "probes", y: "rms", z: "way", stroke: "colour", strokeWidth: 1.9 },
              ...(dashed ? { strokeDasharray: "5 4" } : {}),
            },
          ),
        ),
        Plot.dot(drawn, { ...panel, x: "probes", y: "rms", fill: "colour", r: 3, title: "title" }),
        Plot.text(titles, {
          ...{ ...panel, text: "name", frameAnchor: "top-left", dy: -17, fontWeight: 600 },
        }),
      ],
    },
    [
      ...present.map(({ text, colour, dashed }) => ({
        ...{ mark: dashed ? ("dashed" as const) : ("line" as const), colour, text },
      })),
      { mark: "dashed", colour: NEUTRAL, text: "slope −½" },
    ],
    `Root mean square error of return probabilities against probes for ${sets.map(([set]) => set).join(", ")}`,
  );
  return {
    name: "figure-4",
    title: "Figure 4. Error of return probabilities against probes",
    caption: `Both axes are logarithmic; the dotted line falls with the root of the number of probes. ${errorWords(usable)}`,
    svg,
  };
}

/** How fast the error falls, and what filter and damping do to it on average. */
function errorWords(points: readonly ErrorPoint[]): string {
  const plain = points.filter(({ filter, damping }) => !filter && damping === "none");
  const sentences: string[] = [];
  const slopes = groupBy(plain, ({ set }) => set).flatMap(([set, own]) => {
    const slope = growthPower(own.map(({ probes, rms }) => ({ x: probes, y: rms })));
    return slope === null ? [] : [`${slope.toFixed(2).replace("-", "−")} on ${set}`];
  });
  if (slopes.length > 0) sentences.push(`Slope of the plain estimates: ${slopes.join(", ")}.`);
  const change = (what: string, changed: (point: ErrorPoint) => boolean) => {
    const ratios = points.filter(changed).flatMap((point) => {
      const other = plain.find(({ set, probes }) => set === point.set && probes === point.probes);
      return other ? [point.rms / other.rms] : [];
    });
    if (ratios.length > 0)
      sentences.push(`${what} multiplies the error by ${formatNumber(geometricMean(ratios))} on average.`);
  };
  change("Filtering the motifs", ({ filter, damping }) => filter && damping === "none");
  change("Jackson damping", ({ filter, damping }) => !filter && damping === "jackson");
  return sentences.join(" ");
}

/** Two condition numbers against the number of moments, on a logarithmic axis. */
export function conditionFigure(conditions: readonly ConditionPoint[]): ReportFigure | null {
  const kinds = [
    { name: "in the 2-norm", colour: seriesColour(3), value: ({ twoNorm }: ConditionPoint) => twoNorm },
    { name: "by Skeel", colour: seriesColour(0), value: ({ skeel }: ConditionPoint) => skeel },
  ];
  const points = kinds.flatMap(({ name, colour, value }) =>
    conditions
      .filter((point) => value(point) > 0 && Number.isFinite(value(point)))
      .map((point) => ({ name, colour, moments: point.moments, value: value(point) }))
      .sort((a, b) => a.moments - b.moments),
  );
  if (points.length === 0) return null;
  const domain = logDomain(points.map(({ value }) => value));
  const svg = drawWithLegend(
    {
      ...{
        width: FIGURE_WIDTH,
        height: 320,
        marginTop: 10,
        marginBottom: 46,
        marginLeft: 66,
        marginRight: 20,
        grid: true,
      },
      x: {
        label: "moments",
        labelAnchor: "center",
        labelArrow: "none",
        labelOffset: 40,
        nice: true,
        ticks: 8,
      },
      y: logAxis(domain, "condition number", 56),
      color: { type: "identity" },
      marks: [
        Plot.lineY(points, { x: "moments", y: "value", z: "name", stroke: "colour", strokeWidth: 1.8 }),
        Plot.dot(points, {
          ...{ x: "moments", y: "value", fill: "colour", r: 3 },
          title: (d: (typeof points)[number]) => `${formatNumber(d.moments)} moments: ${scientific(d.value)}`,
        }),
      ],
    },
    kinds.map(({ name, colour }) => ({ mark: "line", colour, text: name })),
    "Condition numbers of the change from Chebyshev moments to return probabilities",
  );
  const last = conditions.reduce((a, b) => (b.moments > a.moments ? b : a));
  return {
    name: "figure-5",
    title: "Figure 5. Condition numbers of the change of basis",
    caption: `From Chebyshev moments to return probabilities by forward substitution. With ${quantity(last.moments, "moment")}: ${scientific(last.twoNorm)} in the 2-norm, ${scientific(last.skeel)} by Skeel. Neither means that errors of the moments grow: return probabilities are averages of moments, and none is further off than the worst moment.`,
    svg,
  };
}

const ABLATION_ROW = 30;

/** Differences to the standard level, a row a level, a dot a set; levels stand under the name of their factor. */
export function ablationFigure(ablation: readonly AblationRow[], colourOf: Colours): ReportFigure | null {
  const changed = ablation.filter(({ difference }) => difference !== null && Number.isFinite(difference));
  if (changed.length === 0) return null;
  const sets = groupBy(changed, ({ set }) => set).map(([set]) => set);
  const rows: { key: string; text: string; head: boolean }[] = [];
  const keyOf = ({ factor, level, kernel }: AblationRow) => JSON.stringify([factor, level, kernel]);
  for (const [factor, own] of groupBy(changed, (row) => row.factor)) {
    const standard = [
      ...new Set(
        ablation.filter((row) => row.factor === factor && row.difference === null).map((row) => row.level),
      ),
    ];
    const against = standard.length > 0 ? ` (against ${standard.join(", ")})` : "";
    rows.push({ key: JSON.stringify([factor]), text: shorten(`${factor}${against}`, 40), head: true });
    for (const [key, [first]] of groupBy(own, keyOf))
      rows.push({ key, text: shorten(`${first.level}, ${first.kernel}`, 34), head: false });
  }
  const differences = changed.map(({ difference }) => 100 * difference!);
  const [low, high] = [Math.min(0, ...differences), Math.max(0, ...differences)];
  const room = Math.max(0.5, 0.06 * (high - low));
  const longest = Math.max(...rows.map(({ text, head }) => textLength(text) * (head ? 1.06 : 1)));
  const marginLeft = 24 + LETTER * longest;
  const step = Math.min(3.6, 20 / sets.length);
  const svg = drawWithLegend(
    {
      ...{ width: FIGURE_WIDTH, height: 60 + ABLATION_ROW * rows.length, marginTop: 6, marginBottom: 46 },
      ...{ marginLeft, marginRight: 20 },
      x: {
        ...{ domain: [low - room, high + room], grid: true, ticks: 8 },
        tickFormat: (value: number) => `${value > 0 ? "+" : ""}${formatNumber(value)}`.replace("-", "−"),
        ...{ label: "difference in points of accuracy", labelAnchor: "center", labelArrow: "none" },
        labelOffset: 40,
      },
      y: { type: "point", domain: rows.map(({ key }) => key), axis: null },
      color: { type: "identity" },
      marks: [
        Plot.ruleY(
          rows.filter(({ head }) => !head),
          { y: "key", strokeOpacity: 0.12 },
        ),
        Plot.ruleX([0], { strokeOpacity: 0.7 }),
        sets.map((set, k) =>
          Plot.dot(
            changed.filter((row) => row.set === set),
            {
              ...{ x: (row: AblationRow) => 100 * row.difference!, y: keyOf, fill: colourOf(set), r: 4 },
              ...{ dy: (k - (sets.length - 1) / 2) * step },
              title: (row: AblationRow) =>
                `${row.factor} ${row.level}, ${row.kernel} on ${row.set}: ${signedPoints(row.difference!)} points`,
            },
          ),
        ),
        [true, false].map((head) =>
          Plot.text(
            rows.filter((row) => row.head === head),
            {
              ...{ y: "key", text: "text", frameAnchor: "left" as const, textAnchor: "start" as const },
              ...{ dx: (head ? 10 : 22) - marginLeft, fontWeight: head ? 600 : 400 },
            },
          ),
        ),
      ],
    },
    sets.map((set) => ({ mark: "dot", colour: colourOf(set), text: shorten(set, 26) })),
    `Differences of accuracy to the standard for ${quantity(changed.length, "change")}`,
  );
  return {
    name: "figure-6",
    title: "Figure 6. What each change costs or brings",
    caption: ablationWords(changed),
    svg,
  };
}

function ablationWords(changed: readonly AblationRow[]): string {
  const words = ({ factor, level, set, kernel, difference }: AblationRow) =>
    `${factor}: ${level}, ${kernel} on ${set} (${signedPoints(difference!)} points)`;
  const best = changed.reduce((a, b) => (b.difference! > a.difference! ? b : a));
  const worst = changed.reduce((a, b) => (b.difference! < a.difference! ? b : a));
  return [
    "Each dot is one set; dots to the right of the line are better than the standard level, those to the left worse.",
    worst.difference! < 0 ? `The largest loss: ${words(worst)}.` : "",
    best.difference! > 0 ? `The largest gain: ${words(best)}.` : "",
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}
