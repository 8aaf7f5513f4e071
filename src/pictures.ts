/** graphdos/pictures: spectra as SVG that stands alone, and the report of a data set as HTML. Draws with a small DOM (linkedom), or with the page's own where one is given. */
export { type DensityPictureOptions, densityPicture } from "./report/density-figure.js";
export {
  inspectionReport,
  type ReportOptions as InspectionReportOptions,
} from "./report/inspection-report.js";
export { type SimilarityPictureOptions, similarityPicture } from "./report/similarity-figure.js";
