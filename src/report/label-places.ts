/** Places for the labels of stems: beside the top, or above it, wherever no other label or taller stem is. Greedy, in the given order. */

export interface Stem {
  /** Pixel position of the stem and of its top, y downwards. */
  x: number;
  y: number;
  text: string;
}

export interface PlacedLabel {
  x: number;
  y: number;
  anchor: "start" | "middle" | "end";
  text: string;
}

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const CHARACTER = 6.6;
const HALF_HEIGHT = 8;
const GAP = 7;

/**
 * One place for each stem, null where there is no room. `frame` is what labels must stay inside; stems stand on its bottom. `soft` are
 * boxes that a label covers only where it has no other place.
 */
export function placeLabels(
  stems: readonly Stem[],
  frame: Box,
  soft: readonly Box[] = [],
): (PlacedLabel | null)[] {
  const taken: Box[] = stems.map(({ x, y }) => ({ left: x - 2, right: x + 2, top: y, bottom: frame.bottom }));
  return stems.map((stem, own) => {
    const free = candidates(stem).filter(
      ({ box }) => inside(box, frame) && !taken.some((other, k) => k !== own && overlap(box, other)),
    );
    const best = free.find(({ box }) => !soft.some((other) => overlap(box, other))) ?? free[0];
    if (best === undefined) return null;
    taken.push(best.box);
    return best.label;
  });
}

/** Beside the top, above it, then the same a line higher and a line lower. */
function candidates(stem: Stem): { label: PlacedLabel; box: Box }[] {
  const width = CHARACTER * Array.from(stem.text).length;
  return [0, -2 * HALF_HEIGHT, 2 * HALF_HEIGHT].flatMap((lift) =>
    (["start", "end", "middle"] as const).map((anchor) => {
      const x = stem.x + (anchor === "start" ? GAP : anchor === "end" ? -GAP : 0);
      const y = stem.y + lift - (anchor === "middle" ? HALF_HEIGHT + 5 : 0);
      const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
      const box = { left, right: left + width, top: y - HALF_HEIGHT, bottom: y + HALF_HEIGHT };
      return { label: { x, y, anchor, text: stem.text }, box };
    }),
  );
}

const inside = (a: Box, b: Box) =>
  a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;

const overlap = (a: Box, b: Box) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
