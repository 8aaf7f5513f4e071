/** Two graphs: their spectra, the nodes that differ, and their similarity under a kernel with the bandwidths of the whole set. */
import {
  type Bandwidth,
  type ComparedGraph,
  type Distances,
  featureArrays,
  fitKernel,
  graphSpectrum,
  graphTitle,
  integerLabels,
  kernelByName,
  kernelCrossGram,
  kernelInput,
  kernelNeeds,
  kernelOptions,
  nodeGaps,
  rowDistances,
  spectralDistance,
} from "graphdos";
import { partOfSet } from "./kernel-parts.js";
import { kernelOptionsOf, profileOptionsOf, unusedNotes } from "./kernel-settings.js";
import { profileOf } from "./profiles.js";
import type { CompareCalls, SpectralSettings } from "./protocol.js";
import type { CallContext, Handlers } from "./session.js";

export const compareHandlers: Handlers<CompareCalls> = {
  async compare({ first, second, settings }, context) {
    const exact: SpectralSettings = { ...settings, estimator: "auto" };
    const [a, b] = [await compared(first, exact, context), await compared(second, exact, context)];
    const { damping, filter } = settings;
    const spectrum = ({ name, graph, profile }: ComparedGraph) =>
      graphSpectrum(graph, profile, { name, damping, filter });
    const [one, two] = [spectrum(a), spectrum(b)];
    return {
      spectra: [one, two],
      distance: spectralDistance(one, two),
      gaps: nodeGaps(a, b, { damping }),
    };
  },

  async similarity({ first, second, kernel }, context) {
    const spec = kernelByName(kernel);
    const options = kernelOptions(spec);
    const pair: Distances[] = [];
    const bandwidths: (Bandwidth | null)[] = [];
    const made = new Set<string>();
    for (let k = 0; k < spec.parts.length; k++) {
      const { signatures, bandwidth, notes } = await partOfSet(spec, k, context);
      pair.push(await rowDistances(signatures, first, context, [second]));
      bandwidths.push(bandwidth);
      for (const note of notes) made.add(note);
    }
    return {
      kernel,
      value: kernelCrossGram({ spec, options }, pair, bandwidths).values[0],
      parts: spec.parts.map((part, k) => ({
        part: part.name,
        distance: bandwidths[k] === null ? null : pair[k].values[0],
        similarity: kernelCrossGram({ spec: { ...spec, parts: [part] }, options }, [pair[k]], [bandwidths[k]])
          .values[0],
        errorBound: pair[k].errorBound,
      })),
      notes: [...unusedNotes(context.session.dataset, { spec, options }), ...made],
    };
  },

  async features({ kernel, moments = 50, selfLoops = false }, { session, executor, signal, onProgress }) {
    const { dataset } = session;
    const spec = kernelByName(kernel);
    const options = kernelOptions(spec, kernelOptionsOf(kernel, selfLoops));
    const control = { signal, onProgress };
    const profile = profileOptionsOf({ moments, selfLoops });
    const input = await kernelInput(dataset, kernelNeeds(spec, options), profile, executor, control);
    const fitted = await fitKernel(spec, input, options, { executor, ...control });
    return new Uint8Array(featureArrays(fitted, integerLabels(dataset).values, null));
  },
};

async function compared(g: number, settings: SpectralSettings, context: CallContext): Promise<ComparedGraph> {
  const { dataset } = context.session;
  return {
    name: graphTitle(dataset, g),
    graph: context.session.graph(g),
    profile: await profileOf(g, settings, true, context),
    nodeIds: dataset.nodeIds?.[g] ?? null,
  };
}
