/**
 * A fixed set of results, each as one run of float64 numbers, for comparing environments: the same call in another engine, with another
 * executor or without WASM must give the same bytes. Takes the library as an argument, so that a page and every version of Node run what
 * they have loaded. `quick` takes smaller sets and fewer walks, for a test.
 */
import type * as Graphdos from "../../src/index.js";

type Library = typeof Graphdos;

export interface Run {
  graphdos: Library;
  executor: Graphdos.Executor;
  quick: boolean;
}

/** Name of the result to its numbers. */
export type Results = Record<string, Float64Array>;

export async function computeResults({ graphdos, executor, quick }: Run): Promise<Results> {
  const results: Results = {};
  const awkward = awkwardGraphs(graphdos);
  const sets = ["threads", "ego"].map((name, k) =>
    graphdos.syntheticDataset(name, { graphs: quick ? 8 : 40, seed: k }),
  );
  sets.push(weightedSet(graphdos, quick ? 8 : 24));

  results["generated graphs"] = flat(
    [...awkward, ...sets.flatMap(({ graphs }) => graphs)].flatMap((graph) => [
      graph.offsets,
      graph.targets,
      graph.weights ?? [],
    ]),
  );
  const random = new graphdos.Random(7, 3);
  results["normal random numbers"] = Float64Array.from({ length: 2000 }, () => random.normal());

  for (const estimator of ["exact", "probes", "sample"] as const) {
    const options = { moments: 30, estimator, probes: 16, seed: 5 };
    const profiles = await graphdos.computeProfiles(awkward, options, executor);
    results[`profiles, ${estimator}`] = flat(
      profiles.flatMap((profile) => [profile.trace, profile.weights, profile.rows]),
    );
    results[`spectrum, ${estimator}`] = flat(
      profiles.flatMap((profile, g) =>
        (["jackson", "lorentz"] as const).flatMap((damping) => {
          const spectrum = graphdos.graphSpectrum(awkward[g], profile, {
            name: String(g),
            damping,
            bins: 50,
          });
          return [spectrum.density, spectrum.densityError ?? [], spectrum.cdf, spectrum.histogram.share];
        }),
      ),
    );
  }
  results["one large graph, shared steps"] = await largeGraph(graphdos, executor);

  for (const { name } of graphdos.KERNELS)
    for (const given of variants(name, quick)) {
      const title = [name, ...Object.entries(given).map(([option, value]) => `${option}=${value}`)].join(" ");
      const numbers = await kernelNumbers(graphdos, executor, sets, name, given);
      results[`signatures, ${title}`] = flat(numbers.signatures);
      results[`distances, ${title}`] = flat(numbers.distances);
      results[`Gram, ${title}`] = flat(numbers.grams);
    }

  for (const set of sets) {
    const model = await graphdos.fitModel(set, {
      kernel: { name: "dos+ldos" },
      folds: 3,
      probability: true,
      date: "2000-01-01",
      executor,
    });
    const said = await graphdos.predictGraphs(model, set, { executor });
    results[`SVM decision values, ${set.name}`] = flat([said.classes, said.decisions]);
    results[`SVM probabilities, ${set.name}`] = flat([said.probabilities ?? []]);
  }
  results["nested evaluation"] = await evaluated(graphdos, executor, sets[0]);
  results["p-values"] = Float64Array.from({ length: 50 }, (_, k) => pValue(graphdos, k));
  return results;
}

/** Degenerate, disconnected, weighted, with self-loops, with many twins, with a dense core. */
function awkwardGraphs({ generators, buildGraph, Random }: Library): Graphdos.Graph[] {
  const random = new Random(11);
  const pairs = Array.from({ length: 120 }, () => [random.integer(40), random.integer(40)]);
  const built = (nodeCount: number, edges: readonly number[][], weights: number[] | null) =>
    buildGraph({ nodeCount, sources: edges.map(([i]) => i), targets: edges.map(([, j]) => j), weights })
      .graph;
  return [
    built(0, [], null),
    built(1, [], null),
    built(1, [[0, 0]], null),
    built(5, [], null),
    generators.star(30),
    generators.complete(9),
    generators.balancedTree(3, 4),
    generators.grid(7, 9),
    generators.barabasiAlbert(120, 3, 1),
    generators.erdosRenyi(60, 0.2, 2),
    // 50 nodes of which ten have no edge; weights over eight powers of ten
    built(
      50,
      pairs,
      pairs.map(() => 10 * random.uniform() * (random.uniform() < 0.2 ? 1e-7 : 1)),
    ),
  ];
}

