import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { zipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GraphdosError } from "../../src/base/errors.js";
import type { ProgressUpdate } from "../../src/base/progress.js";
import { addDatasetsCommand } from "../../src/cli/datasets.js";
import { type DownloadOptions, download } from "../../src/node/download.js";

const makeZip = (size: number) =>
  Buffer.from(zipSync({ "X/X_A.txt": new Uint8Array(randomBytes(size)) }, { level: 0 }));
const zip = makeZip(300_000);
const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** What the server does to the k-th request; past the end of the list it behaves well. */
interface Manner {
  file?: Buffer;
  etag?: string | null;
  /** Cuts the connection after so many bytes of this answer. */
  cutAfter?: number;
  /** Called when the connection is cut. */
  whenCut?: () => void;
  /** Sends nothing more after so many bytes of this answer. */
  hangAfter?: number;
  ignoreRange?: boolean;
  ignoreIfRange?: boolean;
  /** Answers a range with one that starts so many bytes later. */
  shift?: number;
  /** Says content-length plus this. */
  lie?: number;
  noLength?: boolean;
  status?: number;
  location?: string;
  /** Pauses between pieces of 10 kB. */
  slow?: number;
}

let folder: string;
let destination: string;
let server: Server;
let base: string;
let manners: Manner[];
let requests: { range?: string; ifRange?: string; url?: string }[];

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const manner = manners[requests.length] ?? {};
  requests.push({
    range: request.headers.range,
    ifRange: request.headers["if-range"] as string,
    url: request.url,
  });
  const { file = zip, etag = '"one"', status, location } = manner;
  if (status !== undefined) {
    response.writeHead(status, location ? { location } : {}).end("no");
    return;
  }
  const wanted = /^bytes=(\d+)-$/.exec(request.headers.range ?? "");
  const same = manner.ignoreIfRange || request.headers["if-range"] === etag;
  const start = wanted && same && !manner.ignoreRange ? Number(wanted[1]) + (manner.shift ?? 0) : 0;
  if (etag) response.setHeader("etag", etag);
  if (wanted && start >= file.length) {
    response.writeHead(416, { "content-range": `bytes */${file.length}` }).end();
    return;
  }
  const body = file.subarray(start);
  if (start > 0) response.setHeader("content-range", `bytes ${start}-${file.length - 1}/${file.length}`);
  if (!manner.noLength) response.setHeader("content-length", body.length + (manner.lie ?? 0));
  response.writeHead(start > 0 ? 206 : 200);
  const stop = manner.cutAfter ?? manner.hangAfter;
  if (manner.slow !== undefined) {
    for (let at = 0; at < body.length && !response.destroyed; at += 10_000) {
      response.write(body.subarray(at, at + 10_000));
      await new Promise((resolve) => setTimeout(resolve, manner.slow));
    }
    response.end();
  } else if (stop === undefined && !manner.lie) response.end(body);
  else if (stop === 0 && manner.hangAfter === 0) return;
  else
    response.write(body.subarray(0, stop), () => {
      if (manner.hangAfter !== undefined) return;
      // the client drops what it has received and not yet taken when the connection ends: it must have written it all by then
      const cut = () => {
        if (response.destroyed || !existsSync(folder)) return undefined; // the client has gone
        const written = Math.max(
          0,
          ...readdirSync(folder).map(
            (name) => statSync(join(folder, name, "bytes"), { throwIfNoEntry: false })?.size ?? 0,
          ),
        );
        if (written < start + (stop ?? body.length)) return setTimeout(cut, 5);
        response.destroy();
        return manner.whenCut?.();
      };
      cut();
    });
}

