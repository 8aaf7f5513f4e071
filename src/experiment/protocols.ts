/**
 * Protocols by name. All are nested and stratified; test graphs enter no choice.
 *
 *   paper  section 4.2: 10 repeats of 10 folds, C from 10^-3 to 10^3 by 3 inner folds (the paper does not say how many)
 *   retgk  as RetGK's scripts: the same, but the bandwidth is the median over all graphs, test graphs included (it leaks; for comparison)
 *   quick  one repeat of 10 folds, 3 inner folds, C from 10^-1 to 10^3
 */
import { unknownName } from "../base/errors.js";
import type { OptionValue } from "../kernel/options.js";
import { PAPER_CS } from "../learn/nested.js";
import type { Classifier, Protocol } from "./evaluation-types.js";

/** The inner folds of every protocol, of `evaluate` and `reproduce` alike. */
export const INNER_FOLDS = 3;

export const PROTOCOLS = ["paper", "retgk", "quick"] as const;

export interface ProtocolChanges {
  repeats?: number;
  folds?: number;
  inner?: number;
  Cs?: number[];
  seed?: number;
  grouped?: boolean;
  classifier?: Classifier;
}

export function protocolByName(name: string, changes: ProtocolChanges = {}): Protocol {
  if (!(PROTOCOLS as readonly string[]).includes(name)) throw unknownName("protocol", name, PROTOCOLS);
  const quick = name === "quick";
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  return {
    name,
    repeats: quick ? 1 : 10,
    folds: 10,
    inner: INNER_FOLDS,
    Cs: quick ? PAPER_CS.slice(2) : [...PAPER_CS],
    seed: 0,
    grouped: false,
    ...given,
  };
}

/** Kernel options that the protocol fixes. */
export function protocolOptions(name: string): Record<string, OptionValue> {
  return name === "retgk" ? { bandwidth: "median-all" } : {};
}
