/**
 * How classes look: each has a colour and a shape, so that they can be told apart without colours; with more classes than colours the
 * shapes go on changing.
 */
export const COLOURS = 7;

/** "--series-1" and so on, of the theme. */
export const seriesName = (c: number) => `--series-${(c % COLOURS) + 1}`;

/** The colours of the light theme, for pictures that leave the page. */
const PRINTED = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#b8a900"];
export const printedColour = (c: number) => PRINTED[c % COLOURS];

type Point = readonly [number, number];

/** Corners of the shapes for radius 1; a circle has none. All have about the same area. */
const SHAPES: readonly (readonly Point[])[] = [
  [],
  regular(4, Math.PI / 4, 1.25),
  regular(3, Math.PI / 2, 1.5),
  regular(4, 0, 1.3),
  regular(3, -Math.PI / 2, 1.5),
  regular(5, Math.PI / 2, 1.2),
  regular(6, 0, 1.12),
];

function regular(corners: number, turn: number, radius: number): Point[] {
  return Array.from({ length: corners }, (_, k) => {
    const angle = turn + (2 * Math.PI * k) / corners;
    return [radius * Math.cos(angle), -radius * Math.sin(angle)] as const;
  });
}

const shapeOf = (c: number) => SHAPES[(c + Math.floor(c / COLOURS)) % SHAPES.length];

/** Adds the shape of a class around (x, y) to the path of a canvas. */
export function traceShape(
  context: CanvasRenderingContext2D,
  c: number,
  x: number,
  y: number,
  r: number,
): void {
  const corners = shapeOf(c);
  if (corners.length === 0) {
    context.moveTo(x + r, y);
    context.arc(x, y, r, 0, 2 * Math.PI);
    return;
  }
  corners.forEach(([dx, dy], k) => {
    if (k === 0) context.moveTo(x + r * dx, y + r * dy);
    else context.lineTo(x + r * dx, y + r * dy);
  });
  context.closePath();
}

/** The same as path data of SVG. */
export function shapePath(c: number, x: number, y: number, r: number): string {
  const round = (value: number) => Math.round(100 * value) / 100;
  const corners = shapeOf(c);
  if (corners.length === 0)
    return `M${round(x - r)},${round(y)}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0z`;
  return `M${corners.map(([dx, dy]) => `${round(x + r * dx)},${round(y + r * dy)}`).join("L")}z`;
}
