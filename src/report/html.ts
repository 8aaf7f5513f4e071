/**
 * HTML that is safe by construction: every value put into html`...` is escaped unless it is itself the result of html`...`. Names of
 * classes, files and nodes come from data files and pass through here before they reach a page.
 */

/** Text that is known to be well-formed HTML. */
export class SafeHtml {
  constructor(readonly text: string) {}
  toString(): string {
    return this.text;
  }
}

export type HtmlValue = string | number | SafeHtml | null | undefined | false | readonly HtmlValue[];

/** For element content and for attribute values in either kind of quotes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** Tagged template. Lists are joined; null, undefined and false leave nothing. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): SafeHtml {
  let text = strings[0];
  for (let k = 0; k < values.length; k++) text += render(values[k]) + strings[k + 1];
  return new SafeHtml(text);
}

function render(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return "";
  if (value instanceof SafeHtml) return value.text;
  if (Array.isArray(value)) return value.map(render).join("");
  return escapeHtml(String(value));
}

/** Names come from files: characters that XML cannot hold are replaced. */
export const plain = (name: string) => name.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, "\ufffd");
