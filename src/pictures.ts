/** graphdos/pictures: spectra as SVG that stands alone. Draws with a small DOM (linkedom), or with the page's own where one is given. */
export { type DensityPictureOptions, densityPicture } from "./report/density-figure.js";
export { type SimilarityPictureOptions, similarityPicture } from "./report/similarity-figure.js";
