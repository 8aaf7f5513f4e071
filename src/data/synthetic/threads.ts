/**
 * Users of a forum, joined where one replied to the other, as in the REDDIT sets.
 *
 * A thread grows user by user. A new user replies to one of one to five hubs with probability s, else to one of the latest
 * users (a chain grows deeper) with probability t, else to any earlier user (it branches); some reply to another earlier
 * user as well. Only s depends on the class: its logit is normal, of one width and with two means, the higher one where a
 * few users answer all questions.
 */
import type { Random } from "../../base/random.js";
import { EdgeList } from "../../graph/generators/edges.js";
import { logitNormal, logUniform, type Recipe } from "./recipe.js";

const HUB_LOGIT = [-1.25, 0.95];
const HUB_DEVIATION = 0.65;
const LATEST = 4;

export const threads: Recipe = {
  note: "Synthetic threads: question-and-answer threads (a few hubs with many leaves) against discussions (deep and branching); sizes are alike and the classes overlap.",
  classNames: ["discussion", "question"],
  graphs: 400,
  draw(c: number, random: Random): EdgeList {
    const n = logUniform(random, 20, 150);
    const hubs = 1 + random.integer(5);
    const toHub = logitNormal(random, HUB_LOGIT[c], HUB_DEVIATION);
    const toLatest = logitNormal(random, 0, 0.7);
    const again = 0.02 + 0.18 * random.uniform();
    const edges = new EdgeList(n);
    for (let v = 1; v < n; v++) {
      let first = random.integer(v);
      if (v < hubs || random.uniform() < toHub) first = random.integer(Math.min(v, hubs));
      else if (random.uniform() < toLatest) first = v - 1 - random.integer(Math.min(v, LATEST));
      edges.push(v, first);
      if (v > 1 && random.uniform() < again) edges.push(v, (first + 1 + random.integer(v - 1)) % v);
    }
    return edges;
  },
};
