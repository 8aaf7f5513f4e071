/** What a worker keeps of the data that it fetched, with many units at once and room for few. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Fetched } from "../../src/node/cluster/fetched.js";

const LENGTH = 4;
const bytesOf = (name: string) => new Uint8Array(LENGTH).fill(name.charCodeAt(0));
const listed = (names: readonly string[]) => names.map((name) => [name, LENGTH] as const);

describe("fetched data", () => {
  it("reaches every unit that lists it, in whatever order it comes and however little is kept", async () => {
    const plan = fc.record({
      units: fc.array(fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 4 }), { maxLength: 12 }),
      room: fc.integer({ min: 0, max: 3 * LENGTH }),
      // several pieces may come in one turn of the event loop
      steps: fc.infiniteStream(fc.integer({ min: 0, max: 5 })),
      shared: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ units, room, steps, shared }) => {
        const fetched = new Fetched(room, async (name) => {
          for (let left = steps.next().value as number; left > 0; left--) await Promise.resolve();
          return bytesOf(name);
        });
        const found = units.map(async (names) => {
          const find = await fetched.gather(listed(names));
          return names.map((name) => Array.from(new Uint8Array(find(name, shared))));
        });
        expect(await Promise.all(found)).toEqual(
          units.map((names) => names.map((name) => Array.from(bytesOf(name)))),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("that could not be fetched is fetched again by the next unit, and does not harm the others", async () => {
    let missing = true;
    const fetched = new Fetched(LENGTH, async (name) => (name === "a" && missing ? null : bytesOf(name)));
    const both = await Promise.allSettled([
      fetched.gather(listed(["a"])),
      fetched.gather(listed(["a", "b"])),
    ]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await expect(fetched.gather(listed(["a"]))).rejects.toThrow("data of a unit is missing or damaged");
    const other = await fetched.gather(listed(["b"]));
    expect(new Uint8Array(other("b", false))).toEqual(bytesOf("b"));
    missing = false;
    const find = await fetched.gather(listed(["a"]));
    expect(new Uint8Array(find("a", false))).toEqual(bytesOf("a"));
    expect(() => find("b", false)).toThrow("a unit refers to data that it does not list");
  });

  it("is fetched once while there is room, and lies on one shared memory", async () => {
    const asked: string[] = [];
    const fetched = new Fetched(2 * LENGTH, async (name) => {
      asked.push(name);
      return bytesOf(name);
    });
    const finders = await Promise.all([1, 2, 3].map(() => fetched.gather(listed(["a", "b"]))));
    expect(asked).toEqual(["a", "b"]);
    expect(new Set(finders.map((find) => find("a", true))).size).toBe(1);
    // "b" was used last: a third piece takes the place of "a"
    await fetched.gather(listed(["b"]));
    await fetched.gather(listed(["c"]));
    await fetched.gather(listed(["b", "a"]));
    expect(asked).toEqual(["a", "b", "c", "a"]);
  });
});
