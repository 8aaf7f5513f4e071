/** What killed processes leave half-written, and who may remove it when. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeFileAtomically } from "../../src/node/atomic-file.js";
import { partialName, sweepPartialFiles } from "../../src/node/partial-files.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "graphdos-partial-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const deadPid = spawnSync(process.execPath, ["-e", ""]).pid;
const ofDead = (name: string) => partialName(name).replace(`.${process.pid}.`, `.${deadPid}.`);
/** As a process of another machine, whose number is also one of ours, names it. */
const ofElsewhere = (name: string, pid: number) =>
  partialName(name).replace(/\.\d+\.[0-9a-f]{8}\./, `.${pid}.00000000.`);
const leave = (name: string, hoursAgo = 0) => {
  writeFileSync(join(folder, name), "half");
  const when = new Date(Date.now() - hoursAgo * 3_600_000);
  utimesSync(join(folder, name), when, when);
  return name;
};

describe("half-written files", () => {
  it("of a dead process go when the same file is written again, whatever the clock says of their age", async () => {
    leave(ofDead("x"));
    leave(ofDead("x"), 5);
    leave(ofDead("x"), -1000);
    const other = leave(ofDead("y"));
    await writeFileAtomically(join(folder, "x"), "whole");
    expect(readdirSync(folder).sort()).toEqual([other, "x"].sort());
  });

  it("of a living process stay, however old", async () => {
    const living = leave(partialName("x"), 1000);
    await writeFileAtomically(join(folder, "x"), "whole");
    expect(readdirSync(folder).sort()).toEqual([living, "x"].sort());
  });

  it("of another machine stay for an hour, though no process of that number is alive here", async () => {
    const young = leave(ofElsewhere("x", deadPid), 0.9);
    const ahead = leave(ofElsewhere("x", deadPid), -3);
    leave(ofElsewhere("x", process.pid), 1.1);
    await sweepPartialFiles(folder);
    expect(readdirSync(folder).sort()).toEqual([young, ahead].sort());
  });

  it("are not mistaken: files and folders of other names stay", async () => {
    const kept = [".x.partial", "x.1.partial", `.x.${deadPid}.partial`, ".partial", ofDead("x").slice(1)];
    for (const name of kept) leave(name, 100);
    const work = ofDead("z.zip");
    mkdirSync(join(folder, work));
    await sweepPartialFiles(folder);
    await sweepPartialFiles(join(folder, "none"));
    expect(readdirSync(folder).sort()).toEqual([...kept, work].sort());
  });
});
