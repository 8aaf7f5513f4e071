/** Real requests over real sockets; raw ones where a client library would tidy up what a hostile client sends. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type StaticServer, serveFolder } from "../../src/node/static-server.js";

const folder = mkdtempSync(join(tmpdir(), "graphdos-server-"));
const root = join(folder, "site");
const SECRET = "not for the web";
const CONTENTS: Record<string, string> = {
  "index.html": "<!doctype html><title>x</title>",
  "assets/index-Bx7d_kQ1.js": "export {}",
  "assets/index-Bx7d_kQ1.css": "body{}",
  "assets/plain.js": "1",
  "data.json": "{}",
  "kernel.wasm": "\0asm",
  "icon.svg": "<svg/>",
  "icon.png": "png",
  "text.woff2": "wOF2",
  "unknown.xyz": "?",
  "with space & ü.txt": "name",
  ".hidden": SECRET,
};
let server: StaticServer;
let port: number;

beforeAll(async () => {
  mkdirSync(join(root, "assets"), { recursive: true });
  mkdirSync(join(folder, "site-beside"));
  for (const [name, content] of Object.entries(CONTENTS)) writeFileSync(join(root, name), content);
  writeFileSync(join(folder, "secret.txt"), SECRET);
  writeFileSync(join(folder, "site-beside", "secret.txt"), SECRET);
  symlinkSync(join(folder, "secret.txt"), join(root, "link.txt"));
  symlinkSync(join(folder, "site-beside"), join(root, "linked"));
  server = await serveFolder(root);
  port = Number(new URL(server.url).port);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Got {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

function get(path: string, headers: Record<string, string> = {}, method = "GET", at = port): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: "127.0.0.1", port: at, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          body: Buffer.concat(chunks).toString("latin1"),
        }),
      );
    });
    sent.on("error", reject);
    sent.end();
  });
}

/** The bytes as they are; everything the server says until it closes the connection. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let said = "";
    socket.on("data", (chunk) => {
      said += chunk.toString("latin1");
    });
    socket.on("close", () => resolve(said));
    socket.on("error", reject);
    socket.end(Buffer.from(bytes, "latin1"));
  });
}
const rawGet = (target: string) =>
  raw(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);

describe("the files of the folder", () => {
  it.each([
    ["/", "text/html; charset=utf-8"],
    ["/index.html", "text/html; charset=utf-8"],
    ["/?state=1", "text/html; charset=utf-8"],
    ["/assets/index-Bx7d_kQ1.js", "text/javascript; charset=utf-8"],
    ["/assets/index-Bx7d_kQ1.css", "text/css; charset=utf-8"],
    ["/data.json", "application/json; charset=utf-8"],
    ["/kernel.wasm", "application/wasm"],
    ["/icon.svg", "image/svg+xml; charset=utf-8"],
    ["/icon.png", "image/png"],
    ["/text.woff2", "font/woff2"],
    ["/unknown.xyz", "application/octet-stream"],
    ["/with%20space%20&%20%C3%BC.txt", "text/plain; charset=utf-8"],
  ])("%s is there as %s", async (path, type) => {
    const name = decodeURIComponent(path.slice(1).replace(/\?.*/, "")) || "index.html";
    const { status, headers, body } = await get(path);
    expect([status, headers["content-type"], body]).toEqual([200, type, CONTENTS[name]]);
    expect(headers["content-length"]).toBe(String(CONTENTS[name].length));
  });

  it("HEAD gives the same headers without the content", async () => {
    const [whole, head] = [await get("/"), await get("/", {}, "HEAD")];
    expect(head.body).toBe("");
    for (const of of [whole, head]) for (const name of ["date", "keep-alive"]) delete of.headers[name];
    expect(head.headers).toEqual(whole.headers);
    expect(head.status).toBe(200);
  });

  it("names with a hash are kept for ever, all others are asked for again and not sent twice", async () => {
    expect((await get("/assets/index-Bx7d_kQ1.js")).headers["cache-control"]).toBe(
      "public, max-age=31536000, immutable",
    );
    for (const path of ["/", "/assets/plain.js", "/data.json"])
      expect((await get(path)).headers["cache-control"], path).toBe("no-cache");
    const { etag } = (await get("/")).headers;
    for (const tag of [etag!, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await get("/", { "If-None-Match": tag });
      expect([again.status, again.body, again.headers.etag], tag).toEqual([304, "", etag]);
    }
    expect((await get("/", { "If-None-Match": '"other"' })).status).toBe(200);
    expect((await get("/data.json")).headers.etag).not.toBe(etag);
  });
});

