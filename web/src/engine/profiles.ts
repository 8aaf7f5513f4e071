/**
 * Profiles of single graphs, kept for a while. The moments of a profile are the first ones of any longer profile, so profiles are
 * computed with a round number of moments and cut: a slider moves without a new computation.
 */
import { computeProfiles, type SpectralProfile } from "graphdos";
import type { SpectralSettings } from "./protocol.js";
import type { CallContext } from "./session.js";

const STEPS = [50, 100, 200];
const KEPT = 12;

/** What was asked for when a profile was computed. `nodes`: whether it holds the moments of single nodes. */
interface Asked extends Omit<SpectralSettings, "damping"> {
  graph: number;
  nodes: boolean;
}

export interface KeptProfile {
  asked: Asked;
  profile: SpectralProfile;
}

/** With `nodes`, that of single nodes too: a large graph is then sampled by nodes, not by probes. */
export async function profileOf(
  g: number,
  settings: SpectralSettings,
  nodes: boolean,
  { session, executor, signal, onProgress }: CallContext,
): Promise<SpectralProfile> {
  const { damping: _, ...computed } = settings;
  const { moments } = settings;
  const asked: Asked = {
    ...computed,
    graph: g,
    nodes,
    moments: STEPS.find((step) => step >= moments) ?? moments,
  };
  const known = session.profiles.find((kept) => serves(kept, asked));
  if (known !== undefined) return known.profile.cut(moments);
  const { graph: __, probes, ...options } = asked;
  const own = asked.estimator === "auto" ? options : { ...options, probes };
  const [profile] = await computeProfiles([session.graph(g)], own, executor, { signal, onProgress });
  session.profiles.unshift({ asked, profile });
  session.profiles.splice(KEPT);
  return profile.moments === moments ? profile : profile.cut(moments);
}

/**
 * Exact moments depend on the graph alone: any seed and filter, fewer moments, and without nodes where it holds them. Estimates are those
 * of the very same settings.
 */
function serves({ asked: had, profile }: KeptProfile, asked: Asked): boolean {
  const same = (...names: (keyof Asked)[]) => names.every((name) => had[name] === asked[name]);
  if (!same("graph", "selfLoops", "estimator")) return false;
  if (profile.estimator.name === "exact") return had.moments >= asked.moments && (had.nodes || !asked.nodes);
  return same("moments", "nodes", "seed", "filter") && (asked.estimator === "auto" || same("probes"));
}
