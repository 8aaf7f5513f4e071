/** A page that computes the results, in its own thread or in web workers, for a browser to be asked. */
import * as graphdos from "../../../src/index.js";
import { encodeResults } from "../encoding.js";
import { computeResults } from "../results.js";

async function results(workers: number, quick: boolean): Promise<Record<string, string>> {
  const start = () => new Worker(new URL("./tasks.ts", import.meta.url), { type: "module" });
  const executor = graphdos.webWorkerExecutor({ workers, start });
  try {
    return encodeResults(await computeResults({ graphdos, executor, quick }));
  } finally {
    await executor.close();
  }
}
Object.assign(window, { results });
