/**
 * Folds for cross-validation, stratified: every fold has about the same share of every class.
 *
 * What holds, and is tested:
 * 1. every index is in exactly one test fold, and in the training part of all others;
 * 2. the number of points of a class in a test fold is its ideal (points / folds) rounded down or up;
 * 3. the sizes of two test folds differ by at most one;
 * 4. the same seed gives the same folds, another repeat other ones;
 * 5. with groups, the members of a group are in one fold; 2 and 3 then hold only as well as the groups allow.
 *
 * Without groups: each class is shuffled and dealt out like cards, the next class where the last one stopped. With groups:
 * the largest group first, each to the fold where it raises Σ_c n_fc² / N_c least (n_fc points of class c in fold f, N_c in
 * all), which is smallest when every class is spread evenly. O(points), or O(groups · folds · classes).
 */
import { badCall, badData, unknownName } from "../base/errors.js";
import { Random } from "../base/random.js";

export interface FoldOptions {
  /** Number of folds, at least 2. Default 10. */
  folds?: number;
  /** Default 0. */
  seed?: number;
  /** Which of several independent splits under the same seed. Default 0. */
  repeat?: number;
  /** Split only these points. Default all. */
  indices?: ArrayLike<number>;
  /** groups[i] is the group of point i: isomorphic graphs, graphs of one patient. Default every point by itself. */
  groups?: ArrayLike<number>;
}

const OPTIONS = ["folds", "seed", "repeat", "indices", "groups"];

export interface Fold {
  /** Members of `indices`, ascending. */
  train: Int32Array;
  test: Int32Array;
}

export interface FoldSet {
  folds: Fold[];
  /** Sentences for the user: a class too small to be in every fold. */
  warnings: string[];
}

/** classes[i] is the class of point i. */
export function stratifiedFolds(classes: ArrayLike<number>, options: FoldOptions = {}): FoldSet {
  for (const name of Object.keys(options))
    if (!OPTIONS.includes(name)) throw unknownName("option of the folds", name, OPTIONS);
  const { folds = 10, seed = 0, repeat = 0, groups } = options;
  const indices = Int32Array.from(options.indices ?? { length: classes.length }, (index, i) => index ?? i);
  if (!(Number.isInteger(folds) && folds >= 2))
    throw badCall(`number of folds: got ${folds}, expected an integer of at least 2`);
  if (folds > indices.length)
    throw badData(
      `${folds} folds of ${indices.length} points: expected at least one point in each; take fewer folds`,
    );
  const byClass = new Map<number, number[]>();
  const foldOf = new Int32Array(classes.length).fill(-2);
  for (const index of indices) {
    if (!(index >= 0 && index < classes.length))
      throw badCall(`stratifiedFolds: index: got ${index}, expected 0 to ${classes.length - 1}`);
    if (foldOf[index] !== -2)
      throw badCall(`stratifiedFolds: index: got ${index} twice, expected every index once`);
    foldOf[index] = -1;
    const list = byClass.get(classes[index]);
    if (list) list.push(index);
    else byClass.set(classes[index], [index]);
  }
  if (byClass.size < 2)
    throw badData(`folds: classes: got ${byClass.size}, expected at least 2 to tell apart`);
  const names = [...byClass.keys()].sort((a, b) => a - b);
  const lists = names.map((name) => byClass.get(name) as number[]);
  const random = new Random(seed, repeat, 0x666f6c64);
  if (groups) dealGroups(lists, groups, folds, random, foldOf);
  else deal(lists, folds, random, foldOf);
  const warnings = names.flatMap((name, c) =>
    lists[c].length < folds
      ? [
          `class ${name} has ${lists[c].length} ${lists[c].length === 1 ? "member" : "members"}, fewer than the ${folds} folds: some folds test none of it`,
        ]
      : [],
  );
  const sorted = indices.sort();
  return {
    folds: Array.from({ length: folds }, (_, f) => ({
      train: sorted.filter((index) => foldOf[index] !== f),
      test: sorted.filter((index) => foldOf[index] === f),
    })),
    warnings,
  };
}

