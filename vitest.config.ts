import { defineConfig } from "vitest/config";

/**
 * What the fast lane (`npm run test:fast`, under a minute) leaves to `npm test`: everything with a browser, Redis, network namespaces,
 * killed processes or installed packages, and the files that work for long on real data.
 */
const thorough = [
  "test/{cluster,faults,fuzz,package,web}/**/*.test.ts",
  "test/**/*-real.test.ts",
  "test/cli/{bad-input,evaluate,features,hostile-names,memory-limit,serve,shard}.test.ts",
  "test/data/{tu,zip}.test.ts",
  "test/experiment/{evaluation,reproduction,stage-cache}.test.ts",
  "test/graph/build.test.ts",
  "test/kernel/{linear,registry}.test.ts",
  "test/model/model.test.ts",
  "test/node/{cache-limit,download}.test.ts",
  "test/spectrum/awkward.test.ts",
];

export default defineConfig({
  test: {
    // Against a hang alone: how long a test takes on a busy machine is nobody's guess.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 240_000 } },
    pool: "forks",
    // Vitest leaves one core to itself, which on two cores is half the machine.
    maxWorkers: "100%",
    // Commands that tests start print plain text, also where CI or FORCE_COLOR is set.
    env: { NO_COLOR: "1" },
    globalSetup: "test/fresh-build.ts",
    setupFiles: "test/equal-buffers.ts",
    projects: [
      {
        extends: true,
        test: { name: "fast", include: ["test/**/*.test.ts"], exclude: thorough, isolate: false },
      },
      { extends: true, test: { name: "thorough", include: thorough } },
    ],
  },
});
