/**
 * SHA-256 of the program's own code: what is kept from one run to the next, sent between machines or merged from parts belongs to the code
 * that computed it. A version is no such mark: it stays while code changes, in a working copy and in two builds of one version.
 *
 * The modules are read where they lie, beside this one, at the first use (some 200 files, 1.5 MB: 15 ms). A hash that the build writes down
 * would be wrong whenever a module is compiled without that step (`tsc -b` alone), and tests from src/ would have none. All modules
 * count but those that only take orders or show results (LEFT_OUT): none of the others imports them. Declarations do not count. A bundle,
 * where this module lies in another file, is hashed as that file, which holds all of the code.
 *
 * Names with `/` in the order of their letters and line ends as LF, which mean the same to JavaScript: equal code has one hash on every
 * platform. Packages are not in it: none of them computes a number. Pages need no such hash: what they keep ends with the page.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { fileError } from "./atomic-file.js";

const LEFT_OUT = new Set(["cli", "report", "web"]);
const OWN_NAME = /[/\\]node[/\\]code-hash\.[jt]s$/;

let own: string | undefined;

/** Of the code that runs. */
export function codeHash(): string {
  if (own === undefined) {
    const path = fileURLToPath(import.meta.url);
    own = OWN_NAME.test(path)
      ? hashOfModules(dirname(dirname(path)), extname(path))
      : hashOfFiles([["bundle", path]]);
  }
  return own;
}

/** As people are told it. */
export const shortCode = (code: string) => code.slice(0, 8);

/** Of all modules in a folder with the extension (".js", ".ts") that can change a number. */
function hashOfModules(folder: string, extension: string): string {
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch (error) {
    throw fileError("read", folder, error);
  }
  const modules = names
    .filter((name) => name.endsWith(extension) && !name.endsWith(`.d${extension}`))
    .map((name) => name.split(sep).join("/"))
    .filter((name) => !LEFT_OUT.has(name.split("/")[0]))
    .sort();
  return hashOfFiles(modules.map((name) => [name, join(folder, name)]));
}

function hashOfFiles(files: readonly (readonly [name: string, path: string])[]): string {
  const all = createHash("sha256");
  for (const [name, path] of files) {
    let text: string;
    try {
      text = readFileSync(path, "latin1");
    } catch (error) {
      throw fileError("read", path, error);
    }
    // a digest of each, so that nothing of one file can pass for a part of the next
    all.update(
      `${name}\n${createHash("sha256").update(text.replaceAll("\r\n", "\n"), "latin1").digest("hex")}\n`,
    );
  }
  return all.digest("hex");
}
