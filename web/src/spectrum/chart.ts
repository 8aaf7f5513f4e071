/**
 * The density of states as a live chart (uPlot): curves on the left axis, known eigenvalues as stems on the right one, the chosen
 * eigenvalue as a line. Stems, labels and line are drawn over the curves by a hook.
 */
import { eigenvalueText, formatNumber, formatShare } from "graphdos";
import uPlot from "uplot";

export interface Curve {
  grid: Float64Array;
  density: Float64Array;
  /** Standard errors: drawn as a band of two of them on either side. */
  error: Float64Array | null;
  colour: string;
  dashed?: boolean;
  filled?: boolean;
}

export interface Stem {
  eigenvalue: number;
  mass: number;
  colour: string;
  /** Pixels to the side, where two graphs share the chart. */
  shift?: number;
}

export interface ChartContent {
  curves: Curve[];
  stems: Stem[];
  lambda: number | null;
}

export interface ChartInk {
  ink: string;
  soft: string;
  line: string;
  ground: string;
}

export interface ChartOptions {
  ink: ChartInk;
  height: number;
  /** Without titles of the axes and labels of the stems. */
  small?: boolean;
  onpoint?: (lambda: number | null) => void;
  onpick?: (lambda: number) => void;
}

const DOMAIN: [number, number] = [-1.03, 1.03];
const TICKS = [-1, -0.5, 0, 0.5, 1];
const FONT = "12px system-ui, sans-serif";
const STEM_ROOM = 0.88;
const LABELS = 7;
const SNAP_PIXELS = 7;
/** Narrower charts have no titles of the vertical axes: the legend says what they are. */
const NARROW_PIXELS = 520;
/** Stems below this part of the tallest would be dots on the axis. */
const VISIBLE = 0.002;

const number = (value: number) => formatNumber(value).replace("-", "−");

export class Chart {
  private plot: uPlot;
  private content: ChartContent = { curves: [], stems: [], lambda: null };
  private densityRange: [number, number] = [0, 1];
  private shareTop = 1;
  private shape = "";

  constructor(
    private readonly target: HTMLElement,
    private readonly options: ChartOptions,
  ) {
    this.plot = this.make();
  }

  show(content: ChartContent): void {
    this.content = content;
    this.measure();
    const shape = JSON.stringify([
      ...content.curves.map(({ colour, dashed, error }) => [colour, dashed, error !== null]),
      content.stems.length > 0,
    ]);
    if (shape !== this.shape) {
      this.shape = shape;
      this.plot.destroy();
      this.plot = this.make();
    } else this.plot.setData(this.data());
  }

  resize(): void {
    const width = this.target.clientWidth;
    if (width > 0 && width !== this.plot.width) this.plot.setSize({ width, height: this.options.height });
  }

  destroy(): void {
    this.plot.destroy();
  }

  private measure(): void {
    const { curves, stems } = this.content;
    let [low, high] = [0, 0];
    for (const { density, error } of curves)
      for (let k = 0; k < density.length; k++) {
        low = Math.min(low, density[k]);
        high = Math.max(high, Math.min(density[k] + 2 * (error?.[k] ?? 0), 1.5 * density[k]));
      }
    const top = high > 0 ? 1.08 * high : 1;
    this.densityRange = [low < -0.005 * top ? 1.08 * low : 0, top];
    const most = stems.reduce((a, { mass }) => Math.max(a, mass), 0);
    this.shareTop = most > 0 ? most / STEM_ROOM : 1;
  }

  private data(): uPlot.AlignedData {
    const { curves } = this.content;
    const grid = curves[0]?.grid ?? new Float64Array(0);
    const columns: (Float64Array | number[])[] = [grid, new Float64Array(grid.length)];
    for (const { density, error } of curves) {
      columns.push(density);
      if (error === null) continue;
      columns.push(
        density.map((value, k) => value + 2 * error[k]),
        density.map((value, k) => Math.max(Math.min(0, value), value - 2 * error[k])),
      );
    }
    return columns as uPlot.AlignedData;
  }

