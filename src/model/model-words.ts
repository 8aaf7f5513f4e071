/** What the terminal and the explorer say of a model, in the same words. */
import type { Dataset } from "../data/dataset.js";
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

/** What small sets keep the cross-validation that chooses the options of a model from doing. */
export function choiceNotes(
  { graphs, classes, classNames }: Pick<Dataset, "graphs" | "classes" | "classNames">,
  folds: number,
): string[] {
  const notes: string[] = [];
  if (graphs.length < folds)
    notes.push(`${graphs.length} graphs: the cross-validation that chooses has as many folds`);
  classNames.forEach((name, c) => {
    if (classes?.filter((each) => each === c).length === 1)
      notes.push(
        `class ${name} has 1 graph: the cross-validation that chooses cannot learn it and test it at once`,
      );
  });
  return notes;
}
