/**
 * Distances between all graphs of the open set by the parts of kernels, with their bandwidths, kept as long as they are small: the same as
 * the command line computes them (moments 50, estimator auto, seed 0).
 */
import {
  type Bandwidth,
  type Distances,
  type KernelInput,
  type KernelNeeds,
  type KernelSpec,
  kernelGram,
  kernelInput,
  kernelOptions,
  pairwiseDistances,
  partOptions,
} from "graphdos";
import type { CallContext } from "./session.js";

const MOMENTS = 50;
/** Profiles and distances of larger sets are computed again rather than kept. */
const KEPT_BYTES = 2 ** 27;

export interface PartDistances {
  distances: Distances;
  /** Null where the part gives similarities instead of distances. */
  bandwidth: Bandwidth | null;
}

/** Of part k of a kernel with its default options. */
export async function partDistances(
  spec: KernelSpec,
  k: number,
  context: CallContext,
): Promise<PartDistances> {
  const { session, executor, signal, onProgress } = context;
  const part = spec.parts[k];
  const options = partOptions(spec, k, kernelOptions(spec));
  const make = async () => {
    const input = await inputFor(part.needs(options), context);
    const fitted = await part.fit(input, options, { executor, signal, onProgress });
    const { nameOf } = input;
    const distances = await pairwiseDistances(fitted.signatures, { executor, signal, onProgress, nameOf });
    const alone = { spec: { ...spec, parts: [part] }, options };
    return { distances, bandwidth: kernelGram(alone, [distances]).bandwidths[0] };
  };
  const bytes = 8 * session.dataset.graphs.length ** 2;
  return bytes <= KEPT_BYTES ? session.once(`distances ${part.name}`, make) : make();
}

/** What a kernel needs of the open set. */
export function inputFor(needs: KernelNeeds, context: CallContext): Promise<KernelInput> {
  const { session, executor, signal, onProgress } = context;
  const { dataset } = session;
  const make = () => kernelInput(dataset, [needs], { moments: MOMENTS }, executor, { signal, onProgress });
  const nodes = dataset.graphs.reduce((sum, graph) => sum + graph.nodeCount, 0);
  const key = `input ${needs.selfLoops} ${needs.nodes} ${needs.graphs}`;
  return 8 * (MOMENTS + 1) * nodes <= KEPT_BYTES ? session.once(key, make) : make();
}
