/**
 * Synthetic data sets by name and seed. Graph g is drawn from its own random stream (seed, g, set). Classes are balanced;
 * their order and the order of the nodes are shuffled, so that neither tells anything.
 */
import { unknownName } from "../../base/errors.js";
import { Random } from "../../base/random.js";
import { emptyCleaning } from "../../graph/cleaning.js";
import { checkInteger, checkSeed, type EdgeList } from "../../graph/generators/edges.js";
import type { Dataset } from "../dataset.js";
import { communities } from "./communities.js";
import { ego } from "./ego.js";
import type { Recipe } from "./recipe.js";
import { threads } from "./threads.js";

const RECIPES: Readonly<Record<string, Recipe>> = { threads, ego, communities };

/** The names that syntheticDataset knows. */
export const syntheticNames: readonly string[] = Object.keys(RECIPES);

export interface SyntheticOptions {
  /** Default 0. */
  seed?: number;
  /** Number of graphs, 1 to 10^6; the default is the recipe's own, 360 or 400. */
  graphs?: number;
}

const OPTIONS = ["seed", "graphs"];
const MAX_GRAPHS = 1_000_000;

export function syntheticDataset(name: string, options: SyntheticOptions = {}): Dataset {
  if (!Object.hasOwn(RECIPES, name)) throw unknownName("synthetic data set", name, syntheticNames);
  for (const key of Object.keys(options))
    if (!OPTIONS.includes(key)) throw unknownName("option of a synthetic data set", key, OPTIONS);
  const recipe = RECIPES[name];
  const { seed = 0, graphs: count = recipe.graphs } = options;
  const where = `synthetic:${name}`;
  checkSeed(where, seed);
  checkInteger(where, "graphs", count, 1, MAX_GRAPHS);

  const set = syntheticNames.indexOf(name);
  const classes = Int32Array.from({ length: count }, (_, g) => g % recipe.classNames.length);
  new Random(seed, MAX_GRAPHS, set).shuffle(classes);
  const cleaning = emptyCleaning();
  const graphs = Array.from(classes, (c, g) => {
    const random = new Random(seed, g, set);
    const graph = shuffleNodes(recipe.draw(c, random), random).toGraph();
    cleaning.edgesRead += graph.edgeCount;
    for (let i = 0; i < graph.nodeCount; i++) if (graph.neighbourCount(i) === 0) cleaning.isolatedNodes++;
    return graph;
  });
  return {
    name: where,
    graphs,
    classes,
    classNames: [...recipe.classNames],
    targets: null,
    graphNames: null,
    nodeIds: null,
    cleaning,
    notes: [recipe.note],
  };
}

function shuffleNodes(edges: EdgeList, random: Random): EdgeList {
  const { words, nodeCount, length } = edges;
  const position = random.shuffle(Uint32Array.from({ length: nodeCount }, (_, i) => i));
  for (let at = 0; at < 2 * length; at++) words[at] = position[words[at]];
  return edges;
}
