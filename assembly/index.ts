/**
 * The hot loops: AssemblyScript, compiled to one WASM module with 128-bit SIMD by scripts/build-wasm.ts.
 *
 * Every function works on byte addresses in the imported memory and allocates nothing. Each has a twin in plain TypeScript
 * (src/compute/twin.ts) that adds the same numbers in the same order, so that both give the same bits.
 */
export { exactProfiles } from "./exact";
export { chebyshevStep, unitMoments } from "./chebyshev";
export { foldTrees, unfoldTrees } from "./trees";
export { expandTwins } from "./twins";
export { tridiagonalise, accumulateBasis } from "./tridiagonalise";
export { tridiagonalMoments } from "./tridiagonal-moments";
export { implicitQl, applyRotations } from "./implicit-ql";
export { rowsStep, rowsStep32, addProducts } from "./row-steps";
export { gaussianSums } from "./gaussian-sums";
export { radialRow, blendRow } from "./radial-rows";
export { nearSums } from "./near-sums";
export { walkReturns } from "./walks";
export { squaredDistances, solveLower, solveUpper } from "./packed-vectors";
export { smoRows, smoDescend, smoSubtractRows } from "./smo";
export { smoGap, smoChoose } from "./smo-choose";
export { smoFactorise, smoSolve } from "./smo-face";

// Exported so that they stay functions of their own: an engine's first, quick code of a function gives way to its optimised code
// between calls only, and a large matrix would be done before.
export { reflectRows, sweep } from "./tridiagonalise";
export { stepTridiagonal } from "./tridiagonal-moments";

/** First byte behind the static data: where an arena may begin. */
export function heapBase(): usize {
  return __heap_base;
}
