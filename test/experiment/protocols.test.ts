import { Command } from "commander";
import { expect, it } from "vitest";
import { addReproduceCommand } from "../../src/cli/reproduce.js";
import { PROTOCOLS, protocolByName } from "../../src/experiment/protocols.js";

it("one protocol has the name paper: what reproduce runs without options is what evaluate runs", () => {
  const program = new Command();
  addReproduceCommand(program);
  const { repeats, folds, inner } = program.commands[0].opts();
  expect(protocolByName("paper")).toMatchObject({ repeats, folds, inner });
});

it("the number of inner folds does not depend on the protocol", () => {
  expect(new Set(PROTOCOLS.map((name) => protocolByName(name).inner))).toEqual(new Set([3]));
});
