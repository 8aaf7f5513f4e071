/** The part of a map that is seen: its centre and its scale, in pixels a unit; y points up. */
export interface Frame {
  x: number;
  y: number;
  scale: number;
}

export interface Size {
  width: number;
  height: number;
}

const MARGIN = 28;
/** How far in and out, against the frame that shows everything. */
const MOST_ZOOM = 400;
const LEAST_ZOOM = 0.5;

/** The frame that shows all places (two numbers each) in full. */
export function wholeFrame(places: ArrayLike<number>, { width, height }: Size): Frame {
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let k = 0; k < places.length; k += 2) {
    left = Math.min(left, places[k]);
    right = Math.max(right, places[k]);
    bottom = Math.min(bottom, places[k + 1]);
    top = Math.max(top, places[k + 1]);
  }
  if (left > right) return { x: 0, y: 0, scale: 1 };
  const scale = Math.min(
    Math.max(1, width - 2 * MARGIN) / Math.max(right - left, 1e-9),
    Math.max(1, height - 2 * MARGIN) / Math.max(top - bottom, 1e-9),
  );
  return { x: (left + right) / 2, y: (bottom + top) / 2, scale: Math.min(scale, 1e6) };
}

export const toScreenX = ({ x, scale }: Frame, { width }: Size, value: number) =>
  width / 2 + (value - x) * scale;
export const toScreenY = ({ y, scale }: Frame, { height }: Size, value: number) =>
  height / 2 - (value - y) * scale;

export const moved = (frame: Frame, byX: number, byY: number): Frame => ({
  ...frame,
  x: frame.x - byX / frame.scale,
  y: frame.y + byY / frame.scale,
});

/** Zoomed by a factor, so that the place under (atX, atY) stays where it is. `whole` bounds the zoom. */
export function zoomed(
  frame: Frame,
  size: Size,
  whole: Frame,
  factor: number,
  atX: number,
  atY: number,
): Frame {
  const scale = Math.min(MOST_ZOOM * whole.scale, Math.max(LEAST_ZOOM * whole.scale, frame.scale * factor));
  const [offX, offY] = [atX - size.width / 2, atY - size.height / 2];
  return {
    x: frame.x + offX / frame.scale - offX / scale,
    y: frame.y - offY / frame.scale + offY / scale,
    scale,
  };
}

/** The shown place nearest to a point of the screen, within so many pixels; -1 when there is none. */
export function nearestPlace(
  places: ArrayLike<number>,
  shown: (k: number) => boolean,
  frame: Frame,
  size: Size,
  [atX, atY]: readonly [number, number],
  within: number,
): number {
  let best = -1;
  let bestSquare = within * within;
  for (let k = 0; 2 * k < places.length; k++) {
    const dx = toScreenX(frame, size, places[2 * k]) - atX;
    const dy = toScreenY(frame, size, places[2 * k + 1]) - atY;
    const square = dx * dx + dy * dy;
    if (square <= bestSquare && shown(k)) [best, bestSquare] = [k, square];
  }
  return best;
}

/** The shown place that an arrow key leads to: the nearest within 45° of the direction; -1 when there is none. */
export function placeTowards(
  places: ArrayLike<number>,
  shown: (k: number) => boolean,
  from: number,
  [directionX, directionY]: readonly [number, number],
): number {
  let best = -1;
  let bestDistance = Infinity;
  for (let k = 0; 2 * k < places.length; k++) {
    if (k === from || !shown(k)) continue;
    const dx = places[2 * k] - places[2 * from];
    const dy = places[2 * k + 1] - places[2 * from + 1];
    const along = dx * directionX + dy * directionY;
    const distance = Math.hypot(dx, dy);
    if (along > 0 && along >= distance * Math.SQRT1_2 && distance < bestDistance)
      [best, bestDistance] = [k, distance];
  }
  return best;
}
