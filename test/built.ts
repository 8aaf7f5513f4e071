/** A module of the built package (dist/), for tests that need files on disk: worker threads start from there. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

export async function built<T>(path: string): Promise<T> {
  const address = pathToFileURL(resolve("dist", `${path}.js`)).href;
  return (await import(/* @vite-ignore */ address)) as T;
}
