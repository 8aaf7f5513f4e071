/** Spectra as tables of text. */
import type { GraphSpectrum } from "./spectrum.js";

/** lambda, then density, cdf and, where sampled, standard_error of each graph; those of a second graph end in _2. */
export function densityTable(spectra: readonly GraphSpectrum[]): string {
  const columns: [string, Float64Array][] = [["lambda", spectra[0].grid]];
  spectra.forEach(({ density, cdf, densityError }, k) => {
    const suffix = k === 0 ? "" : "_2";
    columns.push([`density${suffix}`, density], [`cdf${suffix}`, cdf]);
    if (densityError !== null) columns.push([`standard_error${suffix}`, densityError]);
  });
  const lines = [columns.map(([name]) => name).join(",")];
  for (let b = 0; b < spectra[0].grid.length; b++)
    lines.push(columns.map(([, values]) => Number(values[b].toPrecision(12))).join(","));
  return `${lines.join("\n")}\n`;
}
