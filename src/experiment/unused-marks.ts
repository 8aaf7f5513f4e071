/**
 * What a data set holds and the work on it does not use, in one line: from what the parts of kernels say they use (`KernelPart.uses`), the
 * options that would change it, and what the readers could not put into graphs (`Dataset.unread`). O(graphs).
 */
import type { Dataset } from "../data/dataset.js";
import type { OptionValues } from "../kernel/options.js";
import type { Mark } from "../kernel/part.js";
import { KERNELS, type KernelSpec, kernelOptions, partOptions } from "../kernel/registry.js";
import { type KernelRequest, kernelGrid } from "./grid.js";

/** A kernel at work: with these options, or at several points of a grid. */
export interface KernelUse {
  spec: KernelSpec;
  points: readonly OptionValues[];
}

export const requestedUse = (spec: KernelSpec, request: KernelRequest): KernelUse => ({
  spec,
  points: kernelGrid(spec, request).map(({ options }) => options),
});

const MARKS: readonly { mark: Mark; words: string; held: (set: Held) => boolean }[] = [
  { mark: "labels", words: "node labels", held: ({ graphs }) => graphs.some((g) => g.labels !== null) },
  {
    mark: "attributes",
    words: "node attributes",
    held: ({ graphs }) => graphs.some((g) => g.attributes !== null),
  },
  { mark: "weights", words: "edge weights", held: ({ graphs }) => graphs.some((g) => g.weights !== null) },
];

type Held = Pick<Dataset, "graphs"> & Partial<Pick<Dataset, "targets" | "unread">>;

/**
 * "not used: node labels (--option labels=nodes would), edge labels", or null when all is used. Without kernels: densities of states, which
 * see weights alone. `targets`: whether the numbers to predict are written somewhere.
 */
export function unusedMarks(
  set: Held,
  kernels: readonly KernelUse[] | null,
  { targets = false } = {},
): string | null {
  const said: string[] = [];
  for (const { mark, words, held } of MARKS) {
    if (!held(set)) continue;
    if (kernels === null) {
      if (mark !== "weights") said.push(words);
      continue;
    }
    const without = kernels.filter(
      ({ spec, points }) => !points.some((options) => uses(spec, options, mark)),
    );
    if (without.length === 0) continue;
    const by =
      without.length === kernels.length ? "" : ` by ${without.map(({ spec }) => spec.name).join(", ")}`;
    said.push(`${words}${by} (${wayToUse(without, mark)})`);
  }
  if (set.targets && !targets) said.push("numbers to predict (gram -o FILE.libsvm writes them)");
  said.push(...(set.unread ?? []));
  return said.length === 0 ? null : `not used: ${said.join(", ")}`;
}

/** What every command says of a set beside its results: what is not used, and how many graphs are empty. */
export function setNotes(
  set: Held,
  kernels: readonly KernelUse[] | null,
  written: { targets?: boolean } = {},
): string[] {
  const empty = set.graphs.filter(({ nodeCount }) => nodeCount === 0).length;
  const unused = unusedMarks(set, kernels, written);
  return [
    ...(unused === null ? [] : [unused]),
    ...(empty === 0
      ? []
      : [
          `${empty} of ${set.graphs.length} graphs ${empty === 1 ? "has" : "have"} no nodes: kernels take empty graphs for equal`,
        ]),
  ];
}

const uses = (spec: KernelSpec, options: OptionValues, mark: Mark) =>
  spec.parts.some((part, k) => part.uses(partOptions(spec, k, options)).includes(mark));

/** The option that makes one of the kernels use the mark; else kernels that do. */
function wayToUse(kernels: readonly KernelUse[], mark: Mark): string {
  for (const { spec, points } of kernels)
    for (const [name, { allowed }] of Object.entries(spec.options)) {
      if ("from" in allowed) continue;
      const value = allowed.find((each) => uses(spec, { ...points[0], [name]: each }, mark));
      if (value !== undefined) return `--option ${lastName(spec, name)}=${value} would`;
    }
  const others = KERNELS.filter((spec) => uses(spec, kernelOptions(spec), mark)).map(({ name }) => name);
  return `--kernel ${others.slice(0, 3).join(" or ")} would`;
}

/** An option without its part is that of all parts. */
const lastName = ({ parts }: KernelSpec, name: string) =>
  parts.every(({ options }) => Object.hasOwn(options, name.slice(name.indexOf(".") + 1)))
    ? name.slice(name.indexOf(".") + 1)
    : name;