/** Two classes of small weighted graphs, some of them in several components, with node labels. */
function weightedSet({ buildGraph, Random, generators }: Library, count: number): Graphdos.Dataset {
  const graphs = Array.from({ length: count }, (_, g) => {
    const random = new Random(21, g);
    const base = g % 2 === 0 ? generators.cycle(8 + (g % 5)) : generators.path(9 + (g % 4));
    const edges: number[][] = [];
    base.forEachEdge((i, j) => {
      if (random.uniform() < 0.85) edges.push([i, j]);
    });
    for (let k = 0; k < 4 + 3 * (g % 2); k++)
      edges.push([random.integer(base.nodeCount), random.integer(base.nodeCount)]);
    return buildGraph({
      nodeCount: base.nodeCount,
      sources: edges.map(([i]) => i),
      targets: edges.map(([, j]) => j),
      weights: edges.map(() => 0.5 + random.uniform()),
    });
  });
  return {
    name: "weighted",
    graphs: graphs.map(({ graph }) => graph),
    classes: Int32Array.from({ length: count }, (_, g) => g % 2),
    classNames: ["cycles", "paths"],
    targets: null,
    graphNames: null,
    nodeIds: null,
    cleaning: graphs[0].cleaning,
    notes: [],
  };
}

async function largeGraph(graphdos: Library, executor: Graphdos.Executor): Promise<Float64Array> {
  const graph = graphdos.generators.rmat({ scale: 11, edges: 10_000, seed: 1 });
  const runner = await graphdos.sharedRunner(executor);
  const options = { moments: 15, probes: 13, seed: 2 };
  const profiles = [
    await graphdos.probeProfile(graph, runner, options),
    await graphdos.probeProfile(graph, runner, { ...options, distribution: "gaussian" }),
  ];
  return flat(profiles.flatMap(({ trace, rows }) => [trace, rows]));
}

/** Options whose arithmetic differs from that of the defaults. */
function variants(kernel: string, quick: boolean): Graphdos.OptionValues[] {
  if (kernel === "retgk-mc" && quick) return [{ walks: 20 }];
  const others: Record<string, Graphdos.OptionValues[]> = {
    dos: [{ transform: "log" }],
    retgk2: [{ node: "laplacian" }],
    netlsd: [{ trace: "wave", normalisation: "complete" }],
    fgsd: [{ distance: "biharmonic" }, { method: "sampled", sample: 20 }],
    ldos: [{ mmd: "exact" }, { damping: "lorentz", basis: "chebyshev" }],
    slaq: [{ trace: "wave" }],
  };
  return [{}, ...(others[kernel] ?? [])];
}

async function kernelNumbers(
  graphdos: Library,
  executor: Graphdos.Executor,
  sets: readonly Graphdos.Dataset[],
  name: string,
  given: Graphdos.OptionValues,
) {
  const spec = graphdos.kernelByName(name);
  const options = graphdos.kernelOptions(spec, given);
  const signatures: Numbers[] = [];
  const distances: Numbers[] = [];
  const grams: Numbers[] = [];
  for (const set of sets) {
    const needs = graphdos.kernelNeeds(spec, options);
    const input = await graphdos.kernelInput(set, needs, { moments: 30 }, executor);
    const fitted = await graphdos.fitKernel(spec, input, given, { executor });
    const all = await graphdos.kernelDistances(fitted, { executor });
    for (const { signatures: made } of fitted.parts) signatures.push(...numbersIn(made));
    distances.push(...all.map(({ values }) => values));
    grams.push(graphdos.kernelGram(fitted, all).gram.values);
  }
  return { signatures, distances, grams };
}

async function evaluated(graphdos: Library, executor: Graphdos.Executor, set: Graphdos.Dataset) {
  const { results } = await graphdos.evaluate(set, {
    kernels: ["dos", "ldos", "wl", "netlsd", "retgk2"].map((name) => ({ name })),
    protocol: graphdos.protocolByName("quick", { folds: 3 }),
    executor,
  });
  return flat(results.flatMap((row) => numbersIn({ ...row, seconds: null })));
}

const pValue = (graphdos: Library, k: number) => {
  const first = Array.from({ length: 10 }, (_, j) => 0.8 + ((j * 7 + k) % 11) / 100);
  const second = Array.from({ length: 10 }, (_, j) => 0.79 + ((j * 5 + 3 * k) % 13) / 100);
  return graphdos.correctedResampledTTest(first, second, 1 / 9).p;
};

type Numbers = ArrayLike<number>;

/** Every number within plain data, in the order of its keys. */
function numbersIn(value: unknown): Numbers[] {
  if (typeof value === "number") return [[value]];
  if (typeof value === "boolean") return [[value ? 1 : 0]];
  if (typeof value === "string") return [Array.from(value, (letter) => letter.codePointAt(0)!)];
  if (ArrayBuffer.isView(value)) return [value as unknown as Numbers];
  if (Array.isArray(value)) return value.flatMap(numbersIn);
  if (value instanceof Map) return [...value.entries()].flatMap(numbersIn);
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(numbersIn);
  return [];
}

function flat(parts: readonly Numbers[]): Float64Array {
  const out = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    for (let k = 0; k < part.length; k++) out[at + k] = part[k];
    at += part.length;
  }
  return out;
}
