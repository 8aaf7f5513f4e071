import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    // Vitest leaves one core to itself, which on two cores is half the machine.
    maxWorkers: "100%",
    // Commands that tests start print plain text, also where CI or FORCE_COLOR is set.
    env: { NO_COLOR: "1" },
  },
});