describe("every answer", () => {
  it.each(["/", "/nothing-here", "/assets/plain.js"])("carries the policies: %s", async (path) => {
    const { headers } = await get(path);
    const policy = Object.fromEntries(
      (headers["content-security-policy"] as string).split("; ").map((part) => {
        const [name, ...values] = part.split(" ");
        return [name, values.join(" ")];
      }),
    );
    expect(policy).toEqual({
      "default-src": "'none'",
      "script-src": "'self' 'wasm-unsafe-eval'",
      "worker-src": "'self'",
      "connect-src": "'self'",
      "style-src": "'self'",
      "img-src": "'self' data: blob:",
      "font-src": "'self'",
      "manifest-src": "'self'",
      "base-uri": "'none'",
      "form-action": "'none'",
      "frame-ancestors": "'none'",
    });
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(headers["cross-origin-opener-policy"]).toBe("same-origin");
    expect(headers["cross-origin-embedder-policy"]).toBe("require-corp");
    expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });

  it("leaves the isolation out when told to, and nothing else", async () => {
    const plain = await serveFolder(root, { isolated: false });
    try {
      const { headers } = await get("/", {}, "GET", Number(new URL(plain.url).port));
      expect(headers["cross-origin-opener-policy"]).toBeUndefined();
      expect(headers["cross-origin-embedder-policy"]).toBeUndefined();
      expect(headers["content-security-policy"]).toContain("default-src 'none'");
    } finally {
      await plain.close();
    }
  });
});

