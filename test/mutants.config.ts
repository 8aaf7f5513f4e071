/** What runs against mutants (scripts/mutants.ts): the tests of one folder, in one process, without those on large graphs and real sets. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [`test/${process.env.GRAPHDOS_MUTANTS ?? "*"}/**/*.test.ts`],
    exclude: ["test/**/*-real.test.ts", "test/spectrum/awkward.test.ts"],
    testTimeout: 600_000,
    env: { NO_COLOR: "1" },
  },
});
