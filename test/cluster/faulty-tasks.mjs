/** The task of the tests as workers run it (support.ts describes its input). */
import { appendFileSync, existsSync, writeFileSync } from "node:fs";

export const testTask = {
  name: "test-unit",
  async run(_, { number, log, milliseconds, fault }) {
    appendFileSync(log, `${number}\n`);
    if (fault === "fail") throw new Error(`graph ${number} is beyond help`);
    if (fault === "exit") process.kill(process.pid, "SIGKILL");
    if (fault === "spin once" && !existsSync(`${log}.spun`)) {
      writeFileSync(`${log}.spun`, "");
      for (;;);
    }
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    return { square: number * number };
  },
};
