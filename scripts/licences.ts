/**
 * docs/licences.md: every package that `npm install graphdos` brings, with version and licence as the installed package states them.
 *
 *   npx tsx scripts/licences.ts           writes the file
 *
 * The closure of package.json's dependencies, found as Node finds packages: in the node_modules of the package that asks, then further
 * up. Platform builds, which are optional, are left out: they are part of the package that asks for them.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

export interface InstalledPackage {
  name: string;
  version: string;
  licence: string;
  /** Named by package.json itself. */
  direct: boolean;
}

/** What may be used, changed and passed on with no more than a notice kept. */
export const PERMISSIVE = ["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "0BSD", "Unlicense"];

interface Manifest {
  name: string;
  version: string;
  license?: string | { type: string };
  dependencies?: Record<string, string>;
}

const read = (file: string): Manifest => JSON.parse(readFileSync(file, "utf8"));

export function runtimePackages(root = "."): InstalledPackage[] {
  const found = new Map<string, InstalledPackage>();
  const own = read(join(root, "package.json"));
  const visit = (name: string, from: string, direct: boolean): void => {
    let folder = from;
    while (!existsSync(join(folder, "node_modules", name, "package.json"))) {
      if (folder === root) throw new Error(`${name} is not installed: run npm ci`);
      folder = dirname(folder);
    }
    const place = join(folder, "node_modules", name);
    const manifest = read(join(place, "package.json"));
    const key = `${name}@${manifest.version}`;
    const known = found.get(key);
    if (known !== undefined) {
      known.direct ||= direct;
      return;
    }
    const { license } = manifest;
    const licence = typeof license === "string" ? license : (license?.type ?? "not stated");
    found.set(key, { name, version: manifest.version, licence, direct });
    for (const next of Object.keys(manifest.dependencies ?? {})) visit(next, place, false);
  };
  for (const name of Object.keys(own.dependencies ?? {})) visit(name, root, true);
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

export function licencesText(packages: readonly InstalledPackage[]): string {
  const counts = new Map<string, number>();
  for (const { licence } of packages) counts.set(licence, (counts.get(licence) ?? 0) + 1);
  const byCount = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const direct = packages.filter((one) => one.direct).length;
  return `# Licences

graphdos is under the MIT licence. It brings ${packages.length} packages, ${direct} that it names itself (bold) and those that they need: ${byCount
    .map(([licence, count]) => `${count} ${licence}`)
    .join(
      ", ",
    )}. Versions are those of the lock file. \`npx tsx scripts/licences.ts\` makes this page from what is installed; a test holds it
to that.

| package | version | licence |
|---|---|---|
${packages
  .map(
    ({ name, version, licence, direct: own }) =>
      `| ${own ? `**${name}**` : name} | ${version} | ${licence} |`,
  )
  .join("\n")}

All are permissive but one: \`@resvg/resvg-js\`, with its build for the platform, is under the Mozilla Public License 2.0, which asks that
changes to its own files be passed on in source. It is used unchanged, to draw PNGs.

\`bullmq\` and \`ioredis\` (both MIT) are needed for clusters alone and are not brought along.
`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  writeFileSync("docs/licences.md", licencesText(runtimePackages()));
