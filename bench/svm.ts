/**
 * Nested cross-validation of the SVM against scikit-learn, on the same Gram, folds, grid and tolerance.
 *
 *   npx tsx bench/svm.ts [points = 1000] [outer folds = 2] [repeats = 3]
 *
 * 10 outer folds (of which `outer folds` are run), 10 inner folds each, C = 1e-3..1e3 by decade, refit with the best C, on
 * the median-width Gaussian and Laplacian kernels of two overlapping blobs. The folds are scikit-learn's own, so both
 * accuracies must agree. The peer (peer.py svm) uses two processes, ours one thread. The ratio per core is one of CPU times,
 * the least of the repeats on either side, which take turns: the peer's, less what it needs for the same job on 40 points
 * (Python's imports and the start of its workers), over ours. Our first run, before V8 has compiled the loops, is printed
 * too. CPU times still rise by half and more when others fill the caches; wall times mean nothing then and are not printed.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Random } from "../src/base/random.js";
import { loadKernels } from "../src/compute/wasm.js";
import { accuracy } from "../src/learn/metrics.js";
import { checkGram, predictSvc, type SvcModel, svcPath, trainSvc } from "../src/learn/svc.js";
import { SvmWorkspace } from "../src/learn/workspace.js";

const PYTHON = "/usr/bin/python3";
const peer = fileURLToPath(new URL("../../shared/peers/peer.py", import.meta.url));
const Cs = [1e-3, 1e-2, 1e-1, 1, 10, 100, 1000];

interface Split {
  train: number[];
  test: number[];
  inner: { train: number[]; test: number[] }[];
}

/** scikit-learn's folds as peer.py makes them, inner ones in indices of the whole Gram. */
const FOLDS = `
import sys, json, numpy as np
from sklearn.model_selection import StratifiedKFold
y = np.load(sys.argv[1]); out = []
for fold, (train, test) in enumerate(StratifiedKFold(10, shuffle=True, random_state=0).split(y, y)):
    if fold == int(sys.argv[2]): break
    inner = [{"train": train[a].tolist(), "test": train[b].tolist()}
             for a, b in StratifiedKFold(10, shuffle=True, random_state=fold + 1).split(train, y[train])]
    out.append({"train": train.tolist(), "test": test.tolist(), "inner": inner})
json.dump(out, open(sys.argv[3], "w"))`;

/** peer.py in a child of its own, with the CPU time of it and its workers. */
const TIMED = `
import os, resource, subprocess, sys
out = subprocess.run(sys.argv[1:], check=True, capture_output=True, text=True).stdout.strip()
r = resource.getrusage(resource.RUSAGE_CHILDREN)
print(out); print(r.ru_utime + r.ru_stime)`;

function writeNpy(path: string, data: Float64Array | Int32Array, shape: number[]): void {
  const type = data instanceof Float64Array ? "<f8" : "<i4";
  const comma = shape.length === 1 ? "," : "";
  const header = `{'descr': '${type}', 'fortran_order': False, 'shape': (${shape.join(", ")}${comma}), }`;
  const padded = header.padEnd(Math.ceil((header.length + 11) / 64) * 64 - 11) + "\n";
  const start = Buffer.from([
    0x93,
    0x4e,
    0x55,
    0x4d,
    0x50,
    0x59,
    1,
    0,
    padded.length & 255,
    padded.length >> 8,
  ]);
  const body = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  writeFileSync(path, Buffer.concat([start, Buffer.from(padded, "latin1"), body]));
}

function blobs(points: number, dims: number, power: 1 | 2) {
  const random = new Random(1, power);
  const labels = random.shuffle(Int32Array.from({ length: points }, (_, i) => i % 2));
  const x = Float64Array.from({ length: points * dims }, (_, i) => {
    const side = labels[Math.floor(i / dims)] === 0 ? 1 : -1;
    return random.normal() + (side * 1.1) / Math.sqrt(dims);
  });
  const gram = new Float64Array(points * points);
  for (let i = 0; i < points; i++)
    for (let j = 0; j < points; j++) {
      let sum = 0;
      for (let d = 0; d < dims; d++) sum += (x[i * dims + d] - x[j * dims + d]) ** 2;
      gram[i * points + j] = Math.sqrt(sum) ** power;
    }
  const median = gram.slice().sort()[gram.length >> 1];
  return { gram: gram.map((value) => Math.exp(-value / median)), labels };
}

