/** The HTML report of `evaluate`: accuracies of the kernels, then the best one in detail: confusion, choices, map, Gram, densities. */
import { classQuotas } from "../experiment/evaluation-pictures.js";
import type {
  Choice,
  EvaluationPictures,
  EvaluationResult,
  KernelResult,
  Protocol,
} from "../experiment/evaluation-types.js";
import {
  COMPARISON_TEST,
  ceilingText,
  comparisonTexts,
  measuredSeconds,
  noteSentences,
  recommendationTexts,
  tableRows,
} from "../experiment/evaluation-words.js";
import { largestClasses } from "../experiment/inspection.js";
import { formatNumber, formatShare, quantity } from "../experiment/wording.js";
import {
  accuracyFigure,
  choiceFigure,
  confusionTable,
  type DensityCurve,
  densityFigure,
  gramFigure,
  mapFigure,
  percent,
  sum,
} from "./evaluation-figures.js";
import { legend, NEUTRAL, PALETTE, seriesColour } from "./figure.js";
import { html, type SafeHtml } from "./html.js";
import type { ReportOptions } from "./inspection-report.js";
import { type Card, panel, renderPage, type Section, sentenceList, table } from "./page.js";

/** Rows and columns of the confusion matrix; more would not fit. */
const MAX_CONFUSION = 12;
/** Bands of more classes in one figure hide each other. */
const MAX_BANDS = 3;

export function evaluationReport(
  result: EvaluationResult,
  pictures: EvaluationPictures | null,
  options: ReportOptions = {},
): string {
  const { dataset, protocol, results } = result;
  const best = bestKernel(result);
  const chosen = best >= 0 ? results[best] : null;
  const sections: (Section | null)[] = [
    warningSection(result),
    kernelSection(result, best),
    chosen && confusionSection(result, chosen),
    chosen && choiceSection(chosen, protocol),
    chosen && pictures && pictureSection(result, chosen, pictures),
    pictures?.densities ? densitySection(result, pictures.densities) : null,
    results.length > 0 ? timeSection(results) : null,
  ];
  const provenance: [string, string][] = [
    ["Data", dataset],
    ["Made by", `graphdos ${result.version}`],
    ["Protocol", `${protocol.name}: ${protocolWords(protocol)}`],
    ["Values of C", protocol.Cs.map(plain).join(", ")],
    ["Seed", String(protocol.seed)],
  ];
  if (options.command) provenance.push(["Command", options.command]);
  if (options.date) provenance.push(["Date", options.date]);
  return renderPage({
    title: `${dataset}: evaluation`,
    subtitle: `${quantity(result.graphs, "graph")} in ${quantity(result.classNames.length, "class", "classes")}, ${quantity(results.length, "kernel")}, by ${protocolWords(protocol)}`,
    cards: cards(result, chosen),
    sections: sections.filter((section) => section !== null),
    provenance,
  });
}

/** The highest mean accuracy, the earliest on a tie; -1 when there is no result. */
function bestKernel({ results }: EvaluationResult): number {
  let best = results.length > 0 ? 0 : -1;
  results.forEach(({ accuracy }, k) => {
    if (accuracy.mean > results[best].accuracy.mean) best = k;
  });
  return best;
}

/** "10-fold cross-validation, repeated 10 times, parameters chosen by 10 inner folds". */
function protocolWords({ repeats, folds, inner, grouped }: Protocol): string {
  const parts = [`stratified ${folds}-fold cross-validation`];
  if (repeats > 1) parts.push(`repeated ${repeats} times`);
  parts.push(`parameters chosen by ${inner} inner folds`);
  if (grouped) parts.push("isomorphic copies in one fold");
  return parts.join(", ");
}

const plain = (value: string | number | boolean) =>
  typeof value === "number"
    ? String(Number(value.toPrecision(4)))
    : typeof value === "boolean"
      ? value
        ? "yes"
        : "no"
      : value;

/** The spread that is known: over repeats, or with one repeat over folds. */
function spread({ accuracy }: KernelResult): { value: number; over: string } {
  return accuracy.perRepeat.length > 1
    ? { value: accuracy.std, over: "repeats" }
    : { value: accuracy.foldStd, over: "folds" };
}

