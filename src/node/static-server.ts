/**
 * A web server for one folder of files and nothing else.
 *
 * The files are read once, at the start, into a table from address to bytes: an address that is not in the table is not found, so that
 * no spelling of a path (dots, encoded or not, backslashes, NUL, links) leads out of the folder. Links are left out of the table. Only
 * GET and HEAD are answered; a name in the Host header that is not ours (DNS rebinding) and requests of other sites are refused, but for
 * following a link to a page. A request that is not there whole in time ends its connection. Costs the memory of the files; made for the few megabytes of a page.
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import { hostname } from "node:os";
import { extname, join } from "node:path";
import { GraphdosError } from "../base/errors.js";
import { codeOf, fileError } from "./atomic-file.js";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml; charset=utf-8",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
  ".zip": "application/zip",
};

/** Everything comes from this server; WASM may be compiled, no other text becomes code. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy": CONTENT_POLICY,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** With these two a page may use SharedArrayBuffer. */
const ISOLATION_HEADERS: Readonly<Record<string, string>> = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

export interface StaticServerOptions {
  /** Address or name to listen on. Default 127.0.0.1. */
  host?: string;
  /** 0 takes any free port. Default 0. */
  port?: number;
  /** Cross-origin isolation, for SharedArrayBuffer in the page. Default true. */
  isolated?: boolean;
  /** Milliseconds within which a request must be there whole; then its connection is closed. Default 10,000. */
  patience?: number;
}

export interface StaticServer {
  /** Address of the page: http://127.0.0.1:8361/ */
  url: string;
  close(): Promise<void>;
}

interface StoredFile {
  bytes: Uint8Array;
  type: string;
  etag: string;
  /** A hash stands in the name: the content behind it never changes. */
  hashed: boolean;
}

