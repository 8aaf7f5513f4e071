/**
 * The hot loops as the rest of the program sees them: functions on byte addresses in an arena.
 *
 * Two makes with the same results to the bit: the WASM SIMD module (assembly/, loaded by wasm.ts), in whose sources each function
 * is described with its formula and cost, and plain TypeScript (twin.ts) for engines without WASM SIMD and as an oracle.
 */
import type { Arena } from "./arena.js";

export interface KernelFunctions {
  /** previous ← 2Q·current − previous on k = 4, 8 or 16 columns; dots: k times ⟨new, new⟩, then k times ⟨new, current⟩. */
  chebyshevStep(
    k: number,
    rows: number,
    offsets: number,
    targets: number,
    doubled: number,
    current: number,
    previous: number,
    dots: number,
  ): void;
  /** T_0..T_moments(Q)_ii for the nodes begin <= i < end by unit probes; row places[i] of out. Work: 128·rows + 128 bytes. */
  unitMoments(
    rows: number,
    offsets: number,
    targets: number,
    doubled: number,
    begin: number,
    end: number,
    places: number,
    moments: number,
    out: number,
    work: number,
  ): void;
  /** First pass over pendant trees, children first. Work: moments + 1 numbers. */
  foldTrees(count: number, records: number, moments: number, rows: number, work: number): void;
  /** Second pass, parents first: leaves T_0..T_moments in the rows of the tree nodes. Work: 2·(moments + 1) numbers. */
  unfoldTrees(count: number, records: number, moments: number, rows: number, work: number): void;
  /**
   * Rows of a quotient (T_m(Q)_pp) to rows of the graph (T_m(Ã)_ii), and their trace. Sizes and spikes: f64, one per class. Returns the
   * largest |T_m(Ã)_ii|, or NaN where there is one.
   */
  expandTwins(
    count: number,
    sizes: number,
    spikes: number,
    moments: number,
    rows: number,
    trace: number,
  ): number;
  /** A = Wᵀ·T·W, T tridiagonal (diagonal, side[i] = T_i,i−1); reflections stay in A and tau. Work: 4·stride numbers. */
  tridiagonalise(
    n: number,
    stride: number,
    a: number,
    diagonal: number,
    side: number,
    tau: number,
    work: number,
  ): void;
  /** W from what tridiagonalise left. */
  accumulateBasis(n: number, stride: number, a: number, tau: number, basis: number): void;
  /** T_0..T_moments(A)_ii for nodes i < columns from T and W; row places[i] of out. Work: 10·n + 8 numbers. */
  tridiagonalMoments(
    n: number,
    stride: number,
    diagonal: number,
    side: number,
    basis: number,
    columns: number,
    places: number,
    moments: number,
    out: number,
    work: number,
  ): void;
  /** Implicit QL on (diagonal, side[i] = T_i+1,i) until done or the log of rotations is full; returns the log's bytes. */
  implicitQl(
    n: number,
    diagonal: number,
    side: number,
    tolerance: number,
    state: number,
    log: number,
    capacity: number,
  ): number;
  /** A Chebyshev step of the rows begin <= i < end on k = 2, 4 or 8 columns, by pattern (values 0) or by values. */
  rowsStep(
    k: number,
    begin: number,
    end: number,
    offsets: number,
    targets: number,
    values: number,
    scale: number,
    loop: number,
    mass: number,
    factor: number,
    current: number,
    previous: number,
    dots: number,
  ): void;
  /** rowsStep on 16 columns in single precision; mass and dots are double. */
  rowsStep32(
    begin: number,
    end: number,
    offsets: number,
    targets: number,
    values: number,
    scale: number,
    loop: number,
    mass: number,
    factor: number,
    current: number,
    previous: number,
    dots: number,
  ): void;
  /** sums_i += Σ_c x, squares_i += Σ_c x², columns_c = Σ_i x with x = mass_i·start_ic·vector_ic; mass 0 means 1. */
  addProducts(
    k: number,
    begin: number,
    end: number,
    mass: number,
    start: number,
    vector: number,
    sums: number,
    squares: number,
    columns: number,
  ): void;
  /** out_c = Σ_i weights_i k(x_i, y_c) over `count` rows of a pack from `first`, for the columns of whole quads. */
  gaussianSums(
    laplacian: number,
    dimension: number,
    rows: number,
    first: number,
    count: number,
    weights: number,
    columns: number,
    quads: number,
    scale: number,
    out: number,
  ): void;
  /** products_j ·= k_j and sums_j += k_j with k_j = 2^(−scale·d_j) or of d_j²; `first` begins them. Distances are f32. */
  radialRow(
    count: number,
    distances: number,
    squared: number,
    scale: number,
    first: number,
    products: number,
    sums: number,
  ): void;
  /** out_j = weight·products_j + share·sums_j, f32. */
  blendRow(count: number, products: number, sums: number, weight: number, share: number, out: number): void;
  /** The same over whole quads of rows, with heads and tails; sixteen pairs that are far apart count as 0. */
  nearSums(
    laplacian: number,
    dimension: number,
    head: number,
    rows: number,
    rowQuads: number,
    rowNorms: number,
    weights: number,
    columns: number,
    columnQuads: number,
    columnNorms: number,
    scale: number,
    limit: number,
    out: number,
  ): void;
  /** How many of the walks from each node begin <= i < end stand on it after 1..steps steps: rows of u32. Sums 0: no weights. Work: 64 bytes. */
  walkReturns(
    begin: number,
    end: number,
    nodes: number,
    offsets: number,
    targets: number,
    sums: number,
    walks: number,
    steps: number,
    seedLow: number,
    seedHigh: number,
    work: number,
    out: number,
  ): void;
  /** out[i·stride + c] = ‖x_i − y_c‖² for the vectors i and the columns c of whole quads. */
  squaredDistances(
    dimension: number,
    vectors: number,
    vectorQuads: number,
    columns: number,
    columnQuads: number,
    out: number,
    stride: number,
  ): void;
  /** v ← L⁻¹v from coordinate `from` on, for the vectors of whole quads; `factor` has the rows of L from `from` on. */
  solveLower(
    factor: number,
    from: number,
    rank: number,
    vectors: number,
    quadBytes: number,
    quads: number,
  ): void;
  /** v ← L⁻ᵀv for the vectors of whole quads of `rank` numbers. */
  solveUpper(factor: number, rank: number, vectors: number, quads: number): void;
  /** Applies a log of rotations to the rows of a basis. */
  applyRotations(columns: number, stride: number, basis: number, log: number, bytes: number): void;
  /** Brings the kernel rows of `number` seats of a core up to date. */
  smoRows(core: number, seats: number, number: number): void;
  /** Pair steps of the C-SVM on a core until its gap is at most the tolerance or `limit` were made; returns how many. */
  smoDescend(core: number, tolerance: number, limit: number): number;
  /** target_k −= Σ_i changes_i · source[rows_i][k] for begin <= k < end, both even. */
  smoSubtractRows(
    target: number,
    begin: number,
    end: number,
    source: number,
    rowBytes: number,
    single: number,
    rows: number,
    changes: number,
    number: number,
  ): void;
  /** The gap of a problem: max F over the points that may grow − min F over those that may shrink. */
  smoGap(problem: number): number;
  /** Marks who enters the next core: `quota` offenders a side, then free points from place `turn` on. */
  smoChoose(problem: number, quota: number, capacity: number, turn: number): void;
  /** L Lᵀ = K + ridge·I over some rows and columns of a Gram, L packed by rows; 0 if a pivot is not positive. */
  smoFactorise(
    factor: number,
    size: number,
    gram: number,
    rowBytes: number,
    single: number,
    rows: number,
    ridge: number,
  ): number;
  /** x ← (L Lᵀ)⁻¹ x; the entries of x before `from` are zero. */
  smoSolve(factor: number, size: number, x: number, from: number): void;
}

export interface Kernels extends KernelFunctions {
  readonly kind: "wasm-simd" | "typescript";
  readonly arena: Arena;
  /**
   * Goes on with a job of exact profiles, many graphs a call; returns 0, or the end of memory that it needs (assembly/exact.ts).
   * Null in plain TypeScript, where spectrum/exact-steps.ts takes its place.
   */
  readonly exactProfiles: ((job: number) => number) | null;
}

/** Bytes of a tree node's record, and its kinds (assembly/trees.ts). */
export const TREE_RECORD_BYTES = 32;
export const TREE_LEAF = 1;
export const TREE_INNER = 2;
export const TREE_ROOT = 4;

/** Numbers in a row of a dense matrix of order n: a multiple of 4, at least n + 1. */
export const denseStride = (n: number) => (n + 4) & ~3;
