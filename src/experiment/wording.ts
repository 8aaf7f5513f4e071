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

/** 1234567 → "1.23 MB". */
export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  for (; value >= 999.5 && unit < units.length - 1; unit++) value /= 1000;
  return `${unit === 0 ? value : value.toPrecision(3)} ${units[unit]}`;
}

/** 0.25 → "250 ms", 75 → "1 min 15 s", 4000 → "1 h 7 min". */
export function formatDuration(seconds: number): string {
  if (!Number.isFinite(seconds)) return "–";
  if (seconds < 0.00095) return `${Number((seconds * 1000).toPrecision(2))} ms`;
  if (seconds < 0.9995) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 59.5) return `${seconds < 9.95 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
