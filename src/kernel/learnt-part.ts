/**
 * Parts that learn from the graphs of the fit, never from their classes: deep graph kernels (the embedding of substructures) and SAGE (the
 * scales of attributes, in an evaluation those of the training part). In an evaluation the embedding is learnt from all graphs, test
 * graphs included: transductive, as its authors do it, and said so in the notes of the result.
 */
import { fitDeepKernel } from "../baseline/deep-task.js";
import { DeepGraphKernel, type DeepKernelOptions } from "../baseline/dgk.js";
import { type LabelledOptions, LabelledReturnKernel, type ProfileOfNodes } from "../baseline/labelled.js";
import { labelledVectors } from "../baseline/labelled-task.js";
import { attributeSpread, commonAttributes } from "../signature/node-marks.js";
import { SEED } from "./count-part.js";
import { type Form, formOptions } from "./form.js";
import { linearSignatures } from "./linear-vectors.js";
import { MARKS, usedMarks } from "./mark-options.js";
import type { OptionTable, OptionValues } from "./options.js";
import {
  checkSignatures,
  type FittedPart,
  graphsFor,
  type KernelContext,
  type KernelInput,
  type KernelPart,
  profilesFor,
  radialOptions,
} from "./part.js";
import type { VectorSignatures } from "./signatures.js";
import type { State } from "./state.js";

const DEEP: OptionTable = {
  substructure: {
    default: "wl",
    allowed: ["wl", "graphlet"],
    grid: ["wl", "graphlet"],
    about: "what is embedded",
  },
  iterations: { default: 3, allowed: { from: 0, to: 100, integer: true }, about: "of Weisfeiler-Lehman" },
  size: { default: 4, allowed: [3, 4, 5], about: "nodes of a graphlet" },
  samples: {
    default: 1000,
    allowed: { from: 1, to: 1e9, integer: true },
    about: "pairs of graphlets a graph",
  },
  dimension: { default: 32, allowed: { from: 1, to: 4096, integer: true }, about: "numbers of an embedding" },
  negatives: {
    default: 1,
    allowed: { from: 1, to: 1e6, integer: true },
    about: "negative samples; shifts by their logarithm",
  },
  minimumCount: {
    default: 2,
    allowed: { from: 1, to: 1e9, integer: true },
    about: "nodes that must carry a label",
  },
  ...SEED,
};

const only = (table: OptionTable, options: OptionValues) =>
  Object.fromEntries(Object.keys(table).map((name) => [name, options[name]]));

export const deepPart: KernelPart = {
  name: "dgk",
  title: "deep graph kernel: embedded substructures",
  options: { ...DEEP, ...formOptions() },
  grid: { substructure: ["wl", "graphlet"] },
  stochastic: () => true,
  needs: () => ({ selfLoops: null, nodes: false, graphs: true }),
  uses: ({ substructure }) => (substructure === "wl" ? ["labels"] : []),
  async fit(input, options, context) {
    const own = only(DEEP, options) as DeepKernelOptions;
    const { kernel, vectors } = await fitDeepKernel(graphsFor(input, "dgk"), own, context.executor, context);
    const signatures = linearSignatures(vectors, options.form as Form);
    checkSignatures(signatures, "dgk", input.nameOf);
    const note =
      "dgk: the embedding is learnt from all graphs given, test graphs of an evaluation among them, without their classes (as its authors do)";
    return { signatures, ...bindDeep(kernel, options), notes: [note] };
  },
  restore(state, options) {
    const kernel = new DeepGraphKernel(only(DEEP, options) as DeepKernelOptions);
    kernel.restore(state);
    return bindDeep(kernel, options);
  },
};

const bindDeep = (kernel: DeepGraphKernel, options: OptionValues): Pick<FittedPart, "embed" | "state"> => ({
  state: () => kernel.vocabulary(),
  embed: async (input) => linearSignatures(kernel.transform(graphsFor(input, "dgk")), options.form as Form),
});

const SAGE: OptionTable = {
  width: {
    default: 0.1,
    allowed: { from: 0, to: 1e6, above: true },
    grid: [0.03, 0.1, 0.3],
    about: "of the kernel on return probabilities",
  },
  attributeWidth: {
    default: 0,
    allowed: { from: 0, to: 1e6 },
    about: "of the kernel on standardised attributes; 0: the root of their number",
  },
  features: {
    default: 200,
    allowed: { from: 2, to: 65536, integer: true },
    about: "random Fourier features a label, even",
  },
  labels: { ...MARKS.labels, default: "nodes" },
  attributes: { ...MARKS.attributes, default: "nodes" },
  ...SEED,
};

function sageKernel(options: OptionValues): LabelledReturnKernel {
  const own = only(SAGE, options);
  const attributeWidth = own.attributeWidth === 0 ? null : (own.attributeWidth as number);
  const [labels, attributes] = [own.labels === "nodes", own.attributes === "nodes"];
  return new LabelledReturnKernel({ ...own, attributeWidth, labels, attributes } as LabelledOptions);
}

const sageProfiles = (input: KernelInput) => profilesFor(input, true, "sage") as readonly ProfileOfNodes[];

export const sagePart: KernelPart = {
  name: "sage",
  title: "SAGE: return probabilities with node labels and attributes",
  options: { ...SAGE, ...radialOptions("euclidean") },
  stochastic: () => true,
  needs: () => ({ selfLoops: true, nodes: true, graphs: true }),
  uses: usedMarks,
  learn(graphs, options) {
    const dimension = options.attributes === "nodes" ? commonAttributes(graphs) : 0;
    return attributeSpread(graphs, dimension).deviations;
  },
  async fit(input, options, context, learnt) {
    const kernel = sageKernel(options);
    kernel.learn(graphsFor(input, "sage"), learnt);
    const signatures = await sageSignatures(kernel, input, context);
    const used = [
      kernel.labels.length > 0 ? "labels" : "",
      kernel.attributeCount > 0 ? "attributes" : "",
    ].filter((word) => word !== "");
    const notes = [
      `sage: ${used.length === 0 ? "no labels or attributes in these graphs: return probabilities alone" : `with node ${used.join(" and ")}`}; ${options.features} random Fourier features a label, seed ${options.seed}`,
    ];
    return { signatures, ...bindSage(kernel), notes };
  },
  restore(state, options) {
    const kernel = sageKernel(options);
    kernel.restore(state);
    return bindSage(kernel);
  },
};

async function sageSignatures(
  kernel: LabelledReturnKernel,
  input: KernelInput,
  context: KernelContext,
): Promise<VectorSignatures> {
  const graphs = graphsFor(input, "sage");
  const vectors = await labelledVectors(kernel, graphs, sageProfiles(input), context.executor, context);
  const set: VectorSignatures = { kind: "vectors", metric: "euclidean", ...vectors, missed: null, slack: 0 };
  checkSignatures(set, "sage", input.nameOf);
  return set;
}

const bindSage = (kernel: LabelledReturnKernel): Pick<FittedPart, "embed" | "state"> => ({
  state: (): State => kernel.vocabulary(),
  embed: (input, context) => sageSignatures(kernel, input, context),
});
