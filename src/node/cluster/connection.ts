/**
 * Connections to Redis, and the two optional packages that make them. A first connection that fails is an error in a sentence; one
 * that breaks later is mended in the background while commands wait.
 *
 * Errors of ioredis carry the command that failed with its arguments, the password of AUTH among them: only their text is passed on.
 */
import { createRequire } from "node:module";
import type { Redis } from "ioredis";
import { GraphdosError, throwIfAborted } from "../../base/errors.js";
import { type ClusterAddress, withoutSecrets } from "./address.js";

interface ClusterLibraries {
  bullmq: typeof import("bullmq");
  Redis: typeof Redis;
}

/** Both are CommonJS: `require` takes 95 ms for BullMQ, `import` 170, since it looks through the text for names first. */
const require = createRequire(import.meta.url);

/** A cluster needs these besides graphdos. */
export function clusterLibraries(): ClusterLibraries {
  try {
    const { Redis } = require("ioredis") as typeof import("ioredis");
    return { bullmq: require("bullmq") as ClusterLibraries["bullmq"], Redis };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    throw new GraphdosError(
      "io",
      "a cluster needs two packages that are not installed: npm install bullmq ioredis (beside graphdos, on every machine)",
    );
  }
}

export interface ConnectOptions {
  /** Called with a sentence when the connection breaks and when it is back. */
  tell?: (sentence: string) => void;
  /** Commands of one turn of the event loop go out together. */
  pipelining?: boolean;
  /** Ends the wait for a server that does not answer. */
  signal?: AbortSignal;
}

const CONNECT_MS = 10_000;
const LONGEST_WAIT_MS = 2_000;
/** A server that is asked for something small and says nothing for so long is away, as far as someone is concerned who wants to leave. */
const ANSWER_MS = 3_000;

/** Whether the server answers. One that is stopped, or behind a cable that was pulled, keeps its connections open and says nothing. */
export async function answers(client: Redis): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ANSWER_MS);
  });
  const answer = client.ping().then(
    () => true,
    () => false,
  );
  return Promise.race([answer, silence]).finally(() => clearTimeout(timer));
}

export async function connect(
  address: ClusterAddress,
  { tell, pipelining = false, signal }: ConnectOptions = {},
): Promise<Redis> {
  const { Redis: Client } = clusterLibraries();
  const { host, port, database: db, username, password, tls, ca } = address;
  let met = false;
  let broken = false;
  const client = new Client({
    ...{ host, port, db, username, password, lazyConnect: true, connectTimeout: CONNECT_MS },
    ...(tls ? { tls: { ca, servername: /^[\d.]+$|:/.test(host) ? undefined : host } } : {}),
    // commands wait for a broken connection to be mended instead of failing
    maxRetriesPerRequest: null,
    enableAutoPipelining: pipelining,
    retryStrategy: (times) => (met ? Math.min(50 * 2 ** Math.min(times, 6), LONGEST_WAIT_MS) : null),
  });
  let reason: Error | null = null;
  client.on("error", (error: Error) => {
    reason ??= error;
    if (!met || broken) return;
    broken = true;
    tell?.(`lost the Redis server at ${address.shown} (${explain(error, address)}): waiting for it`);
  });
  client.on("ready", () => {
    if (broken) tell?.(`the Redis server at ${address.shown} is back`);
    broken = false;
    reason = null;
  });
  // a server that is stopped takes the connection and says nothing
  const silence = setTimeout(() => {
    reason ??= Object.assign(new Error("no answer"), { code: "ETIMEDOUT" });
    client.disconnect();
  }, CONNECT_MS);
  const giveUp = () => client.disconnect();
  signal?.addEventListener("abort", giveUp);
  try {
    throwIfAborted(signal);
    await client.connect();
    await client.ping();
    met = true;
  } catch (error) {
    client.disconnect();
    throwIfAborted(signal);
    const text = explain(reason ?? (error as Error), address);
    throw new GraphdosError("io", `the Redis server at ${address.shown} cannot be used: ${text}`);
  } finally {
    clearTimeout(silence);
    signal?.removeEventListener("abort", giveUp);
  }
  return client;
}

/** What the error means, without secrets. */
function explain(error: Error, address: ClusterAddress): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const text = withoutSecrets(message || code || error.name, address).replace(/\.$/, "");
  if (code === "ECONNREFUSED") return "nothing listens there: is redis-server running?";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "no such host";
  if (code === "ETIMEDOUT" || text.includes("ETIMEDOUT"))
    return address.tls ? "no answer: does it speak TLS? else use redis://" : "no answer";
  if (text.startsWith("NOAUTH"))
    return "it wants a password: set GRAPHDOS_CLUSTER_PASSWORD or use --cluster-password-file";
  if (text.startsWith("WRONGPASS")) return "wrong user name or password";
  if (code?.includes("CERT") || code?.includes("SELF_SIGNED") || /certificate/i.test(text))
    return `its certificate is not trusted (${text}): name its authority in GRAPHDOS_CLUSTER_CA`;
  if (/EPROTO|wrong version number|SSL/i.test(`${code} ${text}`))
    return `no TLS there (${text}): use redis://`;
  return text;
}