function cards(
  { graphs, classNames, classCounts, baseline, protocol, results }: EvaluationResult,
  best: KernelResult | null,
) {
  const sizes = classCounts.filter((count) => count > 0);
  const list: Card[] = [
    { label: "graphs", value: formatNumber(graphs) },
    {
      label: "classes",
      value: formatNumber(classNames.length),
      note: sizes.length > 0 ? classSizes(Math.min(...sizes), Math.max(...sizes)) : undefined,
    },
  ];
  if (best) {
    const { value, over } = spread(best);
    list.unshift(
      {
        label: "accuracy of the best kernel",
        value: `${percent(best.accuracy.mean)} ± ${percent(value)} %`,
        note: `mean and standard deviation over ${over}${results.length > 1 ? `; optimistic: the highest of ${results.length}` : ""}`,
      },
      { label: "best kernel", value: best.kernel, note: best.title },
    );
    list.push({
      label: "balanced accuracy",
      value: `${percent(best.balancedAccuracy)} %`,
      note: "every class counts the same",
    });
  }
  list.push(
    { label: "guessing", value: `${percent(baseline)} %`, note: "always the largest class" },
    {
      label: "protocol",
      value:
        protocol.repeats > 1 ? `${protocol.repeats} × ${protocol.folds} folds` : `${protocol.folds} folds`,
      note: `${protocol.name}; parameters chosen by ${protocol.inner} inner folds${protocol.grouped ? ", isomorphic copies in one fold" : ""}`,
    },
  );
  return list;
}

const classSizes = (smallest: number, largest: number) =>
  smallest === largest
    ? `${quantity(smallest, "graph")} each`
    : `${formatNumber(smallest)} to ${quantity(largest, "graph")}`;

function warningSection({ warnings, results }: EvaluationResult): Section | null {
  const sentences = [...warnings, ...results.flatMap(noteSentences)];
  return sentences.length > 0 ? { title: "To keep in mind", body: sentenceList(sentences) } : null;
}

function kernelSection(result: EvaluationResult, best: number): Section {
  const { baseline } = result;
  const results = tableRows(result);
  if (best < 0) return { title: "Kernels", body: html`<p>No kernel was evaluated.</p>` };
  const repeated = results.some(({ accuracy }) => accuracy.perRepeat.length > 1);
  const rows = results.map((kernel, k) => {
    const { accuracy, balancedAccuracy, chosen } = kernel;
    const mark = (text: string) =>
      html`<span style="white-space:nowrap${k === best && ";font-weight:600"}">${text}</span>`;
    return [
      html`${mark(kernel.kernel)}${k === best && html` <span style="${BADGE}">best</span>`}<br><small class="lead">${kernel.title}</small>`,
      mark(`${percent(accuracy.mean)}${repeated ? ` ± ${percent(accuracy.std)}` : ""}`),
      mark(percent(accuracy.foldStd)),
      mark(percent(balancedAccuracy)),
      html`<small>${chosen.length > 0 ? choiceWords(chosen[0]) : "–"}</small>`,
      secondsHtml(measuredSeconds(kernel), 1),
    ];
  });
  const head = ["kernel", "accuracy (%)", "± over folds", "balanced (%)", "most frequent choice", "seconds"];
  const comparisons = comparisonTexts(result).map((text) => `${text}.`);
  const [recommended, caution] = recommendationTexts(result);
  const ceiling = ceilingText(result);
  return {
    title: "Kernels",
    lead: repeated
      ? "Dots are means over the repeats, thick bars one standard deviation over repeats, thin bars over folds."
      : "Dots are accuracies over all folds, bars one standard deviation over folds.",
    body: html`${panel(html`<div class="wide">${accuracyFigure(results, best, baseline)}</div>`)}${panel(table(head, rows))}${ceiling !== null && html`<p>${capital(ceiling)}.</p>`}${
      recommended !== undefined &&
      html`<p class="recommendation"><strong>${capital(recommended)}.</strong> ${capital(caution)}.</p>`
    }${
      comparisons.length > 0 &&
      html`${sentenceList(comparisons)}<p class="lead"><small>${capital(COMPARISON_TEST)}.</small></p>`
    }`,
  };
}

const capital = (sentence: string) => sentence[0].toUpperCase() + sentence.slice(1);

