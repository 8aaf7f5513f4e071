/**
 * A plug-in of StrykerJS that lets a share of the changes take part: those whose hash (file, place, replacement) falls below it, so that a
 * sample is the same each time. The others are reported as not compiling, which counts neither way.
 */
import { createHash } from "node:crypto";

const share = Number(process.env.GRAPHDOS_MUTANT_SHARE ?? 1);

function isIn({ fileName, location, replacement, mutatorName }) {
  const path = fileName.slice(fileName.lastIndexOf("/src/"));
  const text = JSON.stringify([path, location, mutatorName, replacement]);
  return createHash("sha256").update(text).digest().readUInt32LE(0) / 2 ** 32 < share;
}

const sample = () => ({
  init: async () => undefined,
  group: async (mutants) => [mutants.map(({ id }) => id)],
  check: async (mutants) =>
    Object.fromEntries(
      mutants.map((mutant) => [
        mutant.id,
        isIn(mutant) ? { status: "passed" } : { status: "compileError", reason: "not in the sample" },
      ]),
    ),
});
sample.inject = [];

export const strykerPlugins = [{ kind: "Checker", name: "sample", factory: sample }];
