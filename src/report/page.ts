/**
 * The shell of a report: one HTML file that needs nothing else, no script and no network (its content security policy allows inline
 * styles alone).
 */
import { type HtmlValue, html, SafeHtml } from "./html.js";
import { STYLE } from "./style.js";

export interface Page {
  title: string;
  subtitle?: string;
  /** Headline numbers. */
  cards?: readonly Card[];
  sections: readonly Section[];
  /** Lines of the foot: where this came from. */
  provenance?: readonly [name: string, value: string][];
}

export interface Card {
  label: string;
  value: string;
  note?: string;
}

export interface Section {
  title: string;
  /** A sentence under the title. */
  lead?: string;
  body: HtmlValue;
}

export function renderPage(page: Page): string {
  const { title, subtitle, cards = [], sections, provenance = [] } = page;
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${title}</title>
<style>${stylesheet}</style>
</head>
<body>
<header>
<h1>${title}</h1>
${subtitle && html`<p class="subtitle">${subtitle}</p>`}
</header>
<main>
${cards.length > 0 && html`<dl class="cards">${cards.map(renderCard)}</dl>`}
${sections.map(renderSection)}
</main>
${
  provenance.length > 0 &&
  html`<footer><dl>${provenance.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></footer>`
}
</body>
</html>
`;
  return document.text;
}

const stylesheet = new SafeHtml(STYLE);

function renderCard({ label, value, note }: Card): SafeHtml {
  return html`<div class="card"><dt>${label}</dt><dd>${value}${note && html`<small>${note}</small>`}</dd></div>`;
}

function renderSection({ title, lead, body }: Section): SafeHtml {
  return html`<section>
<h2>${title}</h2>
${lead && html`<p class="lead">${lead}</p>`}
${body}
</section>
`;
}

export const panel = (body: HtmlValue): SafeHtml => html`<div class="panel">${body}</div>`;

/** A list of sentences. */
export const sentenceList = (sentences: readonly string[]): SafeHtml =>
  html`<ul class="sentences">${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`;

/** A table; its first column is to the left, the others to the right. */
export const table = (head: readonly string[], rows: readonly (readonly HtmlValue[])[]): SafeHtml =>
  html`<table><thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead><tbody>${rows.map(
    (row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`,
  )}</tbody></table>`;