const BADGE =
  "font-size:0.72rem;padding:0.05rem 0.45rem;border-radius:1rem;color:var(--card);background:var(--series-1, #0072b2)";

/** "C = 10, p = 1"; lines break between the parameters alone. */
const choiceWords = ({ point, C }: Choice) =>
  [["C", C] as const, ...Object.entries(point)]
    .map(([name, value]) => `${name}\u00a0=\u00a0${plain(value)}`)
    .join(", ");

function confusionSection(result: EvaluationResult, { kernel, confusion }: KernelResult): Section {
  const { classNames, classCounts, protocol } = result;
  const shown = largestClasses(result, MAX_CONFUSION);
  const rest = classNames.length - shown.length;
  const repeated = protocol.repeats > 1 ? `, over ${protocol.repeats} repeats` : "";
  const left =
    rest > 0 ? ` The ${quantity(rest, "smallest class is", "smallest classes are")} not shown.` : "";
  return {
    title: `Confusion of ${kernel}`,
    lead: `Of the graphs of each class (rows), the share in percent that was taken for each class (columns)${repeated}. ${worstConfusion(confusion, classNames)}${left}`,
    body: panel(confusionTable(confusion, shown, classNames, classCounts)),
  };
}

function worstConfusion(confusion: readonly number[][], classNames: readonly string[]): string {
  let worst = { share: 0, t: 0, p: 0 };
  confusion.forEach((row, t) => {
    const total = Math.max(1, sum(row));
    row.forEach((count, p) => {
      if (t !== p && count / total > worst.share) worst = { share: count / total, t, p };
    });
  });
  if (worst.share === 0) return "Every graph was recognised.";
  return `The most frequent mistake: ${formatShare(worst.share)} of class ${classNames[worst.t]} were taken for ${classNames[worst.p]}.`;
}

/** Each parameter that was not the same in every fold has a figure. */
function choiceSection({ kernel, chosen }: KernelResult, { Cs }: Protocol): Section | null {
  const total = sum(chosen.map(({ times }) => times));
  if (total === 0) return null;
  const names = [...new Set(chosen.flatMap(({ point }) => Object.keys(point)))];
  const count = (
    value: (choice: Choice) => string | number | boolean | undefined,
    known: readonly number[] = [],
  ) => {
    const times = new Map<string | number | boolean, number>(known.map((C) => [C, 0]));
    for (const choice of chosen) {
      const key = value(choice) ?? "–";
      times.set(key, (times.get(key) ?? 0) + choice.times);
    }
    return [...times].sort(([a], [b]) => inOrder(a, b)).map(([key, n]) => ({ name: plain(key), times: n }));
  };
  const parameters = [
    { name: "C", values: count(({ C }) => C, Cs) },
    ...names.map((name) => ({ name, values: count(({ point }) => point[name]) })),
  ];
  const varied = parameters.filter(({ values }) => values.length > 1);
  const fixed = parameters.filter(({ values }) => values.length === 1);
  return {
    title: `Chosen parameters of ${kernel}`,
    lead: `How often each value was chosen in the ${quantity(total, "outer fold")}.${
      fixed.length > 0
        ? ` The same in all of them: ${fixed.map(({ name, values }) => `${name} = ${values[0].name}`).join(", ")}.`
        : ""
    }`,
    body:
      varied.length > 0 &&
      html`<div class="panels">${varied.map(({ name, values }) =>
        panel(html`<h3>${name}</h3>${choiceFigure(name, values)}`),
      )}</div>`,
  };
}

/** Numbers by value, then the rest by letter. */
function inOrder(a: string | number | boolean, b: string | number | boolean): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return String(a) < String(b) ? -1 : 1;
}

/** With more classes than colours, the largest have one each and the others share a neutral one. */
function classColours(result: EvaluationResult): string[] {
  const colours = result.classNames.map(() => NEUTRAL);
  largestClasses(result, PALETTE.length).forEach((c, k) => {
    colours[c] = seriesColour(k);
  });
  return colours;
}

function classLegend(result: EvaluationResult): SafeHtml {
  const { classNames } = result;
  const colours = classColours(result);
  const own = largestClasses(result, PALETTE.length);
  const others = classNames.length - own.length;
  return legend(
    [
      ...own.map((c) => classNames[c]),
      ...(others > 0 ? [quantity(others, "other class", "other classes")] : []),
    ],
    [...own.map((c) => colours[c]), NEUTRAL],
  );
}

