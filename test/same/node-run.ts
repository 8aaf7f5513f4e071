/**
 * Computes the results with the built library in this process and prints them as JSON. Made into one file (environments.ts) that any version
 * of Node runs:
 *
 *   node run.mjs WORKERS quick|full wasm|plain
 *
 * `plain` hides WASM, so that the plain-TypeScript twin does all the work.
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Graphdos from "../../src/node.js";
import { encodeResults } from "./encoding.js";
import { computeResults } from "./results.js";

const [workers, size, kind] = process.argv.slice(2);
if (kind === "plain") WebAssembly.validate = () => false;
const address = pathToFileURL(resolve("dist/node.js")).href;
const graphdos: typeof Graphdos = await import(address);
const kernels = await graphdos.loadKernels();
if ((kernels.kind === "wasm-simd") !== (kind === "wasm"))
  throw new Error(`got ${kernels.kind}, asked for ${kind}`);
const executor = graphdos.threadExecutor(Number(workers));
const results = await computeResults({ graphdos, executor, quick: size === "quick" });
await executor.close();
process.stdout.write(JSON.stringify(encodeResults(results)));
