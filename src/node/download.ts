/**
 * Downloads that survive cut connections and killed processes.
 *
 * The bytes go to `.NAME.<pid>.<random>.partial/bytes` beside the destination, with the address, validator (strong ETag, else
 * Last-Modified) and size in `source.json` next to them. Every try, the first of a later call included, asks only for the bytes that
 * are missing (Range, If-Range) and starts over when the server's file has changed or the server cannot resume. One rename of
 * the folder takes over what a dead process left behind, so two processes never write to the same one. Only
 * a complete zip is renamed to the destination.
 *
 * The tries are counted here and not by undici's retry interceptor, which resumes within one process only and gives up where a
 * server ignores Range. The environment's proxies are used (HTTP_PROXY, HTTPS_PROXY, NO_PROXY).
 */
import { type FileHandle, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { badCall, GraphdosError, throwIfAborted } from "../base/errors.js";
import type { RunControl } from "../base/progress.js";
import { LONGEST_TIMER_MS } from "../base/timers.js";
import { claimWorkFolder, codeOf, fileError, makeFolder, releaseWorkFolder } from "./atomic-file.js";
import { copyHint } from "./locate.js";

export interface DownloadOptions extends RunControl {
  /** The size that the file must have. Default: what the server says. */
  expectedBytes?: number;
  /** How many tries in a row may fail before giving up; one that brings 64 kB or more counts as no failure. Default 5. */
  retries?: number;
  /** Milliseconds before the first retry, doubled for each further one, at most 30 s. Default 500. */
  retryDelay?: number;
  /** Milliseconds without a byte (or without a connection) after which a try has failed. Default 30,000. */
  idleTimeout?: number;
  /** How connections are made. Default: undici's agent with the environment's proxies. */
  dispatcher?: object;
}

/** A partial download that this call owns. */
interface Partial {
  folder: string;
  handle: FileHandle;
  have: number;
  source: Source | null;
}

interface Source {
  url: string;
  /** For If-Range. Without one the bytes of two tries cannot be known to be of the same file. */
  validator: string | null;
  total: number | null;
}

interface Job {
  url: URL;
  destination: string;
  partial: Partial;
  dispatcher: Dispatcher;
  request: typeof import("undici").request;
  options: Required<Pick<DownloadOptions, "retries" | "retryDelay" | "idleTimeout">> & DownloadOptions;
}

/** A try that failed and may be repeated. */
class FailedTry extends Error {
  constructor(
    message: string,
    /** Milliseconds that the server asks us to wait. */
    readonly wait = 0,
  ) {
    super(message);
  }
}

const GOOD_PROGRESS_BYTES = 1 << 16;
const MAX_DELAY = 30_000;
const UNREACHABLE =
  /^(ENOTFOUND|EAI_\w+|ECONNREFUSED|ENETUNREACH|ENETDOWN|EHOST\w+|UND_ERR_CONNECT_TIMEOUT)$/;
const BROKEN =
  /^(ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|UND_ERR_\w*TIMEOUT|UND_ERR_SOCKET|UND_ERR_RES_\w+|HPE_\w+)$/;
const BUSY = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Downloads a zip. Resolves with its size when the complete, checked file is at `destination`, whose folder is made. */
export async function download(
  url: string,
  destination: string,
  options: DownloadOptions = {},
): Promise<{ bytes: number }> {
  const address = checkedAddress(url);
  const { retries = 5, retryDelay = 500, idleTimeout = 30_000, expectedBytes } = options;
  const atLeast = (name: string, value: number, least: number) => {
    if (!(value >= least)) throw badCall(`download: ${name}: got ${value}, expected at least ${least}`);
  };
  atLeast("retries", retries, 0);
  atLeast("retryDelay", retryDelay, 0);
  atLeast("idleTimeout", idleTimeout, 1);
  if (idleTimeout > LONGEST_TIMER_MS)
    throw badCall(
      `download: idleTimeout: got ${idleTimeout}, expected at most ${LONGEST_TIMER_MS} (24 days)`,
    );
  if (expectedBytes !== undefined) atLeast("expectedBytes", expectedBytes, 0);
  throwIfAborted(options.signal);

  // a large package that most calls of the program have no use for
  const { EnvHttpProxyAgent, interceptors, request } = await import("undici");
  const own = options.dispatcher ? null : new EnvHttpProxyAgent({ connect: { timeout: idleTimeout } });
  const dispatcher = ((options.dispatcher as Dispatcher | undefined) ?? own!).compose(
    interceptors.redirect({ maxRedirections: 8 }),
  );
  const partial = await openPartial(destination);
  const job: Job = {
    url: address,
    destination,
    partial,
    dispatcher,
    request,
    options: { ...options, retries, retryDelay, idleTimeout },
  };
  try {
    await receiveAll(job);
    await checkSize(job);
    await checkZip(job);
    await partial.handle.sync();
    await partial.handle.close();
    await rename(join(partial.folder, "bytes"), destination);
    await rm(partial.folder, { recursive: true, force: true });
    return { bytes: partial.have };
  } catch (error) {
    await partial.handle.close();
    // what an interruption or a bad connection leaves can be resumed, all else is of no use
    const resumable = error instanceof Unfinished && partial.have > 0 && partial.source?.validator;
    if (!resumable) await rm(partial.folder, { recursive: true, force: true });
    else await releaseWorkFolder(partial.folder, destination);
    throw error instanceof Unfinished ? error.error : fileError("write", destination, error);
  } finally {
    await own?.destroy();
  }
}

/** Wraps an error after which the bytes received so far are still good. */
class Unfinished extends Error {
  constructor(readonly error: GraphdosError) {
    super(error.message);
  }
}

async function receiveAll(job: Job): Promise<void> {
  const { partial, options } = job;
  let failures = 0;
  let best = partial.have;
  let connected = false;
  for (;;) {
    try {
      return await receive(job, () => {
        connected = true;
      });
    } catch (error) {
      if (options.signal?.aborted)
        throw new Unfinished(new GraphdosError("interrupted", "interrupted", { cause: error }));
      if (error instanceof GraphdosError) throw error;
      const reason = failure(job, error, connected);
      if (partial.have >= best + GOOD_PROGRESS_BYTES) failures = 0;
      best = Math.max(best, partial.have);
      if (++failures > options.retries)
        throw new Unfinished(
          failed(
            job,
            `${reason}, after ${failures} ${failures === 1 ? "try" : "tries"}${resumeHint(partial)}`,
            error,
          ),
        );
      const wait = Math.max(
        error instanceof FailedTry ? error.wait : 0,
        options.retryDelay * 2 ** (failures - 1),
      );
      await sleep(Math.min(wait, MAX_DELAY), undefined, { signal: options.signal }).catch(() => undefined);
      if (options.signal?.aborted) throw new Unfinished(new GraphdosError("interrupted", "interrupted"));
    }
  }
}

const resumeHint = ({ have, source }: Partial) =>
  have > 0 && source?.validator ? "; the same call resumes where it stopped" : "";

/** Why a try failed, in words; throws when another one would be of no use. */
function failure(job: Job, error: unknown, connected: boolean): string {
  if (error instanceof FailedTry) return error.message;
  const code = codeOf(error);
  const text = error instanceof Error && error.message ? error.message : String(error);
  if (UNREACHABLE.test(code)) {
    const reason = `${job.url.host} cannot be reached (${code})`;
    if (connected) return reason;
    throw new Unfinished(
      failed(job, `${reason}: check the network, or ${copyHint(basename(job.destination))}`, error),
    );
  }
  if (/TIMEOUT|ETIMEDOUT/.test(code))
    return `${job.url.host} sent nothing for ${job.options.idleTimeout / 1000} s`;
  if (BROKEN.test(code)) return `the connection to ${job.url.host} broke (${text})`;
  throw new Unfinished(failed(job, text, error));
}

/** One try: asks for what is missing and writes what comes. Throws FailedTry or undici's errors when it may be repeated. */
async function receive(job: Job, onAnswer: () => void): Promise<void> {
  const { url, partial, options } = job;
  const resumes = partial.have > 0 && partial.source?.url === url.href && partial.source.validator !== null;
  if (!resumes) await startOver(job);
  const headers: Record<string, string> = { "accept-encoding": "identity", "user-agent": "graphdos" };
  if (resumes) {
    headers.range = `bytes=${partial.have}-`;
    headers["if-range"] = partial.source!.validator!;
  }
  const {
    statusCode,
    headers: answer,
    body,
  } = await job.request(url, {
    dispatcher: job.dispatcher,
    headers,
    headersTimeout: options.idleTimeout,
    bodyTimeout: options.idleTimeout,
    signal: options.signal,
  });
  onAnswer();
  try {
    if (resumes && statusCode === 416 && header(answer, "content-range") === `bytes */${partial.have}`)
      return;
    if (statusCode === 206 && resumes) {
      const mismatch = rangeMismatch(partial, answer);
      if (mismatch) {
        await startOver(job);
        throw new FailedTry(mismatch);
      }
    } else if (statusCode === 200) {
      await begin(job, answer);
    } else {
      if (statusCode === 416) await startOver(job);
      throw refusal(job, statusCode, answer);
    }
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      await append(job, chunk);
      options.onProgress?.({
        task: `downloading ${basename(job.destination)}`,
        done: partial.have,
        total: partial.source?.total ?? 0,
        unit: "B",
      });
    }
  } finally {
    // an unread body would hold the connection
    body.on("error", () => undefined).destroy();
  }
  const total = partial.source?.total ?? null;
  if (total !== null && partial.have < total)
    throw new FailedTry(`the server promised ${total} bytes and sent ${partial.have}`);
}

