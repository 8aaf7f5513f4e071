/** What the terminal and the explorer say of a model, in the same words. */
import { pointText } from "../experiment/evaluation-words.js";
import { formatShare } from "../experiment/wording.js";
import type { GraphModel } from "./model.js";

export function modelSentences({ provenance, svc }: Pick<GraphModel, "provenance" | "svc">): string[] {
  const { kernel, graphs, dataset, chosen, C, crossValidatedAccuracy } = provenance;
  const choice = [pointText(chosen), `C ${C}`].filter((text) => text !== "").join(", ");
  const sentences = [
    `${kernel} on ${graphs} graphs of ${dataset}: ${choice}; ${svc.supports.length} support graphs`,
  ];
  if (crossValidatedAccuracy !== null)
    sentences.push(
      `cross-validated accuracy of that choice: ${formatShare(crossValidatedAccuracy)} (the best of the grid, so a little too high; evaluate gives an honest one)`,
    );
  return sentences;
}
