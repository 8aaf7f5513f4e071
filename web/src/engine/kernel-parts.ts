/**
 * Signatures of all graphs of the open set by the parts of kernels, with their bandwidths: the same as the command line computes them
 * (moments 50, estimator auto, seed 0), kept where the set is not large.
 */
import {
  type Bandwidth,
  type KernelInput,
  type KernelNeeds,
  type KernelSpec,
  kernelBandwidths,
  kernelInput,
  kernelOptions,
  partOptions,
  type Signatures,
} from "graphdos";
import type { CallContext } from "./session.js";

const MOMENTS = 50;
/** What is computed of sets with larger profiles is computed again rather than kept. */
const KEPT_BYTES = 2 ** 27;

export interface PartOfSet {
  /** Of all graphs of the set. */
  signatures: Signatures;
  /** Null where the part gives similarities instead of distances. */
  bandwidth: Bandwidth | null;
  /** What the part made and how its bandwidth was found. */
  notes: string[];
}

/** Part k of a kernel with its default options. */
export async function partOfSet(spec: KernelSpec, k: number, context: CallContext): Promise<PartOfSet> {
  const { session, executor, signal, onProgress } = context;
  const part = spec.parts[k];
  const options = partOptions(spec, k, kernelOptions(spec));
  const make = async () => {
    const input = await inputFor(part.needs(options), context);
    const control = { executor, signal, onProgress };
    const fitted = await part.fit(input, options, control);
    const alone = { spec: { ...spec, parts: [part] }, options, parts: [fitted], notes: [] };
    const { bandwidths, notes } = await kernelBandwidths(alone, { ...control, nameOf: input.nameOf });
    return {
      ...{ signatures: fitted.signatures, bandwidth: bandwidths[0] },
      notes: [...fitted.notes, ...notes],
    };
  };
  return smallEnough(context) ? session.once(`part ${part.name}`, make) : make();
}

function smallEnough({ session }: CallContext): boolean {
  const nodes = session.dataset.graphs.reduce((sum, graph) => sum + graph.nodeCount, 0);
  return 8 * (MOMENTS + 1) * nodes <= KEPT_BYTES;
}

/** What a kernel needs of the open set. */
export function inputFor(needs: KernelNeeds, context: CallContext): Promise<KernelInput> {
  const { session, executor, signal, onProgress } = context;
  const { dataset } = session;
  const make = () => kernelInput(dataset, [needs], { moments: MOMENTS }, executor, { signal, onProgress });
  const key = `input ${needs.selfLoops} ${needs.nodes} ${needs.graphs}`;
  return smallEnough(context) ? session.once(key, make) : make();
}
