/** `graphdos train DATA -o model.graphdos`: chooses by cross-validation, fits on everything, writes one file. */
import type { Command } from "commander";
import { badCall } from "../base/errors.js";
import type { KernelRequest } from "../experiment/grid.js";
import { evaluationMemory, type MemorySize } from "../experiment/memory.js";
import { requestedUse, setNotes } from "../experiment/unused-marks.js";
import { kernelByName } from "../kernel/registry.js";
import { fitModel, modelGrid } from "../model/model.js";
import { saveModel } from "../model/model-file.js";
import { choiceNotes, modelSentences } from "../model/model-words.js";
import { writeFileAtomically } from "../node/atomic-file.js";
import { threadExecutor } from "../node/worker-threads.js";
import { addDataOptions, type DataOptions, emit, emitJson, loadData, withProgress } from "./common.js";
import { formatBytes } from "./format.js";
import { addKernelOptions, type KernelChoice, kernelRequests, numbersAboveZero } from "./kernel-choice.js";
import { tell } from "./kernel-options.js";
import { addMemoryOption, type MemoryOptions, ownWorkers, requireMemory } from "./memory-limit.js";
import { checkOutputs } from "./outputs.js";
import { addSpectralOptions, foldCount, profileOptions, type SpectralOptions } from "./spectral-options.js";

interface TrainCommand
  extends Omit<DataOptions, "seed">,
    SpectralOptions,
    Omit<KernelChoice, "damping" | "seed">,
    MemoryOptions {
  output: string;
  folds?: number;
  c?: number[];
  probability?: boolean;
  json?: boolean;
}

export function addTrainCommand(program: Command): void {
  const command = program
    .command("train")
    .description("fit a model on all graphs, to classify others with")
    .argument("<data>", "a data set by name, file or folder, or synthetic:NAME")
    .requiredOption("-o, --output <file>", "where to write the model: model.graphdos");
  addMemoryOption(addDataOptions(addKernelOptions(addSpectralOptions(command), "dos+ldos")))
    .option("--folds <n>", "folds of the cross-validation that chooses (default 10)", foldCount)
    .option("--c <list>", "values of C to choose from, with commas", numbersAboveZero)
    .option("--probability", "also fit class probabilities")
    .option("--json", "print one JSON document")
    .action(async (data: string, _: unknown, self: Command) => {
      await run(data, self.optsWithGlobals() as TrainCommand, self);
    });
}

async function run(data: string, options: TrainCommand, called: Command): Promise<void> {
  const requests = kernelRequests(options, { called });
  if (requests.length !== 1)
    throw badCall(`a model has one kernel: got ${requests.length}; choose with evaluate first`);
  const [request] = requests;
  modelGrid(request);
  const profile = profileOptions(options);
  await checkOutputs([{ option: "--output", path: options.output }], { ...options, data: [data] });
  const dataset = await loadData(data, options);
  const estimate = (grid: KernelRequest["grid"]) => (size: MemorySize) =>
    evaluationMemory(
      { ...request, grid },
      { size, moments: profile.moments ?? 50, workers: ownWorkers(options), train: true },
    );
  requireMemory(dataset, options, {
    what: `train of ${request.name} on ${dataset.name}`,
    estimate: estimate(request.grid),
    ways: [{ words: "a smaller --grid", estimate: estimate({}) }],
  });
  const notes = setNotes(dataset, [requestedUse(kernelByName(request.name), request)]);
  const executor = threadExecutor(options.workers);
  try {
    const { folds, seed, probability } = options;
    const model = await withProgress(options, (control) =>
      fitModel(dataset, {
        ...control,
        kernel: request,
        profile,
        Cs: options.c,
        folds,
        seed,
        probability,
        executor,
      }),
    );
    tell(options, ...choiceNotes(dataset, folds ?? 10));
    const bytes = saveModel(model);
    await writeFileAtomically(options.output, bytes);
    const { provenance, svc } = model;
    if (options.json) {
      emitJson({
        model: options.output,
        bytes: bytes.length,
        classes: model.classNames,
        supports: svc.supports.length,
        ...provenance,
        notes,
      });
      return;
    }
    emit(
      [`wrote ${options.output} (${formatBytes(bytes.length)})`, ...modelSentences(model), ...notes].join(
        "\n",
      ),
    );
  } finally {
    await executor.close();
  }
}