describe("no path leads out of the folder", () => {
  it.each([
    "/../secret.txt",
    "/assets/../../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/%2e%2e%2fsecret.txt",
    "/%252e%252e%252fsecret.txt",
    "/..\\secret.txt",
    "/..%5csecret.txt",
    "/%5c..%5csecret.txt",
    "//../secret.txt",
    "//secret.txt",
    "/./../secret.txt",
    "/....//secret.txt",
    "/%c0%ae%c0%ae/secret.txt",
    "/..%c0%afsecret.txt",
    "/../site-beside/secret.txt",
    "/link.txt",
    "/linked/secret.txt",
    "/linked/",
    "/.hidden",
    "/%2ehidden",
    "/index.html%00.png",
    "/index.html%00",
    "/assets",
    "/assets/",
    "/index.html/",
    "/__proto__",
    "/constructor",
  ])("%s", async (target) => {
    const said = await rawGet(target);
    expect(said).toMatch(/^HTTP\/1\.1 (400|404) /);
    expect(said).not.toContain(SECRET);
  });

  it.each([
    ["an absolute address", "http://localhost/index.html"],
    ["a path on disk", `${folder}/secret.txt`],
    ["no slash", "secret.txt"],
    ["a star", "*"],
    ["a broken escape", "/%zz"],
    ["half an escape", "/%"],
    ["a NUL", "/\0secret.txt"],
    ["bytes above ASCII", "/\xff\xfe"],
    ["nothing", ""],
  ])("%s", async (_, target) => {
    const said = await rawGet(target);
    expect(said).toMatch(/^HTTP\/1\.1 (400|404) /);
    expect(said).not.toContain(SECRET);
  });

  /** Every way of writing one character that some server somewhere takes for it. */
  const DOTS = [".", "%2e", "%2E", "%252e", "%c0%ae", "%e0%80%ae", "%uff0e", "\xef\xbc\x8e"];
  const SLASHES = ["/", "\\", "%2f", "%5c", "%252f", "%c0%af", "%ef%bc%8f", "/./", "//", "%00/", ";/"];
  it(`any mixture of ${DOTS.length} dots and ${SLASHES.length} slashes`, async () => {
    const targets = DOTS.flatMap((a) =>
      DOTS.flatMap((b) => SLASHES.map((slash) => `/assets/${a}${b}${slash}${a}${b}${slash}secret.txt`)),
    );
    for (let k = 0; k < targets.length; k += 64) {
      const said = await Promise.all(targets.slice(k, k + 64).map(rawGet));
      for (const [j, text] of said.entries()) {
        expect(text, targets[k + j]).toMatch(/^HTTP\/1\.1 (400|404) /);
        expect(text, targets[k + j]).not.toContain(SECRET);
      }
    }
  });

  it("a file that becomes a link after the start is still the file that it was", async () => {
    const site = join(folder, "changing");
    mkdirSync(site);
    writeFileSync(join(site, "a.txt"), "first");
    const changing = await serveFolder(site);
    try {
      rmSync(join(site, "a.txt"));
      symlinkSync(join(folder, "secret.txt"), join(site, "a.txt"));
      expect((await get("/a.txt", {}, "GET", Number(new URL(changing.url).port))).body).toBe("first");
    } finally {
      await changing.close();
    }
  });

  it("what is not HTTP at all gets a 400, and the server goes on", async () => {
    expect(await raw("\x16\x03\x01\x02\x00\x01\x00\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
    // Longer than Node's 16 KiB for headers, yet read by the server at once: bytes that it leaves unread would reset the connection.
    expect(await raw(`GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 4(00|31) /,
    );
    expect((await get("/")).status).toBe(200);
  });
});

describe("who is answered", () => {
  it.each(["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"])(
    "%s is not allowed",
    async (method) => {
      const { status, headers } = await get("/", {}, method);
      expect([status, headers.allow]).toEqual([405, "GET, HEAD"]);
    },
  );

  it.each(["localhost", "LOCALHOST:8361", "127.0.0.1", "127.0.0.1:9", "[::1]", "[::1]:8361"])(
    "the name %s is ours",
    async (Host) => expect((await get("/", { Host })).status).toBe(200),
  );

  it.each([
    "evil.example",
    "localhost.evil.example",
    "evil.example:8361",
    "127.0.0.1.evil.example",
    "192.168.0.7",
    "localhost@evil.example",
    "localhost/",
    "localhost:80:80",
  ])("the name %j is not", async (Host) => {
    const { status, body } = await get("/", { Host });
    expect([status, body]).toEqual([421, "this server does not answer to that name\n"]);
  });

  it("a request without a name is refused", async () => {
    expect(await raw("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
    expect(await raw("GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n")).toMatch(/^HTTP\/1\.1 421 /);
    expect(await raw("GET / HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 421 /);
  });

  it("where it listens on all addresses, any address in numbers and the machine's name are ours, other names not", async () => {
    const open = await serveFolder(root, { host: "0.0.0.0" });
    try {
      const at = Number(new URL(open.url).port);
      expect(open.url).toBe(`http://127.0.0.1:${at}/`);
      for (const Host of ["192.168.0.7:80", "[fe80::1]", hostname(), "localhost"])
        expect((await get("/", { Host }, "GET", at)).status, Host).toBe(200);
      expect((await get("/", { Host: "evil.example" }, "GET", at)).status).toBe(421);
    } finally {
      await open.close();
    }
  });

  it("pages of other sites get nothing, whether they say so by Origin or by Sec-Fetch-Site", async () => {
    const own = `localhost:${port}`;
    const status = async (headers: Record<string, string>) =>
      (await get("/data.json", { Host: own, ...headers })).status;
    expect(await status({ Origin: `http://${own}` })).toBe(200);
    expect(await status({ "Sec-Fetch-Site": "same-origin" })).toBe(200);
    expect(await status({ "Sec-Fetch-Site": "none" })).toBe(200);
    for (const Origin of ["http://evil.example", "null", "http://localhost:1", `http://${own}.evil.example`])
      expect(await status({ Origin }), Origin).toBe(403);
    for (const site of ["cross-site", "same-site"]) {
      expect(await status({ "Sec-Fetch-Site": site }), site).toBe(403);
      expect(await status({ "Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors" }), site).toBe(403);
      expect(
        await status({ "Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe" }),
        site,
      ).toBe(403);
    }
  });

  it("a link on another site may be followed", async () => {
    const headers = {
      "Sec-Fetch-Site": "cross-site",
      "Sec-Fetch-Mode": "navigate",
      "Sec-Fetch-Dest": "document",
    };
    expect((await get("/", headers)).status).toBe(200);
  });
});

describe("clients that misbehave", () => {
  it("ranges, bodies, upgrades and conditions are not taken up", async () => {
    for (const headers of [
      { Range: "bytes=0-1" },
      { Range: "bytes=-9999999999999" },
      { Upgrade: "websocket", Connection: "Upgrade" },
      { "If-Modified-Since": "Thu, 01 Jan 2099 00:00:00 GMT" },
      { "X-HTTP-Method-Override": "DELETE", "X-Forwarded-Host": "evil.example" },
    ] as Record<string, string>[]) {
      const { status, body } = await get("/data.json", headers);
      expect([status, body], JSON.stringify(headers)).toEqual([200, "{}"]);
    }
    const body = "Content-Length: 2\r\n\r\n{}";
    expect(await raw(`POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${body}`)).toMatch(
      /^HTTP\/1\.1 405 /,
    );
    expect(await raw("CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n")).not.toMatch(/ 200 /);
    const both = "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /secret";
    expect(await raw(`GET / HTTP/1.1\r\nHost: localhost\r\n${both}`)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it("two names in one request are refused", async () => {
    expect(
      await raw("GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n"),
    ).not.toMatch(/^HTTP\/1\.1 200 /);
    expect(
      await raw("GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
    ).toMatch(/^HTTP\/1\.1 400 /);
  });

  it("no answer sets or reads any state", async () => {
    const { headers } = await get("/", { Cookie: "a=1", Authorization: "Basic eDp5" });
    expect(headers["set-cookie"]).toBeUndefined();
    expect(headers["www-authenticate"]).toBeUndefined();
    expect((await get("/")).body).toBe((await get("/", { Cookie: "a=2" })).body);
  });

  it("who sends half a request, or nothing, keeps nobody waiting and is cut off", async () => {
    // a whole request on a busy machine takes less
    const quick = await serveFolder(root, { patience: 4000 });
    const at = Number(new URL(quick.url).port);
    const sockets = ["", "GET / HT", "GET / HTTP/1.1\r\nHost: localhost\r\nX-A: "].flatMap((start) =>
      Array.from({ length: 20 }, () => {
        const socket = connect(at, "127.0.0.1");
        socket.on("error", () => undefined);
        socket.on("data", () => undefined);
        if (start !== "") socket.write(start);
        return socket;
      }),
    );
    try {
      const ends = sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
      expect((await get("/", {}, "GET", at)).status).toBe(200);
      await Promise.all(ends);
      expect((await get("/", {}, "GET", at)).status).toBe(200);
    } finally {
      for (const socket of sockets) socket.destroy();
      await quick.close();
    }
  });
});

describe("starting", () => {
  it("listens on loopback unless told otherwise", () => {
    expect(server.url).toBe(`http://127.0.0.1:${port}/`);
  });

  it("says that a port is taken", async () => {
    await expect(serveFolder(root, { port })).rejects.toMatchObject({
      code: "io",
      message: `port ${port} is taken by another program; give another one with --port, or --port 0 for any that is free`,
    });
  });

  it("says that an address is not one of this machine", async () => {
    await expect(serveFolder(root, { host: "192.0.2.1" })).rejects.toThrow(
      "192.0.2.1 is not an address of this machine; give one that is with --host",
    );
  });

  it("says that a folder is not there", async () => {
    await expect(serveFolder(join(folder, "nowhere"))).rejects.toThrow("no such file or folder");
  });

  it("frees its port when closed, though a client keeps its connection", async () => {
    const second = await serveFolder(root);
    const at = Number(new URL(second.url).port);
    const socket = connect(at, "127.0.0.1");
    await new Promise((resolve) => socket.once("connect", resolve));
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => undefined);
    await second.close();
    await closed;
    const third = await serveFolder(root, { port: at });
    await third.close();
  });
});
