/** A kernel as the views set it, in the options of the library. */
import {
  type Dataset,
  type FittedKernel,
  kernelByName,
  type OptionValues,
  type ProfileOptions,
  unusedMarks,
} from "graphdos";
import type { KernelSettings } from "./collection-calls.js";

/** The options of `graphdos` by default, so that numbers agree. */
export const profileOptionsOf = ({ moments, selfLoops }: Omit<KernelSettings, "kernel">): ProfileOptions => ({
  moments,
  estimator: "auto",
  selfLoops,
  seed: 0,
  filter: "all",
});

/** Self-loops and what a protocol fixes, in every part of the kernel that has such an option. */
export function kernelOptionsOf(kernel: string, selfLoops: boolean, fixed: OptionValues = {}): OptionValues {
  const wanted: OptionValues = { ...fixed, ...(selfLoops ? { selfLoops } : {}) };
  const found: OptionValues = {};
  for (const name of Object.keys(kernelByName(kernel).options)) {
    const own = name.slice(name.lastIndexOf(".") + 1);
    if (Object.hasOwn(wanted, own)) found[name] = wanted[own];
  }
  return found;
}

/** The one line on what the data holds and the kernel does not use; none when it uses all. */
export function unusedNotes(
  dataset: Dataset,
  { spec, options }: Pick<FittedKernel, "spec" | "options">,
): string[] {
  const line = unusedMarks(dataset, [{ spec, points: [options] }]);
  return line === null ? [] : [line];
}
