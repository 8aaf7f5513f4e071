/**
 * How a synthetic set is described: its classes, and how a graph of a class is drawn. Parameters are drawn for each graph
 * from distributions that overlap between the classes, so that no method can be right about every graph.
 */
import { exponential } from "../../base/exponential.js";
import { power } from "../../base/logarithm.js";
import type { Random } from "../../base/random.js";
import type { EdgeList } from "../../graph/generators/edges.js";

export interface Recipe {
  /** One sentence on what the set is. */
  note: string;
  /** In ascending order. */
  classNames: readonly string[];
  /** Number of graphs unless the caller asks for another. */
  graphs: number;
  /** The edges of a graph of the class classNames[c]; the order of the nodes may tell the class, it is shuffled later. */
  draw(c: number, random: Random): EdgeList;
}

/** A whole number from low to high, its logarithm uniform. */
export function logUniform(random: Random, low: number, high: number): number {
  return Math.min(high, Math.floor(low * power((high + 1) / low, random.uniform())));
}

/** A share in (0, 1): the logistic function of a normal number. */
export function logitNormal(random: Random, mean: number, deviation: number): number {
  return 1 / (1 + exponential(-(mean + deviation * random.normal())));
}
