/** The task of the tests as workers run it (support.ts describes its input). */
import { appendFileSync, existsSync, writeFileSync } from "node:fs";

export const testTask = {
  name: "test-unit",
  async run(_, { number, log, milliseconds, gate, ballast, filling, fault }) {
    if (ballast?.some((byte) => byte !== 7)) throw new Error("the ballast has changed on its way");
    appendFileSync(log, `${number} ${process.pid}\n`);
    if (fault === "fail") throw new Error(`graph ${number} is beyond help`);
    if (fault === "exit") process.kill(process.pid, "SIGKILL");
    if (fault === "spin once" && !existsSync(`${log}.spun`)) {
      writeFileSync(`${log}.spun`, "");
      for (;;);
    }
    const pause = () => new Promise((resolve) => setTimeout(resolve, milliseconds));
    await pause();
    while (gate !== undefined && !existsSync(gate)) await pause();
    const square = number * number;
    return filling === undefined ? { square } : { square, filling: new Uint8Array(filling).fill(number) };
  },
};
