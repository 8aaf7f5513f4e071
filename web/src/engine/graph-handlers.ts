/** One graph: its drawing, its spectrum, a number a node for the colours of the drawing, the local density of a node. */
import {
  eigenvalueWeights,
  type Graph,
  graphSpectrum,
  graphTitle,
  motifRoles,
  nodeSpectrum,
  returnsAfter,
  twinClasses,
  unusedMarks,
} from "graphdos";
import { profileOf } from "./profiles.js";
import type { GraphCalls, NodeColours, SpectralSettings } from "./protocol.js";
import type { CallContext, Handlers } from "./session.js";

export const graphHandlers: Handlers<GraphCalls> = {
  draw({ graph: g }, { session }) {
    const graph = session.graph(g);
    const { nodeCount, edgeCount, selfLoopCount } = graph;
    const edges = new Uint32Array(2 * (edgeCount - selfLoopCount));
    const degrees = new Uint32Array(nodeCount);
    let at = 0;
    graph.forEachEdge((i, j) => {
      if (i === j) return;
      edges[at++] = i;
      edges[at++] = j;
      degrees[i]++;
      degrees[j]++;
    });
    const ids = session.dataset.nodeIds?.[g] ?? null;
    return {
      ...{ graph: g, nodeCount, edgeCount, edges, degrees, roles: motifRoles(graph) },
      nodeIds: ids === null ? null : Array.from(ids, String),
      bytes: bytesOf(graph),
    };
  },

  async spectrum({ graph: g, settings }, context) {
    const { targets, unread } = context.session.dataset;
    const unused = unusedMarks({ graphs: [context.session.graph(g)], targets, unread }, null);
    const spectrum = await spectrumOf(g, settings, context);
    if (settings.estimator === "auto") return { spectrum, exact: null, unused };
    const exact = await spectrumOf(g, { ...settings, estimator: "auto" }, context);
    return { spectrum, exact: exact.estimator.name === "exact" ? exact : null, unused };
  },

  async colours({ graph: g, settings, colour }, context) {
    const graph = context.session.graph(g);
    // nodes are coloured by exact moments where these are cheap enough, whatever the curve is drawn from
    const profile = await profileOf(g, { ...settings, estimator: "auto" }, true, context);
    if (colour.by === "return")
      return summary(returnsAfter(profile, Math.min(colour.steps, profile.moments)), false);
    const { known, values } = eigenvalueWeights(graph, profile, colour.lambda, drawing(settings));
    return summary(values, known);
  },

  async node({ graph: g, node, settings }, context) {
    const graph = context.session.graph(g);
    const profile = await profileOf(g, { ...settings, estimator: "auto" }, true, context);
    const twins = twinClasses(graph);
    return {
      ...{ node, twins: twins.size[twins.classOf[node]] - 1 },
      spectrum: nodeSpectrum(graph, profile, node, drawing(settings)),
    };
  },
};

const drawing = ({ damping, filter }: SpectralSettings) => ({ damping, filter });

export async function spectrumOf(g: number, settings: SpectralSettings, context: CallContext) {
  const { session } = context;
  const profile = await profileOf(g, settings, false, context);
  const { damping, filter } = settings;
  return graphSpectrum(session.graph(g), profile, { name: graphTitle(session.dataset, g), damping, filter });
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Graph) => {
  const bytes = new Uint8Array(new ArrayBuffer(byteLength));
  bytes.set(new Uint8Array(buffer, byteOffset, byteLength));
  return bytes;
};

function summary(values: Float64Array, known: boolean): NodeColours {
  let [low, high, carriers] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
    if (value > 0) carriers++;
  }
  if (low > high) [low, high] = [0, 0];
  return { values: Float32Array.from(values), low, high, known, carriers };
}
