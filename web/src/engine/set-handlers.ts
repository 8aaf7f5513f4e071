/** Opening a data set and saying what is in it. */
import {
  blobSource,
  type Dataset,
  type FileTree,
  inspectDataset,
  inspectionSentences,
  KERNELS,
  type RunControl,
  readDataset,
  readingSentences,
  syntheticDataset,
} from "graphdos";
import type { OpenedSet, OpenInput, SetCalls } from "./protocol.js";
import type { Handlers } from "./session.js";

export const describeSet = ({
  name,
  graphs,
  classes,
  classNames,
  graphNames,
  notes,
}: Dataset): OpenedSet => ({
  name,
  graphs: graphs.length,
  nodes: Uint32Array.from(graphs, (graph) => graph.nodeCount),
  edges: Uint32Array.from(graphs, (graph) => graph.edgeCount),
  classes: classes?.slice() ?? null,
  classNames,
  graphNames,
  notes,
  kernels: KERNELS.map(({ name: kernel, title }) => ({ name: kernel, title })),
});

export const setHandlers: Handlers<SetCalls> = {
  inspect(_, { session, signal, onProgress }) {
    return session.once("inspect", async () => {
      const inspection = inspectDataset(session.dataset, { signal, onProgress });
      return {
        inspection,
        structure: inspectionSentences(inspection),
        reading: readingSentences(inspection),
      };
    });
  },
};

export function read(input: OpenInput, control: RunControl): Promise<Dataset> | Dataset {
  if (input.kind === "built-in") return syntheticDataset(input.name.replace(/^synthetic:/, ""));
  const { name, files } = input;
  if (files.length === 1) return readDataset(blobSource(files[0].file.name, files[0].file), control);
  const tree: FileTree = {
    name,
    files: new Map(files.map(({ path, file }) => [path, blobSource(path, file)])),
  };
  return readDataset(tree, control);
}
