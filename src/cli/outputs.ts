/**
 * Where results go, looked at before the work: a result with nowhere to go is found then, not after hours, and one that would take the place
 * of what the command reads, or of its other result, is refused.
 */
import { access, constants, realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, join, resolve, sep } from "node:path";
import { badCall } from "../base/errors.js";
import { fileError } from "../node/atomic-file.js";
import type { DatasetFolderOptions } from "../node/cache-folder.js";
import { locateDataset } from "../node/locate.js";

/** A file that a command is to write. */
export interface Output {
  /** "--output": how a message calls it. */
  option: string;
  /** Undefined where the option was not given. */
  path: string | undefined;
  /** Whether `-` is stdout. Default false: then it is refused. */
  stdout?: boolean;
}

/** What a command reads. */
export interface Inputs extends DatasetFolderOptions {
  /** Data as the user names it: a file, a folder, or the name of a set. */
  data?: readonly (string | undefined)[];
  files?: readonly string[];
}

/** The kind of file that a path names; `-`, stdout, is of the kind `standard` where one is given. */
export function outputKind<F extends string>(
  path: string,
  kinds: readonly F[],
  { option = "--output", standard }: { option?: string; standard?: F } = {},
): F {
  if (path === "-" && standard !== undefined) return standard;
  const extension = extname(path).slice(1).toLowerCase();
  const found = kinds.find((kind) => kind === extension);
  if (found !== undefined) return found;
  const dotted = kinds.map((kind) => `.${kind}`);
  const expected = [dotted.slice(0, -1).join(", "), dotted.at(-1)].filter(Boolean).join(" or ");
  const got = extension === "" ? "no extension" : `.${extension}`;
  throw badCall(`${option} ${path}: unknown kind of file: got ${got}, expected ${expected}`);
}

/** Throws where an output cannot be written, or is a file that the command reads or writes besides. */
export async function checkOutputs(outputs: readonly Output[], inputs: Inputs = {}): Promise<void> {
  const placed: { option: string; path: string; place: string }[] = [];
  for (const { option, path, stdout = false } of outputs) {
    if (path === undefined || (path === "-" && stdout)) continue;
    if (path === "") throw badCall(`${option}: got an empty name, expected that of a file`);
    if (path === "-")
      throw badCall(`${option} -: this result does not go to stdout: give the name of a file`);
    await checkWritable(path);
    const place = await placeOf(path);
    const other = placed.find((earlier) => earlier.place === place);
    if (other !== undefined)
      throw badCall(`${option} ${path}: is the file of ${other.option} too; give another one`);
    placed.push({ option, path, place });
  }
  if (placed.length === 0) return;
  for (const { name, at, folder } of await readPlaces(inputs))
    for (const { option, path, place } of placed) {
      if (place === at)
        throw badCall(`${option} ${path}: is ${name}, which is read: the result would take its place`);
      if (folder && place.startsWith(at + sep) && (await couldBeData(path)))
        throw badCall(
          `${option} ${path}: is a file in ${name}, which is read: it may be part of the data; give a place elsewhere`,
        );
    }
}

interface ReadPlace {
  /** As the user says it. */
  name: string;
  at: string;
  folder: boolean;
}

async function readPlaces({ data = [], files = [], ...options }: Inputs): Promise<ReadPlace[]> {
  const places: ReadPlace[] = [];
  for (const name of files) places.push({ name, at: await placeOf(name), folder: false });
  for (const name of data) {
    if (name === undefined) continue;
    const found = await locateDataset(name, options);
    if (found.kind === "synthetic") continue;
    const path = found.kind === "download" ? found.destination : found.path;
    places.push({ name, at: await placeOf(path), folder: found.kind === "folder" });
  }
  return places;
}

/** Files that commands write and no reader takes for data: in a folder of data they are results of an earlier call. */
const RESULTS = [".graphdos", ".npy", ".npz", ".part", ".libsvm", ".svg", ".png", ".html"];

async function couldBeData(path: string): Promise<boolean> {
  if (RESULTS.includes(extname(path).toLowerCase())) return false;
  return (await stat(path).catch(() => null)) !== null;
}

/** One path for each file, whatever links lead to it; the file itself need not be there. */
async function placeOf(path: string): Promise<string> {
  const whole = resolve(path);
  return realpath(whole).catch(async () =>
    join(await realpath(dirname(whole)).catch(() => dirname(whole)), basename(whole)),
  );
}

/** Says before the work that a folder is not there and cannot be made. */
export async function checkFolder(path: string): Promise<void> {
  let at = resolve(path);
  try {
    while (dirname(at) !== at && (await stat(at).catch(missing)) === null) at = dirname(at);
    if (!(await stat(at)).isDirectory()) throw Object.assign(new Error("not a folder"), { code: "ENOTDIR" });
    if (at !== resolve(path)) await access(at, constants.W_OK);
  } catch (error) {
    throw fileError("write", path, error);
  }
}

/** Null for what is not there; anything else that is wrong stays an error. */
function missing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
  throw error;
}

/** Says before the work, not after it, that the result has nowhere to go. */
export async function checkWritable(path: string): Promise<void> {
  try {
    const existing = await stat(path).catch(() => null);
    // a name that ends with a slash is that of a folder, there or not
    if (existing?.isDirectory() || path.endsWith("/"))
      throw Object.assign(new Error("is a folder"), { code: "EISDIR" });
    if (existing !== null) await access(path, constants.W_OK);
    const folder = await stat(dirname(path));
    if (!folder.isDirectory()) throw Object.assign(new Error("not a folder"), { code: "ENOTDIR" });
    if (existing === null || existing.isFile()) await access(dirname(path), constants.W_OK);
  } catch (error) {
    throw fileError("write", path, error);
  }
}