beforeEach(async () => {
  for (const name of [
    "http_proxy",
    "HTTP_PROXY",
    "https_proxy",
    "HTTPS_PROXY",
    "GRAPHDOS_MIRROR",
    "GRAPHDOS_DATA",
  ])
    vi.stubEnv(name, "");
  folder = await mkdtemp(join(tmpdir(), "graphdos-download-"));
  destination = join(folder, "X.zip");
  manners = [];
  requests = [];
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Only servers that hang are given up for their silence: one in a process that a busy machine keeps waiting is not. */
const quick: DownloadOptions = { retryDelay: 1, idleTimeout: 240_000 };
const get = (options: DownloadOptions = {}, address = `${base}/X.zip`) =>
  download(address, destination, { ...quick, ...options });

async function refused(work: Promise<unknown>, code = "io"): Promise<string> {
  const error = await work.then(
    () => new Error("it went well"),
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(GraphdosError);
  expect(error.code).toBe(code);
  expect(existsSync(destination)).toBe(false);
  return error.message;
}

/** The destination holds exactly `file` and nothing else is left in its folder. */
function expectWhole(file = zip): void {
  expect(hash(readFileSync(destination))).toBe(hash(file));
  expect(readdirSync(folder)).toEqual(["X.zip"]);
}

describe("a download", () => {
  it("brings the file, says how far it is, and makes the folder", async () => {
    const updates: ProgressUpdate[] = [];
    destination = join(folder, "a", "b", "X.zip");
    expect(await get({ onProgress: (update) => updates.push(update), expectedBytes: zip.length })).toEqual({
      bytes: zip.length,
    });
    expect(hash(readFileSync(destination))).toBe(hash(zip));
    expect(updates.at(-1)).toEqual({
      task: "downloading X.zip",
      done: zip.length,
      total: zip.length,
      unit: "B",
    });
    expect(updates.every((update, k) => k === 0 || update.done > updates[k - 1].done)).toBe(true);
  });

  it("replaces an older file", async () => {
    writeFileSync(destination, "old");
    await get();
    expectWhole();
  });

  it("resumes after the connection was cut twice, asking only for what is missing", async () => {
    manners = [{ cutAfter: 100_000 }, { cutAfter: 50_000 }];
    await get();
    expectWhole();
    expect(requests.map(({ range }) => range)).toEqual([undefined, "bytes=100000-", "bytes=150000-"]);
    expect(requests[1].ifRange).toBe('"one"');
  });

  it("resumes as often as needed while the tries bring something", async () => {
    manners = Array.from({ length: 4 }, () => ({ cutAfter: 70_000 }));
    await get({ retries: 1 });
    expectWhole();
  });

  it("starts over where the server ignores Range", async () => {
    manners = [{ cutAfter: 100_000 }, { ignoreRange: true, cutAfter: 40_000 }, { ignoreRange: true }];
    await get();
    expectWhole();
  });

  it("starts over where the server gives nothing to recognise the file by", async () => {
    manners = [{ cutAfter: 100_000, etag: null }, { etag: null }];
    await get();
    expectWhole();
    expect(requests[1].range).toBeUndefined();
  });

  it("starts over where the ETag is weak, for that promises no equal bytes", async () => {
    manners = [{ cutAfter: 100_000, etag: 'W/"one"' }];
    await get();
    expectWhole();
    expect(requests[1].range).toBeUndefined();
  });

  it("never mixes two versions when the file changes between two tries", async () => {
    const newer = makeZip(300_000);
    manners = [{ cutAfter: 100_000 }, { file: newer, etag: '"two"' }];
    await get();
    expectWhole(newer);
    await rm(destination);
    // a server that ignores If-Range and sends the rest of the newer file
    manners = [
      ...requests.map(() => ({})),
      { cutAfter: 100_000 },
      ...Array(2).fill({ file: newer, etag: '"two"', ignoreIfRange: true }),
    ];
    await get();
    expectWhole(newer);
  });

  it("starts over where the server sends another part than the one asked for", async () => {
    manners = [{ cutAfter: 100_000 }, { shift: 10 }];
    await get();
    expectWhole();
    expect(requests.map(({ range }) => range)).toEqual([undefined, "bytes=100000-", undefined]);
  });

  it("follows redirects, to http and https only", async () => {
    manners = [{ status: 302, location: "/elsewhere/X.zip" }];
    await get();
    expectWhole();
    expect(requests.map(({ url }) => url)).toEqual(["/X.zip", "/elsewhere/X.zip"]);
    await rm(destination);
    manners = [...requests.map(() => ({})), { status: 302, location: "file:///etc/passwd" }];
    expect(await refused(get())).toContain("cannot download X.zip");
    expect(requests).toHaveLength(3);
  });

  it("gives up on endless redirects", async () => {
    manners = Array.from({ length: 50 }, (_, k) => ({ status: 302, location: `/${k}` }));
    expect(await refused(get())).toContain("redirects too often");
    expect(requests.length).toBeLessThan(12);
  });

  it("tries again when the server is busy", async () => {
    manners = [{ status: 503 }, { status: 500 }];
    await get();
    expectWhole();
  });

  it("goes through the environment's proxy", async () => {
    const asked: string[] = [];
    const proxy = createServer().on("connect", (request, socket) => {
      asked.push(request.url!);
      const upstream = connect((server.address() as AddressInfo).port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        upstream.pipe(socket).pipe(upstream);
      });
      upstream.on("error", () => socket.destroy());
      socket.on("error", () => upstream.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    vi.stubEnv("http_proxy", `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    vi.stubEnv("no_proxy", "");
    await get({}, "http://collection.invalid/X.zip");
    expectWhole();
    expect(asked).toEqual(["collection.invalid:80"]);
    proxy.closeAllConnections();
    proxy.close();
  });
});

describe("a download that cannot succeed ends with one sentence and no file", () => {
  it("when the file is not there", async () => {
    manners = [{ status: 404 }];
    expect(await refused(get())).toBe(`cannot download X.zip: not found on the server (${base}/X.zip)`);
    expect(requests).toHaveLength(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("when the server stays busy", async () => {
    manners = Array(9).fill({ status: 503 });
    expect(await refused(get({ retries: 2 }))).toMatch(/answered 503, after 3 tries$/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("when the server promises more than it has", async () => {
    manners = Array(9).fill({ lie: 100 });
    expect(await refused(get({ retries: 2 }))).toMatch(/wrong size: got \d+ bytes, expected \d+/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("when the server promises less than it has", async () => {
    manners = Array(9).fill({ lie: -1000 });
    expect(await refused(get())).toMatch(/broken zip|the connection .* broke/);
    manners = Array(19).fill({ file: zip.subarray(0, 200_000) });
    expect(await refused(get())).toContain("broken zip");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("when the file is cut short and the server does not tell the size", async () => {
    manners = Array(9).fill({ file: zip.subarray(0, 200_000), noLength: true });
    expect(await refused(get())).toContain("broken zip");
  });

  it("when the size is not the expected one", async () => {
    expect(await refused(get({ expectedBytes: 5 }))).toContain(
      `wrong size: got ${zip.length} bytes, expected 5`,
    );
    manners = [{}, { noLength: true }];
    expect(await refused(get({ expectedBytes: 5 }))).toContain(
      `wrong size: got ${zip.length} bytes, expected 5`,
    );
  });

  it("when something else than a zip comes, or nothing", async () => {
    manners = [{ file: Buffer.from("<!DOCTYPE html> please log in") }];
    expect(await refused(get())).toContain('no zip: it begins with "<!DO", expected "PK"');
    manners = [{}, { file: Buffer.alloc(0) }];
    expect(await refused(get())).toContain('no zip: it begins with "", expected "PK"');
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ["before the first byte", { hangAfter: 0 }],
    ["in the middle", { hangAfter: 100_000 }],
  ])("when the server hangs %s, not for ever", async (_, manner) => {
    manners = Array(99).fill(manner);
    // the second hang in the middle brings 100 kB more, and so on; on a busy machine a try may bring nothing
    const message = await get({ retries: manner.hangAfter === 0 ? 1 : 90, idleTimeout: 300 }).then(
      () => "",
      (error) => error.message,
    );
    if (manner.hangAfter === 0) expect(message).toMatch(/sent nothing for 0.3 s, after 2 tries$/);
    else expectWhole();
  });

  it("when there is no connection, at once, and says what to do instead", async () => {
    const help =
      "check the network, or copy X.zip into a folder and name that folder by --data-dir or GRAPHDOS_DATA";
    const unknown = await refused(get({ retryDelay: 60_000 }, "http://nowhere.invalid/X.zip"));
    expect(unknown).toMatch(/^cannot download X.zip: nowhere.invalid cannot be reached \(E\w+\): /);
    expect(unknown).toContain(help);
    const closed = await refused(get({ retryDelay: 60_000 }, "http://127.0.0.1:1/X.zip"));
    expect(closed).toContain("127.0.0.1:1 cannot be reached (ECONNREFUSED)");
    expect(closed).toContain(help);
  });

  it("when the call is wrong", async () => {
    expect(await refused(get({}, "ftp://x/X.zip"), "bad-call")).toContain("expected http:// or https://");
    expect(await refused(get({}, "X.zip"), "bad-call")).toContain("not an address");
    await refused(get({ retries: -1 }), "bad-call");
    await refused(get({ idleTimeout: Number.NaN }), "bad-call");
    expect(await refused(get({ idleTimeout: 2 ** 31 }), "bad-call")).toContain("at most 2147483647");
    expect(requests).toHaveLength(0);
  });

  it("when the destination cannot be written", async () => {
    await mkdir(destination);
    const error = await get().catch((reason) => reason);
    expect(error.message).toContain(`cannot write ${destination}`);
    expect(readdirSync(folder)).toEqual(["X.zip"]);
  });
});

describe("a download that was stopped", () => {
  it("by its signal is interrupted, and the next call resumes it", async () => {
    manners = [{ slow: 5 }];
    const stop = new AbortController();
    const message = await refused(
      get({ signal: stop.signal, onProgress: ({ done }) => done >= 100_000 && stop.abort() }),
      "interrupted",
    );
    expect(message).toBe("interrupted");
    expect(readdirSync(folder)).toEqual([".X.zip.partial"]);
    await get();
    expectWhole();
    expect(Number(/\d+/.exec(requests[1].range!)![0])).toBeGreaterThanOrEqual(100_000);
  });

  it("by its signal while it waits for the next try ends at once", async () => {
    const stop = new AbortController();
    manners = [{ cutAfter: 100_000, whenCut: () => setTimeout(() => stop.abort(), 100) }];
    await refused(get({ signal: stop.signal, retryDelay: 1e8 }), "interrupted");
    await refused(get({ signal: stop.signal }), "interrupted");
  });

  it("by too many failures is resumed by the next call", async () => {
    manners = [{ cutAfter: 100_000 }];
    expect(await refused(get({ retries: 0 }))).toMatch(
      /after 1 try; the same call resumes where it stopped$/,
    );
    await get();
    expectWhole();
    expect(requests[1].range).toBe("bytes=100000-");
  });

  it("by a server that went away is resumed when the server is back", async () => {
    const { port } = server.address() as AddressInfo;
    manners = [{ cutAfter: 100_000 }];
    server.on("request", () => server.close());
    expect(await refused(get({ retries: 2 }))).toMatch(
      /cannot be reached \(ECONNREFUSED\), after 3 tries; the same call resumes where it stopped$/,
    );
    server.removeAllListeners("request").on("request", (request, response) => void answer(request, response));
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    await get();
    expectWhole();
    expect(requests[1].range).toBe("bytes=100000-");
  });

  it("is not resumed with another file of the same name", async () => {
    manners = [{ cutAfter: 100_000 }];
    await refused(get({ retries: 0 }));
    await get({}, `${base}/other/X.zip`);
    expectWhole();
    expect(requests[1].range).toBeUndefined();
  });

  it("after the last byte only needs to be renamed", async () => {
    manners = [{ cutAfter: zip.length, lie: 1 }];
    await refused(get({ retries: 0 }));
    // the record of the size was wrong, so it is fetched anew; with the right one the server's 416 confirms it
    const record = join(folder, ".X.zip.partial", "source.json");
    writeFileSync(record, readFileSync(record, "utf8").replace(String(zip.length + 1), String(zip.length)));
    await get();
    expectWhole();
    expect(requests[1].range).toBe(`bytes=${zip.length}-`);
  });

  it("and whose record is damaged starts over", async () => {
    manners = [{ cutAfter: 100_000 }];
    await refused(get({ retries: 0 }));
    writeFileSync(join(folder, ".X.zip.partial", "source.json"), '{"url":');
    await get();
    expectWhole();
    expect(requests[1].range).toBeUndefined();
  });

  it("by a kill of its process is resumed by another process", async () => {
    manners = [{ slow: 20 }];
    const script = join(folder, "child", "script.mts");
    await mkdir(join(folder, "child"));
    writeFileSync(
      script,
      `import { download } from ${JSON.stringify(join(import.meta.dirname, "../../src/node/download.ts"))};
       await download(${JSON.stringify(`${base}/X.zip`)}, ${JSON.stringify(destination)}, {
         onProgress: ({ done }) => done >= 100000 && process.stdout.write("enough"),
       });`,
    );
    const child: ChildProcess = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((resolve) => child.stdout!.once("data", resolve));
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
    await rm(join(folder, "child"), { recursive: true });
    expect(readdirSync(folder)).toEqual([
      expect.stringMatching(new RegExp(`^\\.X\\.zip\\.${child.pid}\\.[0-9a-f]{8}\\.[0-9a-f]{12}\\.partial$`)),
    ]);
    await get();
    expectWhole();
    expect(Number(/\d+/.exec(requests[1].range!)![0])).toBeGreaterThanOrEqual(90_000);
  });

  it("leaves two calls at the same time alone: both end with the whole file", async () => {
    manners = [{ slow: 2 }, { slow: 2 }];
    await Promise.all([get(), get()]);
    expectWhole();
  });
});

describe("graphdos datasets", () => {
  let out: string;
  beforeEach(() => {
    out = "";
    vi.stubEnv("GRAPHDOS_CACHE", folder);
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      out += text;
      return true;
    });
    vi.spyOn(process.stderr, "write").mockReturnValue(true);
  });
  const run = async (...words: string[]) => {
    out = "";
    const program = new Command().option("-q, --quiet").exitOverride();
    addDatasetsCommand(program);
    await program.parseAsync(["datasets", ...words], { from: "user" });
    return out;
  };

  it("get fetches a set, prints its path, and list shows it", async () => {
    const path = join(folder, "datasets", "MUTAG.zip");
    expect(await run("get", "mutag", "--from", base)).toBe(`${path}\n`);
    expect(hash(readFileSync(path))).toBe(hash(zip));
    expect(requests.map(({ url }) => url)).toEqual(["/MUTAG.zip"]);
    const line = (await run("list")).split("\n").find((text) => text.startsWith("MUTAG "))!;
    expect(line.split(/\s+/)).toEqual(["MUTAG", "188", "2", "17.93", "19.79", path]);
  });

  it("get does not fetch again what is there, unless forced, or another folder is named", async () => {
    vi.stubEnv("GRAPHDOS_MIRROR", base);
    const path = await run("get", "MUTAG");
    expect(await run("get", "MUTAG")).toBe(path);
    expect(requests).toHaveLength(1);
    expect(await run("get", "MUTAG", "--force")).toBe(path);
    expect(requests).toHaveLength(2);
    const other = join(folder, "other");
    expect(await run("get", "MUTAG", "--data-dir", other)).toBe(`${join(other, "MUTAG.zip")}\n`);
    expect(requests).toHaveLength(3);
    expect(await run("get", "MUTAG", "--data-dir", other)).toBe(`${join(other, "MUTAG.zip")}\n`);
    expect(requests).toHaveLength(3);
  });

  it("list --json is one document with every set once", async () => {
    const { folders, sets } = JSON.parse(await run("list", "--json"));
    expect(folders).toEqual([join(folder, "datasets")]);
    expect(sets.find((set: { name: string }) => set.name === "ENZYMES")).toMatchObject({
      graphs: 600,
      classes: 6,
      copy: null,
    });
    expect(new Set(sets.map((set: { name: string }) => set.name)).size).toBe(sets.length);
  });

  it("get refuses unknown names with a suggestion, and sets that nobody can download", async () => {
    await expect(run("get", "MUTAGG")).rejects.toThrow("unknown data set: MUTAGG; did you mean MUTAG?");
    await expect(run("get", "REDDIT-THREADS-10K")).rejects.toThrow("is not in the public collection");
    expect(requests).toHaveLength(0);
  });
});
