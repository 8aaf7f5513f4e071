/**
 * Loads the WASM kernels. The module is embedded (wasm-module.ts), so that no bundler or path can lose it, and compiled
 * once. Where WASM SIMD is missing the plain-TypeScript twin takes its place, slower, with the same bits.
 *
 * One binary serves both kinds of memory. A WASM module declares whether the memory it imports is shared, in one flag
 * byte of its import section (1: limits with a maximum, 3: the same and shared). The kernels use no atomic instruction, so that
 * byte is all that differs; it is set here to what is asked for. Shared memory in a browser needs cross-origin isolation.
 */
import { badCall } from "../base/errors.js";
import { Arena, WasmMemory } from "./arena.js";
import type { KernelFunctions, Kernels } from "./kernels.js";
import { typescriptKernels } from "./twin.js";
import { MEMORY_FLAG_OFFSET, MODULE_BASE64 } from "./wasm-module.js";

/** Pages of 64 KiB: the most that 32-bit addresses reach, 4 GiB. */
export const MAX_PAGES = 65536;

export interface KernelOptions {
  /** On a SharedArrayBuffer, for several threads over one memory. Default false. */
  shared?: boolean;
  /** A memory to use instead of a new one; its maximum must be at most 65,536 pages, and it must match `shared`. */
  memory?: WebAssembly.Memory;
  /** Bytes of the memory that the arena may use: from `base` (default: behind the static data) to `limit` (default: all). */
  base?: number;
  limit?: number;
}

const compiled: Record<"plain" | "shared", Promise<WebAssembly.Module> | null> = {
  plain: null,
  shared: null,
};

/** The module's bytes, for a memory of either kind. */
export function moduleBytes(shared: boolean): Uint8Array<ArrayBuffer> {
  const text = atob(MODULE_BASE64);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = text.charCodeAt(k);
  bytes[MEMORY_FLAG_OFFSET] = shared ? 3 : 1;
  return bytes;
}

let supported: boolean | null = null;

/** True where this engine runs the WASM kernels. */
export function hasWasmSimd(): boolean {
  return (supported ??= typeof WebAssembly === "object" && WebAssembly.validate(moduleBytes(false)));
}

/** The fastest kernels that this engine runs, with an arena of their own. */
export async function loadKernels(options: KernelOptions = {}): Promise<Kernels> {
  for (const name of Object.keys(options))
    if (!["shared", "memory", "base", "limit"].includes(name))
      throw badCall(`kernels: unknown option: ${name}; known: shared, memory, base, limit`);
  const shared = options.shared ?? false;
  if (!hasWasmSimd()) {
    if (options.memory !== undefined)
      throw badCall("kernels: a WASM memory was given, but this engine has no WASM SIMD");
    return typescriptKernels();
  }
  const kind = shared ? "shared" : "plain";
  const module = await (compiled[kind] ??= WebAssembly.compile(moduleBytes(shared)));
  const memory = options.memory ?? new WebAssembly.Memory({ initial: 16, maximum: MAX_PAGES, shared });
  const { exports } = await WebAssembly.instantiate(module, { env: { memory } });
  const functions = exports as unknown as KernelFunctions & {
    heapBase(): number;
    exactProfiles(job: number): number;
  };
  return {
    kind: "wasm-simd",
    arena: new Arena(new WasmMemory(memory), options.base ?? functions.heapBase(), options.limit),
    exactProfiles: functions.exactProfiles,
    chebyshevStep: functions.chebyshevStep,
    unitMoments: functions.unitMoments,
    foldTrees: functions.foldTrees,
    unfoldTrees: functions.unfoldTrees,
    expandTwins: functions.expandTwins,
    tridiagonalise: functions.tridiagonalise,
    accumulateBasis: functions.accumulateBasis,
    tridiagonalMoments: functions.tridiagonalMoments,
    implicitQl: functions.implicitQl,
    applyRotations: functions.applyRotations,
    rowsStep: functions.rowsStep,
    rowsStep32: functions.rowsStep32,
    addProducts: functions.addProducts,
    gaussianSums: functions.gaussianSums,
    radialRow: functions.radialRow,
    blendRow: functions.blendRow,
    nearSums: functions.nearSums,
    walkReturns: functions.walkReturns,
    squaredDistances: functions.squaredDistances,
    solveLower: functions.solveLower,
    solveUpper: functions.solveUpper,
    smoRows: functions.smoRows,
    smoDescend: functions.smoDescend,
    smoSubtractRows: functions.smoSubtractRows,
    smoGap: functions.smoGap,
    smoChoose: functions.smoChoose,
    smoFactorise: functions.smoFactorise,
    smoSolve: functions.smoSolve,
  };
}