  private make(): uPlot {
    const { ink, height, small = false } = this.options;
    const { curves, stems } = this.content;
    const narrow = this.target.clientWidth < NARROW_PIXELS;
    // the first series holds the right axis open: it draws nothing
    const series: uPlot.Series[] = [{}, { scale: "share", paths: () => null, points: { show: false } }];
    const bands: uPlot.Band[] = [];
    for (const { colour, dashed, filled, error } of curves) {
      series.push({
        ...{ stroke: colour, width: small ? 1.5 : 2, points: { show: false } },
        ...(dashed ? { dash: [7, 4] } : {}),
        ...(filled ? { fill: transparent(colour, 0.13) } : {}),
      });
      if (error === null) continue;
      bands.push({ series: [series.length, series.length + 1], fill: transparent(colour, 0.28) });
      series.push({ points: { show: false } }, { points: { show: false } });
    }
    const axis = { stroke: ink.soft, font: FONT, labelFont: FONT, labelSize: 22, labelGap: 0 };
    const title = (label: string) => (small || narrow ? {} : { label });
    const plot = new uPlot(
      {
        width: Math.max(200, this.target.clientWidth),
        height,
        padding: [small ? 8 : 14, stems.length > 0 ? 4 : 14, 0, 0],
        legend: { show: false },
        cursor: {
          ...{ y: false, drag: { setScale: false, x: false, y: false }, points: { show: false } },
          x: this.options.onpoint !== undefined || this.options.onpick !== undefined,
        },
        scales: {
          x: { time: false, range: () => DOMAIN },
          y: { range: () => this.densityRange },
          share: { range: () => [0, this.shareTop] },
        },
        axes: [
          {
            ...axis,
            ...title("eigenvalue λ"),
            ...{ splits: () => TICKS, values: (_, splits) => splits.map(number) },
            ...{ size: 30, grid: { stroke: ink.line, width: 1 }, ticks: { stroke: ink.line, size: 5 } },
          },
          {
            ...axis,
            ...title("density per unit of λ"),
            ...{ values: (_, splits) => splits.map(number), size: small ? 38 : 46, space: 44 },
            ...{ grid: { stroke: ink.line, width: 1 }, ticks: { show: false } },
          },
          {
            ...axis,
            ...title("share of eigenvalues in a stem"),
            ...{ scale: "share", side: 1, show: stems.length > 0, size: small ? 44 : 52, space: 44 },
            ...{
              values: (_, splits) => splits.map(formatShare),
              grid: { show: false },
              ticks: { show: false },
            },
          },
        ],
        series,
        bands,
        hooks: {
          draw: [(u) => this.drawOver(u)],
          setCursor: [
            (u) => {
              const { left } = u.cursor;
              this.options.onpoint?.(left === undefined || left < 0 ? null : this.valueAt(u, left));
            },
          ],
        },
      },
      this.data(),
      this.target,
    );
    plot.over.addEventListener("click", () => {
      const { left } = plot.cursor;
      if (left !== undefined && left >= 0) this.options.onpick?.(this.valueAt(plot, left));
    });
    return plot;
  }

  /** The eigenvalue at a pixel: that of a stem where one is near. */
  private valueAt(u: uPlot, left: number): number {
    let best: { eigenvalue: number; distance: number } | null = null;
    for (const { eigenvalue, mass, shift = 0 } of this.content.stems) {
      if (mass < VISIBLE * this.shareTop) continue;
      const distance = Math.abs(u.valToPos(eigenvalue, "x") + shift - left);
      if (distance <= SNAP_PIXELS && (best === null || distance < best.distance))
        best = { eigenvalue, distance };
    }
    const value = best?.eigenvalue ?? Math.round(u.posToVal(left, "x") * 1000) / 1000;
    return Math.max(-1, Math.min(1, value));
  }

