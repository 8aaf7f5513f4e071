/** graphdos: runs everywhere, uses no Node built-ins. */
export { type ErrorCode, GraphdosError } from "./base/errors.js";
export { type BuiltGraph, buildGraph, type EdgeInput, GraphBuilder } from "./graph/build.js";
export type { CleaningReport } from "./graph/cleaning.js";
export { Graph, type GraphShape } from "./graph/graph.js";
