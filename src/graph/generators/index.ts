export { barabasiAlbert } from "./attachment.js";
export { erdosRenyi, stochasticBlock } from "./blocks.js";
export { complete, completeBipartite, cycle, grid, hypercube, path, star } from "./classic.js";
export { type RmatOptions, rmat } from "./rmat.js";
export { wattsStrogatz } from "./small-world.js";
export { balancedTree, randomTree } from "./trees.js";
