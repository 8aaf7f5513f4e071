/** A cache entry with one flipped bit, of every kind that there is: it is noticed, made anew and written again. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.js";
import { longReproduction, Workshop } from "./workshop.js";

const KINDS = ["profiles", "signatures", "distances", "fold", "step"] as const;
type Kind = (typeof KINDS)[number];
const HEADER_BYTES = 56;

const workshop = new Workshop();
afterAll(() => workshop.remove());
const bytesOf = (path: string) => readFileSync(join(workshop.folder, path));

/** What an entry holds, by its content alone. */
function kindOf(entry: Buffer): Kind {
  const payload = entry.subarray(HEADER_BYTES);
  const json = (text: Buffer) => {
    try {
      return JSON.parse(text.toString("utf8"));
    } catch {
      return null;
    }
  };
  const whole = json(payload);
  if (whole !== null) return "predicted" in whole ? "fold" : "step";
  const about = json(payload.subarray(4, 4 + payload.readUInt32LE(0)));
  if (about === null) return "profiles";
  return "rows" in about ? "distances" : "signatures";
}

const withoutSeconds = (entry: Buffer) => ({
  ...JSON.parse(entry.subarray(HEADER_BYTES).toString("utf8")),
  seconds: null,
});

describe("a flipped bit in the cache", () => {
  let whole: Record<string, string>;
  let entries: Map<string, { kind: Kind; bytes: Buffer }>;
  beforeAll(async () => {
    whole = await workshop.whole(longReproduction);
    entries = new Map(
      workshop.files("cache/results").map((path) => {
        const bytes = bytesOf(path);
        return [path, { kind: kindOf(bytes), bytes }];
      }),
    );
  }, 600_000);

  it("can happen in every kind of entry", () => {
    expect(new Set([...entries.values()].map(({ kind }) => kind))).toEqual(new Set(KINDS));
  });

  it.each(KINDS)(
    "of the kind %s costs a recomputation and no number",
    async (kind) => {
      const random = new Random(3, KINDS.indexOf(kind));
      for (const [path, { kind: own, bytes }] of entries) {
        const damaged = Buffer.from(bytes);
        if (own === kind) damaged[random.integer(bytes.length)] ^= 1 << random.integer(8);
        writeFileSync(join(workshop.folder, path), damaged);
        // what is made from this kind would hide that it is damaged
        const later = kind !== "step" && own !== "step" && KINDS.indexOf(own) > KINDS.indexOf(kind);
        if (later) rmSync(join(workshop.folder, path));
      }
      expect(await workshop.whole(longReproduction)).toEqual(whole);
      expect(workshop.files("cache/results")).toEqual([...entries.keys()]);
      for (const [path, { kind: own, bytes }] of entries) {
        if (own !== kind) continue;
        // folds keep their seconds, which are others now
        if (kind === "fold") expect(withoutSeconds(bytesOf(path))).toEqual(withoutSeconds(bytes));
        else expect(bytesOf(path).equals(bytes)).toBe(true);
      }
    },
    600_000,
  );
});
