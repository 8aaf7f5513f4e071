/** The HTML report of `reproduce`: one page that needs nothing else. What it says is in reproduction-document.ts. */
import type { Reproduction } from "../experiment/reproduction/types.js";
import { html, type SafeHtml } from "./html.js";
import { panel, renderPage, sentenceList } from "./page.js";
import type { Entry, TableBlock } from "./reproduction-accuracies.js";
import { type Block, reproductionDocument } from "./reproduction-document.js";

export function reproductionReport(result: Reproduction): string {
  const { title, subtitle, cards, parts, provenance } = reproductionDocument(result);
  return renderPage({
    ...{ title, subtitle, cards, provenance },
    sections: parts.map((part) => ({
      title: part.title,
      lead: part.lead,
      body: part.blocks.map(blockHtml),
    })),
  });
}

function blockHtml(block: Block): SafeHtml {
  switch (block.kind) {
    case "figure":
      return panel(
        html`<h3>${block.title}</h3><figure><div class="wide">${block.svg}</div><figcaption>${block.caption}</figcaption></figure>`,
      );
    case "list":
      return sentenceList(block.sentences);
    default:
      return tableHtml(block);
  }
}

function tableHtml({ title, about, head, rows, textColumns = [], footnotes = [] }: TableBlock): SafeHtml {
  const side = (column: number) => textColumns.includes(column) && html` style="text-align:left"`;
  const body = rows.map(
    (row) => html`<tr>${row.map((entry, column) => html`<td${side(column)}>${entryHtml(entry)}</td>`)}</tr>`,
  );
  return panel(
    html`${title && html`<h3>${title}</h3>`}${about && html`<p class="lead"><small>${about}</small></p>`}<table><thead><tr>${head.map(
      (cell, column) => html`<th scope="col"${side(column)}>${cell}</th>`,
    )}</tr></thead><tbody>${body}</tbody></table>${
      footnotes.length > 0 &&
      html`<ol class="footnotes">${footnotes.map((note) => html`<li>${note}</li>`)}</ol>`
    }`,
  );
}

const UP = "var(--series-3, #009e73)";
const DOWN = "var(--series-4, #d55e00)";
/** Texts up to this length stay on one line; tables scroll sideways where there is no room. */
const SHORT = 24;

/** Text, and below it what it is compared with; the mark stands there too, so that numbers of a column line up. */
function entryHtml(entry: string | Entry): SafeHtml | string {
  if (typeof entry === "string")
    return entry.length <= SHORT ? html`<span class="entry">${entry}</span>` : entry;
  const { text, strong, below, mark, tone } = entry;
  const colour = tone && html` style="color:${tone === "good" ? UP : DOWN}"`;
  const main = strong ? html`<b${colour}>${text}</b>` : html`<span${colour}>${text}</span>`;
  const arrow =
    mark &&
    html`<span style="color:${mark.up ? UP : DOWN}">${mark.up ? "▲" : "▼"}<sup>${mark.note}</sup></span> `;
  return html`<span class="entry">${main}</span>${
    (below || arrow) && html`<small class="below">${arrow}${below}</small>`
  }`;
}