function pictureSection(
  result: EvaluationResult,
  { kernel }: KernelResult,
  pictures: EvaluationPictures,
): Section {
  const { classNames, classCounts, graphs } = result;
  const { map, heatMap } = pictures;
  const colours = classColours(result);
  const drawn = heatMap.order.length;
  const mapped = map.classes.length;
  return {
    title: `The graphs as ${kernel} sees them`,
    lead: "Graphs that the kernel takes for alike are close on the map and dark in the matrix.",
    body: html`${classLegend(result)}<div class="panels">${
      mapped > 0 &&
      panel(
        html`<h3>Map by kernel PCA</h3>${mapFigure(map, colours, classNames)}${thinnedNote(mapped, graphs)}`,
      )
    }${
      drawn > 0 &&
      panel(
        html`<h3>Kernel matrix in the order of the classes</h3>${gramFigure(
          heatMap,
          classQuotas(classCounts, drawn),
          classNames,
          colours,
        )}${thinnedNote(drawn, graphs)}`,
      )
    }</div>`,
  };
}

const thinnedNote = (shown: number, all: number) =>
  shown < all &&
  html`<p class="lead"><small>${quantity(shown, "graph")} of ${formatNumber(all)}, taken evenly from every class.</small></p>`;

function densitySection(
  result: EvaluationResult,
  { grid, classes }: NonNullable<EvaluationPictures["densities"]>,
): Section {
  const colours = classColours(result);
  const curves = classes
    .map((curve) => ({ ...curve, colour: colours[result.classNames.indexOf(curve.name)] ?? NEUTRAL }))
    .filter(({ colour }, _, all) => colour !== NEUTRAL || all.length <= PALETTE.length);
  // the eigenvalues 1 and -1 of every component fill a single bin, which would press down all else
  const inner = (_: number, k: number) => Math.abs(grid[k]) < 0.97;
  const top =
    1.06 *
    Math.max(...curves.flatMap(({ mean, high }) => [...mean.filter(inner), ...high.filter(inner)]), 1e-9);
  const lines = (chosen: readonly DensityCurve[], width: number, description: string, behind?: number[][]) =>
    densityFigure(grid, chosen, { width, top, description, behind });
  const together = curves.length <= MAX_BANDS;
  const left = classes.length - curves.length;
  return {
    title: "Densities of states by class",
    lead: `Lines are means over the graphs of a class, each of mass 1; bands hold the middle 80 % of its graphs${
      together ? "" : ", grey lines are the other classes"
    }. The scale is that of square roots; spikes at the ends are cut.${left > 0 ? ` The ${quantity(left, "smallest class is", "smallest classes are")} left out.` : ""}`,
    body: together
      ? html`${classLegend(result)}${panel(
          html`<div class="wide">${lines(curves, 960, "Mean density of states of each class, with quantiles")}</div>`,
        )}`
      : html`<div class="panels">${curves.map((curve) =>
          panel(
            html`<h3>class ${curve.name}</h3>${lines(
              [curve],
              320,
              `Mean density of states of class ${curve.name}, with quantiles`,
              curves.filter((other) => other !== curve).map(({ mean }) => mean),
            )}`,
          ),
        )}</div>`,
  };
}

/** Marked: with the date, all that differs between two pages of the same evaluation. */
const secondsHtml = (value: number, digits: number) =>
  html`<span class="seconds">${value.toFixed(digits)}</span>`;

function timeSection(results: readonly KernelResult[]): Section {
  const rows = results.map(({ kernel, seconds, fits, capped, largestGap }) => [
    kernel,
    ...[seconds.profile, seconds.signature, seconds.gram, seconds.svm].map((value) => secondsHtml(value, 2)),
    formatNumber(fits),
    capped === 0 ? "0" : `${formatNumber(capped)} (gap ${largestGap.toExponential(1)})`,
  ]);
  return {
    title: "Time",
    lead: "Seconds: of the clock for profiles and signatures, summed over workers for kernel values and SVM. Fits at the cap ended before they met their tolerance.",
    body: panel(
      table(
        ["kernel", "profiles", "signatures", "kernel values", "SVM", "SVM fits", "fits at the cap"],
        rows,
      ),
    ),
  };
}
