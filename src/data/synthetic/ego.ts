/**
 * Ego networks of people who work together, as in the COLLAB and IMDB sets: the ego is joined to everyone, and each piece of
 * work joins all of its team.
 *
 * Teams are drawn until n people are in. Of the places of a team, a share goes to people who are already in: who they are is
 * the class. "ensemble": any, so that teams mix; "laboratory": a small core that is in nearly every team; "touring": the
 * team before, so that teams form a chain. A team follows another class's custom with a probability drawn for each graph.
 */
import type { Random } from "../../base/random.js";
import { EdgeList } from "../../graph/generators/edges.js";
import { logitNormal, logUniform, type Recipe } from "./recipe.js";

const CLASSES = 3;

export const ego: Recipe = {
  note: "Synthetic ego networks of collaborations: cliques around an ego, in three classes that differ in how the cliques overlap (at random, in a core, in a chain).",
  classNames: ["ensemble", "laboratory", "touring"],
  graphs: 360,
  draw(c: number, random: Random): EdgeList {
    const n = logUniform(random, 20, 150);
    const teamSize = 4 + 5 * random.uniform();
    const known = logitNormal(random, -0.3, 0.4);
    const stray = logitNormal(random, -1.6, 0.8);
    const core = 2 + random.integer(4);
    const edges = new EdgeList(n);
    for (let v = 1; v < n; v++) edges.push(0, v);

    let present = 1;
    let before: number[] = [];
    while (present < n) {
      const custom = random.uniform() < stray ? random.integer(CLASSES) : c;
      const size = Math.max(2, Math.round(teamSize * (0.6 + 0.8 * random.uniform())));
      const team: number[] = [];
      for (let place = 0; place < size; place++) {
        const old = present > 1 && random.uniform() < known;
        let member = present;
        if (!old && present === n) continue;
        if (!old) present++;
        else if (custom === 0) member = 1 + random.integer(present - 1);
        else if (custom === 1) member = 1 + random.integer(Math.min(core, present - 1));
        else if (before.length > 0) member = before[random.integer(before.length)];
        else continue;
        if (!team.includes(member)) team.push(member);
      }
      for (let x = 0; x < team.length; x++) for (let y = 0; y < x; y++) edges.push(team[x], team[y]);
      before = team;
    }
    return edges;
  },
};
