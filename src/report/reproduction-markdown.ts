/** The report of `reproduce` as Markdown (GitHub's), figures as files beside it; and the short table of a README. */
import type { Reproduction } from "../experiment/reproduction/types.js";
import { type Entry, shortEntries, type TableBlock } from "./reproduction-accuracies.js";
import { type Block, reproductionDocument } from "./reproduction-document.js";

export function reproductionMarkdown(result: Reproduction): string {
  const { title, subtitle, cards, parts, provenance } = reproductionDocument(result);
  const paragraphs = [
    `# ${escapeMarkdown(title)}`,
    escapeMarkdown(`${subtitle}.`),
    bullets(cards.map(({ label, value, note }) => `${label}: ${value}${note ? ` (${note})` : ""}`)),
    ...parts.flatMap((part) => [
      `## ${escapeMarkdown(part.title)}`,
      part.lead === undefined ? "" : escapeMarkdown(part.lead),
      ...part.blocks.flatMap(blockMarkdown),
    ]),
    "## Where this comes from",
    bullets(provenance.filter(([name]) => name !== "Command").map(([name, value]) => `${name}: ${value}`)),
    fenced(result.command),
  ];
  return `${paragraphs.filter((paragraph) => paragraph !== "").join("\n\n")}\n`;
}

/** Rows: LDOS+DOS as in the paper, ours, the paper's; columns: the sets. Empty without such a row. */
export function shortTable(result: Reproduction): string {
  const table = shortEntries(result);
  return table === null ? "" : `${tableLines(table.head, table.rows)}\n`;
}

function blockMarkdown(block: Block): string[] {
  switch (block.kind) {
    case "figure":
      return [
        `### ${escapeMarkdown(block.title)}`,
        `![${escapeMarkdown(block.title)}](${block.name}.svg)`,
        escapeMarkdown(block.caption),
      ];
    case "list":
      return [bullets(block.sentences)];
    default:
      return tableMarkdown(block);
  }
}

function tableMarkdown({ title, about, head, rows, textColumns, footnotes = [] }: TableBlock): string[] {
  return [
    title ? `### ${escapeMarkdown(title)}` : "",
    about ? escapeMarkdown(about) : "",
    tableLines(head, rows, textColumns),
    footnotes.map((note, k) => `${k + 1}. ${escapeMarkdown(note)}`).join("\n"),
  ];
}

function tableLines(
  head: readonly string[],
  rows: readonly (readonly (string | Entry)[])[],
  textColumns: readonly number[] = [],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const sides = head.map((_, column) => (column === 0 || textColumns.includes(column) ? "---" : "---:"));
  return [
    line(head.map(escapeMarkdown)),
    line(sides),
    ...rows.map((row) => line(row.map(entryMarkdown))),
  ].join("\n");
}

function entryMarkdown(entry: string | Entry): string {
  if (typeof entry === "string") return escapeMarkdown(entry);
  const { text, strong, below, mark } = entry;
  const main = strong ? `**${escapeMarkdown(text)}**` : escapeMarkdown(text);
  const arrow = mark ? ` ${mark.up ? "▲" : "▼"}<sup>${mark.note}</sup>` : "";
  return `${main}${arrow}${below ? `<br><sub>${escapeMarkdown(below)}</sub>` : ""}`;
}

const bullets = (sentences: readonly string[]) =>
  sentences.map((sentence) => `- ${escapeMarkdown(sentence)}`).join("\n");

/** A block of code whose fence is longer than any in it. */
function fenced(code: string): string {
  const longest = Math.max(2, ...Array.from(code.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}sh\n${code}\n${fence}`;
}

/** Text that Markdown leaves as it is: on one line, no HTML, no emphasis, no links, no columns; underscores inside of words stay. */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/\s*[\r\n]+\s*/g, " ")
    .replaceAll("\\", "\\\\")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/[*`[\]|~$]/g, "\\$&")
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(/^(\d+)([.)])(?=\s|$)/, "$1\\$2")
    .replace(/^([#+-])/, "\\$1");
}
