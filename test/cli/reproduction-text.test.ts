/** The tables of a reproduction as the terminal shows them. */
import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import { reproductionText } from "../../src/cli/reproduction-text.js";
import { madeUp } from "../report/made-up-reproduction.js";

it("every table of accuracies ends with the ceiling of its sets, and rows as good as the best are marked", () => {
  const made = madeUp();
  const [{ sets, cells }] = made.tables;
  const other = { ...cells[1], row: "DOS", set: sets[0], pOfDifference: 0.2 };
  const worse = { ...cells[1], row: "LDOS", set: sets[0], pOfDifference: 0.01 };
  const tables = [
    { ...made.tables[0], rows: ["DOS", "LDOS"], cells: [other, worse] },
    ...made.tables.slice(1),
  ];
  const lines = stripVTControlCharacters(reproductionText({ ...made, tables })).split("\n");
  const ceilings = lines.filter((line) => line.trimStart().startsWith("ceiling  "));
  expect(ceilings).toHaveLength(made.tables.length);
  const shares = sets.map((set) => made.sets.find(({ name }) => name === set)!.ceiling);
  for (const line of ceilings)
    expect(line.trim().split(/\s+/).slice(1)).toEqual(shares.map((share) => (100 * share).toFixed(2)));
  const row = (name: string) => lines.find((line) => line.trimStart().startsWith(`${name} `));
  expect(row("DOS")).toContain("≈");
  expect(row("LDOS")).not.toContain("≈");
});