function nested(gram: Float64Array, stride: number, labels: Int32Array, splits: Split[]) {
  const options = { tolerance: 1e-3, check: false, workspace };
  const right = (model: SvcModel, rows: number[]) =>
    accuracy(
      rows.map((i) => labels[i]),
      predictSvc(model, gram, stride, rows).classes,
    );
  checkGram(gram, stride);
  let mean = 0;
  for (const { train, test, inner } of splits) {
    workspace.loadGram(gram, stride, train, labels);
    const scores = Cs.map(() => 0);
    for (const fold of inner)
      svcPath(gram, stride, fold.train, labels, Cs, options).forEach((model, i) => {
        scores[i] += right(model, fold.test) / inner.length;
      });
    const best = Cs[scores.indexOf(Math.max(...scores))];
    mean += right(trainSvc(gram, stride, train, labels, best, options), test) / splits.length;
  }
  return mean;
}

const workspace = new SvmWorkspace(await loadKernels());
const points = Number(process.argv[2] ?? 1000);
const outer = Number(process.argv[3] ?? 2);
const repeats = Number(process.argv[4] ?? 3);
if (!existsSync(peer)) throw new Error(`bench/svm: the peer is not there: ${peer}`);
const folder = mkdtempSync(join(tmpdir(), "graphdos-svm-"));
const file = (name: string) => join(folder, name);
const print = (line: string) => process.stdout.write(`${line}\n`);

function runPeer(gram: Float64Array, labels: Int32Array): { seconds: number; accuracy: number; cpu: number } {
  writeNpy(file("gram.npy"), gram, [labels.length, labels.length]);
  writeNpy(file("labels.npy"), labels, [labels.length]);
  const call = [PYTHON, peer, "svm", file("gram.npy"), file("labels.npy"), String(outer)];
  const [line, cpu] = execFileSync(PYTHON, ["-c", TIMED, ...call], { encoding: "utf8" })
    .trim()
    .split("\n");
  return { ...JSON.parse(line), cpu: Number(cpu) };
}

function runOurs(gram: Float64Array, labels: Int32Array, splits: Split[]): { accuracy: number; cpu: number } {
  const start = process.cpuUsage();
  const mean = nested(gram, points, labels, splits);
  const { user, system } = process.cpuUsage(start);
  return { accuracy: mean, cpu: (user + system) / 1e6 };
}

const least = (runs: { cpu: number }[]) => Math.min(...runs.map((run) => run.cpu));

try {
  const tiny = blobs(40, 2, 2);
  const startUp = least(Array.from({ length: repeats }, () => runPeer(tiny.gram, tiny.labels)));
  print(`start-up of the peer: ${startUp.toFixed(2)} s CPU`);
  for (const [name, dims, power] of [
    ["gaussian", 8, 2],
    ["laplacian", 10, 1],
  ] as const) {
    const { gram, labels } = blobs(points, dims, power);
    writeNpy(file("labels.npy"), labels, [points]);
    execFileSync(PYTHON, ["-c", FOLDS, file("labels.npy"), String(outer), file("folds.json")]);
    const splits: Split[] = JSON.parse(readFileSync(file("folds.json"), "utf8"));
    const theirs: ReturnType<typeof runPeer>[] = [];
    const ours: ReturnType<typeof runOurs>[] = [];
    for (let i = 0; i < repeats; i++) {
      theirs.push(runPeer(gram, labels));
      ours.push(runOurs(gram, labels, splits));
    }
    const work = least(theirs) - startUp;
    const spread = (runs: { cpu: number }[], less: number) =>
      runs.map((run) => (run.cpu - less).toFixed(2)).join(", ");
    print(`${name}, ${points} points, ${outer} outer folds × (7 C × 10) + refit; s CPU`);
    print(`  scikit-learn  ${work.toFixed(2)} (${spread(theirs, startUp)})`);
    print(`  graphdos      ${least(ours).toFixed(2)} (${spread(ours, 0)})`);
    print(
      `  per core      ${(work / least(ours)).toFixed(2)} times faster, ${(work / ours[0].cpu).toFixed(2)} the first time`,
    );
    print(
      `  accuracy      ${theirs[0].accuracy.toFixed(4)} scikit-learn, ${ours[0].accuracy.toFixed(4)} graphdos`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
