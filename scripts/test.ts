/**
 * `npm test`: installs what the tests need where that is possible (Debian, root), runs them, and says what was skipped and why.
 * With ../shared beside the project and CI set, a skipped test is a failure.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";

/** What some tests use as a real client, and the Debian package that has it. */
const programs = [
  {
    probe: ["/usr/bin/python3", "-c", "import numpy, scipy, sklearn"],
    packages: ["python3-numpy", "python3-scipy", "python3-sklearn"],
  },
  {
    probe: ["/usr/bin/python3", "-c", "import networkx, igraph, pydot, lxml"],
    packages: ["python3-networkx", "python3-igraph", "python3-pydot", "python3-lxml"],
  },
  { probe: ["svm-train"], packages: ["libsvm-tools"] },
  { probe: ["chromium", "--version"], packages: ["chromium"] },
  { probe: ["redis-server", "--version"], packages: ["redis-server"] },
  { probe: ["faketime", "--version"], packages: ["faketime"] },
  { probe: ["ip", "-V"], packages: ["iproute2"] },
  { probe: ["openssl", "version"], packages: ["openssl"] },
];

const works = (probe: string[]) => {
  const { error, status } = spawnSync(probe[0], probe.slice(1), { stdio: "ignore" });
  return (
    error === undefined &&
    status !== null &&
    status !== 127 &&
    (probe[0] !== "/usr/bin/python3" || status === 0)
  );
};

function installMissing(): void {
  const missing = programs.filter(({ probe }) => !works(probe)).flatMap(({ packages }) => packages);
  if (missing.length === 0) return;
  const canInstall = process.getuid?.() === 0 && spawnSync("apt-get", ["--version"]).error === undefined;
  if (!canInstall) {
    console.log(
      `Not installed, so some tests are skipped: ${missing.join(", ")} (no root or no apt-get here).`,
    );
    return;
  }
  console.log(`Installing for the tests: ${missing.join(", ")}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  spawnSync("apt-get", ["update", "-qq"], { stdio: "ignore", env });
  // another program may be installing something
  const words = ["-y", "-qq", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=600"];
  const { status } = spawnSync("apt-get", ["install", ...words, ...missing], { stdio: "ignore", env });
  if (status !== 0) console.log(`Could not install them; the tests that need them are skipped.`);
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { assertionResults: { status: string; fullName: string }[] }[];
}

installMissing();
mkdirSync("build", { recursive: true });
const output = "build/test-report.json";
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${output}`];
const { status } = spawnSync("npx", ["vitest", "run", ...reporters, ...process.argv.slice(2)], {
  stdio: "inherit",
});

const report: VitestReport | null = existsSync(output) ? JSON.parse(readFileSync(output, "utf8")) : null;
const skipped = (report?.testResults ?? [])
  .flatMap((file) => file.assertionResults)
  .filter((test) => test.status === "skipped" || test.status === "pending");
if (skipped.length > 0) {
  console.log("\nSkipped:");
  for (const test of skipped) console.log(`  ${test.fullName}`);
}
const mustRunAll = process.env.CI !== undefined && existsSync("../shared/datasets");
const fail = mustRunAll && skipped.length > 0;
if (fail) console.log("\nTests were skipped although ../shared is there: that is a failure in CI.");
if (report)
  console.log(`${report.numPassedTests} passed, ${report.numFailedTests} failed, ${skipped.length} skipped`);
process.exitCode = status !== 0 || report === null || fail ? 1 : 0;
