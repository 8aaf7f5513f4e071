/**
 * Colours for numbers: viridis (Smith, van der Walt, 2015), even to the eye and for the colour-blind. The end of large values is the one
 * that stands out from the ground: dark on light, bright on dark.
 */
const VIRIDIS = [
  [68, 1, 84],
  [72, 40, 120],
  [62, 74, 137],
  [49, 104, 142],
  [38, 130, 142],
  [31, 158, 137],
  [53, 183, 121],
  [110, 206, 88],
  [181, 222, 43],
  [253, 231, 37],
] as const;

const hex = (value: number) => Math.round(value).toString(16).padStart(2, "0");

/** The colour of t in [0, 1]. */
export function scaleColour(t: number, dark: boolean): string {
  const inside = Math.max(0, Math.min(1, t));
  const at = (dark ? 0.12 + 0.88 * inside : 0.94 - 0.94 * inside) * (VIRIDIS.length - 1);
  const k = Math.min(VIRIDIS.length - 2, Math.floor(at));
  const part = at - k;
  return `#${[0, 1, 2].map((c) => hex(VIRIDIS[k][c] * (1 - part) + VIRIDIS[k + 1][c] * part)).join("")}`;
}

/** Position in [0, 1] of a value between low and high; all in the middle where there is no between. */
export const scalePosition = (value: number, low: number, high: number) =>
  high > low ? (value - low) / (high - low) : 0.5;
