/**
 * Nested cross-validation of the SVM against scikit-learn (peer.py svm, two processes), on two cores each: the same Gram, folds, grid and
 * tolerance, so both accuracies must agree. The DOS Grams of REDDIT-BINARY and IMDB-MULTI, 10 outer folds, 10 inner folds each,
 * C = 1e-3..1e3 by decade, refit with the best C.      npx tsx bench/svm.ts
 *
 * The clock runs from the loaded Gram to the accuracy on either side: starting workers is part of it, reading the file is not.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runModule, timeShell, verdict } from "./measure.js";

const dist = new URL("../dist/", import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), "graphdos-svm-"));
const file = (name: string) => join(folder, name);

/** scikit-learn's folds as peer.py makes them, inner ones in indices of the whole Gram. */
const FOLDS = `
import sys, json, numpy as np
from sklearn.model_selection import StratifiedKFold
y = np.load(sys.argv[1]); out = []
for fold, (train, test) in enumerate(StratifiedKFold(10, shuffle=True, random_state=0).split(y, y)):
    inner = [{"train": train[a].tolist(), "test": train[b].tolist()}
             for a, b in StratifiedKFold(10, shuffle=True, random_state=fold + 1).split(train, y[train])]
    out.append({"train": train.tolist(), "test": test.tolist(), "inner": inner})
json.dump(out, open(sys.argv[2], "w"))`;

/** One thread: the outer folds w, w + 2, ... of the splits. */
const WORKER = `
const { workerData, parentPort } = require("node:worker_threads");
(async () => {
  const { loadKernels } = await import("${dist}compute/wasm.js");
  const { svcPath, trainSvc, predictSvc, checkGram } = await import("${dist}learn/svc.js");
  const { SvmWorkspace } = await import("${dist}learn/workspace.js");
  const { gram, labels, splits, worker, workers } = workerData;
  const n = labels.length;
  const Cs = [1e-3, 1e-2, 1e-1, 1, 10, 100, 1000];
  const workspace = new SvmWorkspace(await loadKernels());
  const right = (model, rows) => predictSvc(model, gram, n, rows).classes.reduce((sum, c, t) => sum + (c === labels[rows[t]] ? 1 : 0), 0) / rows.length;
  if (worker === 0) checkGram(gram, n);
  const scores = [];
  for (let fold = worker; fold < splits.length; fold += workers) {
    const { train, test, inner } = splits[fold];
    workspace.loadGram(gram, n, train, labels);
    const means = new Float64Array(Cs.length);
    for (const split of inner)
      svcPath(gram, n, split.train, labels, Cs, { check: false, workspace }).forEach((model, c) => { means[c] += right(model, split.test) / inner.length; });
    const best = means.reduce((k, value, c) => (value > means[k] + 1e-12 ? c : k), 0);
    scores.push(right(trainSvc(gram, n, train, labels, Cs[best], { check: false, workspace }), test));
  }
  parentPort.postMessage(scores);
})();`;

for (const [name, bar] of [
  ["REDDIT-BINARY", 5],
  ["IMDB-MULTI", 5],
] as const) {
  const data = `../shared/datasets/${name}.zip`;
  if (!existsSync(data)) {
    console.log(`${name}: skipped, ../shared is missing`);
    continue;
  }
  timeShell(
    `node dist/cli/main.js -q gram ${data} --kernel dos -o ${file("gram.npy")} --labels ${file("labels.npy")}`,
  );
  let theirs: { seconds: number; accuracy: number };
  try {
    timeShell(`/usr/bin/python3 -c '${FOLDS}' ${file("labels.npy")} ${file("folds.json")}`);
    theirs = JSON.parse(
      timeShell(
        `OPENBLAS_NUM_THREADS=1 ../shared/peers/peer.py svm ${file("gram.npy")} ${file("labels.npy")} 10`,
      ).stdout,
    );
  } catch (failure) {
    console.log(
      `${name}: the peer does not run here (python3-sklearn): ${(failure as Error).message.slice(0, 200)}`,
    );
    continue;
  }
  const { result } = runModule<{ seconds: number; accuracy: number }>(`
    const { readFileSync } = await import("node:fs");
    const { Worker } = await import("node:worker_threads");
    const { readNpy } = await import("${dist}index.js");
    const shared = (from, Kind) => { const to = new Kind(new SharedArrayBuffer(from.length * Kind.BYTES_PER_ELEMENT)); to.set(from); return to; };
    const gram = shared(readNpy(readFileSync(${JSON.stringify(file("gram.npy"))})).data, Float64Array);
    const raw = Array.from(readNpy(readFileSync(${JSON.stringify(file("labels.npy"))})).data, Number);
    const names = [...new Set(raw)].sort((a, b) => a - b);
    const labels = shared(raw.map((label) => names.indexOf(label)), Int32Array);
    const splits = JSON.parse(readFileSync(${JSON.stringify(file("folds.json"))}, "utf8"));
    const start = performance.now();
    const parts = await Promise.all([0, 1].map((worker) => new Promise((resolve, reject) => {
      const thread = new Worker(${JSON.stringify(WORKER)}, { eval: true, execArgv: [], workerData: { gram, labels, splits, worker, workers: 2 } });
      thread.on("message", resolve);
      thread.on("error", reject);
    })));
    const scores = parts.flat();
    return { seconds: (performance.now() - start) / 1000, accuracy: scores.reduce((sum, x) => sum + x, 0) / scores.length };`);
  console.log(
    `${name}: ours ${result.seconds.toFixed(2)} s, scikit-learn ${theirs.seconds.toFixed(2)} s; accuracy ${result.accuracy.toFixed(4)} and ${theirs.accuracy.toFixed(4)}`,
  );
  verdict(`${name}: scikit-learn / ours`, theirs.seconds / result.seconds, bar, "at least");
}
rmSync(folder, { recursive: true, force: true });
