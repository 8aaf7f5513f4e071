/** Secrets stay secret, connections can be encrypted, and what an enemy puts into the queue is refused. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { describe, expect, it } from "vitest";
import { encodePlain } from "../../src/compute/plain-data.js";
import { clusterAddress, withoutSecrets } from "../../src/node/cluster/address.js";
import { sha256 } from "../../src/node/cluster/data.js";
import type * as CodeHash from "../../src/node/code-hash.js";
import { built } from "../built.js";
import {
  begun,
  ended,
  folder,
  hasRedis,
  newLog,
  noRedis,
  open,
  start,
  startRedis,
  startWorker,
  testTask,
  units,
  until,
  working,
} from "./support.js";

const SECRET = "correct/horse battery:staple@9";

describe("an address", () => {
  it("has its parts and is shown without secrets", () => {
    const url = `rediss://me:${encodeURIComponent(SECRET)}@example.org:7000/3`;
    const address = clusterAddress(url, { environment: {} });
    expect(address).toMatchObject({
      host: "example.org",
      port: 7000,
      database: 3,
      tls: true,
      username: "me",
    });
    expect(address.password).toBe(SECRET);
    expect(address.shown).toBe("rediss://example.org:7000/3");
    expect(clusterAddress("redis://[::1]", { environment: {} })).toMatchObject({
      host: "::1",
      port: 6379,
      tls: false,
    });
  });

  it("takes the password from the environment or a file, never from the command line", () => {
    const file = join(mkdtempSync(join(tmpdir(), "graphdos-secret-")), "password");
    writeFileSync(file, `${SECRET}\n`);
    const from = (environment: NodeJS.ProcessEnv, passwordFile?: string) =>
      clusterAddress("redis://host", { written: true, environment, passwordFile }).password;
    expect(from({ GRAPHDOS_CLUSTER_PASSWORD: SECRET })).toBe(SECRET);
    expect(from({ GRAPHDOS_CLUSTER_PASSWORD_FILE: file })).toBe(SECRET);
    expect(from({}, file)).toBe(SECRET);
    expect(from({})).toBeUndefined();
    const written = () => clusterAddress("redis://:geheim@host", { written: true, environment: {} });
    expect(written).toThrow("can be read by everybody");
    expect(written).not.toThrow("geheim");
  });

  it.each([
    "",
    "localhost",
    "http://host",
    "redis://",
    "redis://host/x",
    "redis://host?x=1",
    "redis://:geheim@host:99999",
  ])("is refused without being quoted when it is none: %s", (text) => {
    expect(() => clusterAddress(text, { environment: {} })).toThrow("address of the cluster");
    expect(() => clusterAddress(text, { environment: {} })).not.toThrow("geheim");
  });

  it("is starred out of the texts of others", () => {
    const address = clusterAddress("redis://host", { environment: { GRAPHDOS_CLUSTER_PASSWORD: SECRET } });
    expect(withoutSecrets(`AUTH ${SECRET} and ${encodeURIComponent(SECRET)}`, address)).toBe(
      "AUTH *** and ***",
    );
  });
});

const environment = (more: NodeJS.ProcessEnv) => ({ ...process.env, ...more });
const status = (address: string, more: NodeJS.ProcessEnv, ...words: string[]) =>
  start(process.execPath, ["dist/cli/main.js", "cluster", "status", address, ...words], {
    env: environment(more),
  });

describe.skipIf(!hasRedis)(`a Redis with a password${hasRedis ? "" : ` (${noRedis})`}`, () => {
  it("lets in who knows it; nothing that is printed shows it, with --debug neither", async () => {
    const redis = await startRedis({ args: ["--requirepass", SECRET] });
    const right = status(redis.address, { GRAPHDOS_CLUSTER_PASSWORD: SECRET });
    expect(await ended(right.child)).toBe(0);
    const none = status(redis.address, {}, "--debug");
    expect(await ended(none.child)).toBe(1);
    expect(none.err()).toContain("it wants a password: set GRAPHDOS_CLUSTER_PASSWORD");
    const wrong = status(redis.address, { GRAPHDOS_CLUSTER_PASSWORD: `${SECRET}!` }, "--debug");
    expect(await ended(wrong.child)).toBe(1);
    expect(wrong.err()).toContain("wrong user name or password");
    const env = environment({
      GRAPHDOS_CLUSTER: `redis://:${encodeURIComponent(SECRET)}@127.0.0.1:${redis.port}`,
    });
    const worker = start(process.execPath, ["dist/cli/main.js", "worker", "--workers", "1"], { env });
    await working(worker);
    worker.child.kill("SIGTERM");
    expect(await ended(worker.child)).toBe(0);
    for (const { out, err } of [right, none, wrong, worker])
      for (const secret of [SECRET, encodeURIComponent(SECRET), SECRET.slice(0, 12)])
        expect(out() + err()).not.toContain(secret);
  });
});

const hasTls =
  hasRedis &&
  execFileSync("sh", ["-c", "ldd $(command -v redis-server) | grep -c ssl || true"], {
    encoding: "utf8",
  }).trim() !== "0";

describe.skipIf(!hasTls)(`rediss://${hasTls ? "" : " (this redis-server has no TLS)"}`, () => {
  it("works with a certificate that is trusted, and with no other", async () => {
    const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
    execFileSync(
      "openssl",
      ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"].concat([
        "-addext",
        "subjectAltName=IP:127.0.0.1,DNS:localhost",
        "-keyout",
        key,
        "-out",
        certificate,
      ]),
      { stdio: "ignore" },
    );
    const { address } = await startRedis({ tls: { key, certificate } });
    const trusted = status(address, { GRAPHDOS_CLUSTER_CA: certificate });
    expect(await ended(trusted.child), trusted.err()).toBe(0);
    const untrusted = status(address, {});
    expect(await ended(untrusted.child)).toBe(1);
    expect(untrusted.err()).toMatch(/its certificate is not trusted .*GRAPHDOS_CLUSTER_CA/);
  });
});

describe.skipIf(!hasRedis)(`what an enemy puts into the queue${hasRedis ? "" : ` (${noRedis})`}`, () => {
  it("is refused, and the work goes on", async () => {
    const redis = await startRedis();
    const worker = startWorker(redis.address);
    await working(worker);
    const executor = await open(redis.address, "under attack");
    const log = newLog();
    const inputs = units(12, log, 200);
    const result = executor.map(testTask, inputs);
    await until("the work has begun", () => begun(log).length > 0);
    const client = new Redis(redis.port, "127.0.0.1", { maxRetriesPerRequest: null });
    const [run] = await client.zrange("graphdos:runs", "0", "-1");
    const prefix = `graphdos:run:${run}`;
    const queue = new Queue("units", { connection: client, prefix });
    const canary = join(folder, "canary");
    const unit = async (value: unknown, name?: string) => {
      const bytes = encodePlain(value);
      const hash = name ?? sha256(bytes);
      await client.set(`${prefix}:data:${hash}:0`, Buffer.from(bytes));
      return { unit: hash, bytes: bytes.length, apart: [] as unknown[] };
    };
    const input = { number: 1, log: canary, milliseconds: 0 };
    const { codeHash } = await built<typeof CodeHash>("node/code-hash");
    const code = codeHash();
    const good = await unit({ code, task: "nested-fold", input: { kernel: "../../x" } });
    const attacks: unknown[] = [
      null,
      "text",
      {},
      { unit: "../../../../etc/passwd", bytes: 10, apart: [] },
      { unit: "a".repeat(64), bytes: 1e300, apart: [] },
      { unit: "a".repeat(64), bytes: 10, apart: [["../../canary", 3]] },
      { ...good, code: "process.exit(1)" },
      { ...good, apart: Array.from({ length: 2000 }, () => ["a".repeat(64), 1]) },
      // bytes that are not those of the name
      await unit({ code, task: "test-unit", input }, "b".repeat(64)),
      await unit({ code, task: "constructor", input }),
      await unit({ code, task: "test-unit", input, more: "x" }),
      await unit({ code: "0".repeat(64), task: "test-unit", input }),
      good,
    ];
    for (const [k, data] of attacks.entries())
      await queue.add("unit", data, { jobId: `attack-${k}`, attempts: 1, priority: 0 });
    await client.set(`graphdos:worker:fake`, "not JSON");
    await client.zadd("graphdos:workers", Date.now(), "fake");
    await client.hset(`${prefix}:results`, "c".repeat(64), "rubbish");
    await client.zadd("graphdos:runs", Date.now(), "../../evil", Date.now(), "f".repeat(16));
    expect(await result).toEqual(inputs.map(({ number }) => ({ square: number ** 2 })));
    await until("all attacks have failed", async () => (await queue.getFailedCount()) === attacks.length);
    expect(existsSync(canary)).toBe(false);
    expect(worker.child.exitCode).toBeNull();
    await queue.close();
    await executor.close();
    client.disconnect();
    worker.child.kill("SIGKILL");
  });
});
