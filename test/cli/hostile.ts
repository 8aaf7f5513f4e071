/** A data set in which every name is an attack: on HTML, on the terminal, on who reads from left to right. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Would set window.hacked where a page takes it for HTML. */
export const MARKUP = `<script>window.hacked=1</script><img src=x onerror="window.hacked=1">`;
/** Sets the title, clears the screen, hides text, turns the direction round; in 7 and in 8 bits. */
export const STEERING = "\u001b]0;owned\u0007\u001b[2J\u001b[8m\u009b31m\u202e\u2066\r\u007f";
export const CLASSES = [`"'&</script>${MARKUP}${STEERING}\nsecond line`, `]]>-->${MARKUP}__proto__`];

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** A folder of 20 graph files with labels.csv; its path is hostile too. */
export function hostileFolder(parent: string): string {
  const folder = join(parent, `set<img src=x onerror=window.hacked=1>"'&\u001b[31m\u202e`);
  mkdirSync(folder, { recursive: true });
  const rows = Array.from({ length: 20 }, (_, g) => {
    const name = `g${g}<img src=x onerror=window.hacked=1>\u001b[8m\u202e.edges`;
    const node = (i: number) => `n${i}<b>\u001bc\u009b5m`;
    const nodes = 7 + (g % 4);
    const edges = Array.from({ length: nodes - 1 }, (_, i) => [i, i + 1]);
    if (g % 2 === 1) edges.push([0, nodes - 1], [0, 2]);
    writeFileSync(join(folder, name), edges.map(([i, j]) => `${node(i)},${node(j)}\n`).join(""));
    return `${quoted(name)},${quoted(CLASSES[g % 2])}`;
  });
  writeFileSync(join(folder, "labels.csv"), `file,label\n${rows.join("\n")}\n`);
  return folder;
}

/** The same as one JSON file, for a page that takes files. */
export function hostileJson(): string {
  return JSON.stringify(
    Array.from({ length: 20 }, (_, g) => {
      const nodes = 7 + (g % 4);
      const links = Array.from({ length: nodes - 1 }, (_, i) => ({
        source: `${i}${MARKUP}`,
        target: `${i + 1}${MARKUP}`,
      }));
      if (g % 2 === 1) links.push({ source: `0${MARKUP}`, target: `2${MARKUP}` });
      return {
        name: `g${g}${MARKUP}`,
        class: CLASSES[g % 2],
        nodes: Array.from({ length: nodes }, (_, i) => ({ id: `${i}${MARKUP}`, label: `${MARKUP}${i % 2}` })),
        links,
      };
    }),
  );
}
