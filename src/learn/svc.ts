/**
 * The C-SVM for several classes, one against one, as LIBSVM and scikit-learn do it.
 *
 * For every pair of classes (a, b), a < b, a binary machine with a as +1 (smo.ts):
 *   decision_ab(x) = Σ_s coefficient_s K(x, s) − rho;   > 0 votes for a, else for b.
 * The class with the most votes wins, the smaller class index on a tie. k classes need k(k−1)/2 machines.
 * Pairs stand in the order (0,1), (0,2), …, (1,2), …; the sign is LIBSVM's (scikit-learn turns it around for two classes).
 *
 * Supports are indices into the Gram matrix, so that one Gram serves all folds and no training row is ever copied.
 */
import { badCall, badData, unknownName } from "../base/errors.js";
import { Random } from "../base/random.js";
import { coupleProbabilities, fitSigmoid, pairProbability, type Sigmoid } from "./platt.js";
import { BinarySmo } from "./smo.js";
import { type GramValues, SvmWorkspace } from "./workspace.js";

export interface SvcOptions {
  /** Largest violation of the optimality conditions. Default 1e-3. */
  tolerance?: number;
  /** Pair steps a machine may take. Default 10 million. */
  maxIterations?: number;
  /** C of class c is C · weight; "balanced" weighs with points / (classes · points of c). Default 1 for all. */
  classWeights?: ReadonlyMap<number, number> | Readonly<Record<number, number>> | "balanced";
  /** Also fit class probabilities, by a cross-validation inside each pair. Default false. */
  probability?: boolean;
  /** Seed of that cross-validation. Default 0. */
  seed?: number;
  /** Look for NaN in the Gram first, O(n²). Default true; a caller of many fits calls checkGram once and says false. */
  check?: boolean;
  /** Working memory to use again, with fast kernels and perhaps with the Gram already in it. Default: plain TypeScript. */
  workspace?: SvmWorkspace;
}

const OPTIONS = ["tolerance", "maxIterations", "classWeights", "probability", "seed", "check", "workspace"];

export interface PairMachine {
  /** Class indices; a positive decision means `first`. */
  first: number;
  second: number;
  /** Positions in the model's `supports`, and y α of each. */
  positions: Int32Array;
  coefficients: Float64Array;
  rho: number;
  objective: number;
  iterations: number;
  gap: number;
  converged: boolean;
  sigmoid: Sigmoid | null;
}

export interface SvcModel {
  C: number;
  /** Ascending. */
  classes: Int32Array;
  /** Gram indices of all support vectors of all pairs, ascending. */
  supports: Int32Array;
  pairs: PairMachine[];
}

export interface SvcPrediction {
  /** A class index for each row. */
  classes: Int32Array;
  /** rows × pairs. */
  decisions: Float64Array;
  /** rows × classes, if the model has probabilities. */
  probabilities: Float64Array | null;
}

/** Throws at the first value that is not finite, with its row and column. */
export function checkGram(gram: GramValues, stride: number, where = "Gram matrix"): void {
  // x − x is 0 for every finite x and NaN for all others; four sums, so that none waits for the one before
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  const whole = gram.length - (gram.length % 4);
  for (let at = 0; at < whole; at += 4) {
    s0 += gram[at] - gram[at];
    s1 += gram[at + 1] - gram[at + 1];
    s2 += gram[at + 2] - gram[at + 2];
    s3 += gram[at + 3] - gram[at + 3];
  }
  for (let at = whole; at < gram.length; at++) s0 += gram[at] - gram[at];
  if (s0 + s1 + s2 + s3 === 0) return;
  const at = gram.findIndex((value) => !Number.isFinite(value));
  throw badData(
    `${where}: value at row ${Math.floor(at / stride)}, column ${at % stride}: got ${gram[at]}, expected a finite number`,
  );
}

