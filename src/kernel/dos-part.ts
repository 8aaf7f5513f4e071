/** The DOS parts: damped moments of the whole graph with Euclidean distance, and cumulative densities with L1 distance. */
import {
  type DosCumulativeOptions,
  type DosOptions,
  dosCumulative,
  dosVectors,
  type Vectors,
} from "../signature/dos.js";
import { channelTraces } from "../signature/labelled-traces.js";
import type { NodeMarks } from "../signature/node-marks.js";
import type { Metric } from "../signature/vector-distances.js";
import {
  fittedMarks,
  learnMarks,
  MARKS,
  marksFromState,
  marksNote,
  marksState,
  usedMarks,
  usesMarks,
} from "./mark-options.js";
import type { OptionTable, OptionValues } from "./options.js";
import {
  checkSignatures,
  type FittedPart,
  graphsFor,
  type InputProfile,
  type KernelInput,
  type KernelPart,
  profilesFor,
  radialOptions,
  SELF_LOOPS,
} from "./part.js";
import type { VectorSignatures } from "./signatures.js";

const DAMPING: OptionTable = {
  damping: {
    default: "jackson",
    allowed: ["jackson", "lorentz", "none"],
    about: "damping of the Chebyshev moments",
  },
};

export const dosPart = vectorPart({
  name: "dos",
  title: "density of states",
  metric: "euclidean",
  table: {
    scale: {
      default: "trace",
      allowed: ["trace", "mean"],
      grid: ["trace", "mean"],
      about: "sum or mean over the nodes",
    },
    basis: { default: "chebyshev", allowed: ["chebyshev", "monomial"], about: "basis of the moments" },
    ...DAMPING,
    transform: {
      default: "none",
      allowed: ["none", "log"],
      grid: ["none", "log"],
      about: "log: sign(x) log(1 + |x|)",
    },
    zeroth: {
      default: false,
      allowed: [false, true],
      about: "put the moment of degree 0 (the number of nodes) in front",
    },
    ...MARKS,
  },
  vectors: (profiles, { labels: _labels, attributes: _attributes, ...options }) =>
    dosVectors(profiles, options as DosOptions),
});

export const dosCumulativePart = vectorPart({
  name: "dos-cdf",
  title: "cumulative density of states, Wasserstein-1",
  metric: "l1",
  table: {
    scale: {
      default: "mean",
      allowed: ["trace", "mean"],
      about: "mean: Wasserstein-1 between spectra of mass 1",
    },
    points: {
      default: 256,
      allowed: { from: 2, to: 65536, integer: true },
      about: "points of the grid on [-1, 1]",
    },
    ...DAMPING,
  },
  vectors: (profiles, options) => dosCumulative(profiles, options as DosCumulativeOptions),
});

interface VectorPartSpec {
  name: string;
  title: string;
  metric: Exclude<Metric, "cosine">;
  table: OptionTable;
  vectors(profiles: readonly InputProfile[], options: OptionValues): Vectors;
}

/** The vector of a graph depends on its profile alone, and on which labels and attributes are told apart. */
function vectorPart({ name, title, metric, table, vectors }: VectorPartSpec): KernelPart {
  const embed = (input: KernelInput, options: OptionValues, marks: NodeMarks | null): VectorSignatures => {
    const own = Object.fromEntries(Object.keys(table).map((key) => [key, options[key]]));
    const profiles = profilesFor(input, options.selfLoops as boolean, name);
    const made =
      marks === null || (marks.labels === null && marks.scales === null)
        ? vectors(profiles, own)
        : markedVectors(
            input,
            profiles,
            marks,
            (channel) => vectors(channel, { ...own, zeroth: true }),
            name,
          );
    const set: VectorSignatures = { kind: "vectors", metric, ...made, missed: null, slack: 0 };
    checkSignatures(set, name, input.nameOf);
    return set;
  };
  const bind = (options: OptionValues, marks: NodeMarks | null): Pick<FittedPart, "embed" | "state"> => ({
    embed: async (input) => embed(input, options, marks),
    state: () => marksState(marks),
  });
  return {
    name,
    title,
    options: { ...SELF_LOOPS, ...table, ...radialOptions(metric) },
    stochastic: () => false,
    uses: usedMarks,
    needs: (options) => ({
      selfLoops: options.selfLoops as boolean,
      nodes: usesMarks(options),
      graphs: usesMarks(options),
    }),
    learn: learnMarks,
    async fit(input, options, _context, learnt) {
      const marks = usesMarks(options) ? fittedMarks(name, graphsFor(input, name), options, learnt) : null;
      const notes = marks === null ? [] : [marksNote(name, marks)];
      notes.push(...estimateNotes(name, profilesFor(input, options.selfLoops as boolean, name)));
      return { signatures: embed(input, options, marks), ...bind(options, marks), notes };
    },
    restore: (state, options) => bind(options, marksFromState(state)),
  };
}

/** Says of how many graphs the moments are estimates, and how good these are; no sentence where all are exact. */
function estimateNotes(name: string, profiles: readonly InputProfile[]): string[] {
  let [count, largest] = [0, 0];
  for (const { standardError, nodeCount, moments } of profiles) {
    if (!standardError?.trace) continue;
    count++;
    for (let m = 0; m <= moments; m++) largest = Math.max(largest, standardError.trace[m] / nodeCount);
  }
  if (count === 0) return [];
  return [
    `${name}: the moments of ${count} of ${profiles.length} graphs are estimates, the standard error of a mean over nodes is at most ${largest.toPrecision(2)}`,
  ];
}

/** The moments of each label and attribute side by side, that of degree 0 in front: how many nodes carry the label. */
function markedVectors(
  input: KernelInput,
  profiles: readonly InputProfile[],
  marks: NodeMarks,
  vectors: (profiles: readonly InputProfile[]) => Vectors,
  name: string,
): Vectors {
  const { channels, values } = channelTraces(graphsFor(input, name), profiles, marks, input.nameOf);
  const width = (profiles[0]?.moments ?? 0) + 1;
  const parts = Array.from({ length: channels }, (_, c) =>
    vectors(
      profiles.map((profile, g) => {
        const at = (g * channels + c) * width;
        return { ...plain(profile), trace: values.subarray(at, at + width) };
      }),
    ),
  );
  const dimension = parts.reduce((sum, part) => sum + part.dimension, 0);
  const out = new Float64Array(profiles.length * dimension);
  let column = 0;
  for (const part of parts) {
    for (let g = 0; g < profiles.length; g++)
      out.set(part.values.subarray(g * part.dimension, (g + 1) * part.dimension), g * dimension + column);
    column += part.dimension;
  }
  return { count: profiles.length, dimension, values: out };
}

/** What signatures are made of, without what a class instance has besides. */
const plain = ({ nodeCount, moments, rowCount, rows, weights }: InputProfile) => ({
  ...{ nodeCount, moments, rowCount, rows, weights },
});
