export { type SyntheticOptions, syntheticDataset, syntheticNames } from "./dataset.js";