/** Fits one model on the points `indices` of the Gram; classes[i] is the class of Gram index i. */
export function trainSvc(
  gram: GramValues,
  stride: number,
  indices: ArrayLike<number>,
  classes: ArrayLike<number>,
  C: number,
  options: SvcOptions = {},
): SvcModel {
  return svcPath(gram, stride, indices, classes, [C], options)[0];
}

/** One model for each C, which must increase: each machine starts from the solution for the C before. */
export function svcPath(
  gram: GramValues,
  stride: number,
  indices: ArrayLike<number>,
  classes: ArrayLike<number>,
  Cs: readonly number[],
  options: SvcOptions = {},
): SvcModel[] {
  for (const name of Object.keys(options))
    if (!OPTIONS.includes(name)) throw unknownName("option of the SVM", name, OPTIONS);
  for (let i = 0; i < Cs.length; i++)
    if (!(Cs[i] > (i > 0 ? Cs[i - 1] : 0) && Cs[i] < Infinity))
      throw badCall(`svcPath: values of C: got ${Cs.join(", ")}, expected positive, increasing numbers`);
  if (options.check ?? true) checkGram(gram, stride);
  const points = groupByClass(indices, classes);
  const names = Int32Array.from(points.keys()).sort();
  if (names.length < 2)
    throw badData(
      `trainSvc: number of classes among the training points: got ${names.length}, expected at least 2`,
    );
  const weights = weightsOf(points, indices.length, options.classWeights);
  const workspace = options.workspace ?? new SvmWorkspace();
  const held = workspace.holds(gram, stride, indices);
  if (!held) workspace.loadGram(gram, stride, indices, classes);
  const solver = new BinarySmo(workspace);
  const found: PairMachine[][] = Cs.map(() => []);
  const random = new Random(options.seed ?? 0);
  for (let a = 0; a < names.length; a++)
    for (let b = a + 1; b < names.length; b++) {
      const pair: PairProblem = {
        gram,
        stride,
        first: names[a],
        second: names[b],
        positives: points.get(names[a]) as Int32Array,
        negatives: points.get(names[b]) as Int32Array,
        positiveWeight: weights.get(names[a]) as number,
        negativeWeight: weights.get(names[b]) as number,
      };
      pairPath(solver, pair, Cs, options).forEach((machine, i) => {
        found[i].push(machine);
      });
      if (options.probability)
        for (let i = 0; i < Cs.length; i++)
          found[i][found[i].length - 1].sigmoid = crossValidatedSigmoid(solver, pair, Cs[i], options, random);
    }
  // only who loads the Gram knows when its values change
  if (!held) workspace.forgetGram();
  return Cs.map((C, i) => ({ C, classes: names, ...uniteSupports(found[i], stride) }));
}

interface PairProblem {
  gram: GramValues;
  stride: number;
  first: number;
  second: number;
  positives: Int32Array;
  negatives: Int32Array;
  positiveWeight: number;
  negativeWeight: number;
}

/** The machines of one pair along C; `positions` hold Gram indices until uniteSupports. */
function pairPath(
  solver: BinarySmo,
  pair: PairProblem,
  Cs: readonly number[],
  options: SvcOptions,
): PairMachine[] {
  const { gram, stride, first, second, positives, negatives } = pair;
  const { tolerance, maxIterations } = options;
  return Cs.map((value, i) => {
    const C = { positive: value * pair.positiveWeight, negative: value * pair.negativeWeight };
    const solution =
      i === 0
        ? solver.solve({ gram, stride, positives, negatives, C, tolerance, maxIterations })
        : solver.resume(C);
    const { coefficients, rho, objective, iterations, gap, converged } = solution;
    let count = 0;
    for (const c of coefficients) if (c !== 0) count++;
    const positions = new Int32Array(count);
    const kept = new Float64Array(count);
    for (let k = 0, at = 0; k < coefficients.length; k++) {
      if (coefficients[k] === 0) continue;
      positions[at] = k < positives.length ? positives[k] : negatives[k - positives.length];
      kept[at++] = coefficients[k];
    }
    const sigmoid = null;
    return {
      first,
      second,
      positions,
      coefficients: kept,
      rho,
      objective,
      iterations,
      gap,
      converged,
      sigmoid,
    };
  });
}

