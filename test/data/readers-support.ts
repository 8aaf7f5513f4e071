/** What the tests of the readers share. */
import { expect } from "vitest";
import { GraphdosError } from "../../src/base/errors.js";
import { textSource } from "../../src/data/bytes.js";
import type { Dataset } from "../../src/data/dataset.js";
import type { FileFormat, FileTree } from "../../src/data/reading.js";
import type { Graph } from "../../src/graph/graph.js";

export const readText = (format: FileFormat, text: string, name = `x.${format.extensions[0]}`) =>
  format.read(textSource(name, text), {});

/** Edges as "i-j" or "i-j:weight", ascending. */
export function edgesOf(graph: Graph): string[] {
  graph.validate();
  const edges: string[] = [];
  graph.forEachEdge((i, j, w) => edges.push(graph.weights === null ? `${i}-${j}` : `${i}-${j}:${w}`));
  return edges;
}

export const treeOf = (name: string, files: Record<string, string>): FileTree => ({
  name,
  files: new Map(Object.entries(files).map(([path, text]) => [path, textSource(path, text)])),
});

/** The sentence with which the reading is refused; it must be bad data. */
export async function refusal(reading: Promise<unknown>): Promise<string> {
  const error = await reading.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(GraphdosError);
  expect((error as GraphdosError).code).toBe("bad-data");
  return (error as GraphdosError).message;
}

/** Every beginning of a valid file is a valid data set or is refused with a GraphdosError; gives how many were read. */
export async function readAllPrefixes(format: FileFormat, text: string): Promise<number> {
  let read = 0;
  for (let end = 0; end <= text.length; end++) {
    try {
      const dataset: Dataset = await readText(format, text.slice(0, end));
      for (const graph of dataset.graphs) graph.validate();
      read++;
    } catch (error) {
      if (!(error instanceof GraphdosError)) throw error;
    }
  }
  return read;
}