/** Starts a file from its first byte: remembers what it is, so that a later try can resume it. */
async function begin(job: Job, answer: Headers): Promise<void> {
  const { url, partial, options, destination } = job;
  const length = header(answer, "content-length");
  const total = length !== null && /^\d+$/.test(length) ? Number(length) : null;
  if (total !== null && options.expectedBytes !== undefined && total !== options.expectedBytes)
    throw wrongSize(destination, total, options.expectedBytes);
  await startOver(job);
  partial.source = { url: url.href, validator: validatorOf(answer), total };
  const record = JSON.stringify(partial.source);
  await onDisk(destination, () => writeFile(join(partial.folder, "source.json"), record));
}

function rangeMismatch({ have, source }: Partial, answer: Headers): string | null {
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(header(answer, "content-range") ?? "");
  if (range === null || Number(range[1]) !== have)
    return "the server sent another part than the one asked for";
  if (source?.total != null && range[2] !== "*" && Number(range[2]) !== source.total)
    return "the file changed on the server";
  const validator = validatorOf(answer);
  return validator !== null && validator !== source?.validator ? "the file changed on the server" : null;
}

async function append({ partial, destination }: Job, chunk: Uint8Array): Promise<void> {
  await onDisk(destination, () => partial.handle.appendFile(chunk));
  partial.have += chunk.length;
}