/** Decision values from five folds of the pair, none of a machine that saw the point; then Platt's sigmoid. */
function crossValidatedSigmoid(
  solver: BinarySmo,
  pair: PairProblem,
  C: number,
  options: SvcOptions,
  random: Random,
): Sigmoid {
  const { gram, stride } = pair;
  const positives = random.shuffle(pair.positives.slice());
  const negatives = random.shuffle(pair.negatives.slice());
  const count = positives.length + negatives.length;
  const decisions = new Float64Array(count);
  const truth = new Uint8Array(count);
  const folds = 5;
  for (let fold = 0; fold < folds; fold++) {
    const inside = { positives: positives.filter(outOf(fold)), negatives: negatives.filter(outOf(fold)) };
    // a fold that leaves one class only says that class with decision ±1, one that leaves none says 0 (LIBSVM's rule)
    const constant = Math.sign(inside.positives.length) - Math.sign(inside.negatives.length);
    const machine =
      inside.positives.length > 0 && inside.negatives.length > 0
        ? pairPath(solver, { ...pair, ...inside }, [C], options)[0]
        : null;
    for (let k = fold; k < count; k += folds) {
      const row = k < positives.length ? positives[k] : negatives[k - positives.length];
      truth[k] = k < positives.length ? 1 : 0;
      decisions[k] = machine ? weighted(machine, (s) => gram[row * stride + machine.positions[s]]) : constant;
    }
    function outOf(f: number) {
      return (_: number, k: number, list: Int32Array) =>
        (list === positives ? k : k + positives.length) % folds !== f;
    }
  }
  return fitSigmoid(decisions, truth);
}

function weighted(machine: PairMachine, kernel: (support: number) => number): number {
  let sum = -machine.rho;
  for (let s = 0; s < machine.coefficients.length; s++) sum += machine.coefficients[s] * kernel(s);
  return sum;
}

/**
 * Classes of rows of a Gram. For training points and other members of the training Gram, `gram` is that Gram and `rows` are
 * indices into it. For unseen graphs it is the cross Gram (a row each), whose columns are those of the training Gram, or
 * only its supports in their order (columns = "supports").
 */
export function predictSvc(
  model: SvcModel,
  gram: GramValues,
  stride: number,
  rows: ArrayLike<number>,
  columns: "gram" | "supports" = "gram",
): SvcPrediction {
  const { classes: names, pairs, supports } = model;
  if (columns !== "gram" && columns !== "supports")
    throw unknownName("kind of columns", String(columns), ["gram", "supports"]);
  const classes = new Int32Array(rows.length);
  const decisions = new Float64Array(rows.length * pairs.length);
  pairs.forEach((pair, q) => {
    decide(pair, columns === "supports" ? null : supports, gram, stride, rows, decisions, q, pairs.length);
  });
  const votes = new Int32Array(names.length);
  const withProbability = pairs.every((pair) => pair.sigmoid !== null);
  const probabilities = withProbability ? new Float64Array(rows.length * names.length) : null;
  for (let r = 0; r < rows.length; r++) {
    votes.fill(0);
    for (let q = 0, a = 0; a < names.length; a++)
      for (let b = a + 1; b < names.length; b++, q++) {
        const decision = decisions[r * pairs.length + q];
        if (Number.isNaN(decision))
          throw badData(`predictSvc: kernel values of row ${rows[r]}: got NaN, expected finite numbers`);
        votes[decision > 0 ? a : b]++;
      }
    let best = 0;
    for (let c = 1; c < names.length; c++) if (votes[c] > votes[best]) best = c;
    classes[r] = names[best];
    if (probabilities) {
      const pairwise = pairs.map((pair, q) =>
        pairProbability(decisions[r * pairs.length + q], pair.sigmoid as Sigmoid),
      );
      probabilities.set(coupleProbabilities(pairwise, names.length), r * names.length);
    }
  }
  return { classes, decisions, probabilities };
}

