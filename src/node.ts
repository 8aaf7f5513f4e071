/** graphdos/node: files, downloads and worker threads. Includes everything of "graphdos". */
export * from "./index.js";
export { writeFileAtomically } from "./node/atomic-file.js";
export { cacheFolder, datasetFolders } from "./node/cache-folder.js";
export { codeHash } from "./node/code-hash.js";
export { download } from "./node/download.js";
export { fileSource, folderTree, nodeInflate } from "./node/file-source.js";
export { type Located, type LocateOptions, locateDataset } from "./node/locate.js";
export { type OpenOptions, openData } from "./node/open.js";
export { threadExecutor } from "./node/worker-threads.js";
