/**
 * Where the Redis server of a cluster is and how to get in: `redis://host:6379/0`, or `rediss://` for TLS.
 *
 * A password is a secret: it comes from GRAPHDOS_CLUSTER_PASSWORD, from a file (--cluster-password-file or
 * GRAPHDOS_CLUSTER_PASSWORD_FILE) or inside GRAPHDOS_CLUSTER, never from the command line, which everybody on the machine can read.
 * `shown` is the address without secrets, the only form that is ever printed.
 */
import { readFileSync } from "node:fs";
import { badCall } from "../../base/errors.js";
import { fileError } from "../atomic-file.js";

export interface ClusterAddress {
  host: string;
  port: number;
  database: number;
  tls: boolean;
  username?: string;
  password?: string;
  /** Certificate authorities to trust besides those of Node (PEM). */
  ca?: string;
  shown: string;
}

export interface AddressOptions {
  /** Whether the text was written on the command line. */
  written?: boolean;
  passwordFile?: string;
  environment?: NodeJS.ProcessEnv;
}

const DEFAULT_PORT = 6379;

export function clusterAddress(text: string, options: AddressOptions = {}): ClusterAddress {
  const { written = false, environment = process.env } = options;
  const expected = "expected redis://HOST[:PORT][/DATABASE] or rediss://…";
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    // the text may hold a password: it is not shown
    throw badCall(`address of the cluster: not an address: ${expected}`);
  }
  if (url.protocol !== "redis:" && url.protocol !== "rediss:")
    throw badCall(`address of the cluster: unknown kind: got ${url.protocol}//…, ${expected}`);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const database = url.pathname === "" || url.pathname === "/" ? 0 : Number(url.pathname.slice(1));
  if (host === "" || !Number.isSafeInteger(database) || database < 0 || url.search !== "" || url.hash !== "")
    throw badCall(`address of the cluster: ${expected}`);
  if (written && url.password !== "")
    throw badCall(
      "address of the cluster: a password on the command line can be read by everybody on this machine: set GRAPHDOS_CLUSTER_PASSWORD, or use --cluster-password-file FILE",
    );
  const passwordFile = options.passwordFile ?? environment.GRAPHDOS_CLUSTER_PASSWORD_FILE;
  const password =
    passwordFile !== undefined
      ? readSecret(passwordFile)
      : environment.GRAPHDOS_CLUSTER_PASSWORD || decodeURIComponent(url.password);
  const port = url.port === "" ? DEFAULT_PORT : Number(url.port);
  const ca = environment.GRAPHDOS_CLUSTER_CA;
  return {
    host,
    port,
    database,
    tls: url.protocol === "rediss:",
    username: url.username === "" ? undefined : decodeURIComponent(url.username),
    password: password === "" ? undefined : password,
    ca: ca === undefined || ca === "" ? undefined : readText(ca),
    shown: `${url.protocol}//${url.hostname}:${port}${database === 0 ? "" : `/${database}`}`,
  };
}

/** The first line of the file. */
function readSecret(path: string): string {
  const secret = readText(path).split(/\r?\n/, 1)[0];
  if (secret === "") throw badCall(`password of the cluster: ${path} is empty`);
  return secret;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw fileError("read", path, error);
  }
}

/** A text in which the secrets of the address are starred out: error texts of others may quote them. */
export function withoutSecrets(text: string, { password }: ClusterAddress): string {
  if (password === undefined) return text;
  return text.replaceAll(password, "***").replaceAll(encodeURIComponent(password), "***");
}
