/**
 * Profiles of single graphs, kept for a while. The moments of a profile are the first ones of any longer profile, so profiles are
 * computed with a round number of moments and cut: a slider moves without a new computation.
 */
import { computeProfiles, type SpectralProfile } from "graphdos";
import type { SpectralSettings } from "./protocol.js";
import type { CallContext, Session } from "./session.js";

const STEPS = [50, 100, 200];
const KEPT = 12;

/** With `nodes`, that of single nodes too: a large graph is then sampled by nodes, not by probes. */
export async function profileOf(
  g: number,
  settings: SpectralSettings,
  nodes: boolean,
  { session, executor, signal, onProgress }: CallContext,
): Promise<SpectralProfile> {
  const { moments, estimator, probes, seed, selfLoops, filter } = settings;
  const graph = session.graph(g);
  const known = profilesOf(session);
  const key = (step: number, withNodes: boolean) =>
    [g, step, estimator, selfLoops, withNodes, ...(estimator === "auto" ? [] : [probes, seed, filter])].join(
      " ",
    );
  const steps = STEPS.filter((step) => step >= moments);
  for (const step of steps) {
    const found = known.get(key(step, nodes));
    if (found !== undefined) return found.cut(moments);
  }
  const options = {
    ...{ moments: steps[0] ?? moments, estimator, selfLoops, seed, filter, nodes },
    ...(estimator === "auto" ? {} : { probes }),
  };
  const [profile] = await computeProfiles([graph], options, executor, { signal, onProgress });
  const keep = (withNodes: boolean) => known.set(key(options.moments, withNodes), profile);
  keep(nodes);
  // exact moments are the same with and without those of single nodes
  if (profile.estimator.name === "exact") keep(!nodes);
  for (const oldest of known.keys()) {
    if (known.size <= KEPT) break;
    known.delete(oldest);
  }
  return profile.moments === moments ? profile : profile.cut(moments);
}

function profilesOf({ kept }: Session): Map<string, SpectralProfile> {
  const found = kept.get("profiles") as Map<string, SpectralProfile> | undefined;
  if (found !== undefined) return found;
  const made = new Map<string, SpectralProfile>();
  kept.set("profiles", made);
  return made;
}
