import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { Command, CommanderError } from "commander";
import { parseHTML } from "linkedom";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { GraphdosError } from "../../src/base/errors.js";
import { addSpectrumCommand } from "../../src/cli/spectrum.js";
import { spectrumText } from "../../src/cli/spectrum-text.js";
import { loadKernels } from "../../src/compute/wasm.js";
import { graphSpectrum } from "../../src/experiment/spectrum.js";
import { buildGraph } from "../../src/graph/build.js";
import { barabasiAlbert, path, star } from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import { exactProfile } from "../../src/spectrum/exact.js";

const folder = mkdtempSync(join(tmpdir(), "graphdos-spectrum-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

function file(name: string, graph: Graph): string {
  const lines: string[] = [];
  graph.forEachEdge((i, j) => lines.push(`${i} ${j}`));
  writeFileSync(join(folder, name), `${lines.join("\n")}\n`);
  return join(folder, name);
}
const starFile = file("star.txt", star(7));
const webFile = file("web.txt", barabasiAlbert(150, 2, 3));

/** Too many twinless nodes for exact moments in 20 s. */
const largeFile = file("large.txt", barabasiAlbert(20_000, 6, 5));

/** What the command prints, inline and without progress. */
async function graphdos(...words: string[]): Promise<string> {
  let out = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += text;
    return true;
  });
  const program = new Command("graphdos").option("-q, --quiet").exitOverride();
  addSpectrumCommand(program);
  for (const command of program.commands)
    command.exitOverride().configureOutput({ outputError: () => undefined });
  try {
    await program.parseAsync(["-q", "spectrum", "--workers", "0", ...words], { from: "user" });
  } finally {
    vi.restoreAllMocks();
  }
  return stripVTControlCharacters(out);
}

const refusal = async (...words: string[]) => {
  const error = await graphdos(...words).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof GraphdosError) return { kind: error.code as string, message: error.message };
  if (error instanceof CommanderError) return { kind: "bad-call", message: error.message };
  throw error ?? new Error("nothing was refused");
};

