/** From the outcomes of all folds to the row of a table. */
import { balancedAccuracy } from "../learn/metrics.js";
import type { GridPoint } from "../learn/nested.js";
import type { Choice, KernelResult, Protocol } from "./evaluation-types.js";
import type { FoldPlace, TimedOutcome } from "./fold-run.js";

export interface SummaryInput {
  kernel: string;
  title: string;
  points: readonly { label: GridPoint }[];
  places: readonly FoldPlace[];
  /** By the number of the place. */
  outcomes: ReadonlyMap<number, TimedOutcome>;
  classes: Int32Array;
  classCount: number;
  protocol: Protocol;
  notes: string[];
}

export function summarise(input: SummaryInput): KernelResult {
  const { kernel, title, points, places, outcomes, classes, classCount, protocol, notes } = input;
  const predictions = Array.from({ length: protocol.repeats }, () =>
    new Array<number>(classes.length).fill(-1),
  );
  const confusion = Array.from({ length: classCount }, () => new Array<number>(classCount).fill(0));
  const choices = new Map<string, Choice>();
  const perFold: KernelResult["perFold"] = [];
  const seconds = { profile: 0, signature: 0, gram: 0, svm: 0 };
  const totals = { fits: 0, capped: 0, largestGap: 0 };
  places.forEach(({ repeat, fold, test }, u) => {
    const outcome = outcomes.get(u)!;
    let right = 0;
    outcome.predicted.forEach((c, t) => {
      predictions[repeat][test[t]] = c;
      confusion[classes[test[t]]][c]++;
      if (c === classes[test[t]]) right++;
    });
    const { point, C, innerAccuracy } = outcome;
    const key = `${point} ${C}`;
    const choice = choices.get(key) ?? { point: points[point].label, C, times: 0 };
    choice.times++;
    choices.set(key, choice);
    perFold.push({
      repeat,
      fold,
      point: points[point].label,
      C,
      innerAccuracy,
      accuracy: right / test.length,
    });
    for (const stage of ["profile", "signature", "gram", "svm"] as const)
      seconds[stage] += outcome.seconds[stage];
    totals.fits += outcome.fits;
    totals.capped += outcome.capped;
    totals.largestGap = Math.max(totals.largestGap, outcome.largestGap);
  });
  const perRepeat = predictions.map(
    (row) => row.reduce((sum, c, i) => sum + (c === classes[i] ? 1 : 0), 0) / classes.length,
  );
  const folds = perFold.map((fold) => fold.accuracy);
  return {
    kernel,
    title,
    accuracy: {
      mean: mean(perRepeat),
      std: deviation(perRepeat),
      perRepeat,
      foldStd: deviation(folds),
      perFold: folds,
    },
    balancedAccuracy: mean(predictions.map((row) => balancedAccuracy(classes, row))),
    confusion,
    chosen: [...choices.values()].sort((a, b) => b.times - a.times || a.C - b.C),
    perFold,
    predictions,
    seconds,
    ...totals,
    notes,
  };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Standard deviation with n − 1; 0 of one number. */
function deviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const centre = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1));
}