/** Serves the files of a folder until it is closed. */
export async function serveFolder(folder: string, options: StaticServerOptions = {}): Promise<StaticServer> {
  const { host = "127.0.0.1", port = 0, isolated = true, patience = 10_000 } = options;
  const files = await readFiles(folder);
  const headers = { ...SECURITY_HEADERS, ...(isolated ? ISOLATION_HEADERS : {}) };
  const limits = {
    ...{ headersTimeout: patience, requestTimeout: patience, keepAliveTimeout: Math.min(patience, 5000) },
    connectionsCheckingInterval: Math.max(50, patience / 4),
  };
  const server = createServer(limits, (request, response) => {
    const { headers: own, ...rest } = answer(files, host, request);
    send({ ...rest, headers: { ...headers, ...own } }, request, response);
  });
  // also ends who connects and says nothing
  server.setTimeout(patience);
  await listen(server, host, port);
  const bound = (server.address() as AddressInfo).port;
  const name = isIP(host) === 6 ? `[${host}]` : host;
  return {
    url: `http://${isWildcard(host) ? "127.0.0.1" : name}:${bound}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readFiles(root: string): Promise<Map<string, StoredFile>> {
  const files = new Map<string, StoredFile>();
  const visit = async (folder: string, address: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (entry.name.startsWith(".")) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await visit(path, `${address}${entry.name}/`);
      if (!entry.isFile()) continue;
      const bytes = await readFile(path);
      files.set(address + entry.name, {
        bytes,
        type: TYPES[extname(entry.name).toLowerCase()] ?? "application/octet-stream",
        etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
        hashed: /-[\w-]{8,}\.\w+$/.test(entry.name) && address.endsWith("/assets/"),
      });
    }
  };
  try {
    await visit(root, "/");
  } catch (error) {
    throw fileError("read", root, error);
  }
  return files;
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  body?: Uint8Array | string;
}

function answer(files: ReadonlyMap<string, StoredFile>, host: string, request: IncomingMessage): Answer {
  // of several names Node would show the first
  const names = request.headersDistinct.host ?? [];
  if (names.length !== 1 || !isOwnName(names[0], host))
    return refusal(421, "this server does not answer to that name");
  if (request.method !== "GET" && request.method !== "HEAD")
    return refusal(405, "this server has files to read and nothing else", { Allow: "GET, HEAD" });
  if (isForeign(request)) return refusal(403, "this server does not answer to the pages of other sites");
  const address = decodedAddress(request.url ?? "");
  if (address === null) return refusal(400, "not an address that can be read");
  const file = files.get(address.endsWith("/") ? `${address}index.html` : address);
  if (file === undefined) return refusal(404, "not found");
  const caching = {
    ETag: file.etag,
    "Cache-Control": file.hashed ? "public, max-age=31536000, immutable" : "no-cache",
  };
  if (matches(request.headers["if-none-match"], file.etag)) return { status: 304, headers: caching };
  return { status: 200, headers: { ...caching, "Content-Type": file.type }, body: file.bytes };
}

const refusal = (status: number, sentence: string, headers?: Record<string, string>): Answer => ({
  status,
  headers: { "Content-Type": TYPES[".txt"], "Cache-Control": "no-store", ...headers },
  body: `${sentence}\n`,
});

function send({ status, headers, body }: Answer, request: IncomingMessage, response: ServerResponse): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (body !== undefined) response.setHeader("Content-Length", Buffer.byteLength(body));
  response.writeHead(status).end(request.method === "HEAD" ? undefined : body);
}

/** The path of the request without its query, decoded; null where it is no path or cannot be decoded. */
function decodedAddress(target: string): string | null {
  if (!target.startsWith("/")) return null;
  try {
    return decodeURIComponent(target.replace(/[?#].*$/s, ""));
  } catch {
    return null;
  }
}

/**
 * Whether the Host header names this server: a loopback name, the host it was given, and where it listens on all addresses, any of them
 * (an address written in numbers cannot be bound to another one by DNS) or the name of the machine. Ports are not compared: a tunnel may
 * change them.
 */
function isOwnName(header: string, host: string): boolean {
  const name = /^(\[[\da-f:.]+\]|[^\s:/@[\]]+)(?::\d+)?$/i.exec(header)?.[1].toLowerCase();
  if (name === undefined) return false;
  const bare = name.replace(/^\[|\]$/g, "");
  if (["localhost", "127.0.0.1", "::1", host.toLowerCase()].includes(bare)) return true;
  return isWildcard(host) && (isIP(bare) > 0 || bare === hostname().toLowerCase());
}

const isWildcard = (host: string) => host === "0.0.0.0" || host === "::";

/** Asked for by a page of another site. Following a link to here is fine; frames are refused by the content policy. */
function isForeign({ headers }: IncomingMessage): boolean {
  const { origin, host } = headers;
  if (origin !== undefined && origin.toLowerCase().replace(/^https?:\/\//, "") !== host?.toLowerCase())
    return true;
  const site = headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return false;
  return !(headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document");
}

/** If-None-Match: a list of tags, weak or strong, or * for any. */
function matches(header: string | undefined, etag: string): boolean {
  const tags = header?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  return tags.includes("*") || tags.includes(etag);
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(listenError(error, host, port)));
    server.listen(port, host, resolve);
  });
}

function listenError(error: Error, host: string, port: number): GraphdosError {
  const sentences: Record<string, string> = {
    EADDRINUSE: `port ${port} is taken by another program; give another one with --port, or --port 0 for any that is free`,
    EACCES: `port ${port}: permission denied; give one above 1023 with --port`,
    EADDRNOTAVAIL: `${host} is not an address of this machine; give one that is with --host`,
    ENOTFOUND: `host ${host} is not known; give an address of this machine with --host`,
  };
  const sentence = sentences[codeOf(error)] ?? `cannot listen on ${host}, port ${port}: ${error.message}`;
  return new GraphdosError("io", sentence, { cause: error });
}
