/** The command as called from a shell, on a copy of the built program whose page is a stand-in, so that no build of the page is needed. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "graphdos-serve-"));
cpSync("dist", join(folder, "dist"), { recursive: true, filter: (path) => !path.startsWith("dist/web") });
writeFileSync(join(folder, "package.json"), '{"type":"module"}');
symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
const page = join(folder, "dist", "web");
const programs = join(folder, "bin");
mkdirSync(programs);
const opened = join(folder, "opened.txt");
writeFileSync(join(programs, "xdg-open"), `#!/bin/sh\nprintf %s "$1" > ${opened}\n`);
chmodSync(join(programs, "xdg-open"), 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
  rmSync(opened, { force: true });
});

function start(args: string[], environment: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [join(folder, "dist/cli/main.js"), "serve", ...args], {
    env: { PATH: process.env.PATH, NO_COLOR: "1", ...environment },
  });
  running.push(child);
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    said.stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    said.stderr += chunk;
  });
  const ended = new Promise<number | string | null>((done) =>
    child.on("exit", (code, signal) => done(code ?? signal)),
  );
  return { child, said, ended };
}

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((again) => setTimeout(again, 25));
};

function withPage() {
  mkdirSync(page, { recursive: true });
  writeFileSync(join(page, "index.html"), "<!doctype html><title>explorer</title>");
}

describe("graphdos serve", () => {
  it("says how to build the page where it is missing", async () => {
    rmSync(page, { recursive: true, force: true });
    const { said, ended } = start(["--port", "0"]);
    expect(await ended).toBe(1);
    expect(said.stderr).toMatch(/^graphdos: the explorer is not built: .*build it with npm run build:web\n$/);
    expect(said.stdout).toBe("");
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "prints its address, serves, and ends with 0 at %s",
    async (signal) => {
      withPage();
      const { child, said, ended } = start(["--port", "0"]);
      await until(() => said.stderr.includes("Ctrl-C ends it"));
      expect(said.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\n$/);
      const answer = await fetch(said.stdout.trim());
      expect(await answer.text()).toContain("<title>explorer</title>");
      child.kill(signal);
      expect(await ended).toBe(0);
      expect(said.stderr).toBe("Ctrl-C ends it\n");
    },
  );

  it("says that a port is taken, in one sentence", async () => {
    withPage();
    const first = start(["--port", "0", "--quiet"]);
    await until(() => first.said.stdout !== "");
    const { port } = new URL(first.said.stdout.trim());
    const second = start(["--port", port]);
    expect(await second.ended).toBe(1);
    expect(second.said.stderr).toBe(
      `graphdos: port ${port} is taken by another program; give another one with --port, or --port 0 for any that is free\n`,
    );
    expect(first.said.stderr).toBe("");
  });

  it("opens the browser where there is a screen", async () => {
    withPage();
    const { said } = start(["--port", "0", "--open"], {
      DISPLAY: ":7",
      PATH: `${programs}:${process.env.PATH}`,
    });
    await until(() => existsSync(opened) && readFileSync(opened, "utf8") !== "");
    expect(readFileSync(opened, "utf8")).toBe(said.stdout.trim());
    await until(() => said.stderr.includes("Ctrl-C"));
    expect(said.stderr).not.toContain("no browser");
  });

  it.each([
    ["without a screen", { PATH: `${programs}:${process.env.PATH}` }],
    ["without a program that opens addresses", { DISPLAY: ":7", PATH: "/nonexistent" }],
  ])("says the address %s", async (_, environment) => {
    withPage();
    const { said } = start(["--port", "0", "--open"], environment);
    await until(() => said.stderr.includes("Ctrl-C"));
    expect(said.stderr).toContain(`no browser was found here: open ${said.stdout.trim()} in one`);
    expect(existsSync(opened)).toBe(false);
  });

  it("says who else can reach it when it listens on all addresses", async () => {
    withPage();
    const { said } = start(["--port", "0", "--host", "0.0.0.0"]);
    await until(() => said.stderr.includes("Ctrl-C"));
    expect(said.stderr).toContain("everyone who reaches this machine can open the page");
  });

  it.each([
    [["--port", "70000"], "expected a whole number from 0 to 65535, got 70000"],
    [["--port", "http"], "expected a whole number from 0 to 65535, got http"],
    [["--host", "a b"], "expected an address or a name of this machine, got a b"],
    [["--prot", "1"], "unknown option '--prot'"],
  ])("refuses %j", async (args, sentence) => {
    const { said, ended } = start(args);
    expect(await ended).toBe(2);
    expect(said.stderr).toContain(sentence);
  });
});