describe("graphdos spectrum", () => {
  it("says what the graph is, how its moments were computed and which eigenvalues are known", async () => {
    const shown = await graphdos(starFile);
    expect(shown).toContain("8 nodes, 7 edges; 50 moments, jackson damping");
    expect(shown).toContain("exact (chosen by cost): 2 twin classes");
    expect(shown).toMatch(/ 0 +75 % +6 +leaves of one parent/);
    expect(shown).toMatch(/−1 +12\.5 % +1 +bipartite components/);
  });

  it("prints one JSON document", async () => {
    const document = JSON.parse(await graphdos(starFile, "--json", "--moments", "8"));
    const { graph, nodes, edges, moments, damping, estimator, standardError } = document;
    expect([graph, nodes, edges, moments, damping, estimator.name, standardError]).toEqual([
      "star",
      8,
      7,
      8,
      "jackson",
      "exact",
      null,
    ]);
    // eigenvalues 1, −1 and six times 0
    const trace = [8, 0, -4, 0, 8, 0, -4, 0, 8];
    for (const [m, value] of document.trace.entries()) expect(value).toBeCloseTo(trace[m], 12);
    expect(
      document.atoms.map((atom: { eigenvalue: number; count: number }) => [atom.eigenvalue, atom.count]),
    ).toEqual([
      [-1, 1],
      [0, 6],
      [1, 1],
    ]);
    expect(document.grid.length).toBe(document.density.length);
    expect(document.cdf.at(-1)).toBeCloseTo(7 / 8, 12);
  });

  it("states the standard error of probes, and the same seed gives the same answer", async () => {
    const words = [webFile, "--estimator", "probes", "--probes", "8", "--seed", "5"];
    const shown = await graphdos(...words);
    expect(shown).toContain("probes: 8 random probes");
    expect(shown).toMatch(/standard error: at most 0\.\d+ for a mean moment/);
    expect(await graphdos(...words)).toBe(shown);
    const { standardError, densityError } = JSON.parse(await graphdos(...words, "--json"));
    expect(standardError[5]).toBeGreaterThan(0);
    expect(densityError.length).toBe(400);
  });

  it("more probes are added until a tolerance is met", async () => {
    const { standardError, nodes, estimator } = JSON.parse(
      await graphdos(webFile, "--estimator", "probes", "--probes", "4", "--tolerance", "0.01", "--json"),
    );
    expect(Math.max(...standardError) / nodes).toBeLessThanOrEqual(0.01);
    expect(estimator.detail.probes).toBeGreaterThan(4);
  });

  it.each([["auto"], ["probes"], ["sample"]])(
    "draws the same density with nodes as without (%s), where exact moments would take too long",
    async (estimator) => {
      const words = [largeFile, "--json", "--estimator", estimator, "--probes", "8"];
      const alone = JSON.parse(await graphdos(...words));
      const { local, ...density } = JSON.parse(await graphdos(...words, "--nodes"));
      expect(density).toEqual(alone);
      expect(density.estimator.name).toBe(estimator === "auto" ? "probes" : estimator);
      expect(local.estimator.name).toBe(estimator === "probes" ? "probes" : "sample");
      expect(local.density.length).toBe(400);
    },
  );

  it("keeps to a tolerance with nodes too, and says how the nodes were computed", async () => {
    const words = [largeFile, "--nodes", "--probes", "4", "--tolerance", "0.002"];
    const { standardError, nodes, estimator, local } = JSON.parse(await graphdos(...words, "--json"));
    expect(Math.max(...standardError) / nodes).toBeLessThanOrEqual(0.002);
    expect(estimator.detail.probes).toBeGreaterThan(4);
    expect(local.estimator.name).toBe("sample");
    expect((await graphdos(...words)).replaceAll(/\s+/g, " ")).toMatch(
      /local density of the nodes, alike ones together; sample: 4 sampled nodes; exact moments would take/,
    );
  });

  /** The columns of a table by name, after a look that all of it is numbers. */
  const columnsOf = (path: string): Record<string, number[]> => {
    const [head, ...rows] = readFileSync(path, "utf8").trimEnd().split("\n");
    const numbers = rows.map((row) => row.split(",").map(Number));
    expect(numbers.flat().every(Number.isFinite)).toBe(true);
    return Object.fromEntries(head.split(",").map((name, k) => [name, numbers.map((row) => row[k])]));
  };

  it("writes a table: a row for each bin and each known eigenvalue, all of it of mass 1", async () => {
    const output = join(folder, "density.csv");
    await graphdos(webFile, "-o", output, "--compare", starFile);
    const table = columnsOf(output);
    expect(Object.keys(table)).toEqual([
      ...["lambda", "density", "cdf", "known", "density_2", "cdf_2", "known_2"],
    ]);
    const at = (name: string, lambda: number) =>
      table[name].filter((_, k) => table.lambda[k] === lambda).at(-1);
    // a star of 7 leaves: −1, six times 0, 1
    expect([-1, 0, 1].map((lambda) => at("known_2", lambda))).toEqual([0.125, 0.75, 0.125]);
    expect([-1, 0, 1].map((lambda) => at("cdf_2", lambda))).toEqual([0.125, 0.875, 1]);
    const { atoms } = JSON.parse(await graphdos(webFile, "--json"));
    expect(table.lambda.filter((_, k) => table.known[k] > 0)).toEqual(
      atoms.map(({ eigenvalue }: { eigenvalue: number }) => Number(eigenvalue.toPrecision(12))),
    );
    for (const suffix of ["", "_2"]) {
      const [density, cdf, known] = ["density", "cdf", "known"].map((name) => table[name + suffix]);
      let mass = 0;
      for (const [k, lambda] of table.lambda.entries()) {
        // middles of bins are odd multiples of 1/400
        const isBin = Math.abs(Math.abs((lambda * 200) % 1) - 0.5) < 1e-9;
        mass += known[k] + (isBin ? density[k] / 200 : 0);
        if (k > 0) expect(cdf[k]).toBeGreaterThanOrEqual(cdf[k - 1] - 1e-9);
      }
      expect(mass).toBeCloseTo(1, 6);
    }
  });

  it("writes a table with the local densities beside the density: their mean is that of the graph", async () => {
    const output = join(folder, "local.csv");
    await graphdos(webFile, "-o", output, "--nodes", "--damping", "none", "--filter", "none");
    const table = columnsOf(output);
    const locals = Object.keys(table).filter((name) => name.startsWith("local_"));
    expect(locals).toEqual(Array.from({ length: 150 }, (_, k) => `local_${k + 1}`));
    for (let b = 0; b < 400; b++) {
      const mean = locals.reduce((sum, name) => sum + table[name][b] / 150, 0);
      expect(mean).toBeCloseTo(table.density[b], 8);
    }
  });

  it("writes an SVG and a PNG of the same picture, with the nodes below", async () => {
    const [svg, png] = [join(folder, "density.svg"), join(folder, "density.PNG")];
    await graphdos(webFile, "-o", svg, "--nodes");
    await graphdos(webFile, "-o", png, "--nodes");
    const { document } = parseHTML(readFileSync(svg, "utf8"));
    expect(document.querySelector("svg > title")!.textContent).toBe("Density of states of web");
    expect(document.querySelector("image")!.getAttribute("href")).toMatch(/^data:image\/png/);
    const bytes = readFileSync(png);
    expect([...bytes.subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47]);
    const width = Number(document.querySelector("svg")!.getAttribute("width"));
    expect(bytes.readUInt32BE(16)).toBe(2 * width);
  });

  it("compares two graphs and gives their distance", async () => {
    expect(await graphdos(webFile, "--compare", webFile)).toContain("distance of the two spectra: 0\n");
    const { distance, compare } = JSON.parse(await graphdos(webFile, "--compare", starFile, "--json"));
    expect(distance).toBeGreaterThan(0.05);
    expect(compare.graph).toBe("star");
  });

  it("with --nodes shows the local densities, and gives them in JSON", async () => {
    const shown = await graphdos(webFile, "--nodes");
    expect(shown).toContain("local density of the nodes");
    for (const line of shown.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    const { local } = JSON.parse(await graphdos(starFile, "--nodes", "--json"));
    expect(local.nodes).toBe(8);
    expect(local.density.length).toBe(8);
  });

  it("with --node shows the local densities of these nodes, whatever their names hold", async () => {
    const named = join(folder, "named.graphml");
    const ids = ["hub", "a,b", "c", "d", "e"];
    writeFileSync(
      named,
      `<graphml><graph edgedefault="undirected">${ids.map((id) => `<node id="${id}"/>`).join("")}${ids
        .slice(1)
        .map((id) => `<edge source="hub" target="${id}"/>`)
        .join("")}</graph></graphml>`,
    );
    /** ∫ λ² of the local density, with λ in the middle of its bin: the probability of being back after two steps. */
    const back = (grid: number[], density: number[]) =>
      density.reduce((sum, value, k) => sum + value * grid[k] ** 2 * (2 / grid.length), 0);
    const plain = ["--damping", "none", "--moments", "200", "--json"];
    const { local } = JSON.parse(await graphdos(named, "--node", "c,hub", "--node", "a,b", ...plain));
    expect(local.names).toEqual(["c", "hub", "a,b"]);
    expect(back(local.grid, local.density[0])).toBeCloseTo(1 / 4, 1);
    expect(back(local.grid, local.density[1])).toBeCloseTo(1, 1);
    expect(back(local.grid, local.density[2])).toBeCloseTo(1 / 4, 1);
    // numbers from 0 where the file has no other names: the star of seven leaves
    const numbered = JSON.parse(await graphdos(starFile, "--node", "0,3", ...plain)).local;
    expect(back(numbered.grid, numbered.density[0])).toBeCloseTo(1, 1);
    expect(back(numbered.grid, numbered.density[1])).toBeCloseTo(1 / 7, 1);

    const table = join(folder, "named.csv");
    const shown = await graphdos(named, "--node", "a,b", "--node", "hub", "-o", table);
    expect(shown).toContain("local density of the named nodes");
    for (const line of shown.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    expect(readFileSync(table, "utf8").split("\n")[0]).toContain('known,"local_a,b",local_hub');
    expect(await refusal(named, "--node", "hup")).toMatchObject({
      kind: "bad-call",
      message: "--node hup: named has no such node; did you mean hub?",
    });
    expect(await refusal(starFile, "--node", "8")).toMatchObject({
      message: "--node 8: star has no such node: expected a number from 0 to 7",
    });
    expect((await refusal(named, "--node", "c", "--nodes")).message).toContain("leave one of them out");
    expect((await refusal(named, "--node", "c", "--compare", starFile)).message).toContain("--compare");
  });

  it("draws the named nodes with their names", async () => {
    const picture = join(folder, "named.svg");
    await graphdos(webFile, "--node", "17,4", "-o", picture);
    const texts = Array.from(parseHTML(readFileSync(picture, "utf8")).document.querySelectorAll("text"));
    const words = texts.map((text) => text.textContent);
    expect(words.indexOf("17")).toBeGreaterThan(-1);
    expect(words.indexOf("4")).toBeGreaterThan(words.indexOf("17"));
  });

  it("gives named nodes of a large graph exactly, where --nodes would sample", async () => {
    const { local } = JSON.parse(await graphdos(largeFile, "--node", "19999", "--json", "--moments", "4"));
    expect(local.names).toEqual(["19999"]);
    expect(local.estimator.name).toBe("exact");
  });

  it.each([40, 60, 80, 100, 200])("fits a terminal of %i columns", async (columns) => {
    const kernels = await loadKernels();
    for (const graph of [barabasiAlbert(150, 1, 3), path(2), star(4), path(9)]) {
      const profile = exactProfile(graph, { moments: 20, kernels });
      const text = spectrumText(graphSpectrum(graph, profile, { name: "x".repeat(300) }), {
        columns,
        chosen: true,
      });
      for (const line of stripVTControlCharacters(text).split("\n"))
        expect(line.length, line).toBeLessThanOrEqual(Math.min(120, columns));
    }
  });

  it.each([0, 1, 2])("%i nodes without edges give a text without nonsense", async (nodeCount) => {
    const { graph } = buildGraph({ nodeCount, sources: [], targets: [] });
    const profile = exactProfile(graph, { moments: 5, kernels: await loadKernels() });
    const text = spectrumText(graphSpectrum(graph, profile, { name: "\u001b[2Jsmall" }));
    expect(text).not.toMatch(/NaN|undefined|Infinity/);
    expect(text).not.toContain("\u001b[2J");
  });
});

describe("a wrong call of graphdos spectrum", () => {
  it.each([
    [
      ["--moments", "0"],
      "expected a whole number from 1 to 4096, got 0: a density needs at least one moment",
    ],
    [["--moments", "-3"], "expected a whole number from 1 to 4096, got -3"],
    [["--moments", "2.5"], "got 2.5"],
    [["--moments", "5000"], "expected a whole number from 1 to 4096, got 5000"],
    [["--tolerance", "0"], "expected a number above 0, got 0"],
    [["--tolerance", "-1"], "expected a number above 0, got -1"],
    [["--tolerance", "small"], "expected a number above 0, got small"],
    [["--probes", "1"], "expected a whole number of at least 2, got 1: a standard error needs two"],
    [["--estimator", "exakt"], "Allowed choices are auto, exact, probes, sample"],
    [["--damping", "jakson"], "Allowed choices are jackson, lorentz, none"],
    [["--filter", "some"], "Allowed choices are all, paper, none"],
    [["--workers", "-1"], "expected a whole number from 0 to 1024, got -1"],
    [["--seed", "x"], "expected a whole number from 0 on, got x"],
    [["--estimator", "exact", "--probes", "5"], "--probes 5 does nothing with --estimator exact"],
    [["--estimator", "sample", "--tolerance", "1"], "--tolerance 1 does nothing with --estimator sample"],
    [["--graph", "1"], "--graph 1: star has no such graph: expected 0, its only one"],
    [["--compare-graph", "1"], "--compare-graph 1 belongs to --compare"],
    [["--nodes", "--compare", starFile], "--nodes draws the nodes of one graph"],
    [["-o", "density.pdf"], "unknown kind of file: got .pdf, expected .svg, .png or .csv"],
    [["-o", "density"], "unknown kind of file: got no extension"],
  ])("%j", async (words, sentence) => {
    const { kind, message } = await refusal(starFile, ...words);
    expect(kind).toBe("bad-call");
    expect(message).toContain(sentence);
    expect(message).not.toContain("\n");
  });

  it("a data set of several graphs needs the number of one", async () => {
    expect(await refusal("synthetic:ego")).toEqual({
      kind: "bad-call",
      message: expect.stringMatching(/holds \d+ graphs: choose one with --graph, 0 to \d+/),
    });
    expect((await refusal("synthetic:ego", "--graph", "99999")).message).toMatch(
      /no such graph: expected 0 to/,
    );
    expect(await graphdos("synthetic:ego", "--graph", "3")).toContain("graph 3 of");
  });

  it("an output that cannot be written is one sentence and leaves nothing behind", async () => {
    const missing = join(folder, "no-such-folder", "x.svg");
    expect(await refusal(starFile, "-o", missing)).toEqual({
      kind: "io",
      message: `cannot write ${missing}: the folder ${join(folder, "no-such-folder")} does not exist`,
    });
    const taken = join(folder, "folder.svg");
    mkdirSync(taken);
    expect((await refusal(starFile, "-o", taken)).message).toBe(`cannot write ${taken}: it is a folder`);
    expect(existsSync(missing)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
  });
});
