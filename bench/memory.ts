/**
 * Peak memory of whole commands, and what they say of it before they start: `features` of REDDIT-MULTI-5K below 1.5 GiB, and every
 * estimate, for every registered kernel, at least the peak and at most twice as much.      npm run bench -- memory [--only ENZYMES]
 *
 * The estimate is taken from the sentence with which the command refuses to start at `--memory-limit 1MiB`; the peak is that of the resident
 * set of the process, threads included, as the system counts it.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { KERNELS } from "../src/kernel/registry.js";
import { verdict } from "./measure.js";

const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
const DATA = resolve("../shared/datasets");
const folder = mkdtempSync(join(tmpdir(), "graphdos-memory-"));
const MIB = 2 ** 20;

interface Case {
  words: string[];
  /** The most that it may take, in GiB. */
  most?: number;
}

const out = (name: string) => ["-o", join(folder, name)];
const CASES: readonly Case[] = [
  ...KERNELS.map(({ name }) => ({ words: ["gram", "ENZYMES", "--kernel", name, ...out("g.npy")] })),
  {
    words: [
      ...[
        "gram",
        "ENZYMES",
        "--kernel",
        "fgsd",
        "--option",
        "distance=biharmonic",
        "--option",
        "method=exact",
      ],
      ...out("g.npy"),
    ],
  },
  { words: ["gram", "DD", "--kernel", "sage", ...out("g.npy")] },
  { words: ["evaluate", "ENZYMES", "--kernel", "dos", "--protocol", "quick", "--no-store"] },
  { words: ["features", "REDDIT-MULTI-5K", ...out("f.npz")], most: 1.5 },
  { words: ["features", "REDDIT-MULTI-5K", "--kernel", "dos+ldos", ...out("f.npz")], most: 1.5 },
  { words: ["features", "REDDIT-BINARY", "--kernel", "dos", "--nodes", ...out("f.npz")] },
  { words: ["gram", "COLLAB", "--kernel", "dos", ...out("g.npy")] },
  { words: ["gram", "COLLAB", "--kernel", "wl", ...out("g.npy")] },
  { words: ["gram", "REDDIT-MULTI-5K", "--kernel", "wl", ...out("g.npy")] },
  { words: ["gram", "IMDB-BINARY", "--kernel", "retgk1", ...out("g.npy")] },
  { words: ["gram", "AIDS", "--kernel", "sage", ...out("g.npy")] },
  { words: ["train", "REDDIT-BINARY", "--kernel", "dos", ...out("m.model")] },
  { words: ["evaluate", "COLLAB", "--kernel", "dos", "--protocol", "quick", "--no-store"] },
  { words: ["similar", "REDDIT-BINARY", "--graph", "0"] },
];

const env = { ...process.env, NO_COLOR: "1", GRAPHDOS_DATA: DATA, GRAPHDOS_CACHE: join(folder, "cache") };
const hook = "process.on('exit', () => process.stderr.write('\\npeak ' + process.resourceUsage().maxRSS))";

function run(words: readonly string[]): { status: number | null; stderr: string; peak: number } {
  const options = ["--import", `data:text/javascript,${encodeURIComponent(hook)}`, "dist/cli/main.js"];
  const { status, stderr } = spawnSync(process.execPath, [...options, ...words], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env,
  });
  return { status, stderr, peak: 1024 * Number(/\npeak (\d+)$/.exec(stderr)?.[1]) };
}

/** Two workers wherever it runs. */
const WORKERS = ["--workers", "2"];

/** In bytes, from the sentence of the refusal. */
function estimated(words: readonly string[]): number {
  const { stderr } = run([...words, ...WORKERS, "--memory-limit", "1MiB"]);
  const [, number, unit] = /needs about ([\d.]+) (MiB|GiB) of memory/.exec(stderr) ?? [];
  if (number === undefined) throw new Error(`${words.join(" ")} did not refuse: ${stderr}`);
  return Number(number) * (unit === "GiB" ? 1024 : 1) * MIB;
}

try {
  for (const { words, most } of CASES.filter((each) => each.words.join(" ").includes(values.only))) {
    const [command, set, ...rest] = words;
    const name = [command, set, ...rest.filter((word) => !word.startsWith(folder) && word !== "-o")].join(
      " ",
    );
    if (!existsSync(join(DATA, `${set}.zip`))) {
      console.log(`${name}: skipped, there is no ${join(DATA, `${set}.zip`)}`);
      continue;
    }
    const estimate = estimated(words);
    const start = performance.now();
    const { status, stderr, peak } = run([...words, ...WORKERS, "--quiet"]);
    if (status !== 0) throw new Error(`${name}: ${stderr}`);
    const seconds = (performance.now() - start) / 1000;
    console.log(
      `${name}: peak ${(peak / MIB).toFixed(0)} MiB, estimate ${(estimate / MIB).toFixed(0)} MiB, ${seconds.toFixed(0)} s`,
    );
    const passed = [
      verdict(`${name}: peak over estimate`, peak / estimate, 1, "at most"),
      verdict(`${name}: estimate over peak`, estimate / peak, 2, "at most"),
    ];
    if (most !== undefined) passed.push(verdict(`${name}: peak in GiB`, peak / 2 ** 30, most, "at most"));
    if (passed.includes(false)) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