async function startOver({ partial, destination }: Job): Promise<void> {
  await onDisk(destination, () => partial.handle.truncate(0));
  partial.have = 0;
  partial.source = null;
}

type Headers = Record<string, string | string[] | undefined>;

const header = (headers: Headers, name: string): string | null => {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
};

/** A weak ETag does not promise equal bytes. */
function validatorOf(headers: Headers): string | null {
  const etag = header(headers, "etag");
  return etag !== null && !etag.startsWith("W/") ? etag : header(headers, "last-modified");
}

function refusal(job: Job, status: number, headers: Headers): Error {
  if (BUSY.has(status) || status === 416) {
    const seconds = Number(header(headers, "retry-after"));
    return new FailedTry(`${job.url.host} answered ${status}`, seconds > 0 ? seconds * 1000 : 0);
  }
  if (status === 404 || status === 410) return failed(job, `not found on the server (${job.url.href})`);
  if (status >= 300 && status < 400) return failed(job, "the server redirects too often, or to nowhere");
  if (status === 401 || status === 403)
    return failed(job, `the server refuses it (${status}): ${copyHint(basename(job.destination))}`);
  return failed(job, `the server answered ${status} to ${job.url.href}`);
}

const failed = (job: Job, reason: string, cause?: unknown) =>
  new GraphdosError("io", `cannot download ${basename(job.destination)}: ${reason}`, { cause });

const wrongSize = (destination: string, got: number, expected: number) =>
  new GraphdosError(
    "io",
    `cannot download ${basename(destination)}: wrong size: got ${got} bytes, expected ${expected}`,
  );

function checkedAddress(url: string): URL {
  if (!URL.canParse(url)) throw badCall(`not an address: got ${url}, expected https://...`);
  const address = new URL(url);
  if (!/^https?:$/.test(address.protocol))
    throw badCall(`cannot download from ${url}: expected http:// or https://`);
  return address;
}

async function checkSize({ partial, destination, options }: Job): Promise<void> {
  const expected = options.expectedBytes ?? partial.source?.total ?? partial.have;
  if (partial.have !== expected) throw wrongSize(destination, partial.have, expected);
}

/**
 * A zip begins with "PK" and ends with the end-of-central-directory record, whose own comment reaches exactly to the end of the
 * file: this also finds files cut short by servers that do not tell the size.
 */
async function checkZip({ partial, destination, url }: Job): Promise<void> {
  const refuse = (what: string) =>
    new GraphdosError("io", `cannot download ${basename(destination)}: what ${url.host} sent is ${what}`);
  const head = Buffer.alloc(Math.min(4, partial.have));
  await partial.handle.read(head, 0, head.length, 0);
  if (head.toString("latin1", 0, 2) !== "PK")
    throw refuse(`no zip: it begins with ${JSON.stringify(head.toString("latin1"))}, expected "PK"`);
  const tail = Buffer.alloc(Math.min(partial.have, 22 + 0xffff));
  await partial.handle.read(tail, 0, tail.length, partial.have - tail.length);
  for (let at = tail.length - 22; at >= 0; at--)
    if (tail.readUInt32LE(at) === 0x06054b50 && at + 22 + tail.readUInt16LE(at + 20) === tail.length) return;
  throw refuse(`a broken zip: its directory is missing at the end of ${partial.have} bytes`);
}

/** Takes over what an earlier call left of this download, else starts with nothing. */
async function openPartial(destination: string): Promise<Partial> {
  return onDisk(destination, async () => {
    await makeFolder(dirname(destination));
    const folder = await claimWorkFolder(destination);
    const source = await readSource(folder);
    const handle = await open(join(folder, "bytes"), "a+");
    return { folder, handle, have: (await handle.stat()).size, source };
  });
}

async function readSource(folder: string): Promise<Source | null> {
  try {
    const { url, validator, total } = JSON.parse(await readFile(join(folder, "source.json"), "utf8"));
    const valid =
      typeof url === "string" && typeof validator === "string" && (total === null || Number.isInteger(total));
    return valid ? { url, validator, total } : null;
  } catch {
    return null;
  }
}

async function onDisk<T>(destination: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw fileError("write", destination, error);
  }
}
