/** Numbers and quantities as people read them, the same on every machine. */

/** 12345 → "12,345"; fractions keep up to `digits` decimals, and at least three significant ones when below 1. */
export function formatNumber(value: number, digits = 2): string {
  if (!Number.isFinite(value)) return "–";
  if (value !== 0 && Math.abs(value) < 1)
    return String(Number(value.toPrecision(Math.max(1, Math.min(3, digits + 1)))));
  return value.toLocaleString("en-US", { maximumFractionDigits: digits });
}

/** 1 → "1 graph", 2000 → "2,000 graphs". */
export function quantity(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(count, 0)} ${count === 1 ? singular : plural}`;
}

/** 0.4567 → "45.7 %"; never rounds what is not all to 100 %, nor what is not nothing to 0 %. */
export function formatShare(share: number): string {
  if (!Number.isFinite(share)) return "–";
  const percent = 100 * share;
  if (percent > 0 && percent < 0.1) return "< 0.1 %";
  if (percent < 100 && percent > 99.9) return "> 99.9 %";
  return `${percent.toLocaleString("en-US", { maximumFractionDigits: 1 })} %`;
}

/** Number of characters, those outside of the basic plane counted once. */
export const textLength = (text: string) => Array.from(text).length;

/** At most `length` characters, the last an ellipsis where something was cut. */
export function shorten(text: string, length: number): string {
  const letters = Array.from(text);
  return letters.length <= length ? text : `${letters.slice(0, length - 1).join("")}…`;
}