/** out[r · width + q] = Σ coefficients · kernel − rho for every row, four rows at a time; `supports` null: columns are positions. */
function decide(
  pair: PairMachine,
  supports: Int32Array | null,
  gram: GramValues,
  stride: number,
  rows: ArrayLike<number>,
  out: Float64Array,
  q: number,
  width: number,
): void {
  const { positions, coefficients, rho } = pair;
  const columns = supports === null ? positions : positions.map((position) => supports[position]);
  const last = rows.length - 1;
  for (let r = 0; r <= last; r += 4) {
    const row0 = rows[r] * stride;
    const row1 = rows[Math.min(r + 1, last)] * stride;
    const row2 = rows[Math.min(r + 2, last)] * stride;
    const row3 = rows[Math.min(r + 3, last)] * stride;
    let [d0, d1, d2, d3] = [-rho, -rho, -rho, -rho];
    for (let s = 0; s < columns.length; s++) {
      const weight = coefficients[s];
      const column = columns[s];
      d0 += weight * gram[row0 + column];
      d1 += weight * gram[row1 + column];
      d2 += weight * gram[row2 + column];
      d3 += weight * gram[row3 + column];
    }
    out[r * width + q] = d0;
    if (r < last) out[(r + 1) * width + q] = d1;
    if (r + 1 < last) out[(r + 2) * width + q] = d2;
    if (r + 2 < last) out[(r + 3) * width + q] = d3;
  }
}

/** Gram indices of each class, in the order of `indices`. */
function groupByClass(indices: ArrayLike<number>, classes: ArrayLike<number>): Map<number, Int32Array> {
  const lists = new Map<number, number[]>();
  for (let i = 0; i < indices.length; i++) {
    const name = classes[indices[i]];
    if (!Number.isInteger(name))
      throw badData(`trainSvc: class of Gram index ${indices[i]}: got ${name}, expected an integer`);
    const list = lists.get(name);
    if (list) list.push(indices[i]);
    else lists.set(name, [indices[i]]);
  }
  return new Map([...lists].map(([name, list]) => [name, Int32Array.from(list)]));
}

function weightsOf(
  points: Map<number, Int32Array>,
  total: number,
  given: SvcOptions["classWeights"],
): Map<number, number> {
  if (given !== undefined && given !== "balanced" && (typeof given !== "object" || given === null))
    throw badCall(
      `trainSvc: weights of the classes: got ${String(given)}, expected "balanced", a Map or an object { class: weight }`,
    );
  const weights = new Map<number, number>();
  if (typeof given === "object")
    for (const [name, weight] of given instanceof Map ? given : Object.entries(given)) {
      if (!Number.isInteger(Number(name)))
        throw badCall(`trainSvc: weights of the classes: got class ${name}, expected the number of a class`);
      if (!(weight > 0 && weight < Infinity))
        throw badCall(`trainSvc: weight of class ${name}: got ${weight}, expected a number above 0`);
      weights.set(Number(name), weight);
    }
  return new Map(
    [...points].map(([name, list]) => [
      name,
      given === "balanced" ? total / (points.size * list.length) : (weights.get(name) ?? 1),
    ]),
  );
}

/** Replaces Gram indices by positions in the list of all supports. */
function uniteSupports(pairs: PairMachine[], stride: number): Pick<SvcModel, "supports" | "pairs"> {
  const position = new Int32Array(stride);
  for (const pair of pairs) for (const index of pair.positions) position[index] = 1;
  let count = 0;
  for (let index = 0; index < stride; index++) count += position[index];
  const supports = new Int32Array(count);
  for (let index = 0, at = 0; index < stride; index++) {
    if (position[index] === 0) continue;
    supports[at] = index;
    position[index] = at++;
  }
  for (const { positions } of pairs)
    for (let s = 0; s < positions.length; s++) positions[s] = position[positions[s]];
  return { supports, pairs };
}
