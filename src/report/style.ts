/** The look of reports: one quiet column, light or dark as the reader's system is, printable. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1d232b; --soft: #5b6672; --paper: #fbfbfa; --card: #ffffff; --line: #dfe3e7; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ec; --soft: #9aa5b1; --paper: #14171b; --card: #1c2026; --line: #323943; }
  :root { --series-1: #4c9fe0; --series-2: #e69f00; --series-3: #2bb58c; --series-4: #f0743a; --series-5: #dd8fba; --series-6: #a5d8f5; --series-7: #e0d25a; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main, header, footer { max-width: 66rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 3rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0; letter-spacing: -0.01em; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 3rem 0 0.5rem; }
h3 { font-size: 0.95rem; margin: 0 0 0.25rem; font-weight: 600; overflow-wrap: anywhere; }
p { margin: 0.4rem 0; max-width: 46rem; }
.subtitle, .lead, figcaption, footer { color: var(--soft); }
.subtitle { font-size: 1.05rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 12.5rem), 1fr)); gap: 0.75rem; margin: 2rem 0 0; }
.card, .panel { background: var(--card); border: 1px solid var(--line); border-radius: 0.6rem; }
.card { padding: 0.8rem 1rem; }
.card dt { color: var(--soft); font-size: 0.8rem; }
.card dd { margin: 0; font-size: 1.45rem; font-weight: 600; line-height: 1.3; font-variant-numeric: tabular-nums; }
.card small { display: block; font-weight: 400; color: var(--soft); font-size: 0.78rem; line-height: 1.35; }
.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18.5rem), 1fr)); gap: 0.75rem; margin: 0.75rem 0; }
.panel { padding: 1rem; margin: 0.75rem 0; min-width: 0; overflow-x: auto; }
.panels .panel { margin: 0; }
figure { margin: 0; }
figure svg { display: block; max-width: 100%; height: auto; }
.wide svg { min-width: 38rem; }
figcaption { font-size: 0.82rem; margin-top: 0.4rem; overflow-wrap: anywhere; }
.legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; padding: 0; margin: 0.5rem 0; list-style: none; font-size: 0.85rem; }
.legend li { overflow-wrap: anywhere; }
.swatch { display: inline-block; width: 0.75rem; height: 0.75rem; border-radius: 0.2rem; margin-right: 0.4rem; vertical-align: -0.06rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: 0.92rem; }
th, td { text-align: right; padding: 0.35rem 0.6rem; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 500; font-size: 0.82rem; }
th:first-child, td:first-child { text-align: left; overflow-wrap: break-word; max-width: 20rem; }
tr:last-child td { border-bottom: 0; }
ul.sentences { padding-left: 1.1rem; margin: 0.5rem 0; max-width: 46rem; }
ul.sentences li { margin: 0.3rem 0; }
.entry { white-space: nowrap; }
.below sup { line-height: 0; font-size: 0.8em; }
.below { display: block; color: var(--soft); font-size: 0.76rem; white-space: nowrap; }
ol.footnotes { color: var(--soft); font-size: 0.82rem; padding-left: 1.3rem; margin: 0.8rem 0 0; max-width: 52rem; }
ol.footnotes li { margin: 0.2rem 0; }
.thumbnails { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: 0.75rem; }
.thumbnails figcaption { text-align: center; margin-top: 0.2rem; }
.thumbnails svg { width: 100%; }
footer { font-size: 0.85rem; padding-top: 1.5rem; padding-bottom: 3rem; margin-top: 3rem; border-top: 1px solid var(--line); }
footer dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.15rem 1rem; margin: 0; }
footer dd { margin: 0; overflow-wrap: anywhere; }
code { font: 0.92em ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
@media print { body { background: none; } .panel, .card { break-inside: avoid; } h2 { break-after: avoid; } }
`;
