import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    // Commands that tests start print plain text, also where CI or FORCE_COLOR is set.
    env: { NO_COLOR: "1" },
  },
});
