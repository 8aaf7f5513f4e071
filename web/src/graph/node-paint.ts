/** What nodes look like: filled by a number on a colour scale, ringed by their role in motifs. The same on screen and in files. */
import { MOTIF_ROLES } from "graphdos";
import type { NodeColours } from "../engine/protocol.js";
import { scaleColour, scalePosition } from "../ui/colour-scale.js";
import { theme } from "../ui/theme.svelte.js";

/** Colours of the roles, in the order of MOTIF_ROLES; "none" has none. */
const ROLE_SERIES = [null, "--series-4", "--series-2", "--series-5", "--series-6"] as const;

export const roleColours = (): (string | null)[] =>
  MOTIF_ROLES.map((_, k) => {
    const series = ROLE_SERIES[k];
    return series === null ? null : theme.colour(series);
  });

/** A fill for every node. Nodes that carry nothing of a known eigenvalue, or whose number is not known, are neutral. */
export function fills(count: number, colours: NodeColours | null): string[] {
  const neutral = theme.colour("--node");
  if (colours === null) return Array.from({ length: count }, () => neutral);
  const { values, low, high, known } = colours;
  const from = known ? 0 : low;
  return Array.from({ length: count }, (_, i) => {
    const value = values[i];
    if (Number.isNaN(value) || (known && value <= 0)) return neutral;
    return scaleColour(scalePosition(value, from, high), theme.dark);
  });
}

/** Radius of each node in pixels: smaller the more there are, a little larger for hubs. */
export function nodeSizes(degrees: Uint32Array): Float32Array {
  const base = Math.max(1.8, Math.min(8, 62 / Math.sqrt(degrees.length)));
  const most = degrees.reduce((a, b) => Math.max(a, b), 1);
  return Float32Array.from(degrees, (d) => base * (0.8 + 0.6 * Math.sqrt(d / most)));
}
