import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { cacheFolder, datasetFolders } from "../../src/node/cache-folder.js";
import { type LocateOptions, locateDataset } from "../../src/node/locate.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "graphdos-locate-"));
  vi.stubEnv("GRAPHDOS_CACHE", join(folder, "cache"));
  vi.stubEnv("GRAPHDOS_DATA", "");
  vi.stubEnv("GRAPHDOS_MIRROR", "");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

async function put(path: string): Promise<string> {
  const full = join(folder, path);
  await mkdir(join(full, ".."), { recursive: true });
  await writeFile(full, "PK");
  return full;
}

describe("the folders for data sets", () => {
  it("are --data-dir, those of GRAPHDOS_DATA, then the cache, each once", () => {
    vi.stubEnv("GRAPHDOS_DATA", ["/a", "", "/b", "/a"].join(delimiter));
    expect(datasetFolders({ dataDir: "/b" })).toEqual(["/b", "/a", join(folder, "cache", "datasets")]);
    vi.stubEnv("GRAPHDOS_DATA", "");
    expect(datasetFolders()).toEqual([join(folder, "cache", "datasets")]);
  });

  it("lie in the platform's cache folder unless GRAPHDOS_CACHE is set", () => {
    vi.stubEnv("GRAPHDOS_CACHE", "");
    vi.stubEnv("XDG_CACHE_HOME", "");
    if (process.platform === "linux") expect(cacheFolder()).toBe(join(homedir(), ".cache", "graphdos"));
    vi.stubEnv("GRAPHDOS_CACHE", "relative");
    expect(cacheFolder()).toBe(join(process.cwd(), "relative"));
  });
});

describe("what DATA means", () => {
  const message = (name: string, options?: LocateOptions) =>
    locateDataset(name, options).then(
      () => "found",
      (error) => `${error.code}: ${error.message}`,
    );

  it("is a synthetic set", async () => {
    expect(await locateDataset("synthetic:threads")).toEqual({ kind: "synthetic", name: "threads" });
  });

  it("is an existing file or folder", async () => {
    const path = await put("some/graph.txt");
    expect(await locateDataset(path)).toEqual({ kind: "file", path });
    expect(await locateDataset(join(folder, "some"))).toEqual({ kind: "folder", path: join(folder, "some") });
  });

  it("is a zip or a folder of that name in the first data folder that has one", async () => {
    const cached = await put("cache/datasets/MUTAG.zip");
    expect(await locateDataset("MUTAG")).toEqual({ kind: "file", path: cached });
    expect(await locateDataset("mutag")).toEqual({ kind: "file", path: cached });
    await put("b/MUTAG/MUTAG_A.txt");
    vi.stubEnv("GRAPHDOS_DATA", [join(folder, "none"), join(folder, "b")].join(delimiter));
    expect(await locateDataset("MUTAG")).toEqual({ kind: "folder", path: join(folder, "b", "MUTAG") });
    const first = await put("a/MUTAG.zip");
    expect(await locateDataset("MUTAG", { dataDir: join(folder, "a") })).toEqual({
      kind: "file",
      path: first,
    });
  });

  it("is a set that nobody registered, where a copy is at hand", async () => {
    const path = await put("cache/datasets/mine.zip");
    expect(await locateDataset("mine")).toEqual({ kind: "file", path });
  });

  it("is a download for a registered set without a copy, from the collection or a mirror, to --data-dir or the cache", async () => {
    const found = await locateDataset("enzymes");
    expect(found).toMatchObject({
      kind: "download",
      set: { name: "ENZYMES", graphs: 600 },
      url: "https://www.chrsmrrs.com/graphkerneldatasets/ENZYMES.zip",
      destination: join(folder, "cache", "datasets", "ENZYMES.zip"),
    });
    vi.stubEnv("GRAPHDOS_MIRROR", "http://localhost:1/");
    expect(await locateDataset("ENZYMES", { dataDir: folder })).toMatchObject({
      url: "http://localhost:1/ENZYMES.zip",
      destination: join(folder, "ENZYMES.zip"),
    });
    expect(await locateDataset("ENZYMES", { from: "http://other/x" })).toMatchObject({
      url: "http://other/x/ENZYMES.zip",
    });
  });

  it("is else an error that says what to do", async () => {
    expect(await message("MUTAGG")).toBe(
      "bad-call: no file, folder or known data set: MUTAGG; did you mean MUTAG?",
    );
    expect(await message("MUTAG.zip")).toContain("did you mean MUTAG?");
    expect(await message("qwertzuiop")).toContain("graphdos datasets list");
    expect(await message("out/nothing.zip")).toBe("io: no such file or folder: out/nothing.zip");
    expect(await message("../MUTAG")).toContain("no such file or folder");
    expect(await message("")).toContain("no data set given");
    expect(await message("a\0b")).toContain("no file, folder or known data set");
    expect(await message("n".repeat(5000))).toContain("no file, folder or known data set");
    expect(await message("MUTAG", { dataDir: join(folder, "none") })).toContain("--data-dir: no such folder");
    expect(await message("REDDIT-THREADS-10K")).toBe(
      "io: REDDIT-THREADS-10K is not in the public collection and no copy was found: " +
        "copy REDDIT-THREADS-10K.zip into a folder and name that folder by --data-dir or GRAPHDOS_DATA",
    );
  });
});
