/** Spectra as tables of text. */
import { csvField } from "../data/csv.js";
import type { LocalDensityMap } from "./local-map.js";
import type { GraphSpectrum } from "./spectrum.js";

/**
 * lambda, then of each graph density, cdf, known and, where sampled, standard_error; those of a second graph end in _2. A row is the
 * middle of a bin of the density, or a known eigenvalue: then `known` is its share of the eigenvalues, else 0. The density is without the
 * known eigenvalues, the cdf with them. Last, where asked for, the local densities, as columns local_1, local_2, .. of nodes (or of
 * quantiles of the nodes, where there are many) with alike ones side by side, or as local_NAME of named nodes; they hold the known
 * eigenvalues as spikes.
 */
export function densityTable(spectra: readonly GraphSpectrum[], localMap?: LocalDensityMap): string {
  const { grid } = spectra[0];
  const bins = grid.length;
  const binOf = (x: number) => Math.max(0, Math.min(bins - 1, Math.floor(((x + 1) * bins) / 2)));
  const known = new Set(spectra.flatMap(({ atoms }) => atoms.map(({ eigenvalue }) => eigenvalue)));
  const places = [
    ...Array.from(grid, (at, bin) => ({ at, bin, isBin: true })),
    ...Array.from(known, (at) => ({ at, bin: binOf(at), isBin: false })),
  ].sort((a, b) => a.at - b.at || Number(b.isBin) - Number(a.isBin));

  const columns: [string, (place: (typeof places)[number]) => number][] = [["lambda", ({ at }) => at]];
  spectra.forEach((spectrum, k) => {
    const { density, densityError, cdf } = spectrum;
    const suffix = k === 0 ? "" : "_2";
    const shares = new Map(spectrum.atoms.map(({ eigenvalue, mass }) => [eigenvalue, mass]));
    const cumulative = cumulativeOf(spectrum);
    columns.push(
      [`density${suffix}`, ({ bin }) => density[bin]],
      [`cdf${suffix}`, ({ at, bin, isBin }) => (isBin ? cdf[bin] : cumulative(at))],
      [`known${suffix}`, ({ at, isBin }) => (isBin ? 0 : (shares.get(at) ?? 0))],
    );
    if (densityError !== null) columns.push([`standard_error${suffix}`, ({ bin }) => densityError[bin]]);
  });
  for (let r = 0; r < (localMap?.rows ?? 0); r++)
    columns.push([
      csvField(`local_${localMap!.names?.[r] ?? r + 1}`),
      ({ bin }) => localMap!.values[r * bins + bin],
    ]);
  const lines = [columns.map(([name]) => name).join(",")];
  for (const place of places)
    lines.push(columns.map(([, value]) => Number(value(place).toPrecision(12))).join(","));
  return `${lines.join("\n")}\n`;
}

/** Share of the eigenvalues at or below any place: the smooth part by straight lines between the points of the grid. */
function cumulativeOf({ grid, cdf, atoms }: GraphSpectrum): (x: number) => number {
  const below = (x: number) =>
    atoms.reduce((sum, { eigenvalue, mass }) => (eigenvalue <= x ? sum + mass : sum), 0);
  const all = below(Number.POSITIVE_INFINITY);
  const points = [-1, ...grid, 1];
  const smooth = [0, ...Array.from(grid, (x, b) => cdf[b] - below(x)), 1 - all];
  return (x) => {
    let right = 1;
    while (right < points.length - 1 && points[right] < x) right++;
    const part = (x - points[right - 1]) / (points[right] - points[right - 1]);
    const inside = Math.max(0, Math.min(1, part));
    return smooth[right - 1] + inside * (smooth[right] - smooth[right - 1]) + below(x);
  };
}
