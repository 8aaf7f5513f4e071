/** graphdos: runs everywhere, uses no Node built-ins. */
export { type ErrorCode, GraphdosError } from "./base/errors.js";
export type { OnProgress, ProgressUpdate, RunControl } from "./base/progress.js";
export { Random } from "./base/random.js";
export { DeepGraphKernel } from "./baseline/dgk.js";
export { Fgsd } from "./baseline/fgsd.js";
export { Graphlet } from "./baseline/graphlet.js";
export { LabelledReturnKernel } from "./baseline/labelled.js";
export { netlsdVectors } from "./baseline/netlsd.js";
export { Propagation } from "./baseline/propagation.js";
export { RandomWalk } from "./baseline/random-walk.js";
export { ShortestPath } from "./baseline/shortest-path.js";
export { slaqVectors } from "./baseline/slaq.js";
export {
  type CountFeatures,
  type CountVectoriser,
  intersectionGram,
  normaliseGram,
  sparseGram,
} from "./baseline/sparse-counts.js";
export { WeisfeilerLehman } from "./baseline/wl.js";
export { WeisfeilerLehmanAssignment } from "./baseline/wl-oa.js";
export { WassersteinWeisfeilerLehman } from "./baseline/wwl.js";
export {
  type Executor,
  inlineExecutor,
  type Task,
  WorkerExecutor,
  type WorkerPort,
} from "./compute/executor.js";
export type { Kernels } from "./compute/kernels.js";
export { memoryStore, type ResultStore } from "./compute/store.js";
export { type KernelOptions, loadKernels } from "./compute/wasm.js";
export { type WebWorkerOptions, webWorkerExecutor } from "./compute/web-workers.js";
export { type ByteSource, blobSource, bytesSource, textSource } from "./data/bytes.js";
export { type Dataset, graphTitle, type NodeIds, subset } from "./data/dataset.js";
export { readNpy, writeNpy } from "./data/npy.js";
export { readNpz, writeNpz } from "./data/npz.js";
export { readDataset } from "./data/read.js";
export type { FileTree, ReadOptions } from "./data/reading.js";
export { datasetAddress, findRegistered, type RegisteredSet, registry } from "./data/registry.js";
export { type SyntheticOptions, syntheticDataset, syntheticNames } from "./data/synthetic/index.js";
export { integerLabels } from "./data/write-gram.js";
export { writeJson } from "./data/write-json.js";
export { type TextFile, type WrittenTU, writeTU } from "./data/write-tu.js";
export { readingSentences } from "./experiment/cleaning-sentences.js";
export { type EvaluateOptions, evaluate } from "./experiment/evaluation.js";
export { evaluationPictures, type PictureOptions } from "./experiment/evaluation-pictures.js";
export type {
  EvaluationPictures,
  EvaluationResult,
  KernelResult,
  Protocol,
} from "./experiment/evaluation-types.js";
export * from "./experiment/evaluation-words.js";
export { featureArrays, featureTable, featureVectors } from "./experiment/feature-files.js";
export type { KernelRequest } from "./experiment/grid.js";
export { type Inspection, inspectDataset } from "./experiment/inspection.js";
export { inspectionSentences } from "./experiment/inspection-sentences.js";
export { kernelInput } from "./experiment/kernel-run.js";
export { type LocalDensityMap, localDensityMap } from "./experiment/local-map.js";
export { MOTIF_ROLES, type MotifRole, motifRoles } from "./experiment/motif-roles.js";
export {
  eigenvalueWeights,
  type NodeSpectrum,
  nodeSpectrum,
  returnsAfter,
} from "./experiment/node-spectrum.js";
export { protocolByName, protocolOptions } from "./experiment/protocols.js";
export { type ComparedGraph, type NodeGap, type NodeGaps, nodeGaps } from "./experiment/similarity.js";
export {
  type GraphSpectrum,
  graphSpectrum,
  type SpectrumAtom,
  spectralDistance,
} from "./experiment/spectrum.js";
export { densityTable } from "./experiment/spectrum-table.js";
export * from "./experiment/spectrum-words.js";
export { type KernelUse, requestedUse, unusedMarks } from "./experiment/unused-marks.js";
export { formatNumber, formatShare, quantity, shorten } from "./experiment/wording.js";
export * from "./graph/adapters.js";
export { type BuiltGraph, buildGraph, type EdgeInput, GraphBuilder } from "./graph/build.js";
export type { CleaningReport } from "./graph/cleaning.js";
export { connectedComponents } from "./graph/components.js";
export * as generators from "./graph/generators/index.js";
export { Graph, type GraphShape } from "./graph/graph.js";
export { isomorphic, isomorphismGroups } from "./graph/isomorphism.js";
export { type TwinClasses, TwinFinder, type TwinOptions, twinClasses } from "./graph/twins.js";
export type { Bandwidth } from "./kernel/bandwidth.js";
export type { OptionValue, OptionValues } from "./kernel/options.js";
export type { KernelInput, KernelNeeds } from "./kernel/part.js";
export * from "./kernel/registry.js";
export {
  type KernelRow,
  type KernelScale,
  kernelBandwidths,
  kernelRow,
  type RowOptions,
} from "./kernel/row.js";
export {
  crossDistances,
  type Distances,
  pairwiseDistances,
  rowDistances,
  type Signatures,
} from "./kernel/signatures.js";
export { stratifiedFolds } from "./learn/folds.js";
export { kernelKMeans } from "./learn/kernel-kmeans.js";
export { kernelPca } from "./learn/kernel-pca.js";
export { type GramRow, nearestGraphs, nearestInRow, predictNearest } from "./learn/nearest.js";
export { fitRidge, predictRidge } from "./learn/ridge.js";
export { correctedResampledTTest } from "./learn/significance.js";
export { predictSvc, svcPath, trainSvc } from "./learn/svc.js";
export { fitModel, type GraphModel, predictGraphs } from "./model/model.js";
export { loadModel, saveModel } from "./model/model-file.js";
export { choiceNotes, modelSentences } from "./model/model-words.js";
export {
  type PredictionRow,
  predictionCsv,
  predictionRows,
  statedAccuracy,
} from "./model/prediction-rows.js";
export { layoutGraph } from "./report/layout.js";
export { toReturnProbabilities } from "./spectrum/basis.js";
export { chebyshevCondition } from "./spectrum/condition.js";
export { type Damping, dampingFactors } from "./spectrum/damping.js";
export { symmetricEigen, symmetricEigenvalues } from "./spectrum/dense-eigen.js";
export { type Atom, cumulativeAt, densityAt, histogram, integrate } from "./spectrum/density.js";
export { type ExactOptions, ExactProfiler, exactProfile } from "./spectrum/exact.js";
export { type ExactPlan, exactCost } from "./spectrum/exact-plan.js";
export { lanczosDensity, lanczosIntegral, lanczosQuadrature } from "./spectrum/lanczos.js";
export type { MotifFilter } from "./spectrum/motif-filter.js";
export { denseNormalised, normalisedAdjacency } from "./spectrum/operator.js";
export type { ProbeOptions } from "./spectrum/probe-options.js";
export { ProbeEstimation, probeProfile } from "./spectrum/probes.js";
export { NO_ROW, SpectralProfile } from "./spectrum/profile.js";
export { computeProfiles, type EstimatorChoice, type ProfileOptions } from "./spectrum/profiles.js";
export { type SampleOptions, sampleProfile } from "./spectrum/sample.js";
export { inlineRunner, type StepRunner, sharedRunner } from "./spectrum/step-runner.js";
export { version } from "./version.js";
export { serveWebWorker } from "./web-worker.js";