  private drawOver(u: uPlot): void {
    const { ctx } = u;
    const { ink, small = false } = this.options;
    const { stems, lambda } = this.content;
    const ratio = devicePixelRatio;
    const x = (value: number) => u.valToPos(value, "x", true);
    const floor = u.valToPos(0, "y", true);
    // shares start where the density is 0, also when undamped densities go below it
    const height = (share: number) => floor - (share / this.shareTop) * (floor - u.bbox.top);
    ctx.save();
    ctx.setLineDash([]);
    if (lambda !== null) {
      ctx.strokeStyle = ink.ink;
      ctx.lineWidth = 1.5 * ratio;
      ctx.setLineDash([3 * ratio, 3 * ratio]);
      ctx.beginPath();
      ctx.moveTo(x(lambda), u.bbox.top);
      ctx.lineTo(x(lambda), u.bbox.top + u.bbox.height);
      ctx.stroke();
      ctx.setLineDash([]);
    }
    const seen = stems.filter(({ mass }) => mass >= VISIBLE * this.shareTop);
    for (const { eigenvalue, mass, colour, shift = 0 } of seen) {
      const at = x(eigenvalue) + shift * ratio;
      const chosen = lambda !== null && Math.abs(lambda - eigenvalue) < 1e-9;
      ctx.strokeStyle = colour;
      ctx.fillStyle = colour;
      ctx.lineWidth = (chosen ? 3 : 2) * ratio;
      ctx.beginPath();
      ctx.moveTo(at, floor);
      ctx.lineTo(at, height(mass));
      ctx.stroke();
      ctx.beginPath();
      ctx.arc(at, height(mass), (chosen ? 5 : small ? 2.5 : 3.5) * ratio, 0, 2 * Math.PI);
      ctx.fill();
    }
    if (!small) this.drawLabels(ctx, seen, x, height, u.bbox, ratio);
    ctx.restore();
  }

  /** The largest stems by name, as far as the names do not run into one another. */
  private drawLabels(
    ctx: CanvasRenderingContext2D,
    stems: readonly Stem[],
    x: (value: number) => number,
    height: (share: number) => number,
    frame: uPlot.BBox,
    ratio: number,
  ): void {
    const taken: { left: number; right: number; top: number; bottom: number }[] = [];
    ctx.font = `${12 * ratio}px system-ui, sans-serif`;
    ctx.textBaseline = "bottom";
    ctx.lineJoin = "round";
    const largest = [...stems].sort((a, b) => b.mass - a.mass).slice(0, LABELS);
    for (const { eigenvalue, mass, shift = 0 } of largest) {
      const text = `${eigenvalueText(eigenvalue)} · ${formatShare(mass)}`;
      const width = ctx.measureText(text).width;
      const middle = x(eigenvalue) + shift * ratio;
      const left = Math.max(
        frame.left + 2,
        Math.min(frame.left + frame.width - width - 2, middle - width / 2),
      );
      const bottom = height(mass) - 6 * ratio;
      const box = { left: left - 4, right: left + width + 4, top: bottom - 15 * ratio, bottom };
      const clash = (other: typeof box) =>
        box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom;
      const onStem = (stem: Stem) => {
        const at = x(stem.eigenvalue) + (stem.shift ?? 0) * ratio;
        return (
          (stem.eigenvalue !== eigenvalue || stem.shift !== shift) &&
          at > box.left &&
          at < box.right &&
          height(stem.mass) < box.bottom
        );
      };
      if (box.top < frame.top - 14 * ratio || taken.some(clash) || stems.some(onStem)) continue;
      taken.push(box);
      ctx.lineWidth = 4 * ratio;
      ctx.strokeStyle = this.options.ink.ground;
      ctx.strokeText(text, left, bottom);
      ctx.fillStyle = this.options.ink.ink;
      ctx.fillText(text, left, bottom);
    }
  }
}

function transparent(colour: string, alpha: number): string {
  const part = Math.round(255 * alpha)
    .toString(16)
    .padStart(2, "0");
  return `${colour}${part}`;
}
