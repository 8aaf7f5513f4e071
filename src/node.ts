/** graphdos/node: files, downloads and worker threads. Includes everything of "graphdos". */
export * from "./index.js";
