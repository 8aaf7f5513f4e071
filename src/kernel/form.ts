/**
 * From inner products of feature vectors to a kernel of unit diagonal. With K the inner products, K̂(G, H) = K(G, H) / √(K(G, G) K(H, H)):
 *
 *   linear         K̂ itself: the cosine of the two vectors; no bandwidth
 *   radial         exp(−γ d^p), d² = 2 − 2K̂: the distance of the vectors scaled to length 1
 *   radial-counts  exp(−γ d^p), d² = K(G, G) + K(H, H) − 2K(G, H): the distance of the vectors as they are
 *   transport      exp(−γ d), d = max(K(G, G), K(H, H)) − K(G, H): of shares that sum to 1 (baseline/wwl.ts), and for these alone
 *
 * A graph without any feature, K(G, G) = 0, is like others of its kind and unlike all else, as if "has nothing" were a feature: so
 * the matrix keeps its unit diagonal and stays positive semi-definite.
 *
 * The RBF of a kernel's own distance: Kriege, Johansson, Morris: A survey on graph kernels, Applied Network Science 5 (2020).
 */
import { cosine } from "../signature/vector-distances.js";
import type { OptionTable } from "./options.js";
import { radialOptions } from "./part.js";

/** Those to choose from. */
export const FORM_CHOICES = ["linear", "radial", "radial-counts"] as const;
export const FORMS = [...FORM_CHOICES, "transport"] as const;
export type Form = (typeof FORMS)[number];

/** A kernel value where the form is linear, else a distance. `a` and `b` are K(G, G) and K(H, H). */
export function fromProduct(form: Form, product: number, a: number, b: number): number {
  if (form === "radial-counts") return Math.sqrt(Math.max(0, a + b - 2 * product));
  if (form === "transport") return Math.max(0, Math.max(a, b) - product);
  const value = cosine(product, a, b);
  return form === "linear" ? value : Math.sqrt(Math.max(0, 2 - 2 * value));
}

/** The choice of the form, and what the radial ones need. */
export function formOptions(form: Form = "linear"): OptionTable {
  if (form === "transport") return radialOptions("l1");
  return {
    form: {
      default: form,
      allowed: FORM_CHOICES,
      about: "linear: normalised inner products; radial: exp(-gamma d^p) of their distance",
    },
    ...radialOptions("euclidean"),
  };
}