/** As many folds as are wanted, or as there are points (with groups: groups) to put into them. */
export function possibleFolds(wanted: number, indices: Int32Array, groups?: ArrayLike<number>): number {
  return Math.min(wanted, groups ? new Set(Array.from(indices, (i) => groups[i])).size : indices.length);
}

/** The class of all these points; null where they have several, or none. */
export function onlyClass(classes: ArrayLike<number>, indices: Int32Array): number | null {
  const first = classes[indices[0]];
  return indices.length > 0 && indices.every((i) => classes[i] === first) ? first : null;
}

/** The folds by which a training part chooses: fewer than `inner` where it is too small, none where there is nothing to tell apart. */
export function innerFolds(
  classes: ArrayLike<number>,
  train: Int32Array,
  { inner = 10, seed = 0, groups }: { inner?: number; seed?: number; groups?: ArrayLike<number> },
): Fold[] {
  const folds = possibleFolds(inner, train, groups);
  if (inner >= 2 && (folds < 2 || onlyClass(classes, train) !== null)) return [];
  return stratifiedFolds(classes, { folds, seed, indices: train, groups }).folds;
}

/** `repeats` independent splits: repeat r is stratifiedFolds with repeat = r. */
export function repeatedFolds(
  classes: ArrayLike<number>,
  repeats: number,
  options: Omit<FoldOptions, "repeat"> = {},
): FoldSet[] {
  if (!(Number.isInteger(repeats) && repeats >= 1))
    throw badCall(`repeatedFolds: number of repeats: got ${repeats}, expected an integer of at least 1`);
  return Array.from({ length: repeats }, (_, repeat) => stratifiedFolds(classes, { ...options, repeat }));
}

function deal(lists: number[][], folds: number, random: Random, foldOf: Int32Array): void {
  const order = random.shuffle(Array.from({ length: folds }, (_, f) => f));
  let next = 0;
  for (const list of lists)
    for (const index of random.shuffle([...list])) foldOf[index] = order[next++ % folds];
}

function dealGroups(
  lists: number[][],
  groups: ArrayLike<number>,
  folds: number,
  random: Random,
  foldOf: Int32Array,
): void {
  interface Group {
    members: number[];
    /** Members of each class. */
    counts: Int32Array;
  }
  const found = new Map<number, Group>();
  for (let c = 0; c < lists.length; c++)
    for (const index of lists[c]) {
      const name = groups[index];
      if (name === undefined || Number.isNaN(name))
        throw badCall(`stratifiedFolds: group of point ${index}: got ${name}, expected a number`);
      let group = found.get(name);
      if (!group) {
        group = { members: [], counts: new Int32Array(lists.length) };
        found.set(name, group);
      }
      group.members.push(index);
      group.counts[c]++;
    }
  if (found.size < folds)
    throw badData(
      `${folds} folds of ${found.size} groups: expected at least one group in each; take fewer folds`,
    );
  // shuffled first, so that equal sizes fall in an order of the seed
  const all = [...found.values()];
  const shuffled = random.shuffle(Array.from(all, (_, g) => g)).map((g) => all[g]);
  shuffled.sort((a, b) => b.members.length - a.members.length);
  const inFold = Array.from({ length: folds }, () => new Int32Array(lists.length));
  const sizes = new Int32Array(folds);
  for (const { members, counts } of shuffled) {
    let best = 0;
    let bestCost = Infinity;
    for (let f = 0; f < folds; f++) {
      let cost = 0;
      for (let c = 0; c < lists.length; c++)
        cost += (counts[c] * (2 * inFold[f][c] + counts[c])) / lists[c].length;
      if (cost < bestCost - 1e-12 || (cost < bestCost + 1e-12 && sizes[f] < sizes[best])) {
        best = f;
        bestCost = cost;
      }
    }
    for (let c = 0; c < lists.length; c++) inFold[best][c] += counts[c];
    sizes[best] += members.length;
    for (const index of members) foldOf[index] = best;
  }
}
