#!/usr/bin/python3
"""Golden values of the SVM, by LIBSVM itself: writes test/golden/svm/*.json.

    /usr/bin/python3 scripts/golden/svm.py       (Debian: python3-sklearn, libsvm-tools)

Each problem holds its points, not its Gram: K = exp(-gamma * |x - y|^2) (gaussian) or exp(-gamma * |x - y|_1) (laplacian).
For each C, at tolerance 1e-6:
  objectives   of every pair of classes, from scikit-learn's dual coefficients: b'Kb/2 - sum|b|
  printed      the same as `svm-train -t 4` prints it (six decimals)
  predictions  of the test points, and their decisions (test x pairs, LIBSVM's sign: positive means the smaller class)
Training points are sorted by class, so that svm-train numbers the classes as scikit-learn does.
statistics.json: Student's t by scipy, Platt's sigmoid by scikit-learn's calibration, pairwise coupling by a linear solve.
"""
import json, os, re, subprocess, tempfile
import numpy as np
from scipy import stats
from sklearn.calibration import _sigmoid_calibration
from sklearn.svm import SVC

OUT = os.path.join(os.path.dirname(__file__), "..", "..", "test", "golden", "svm")
CS = [10.0 ** e for e in range(-3, 4)]
rng = np.random.default_rng(20)

def blobs(sizes, dims, separation, duplicates=0):
    centres = rng.normal(size=(len(sizes), dims)); centres *= separation / np.linalg.norm(centres, axis=1)[:, None]
    classes = np.repeat(np.arange(len(sizes)), sizes)
    points = np.round(centres[classes] + rng.normal(size=(len(classes), dims)), 3)
    if duplicates:  # copies of points, a third of them with the other label
        source = rng.choice(len(classes), duplicates, replace=False)
        copied = np.where(np.arange(duplicates) % 3 == 0, (classes[source] + 1) % len(sizes), classes[source])
        points, classes = np.vstack([points, points[source]]), np.r_[classes, copied]
    order = np.argsort(classes, kind="stable")
    return points[order], classes[order]

def gram(x, y, kernel, gamma):
    if kernel == "gaussian": return np.exp(-gamma * ((x[:, None] - y[None]) ** 2).sum(2))
    return np.exp(-gamma * np.abs(x[:, None] - y[None]).sum(2))

def printed_objectives(k, classes, c, weights):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "train")
        with open(path, "w") as f:
            for i, row in enumerate(k):
                f.write(f"{classes[i]} 0:{i + 1} " + " ".join(f"{j + 1}:{v:.17g}" for j, v in enumerate(row)) + "\n")
        extra = [a for name, w in weights.items() for a in (f"-w{name}", repr(w))]
        text = subprocess.run(["svm-train", "-t", "4", "-e", "1e-6", "-c", repr(c), *extra, path, path + ".model"],
                              check=True, capture_output=True, text=True).stdout
    return [float(v) for v in re.findall(r"^obj = ([^,]+),", text, re.M)]

def pair_objectives(model, k, count):
    coef = -model.dual_coef_ if count == 2 else model.dual_coef_
    start = np.r_[0, np.cumsum(model.n_support_)]; out = []
    for i in range(count):
        for j in range(i + 1, count):
            a, b = slice(start[i], start[i + 1]), slice(start[j], start[j + 1])
            beta = np.r_[coef[j - 1, a], coef[i, b]]; at = np.r_[model.support_[a], model.support_[b]]
            out.append(float(beta @ k[np.ix_(at, at)] @ beta / 2 - np.abs(beta).sum()))
    return out

def significant(values, digits):
    return [float(f"{v:.{digits}g}") for v in np.asarray(values).ravel()]

def problem(name, sizes, dims, separation, kernel, gamma, duplicates=0, weights=None):
    points, classes = blobs(sizes, dims, separation, duplicates)
    test = np.round(rng.normal(size=(24, dims)) * (1 + separation / 2), 3)
    k, cross = gram(points, points, kernel, gamma), gram(test, points, kernel, gamma)
    weights = weights or {}; runs = []
    for c in CS:
        model = SVC(kernel="precomputed", C=c, tol=1e-6, class_weight=weights or None, decision_function_shape="ovo").fit(k, classes)
        decisions = model.decision_function(cross)
        runs.append({"C": c, "objectives": significant(pair_objectives(model, k, len(sizes)), 12),
                     "printed": printed_objectives(k, classes, c, weights),
                     "predictions": model.predict(cross).tolist(),
                     "decisions": significant(-decisions if len(sizes) == 2 else decisions, 8)})
    with open(os.path.join(OUT, name + ".json"), "w") as f:
        json.dump({"kernel": kernel, "gamma": gamma, "dims": dims, "weights": weights, "points": points.ravel().tolist(),
                   "classes": classes.tolist(), "test": test.ravel().tolist(), "runs": runs}, f, separators=(",", ":"))

def statistics():
    student = [[t, n, float(2 * stats.t.sf(abs(t), n)), float(stats.t.cdf(t, n))]
               for t in (-40.0, -3.0, -1.0, -1e-4, 0.0, 0.3, 1.96, 2.5, 12.0, 300.0) for n in (1, 2, 5, 9, 29, 99, 1000)]
    first, second = np.round(rng.normal(0.80, 0.03, 30), 4), np.round(rng.normal(0.785, 0.03, 30), 4)
    d = first - second; t = d.mean() / np.sqrt((1 / 30 + 1 / 9) * d.var(ddof=1))
    test = {"first": first.tolist(), "second": second.tolist(), "t": float(t), "p": float(2 * stats.t.sf(abs(t), 29))}
    sigmoids = []
    for scale, size in ((1.0, 40), (0.2, 100), (5.0, 60)):
        truth = rng.integers(0, 2, size); decisions = np.round(scale * (2 * truth - 1 + rng.normal(size=size)), 4)
        sigmoids.append({"decisions": decisions.tolist(), "truth": truth.tolist(),
                         "fit": [float(v) for v in _sigmoid_calibration(decisions, truth)]})
    couplings = []
    for k in (2, 3, 5, 8):
        r = np.zeros((k, k)); pairs = []
        for a in range(k):
            for b in range(a + 1, k):
                r[a, b] = np.round(rng.uniform(0.05, 0.95), 4); r[b, a] = 1 - r[a, b]; pairs.append(float(r[a, b]))
        q = -r * r.T; np.fill_diagonal(q, (r ** 2).sum(0) - np.diag(r) ** 2)
        system = np.block([[q, np.ones((k, 1))], [np.ones((1, k)), np.zeros((1, 1))]])
        couplings.append({"pairwise": pairs, "p": np.linalg.solve(system, np.r_[np.zeros(k), 1])[:k].tolist()})
    with open(os.path.join(OUT, "statistics.json"), "w") as f:
        json.dump({"student": student, "test": test, "sigmoids": sigmoids, "couplings": couplings}, f, separators=(",", ":"))

if __name__ == "__main__":
    os.makedirs(OUT, exist_ok=True)
    problem("two-gaussian", [70, 50], 3, 1.2, "gaussian", 0.25)
    problem("two-laplacian", [40, 60], 4, 1.0, "laplacian", 0.15)
    problem("two-duplicates", [45, 45], 2, 1.0, "gaussian", 0.5, duplicates=24)
    problem("two-weighted", [90, 30], 3, 1.0, "gaussian", 0.3, weights={0: 0.5, 1: 3.0})
    problem("two-large", [100, 100], 5, 1.5, "gaussian", 0.1)
    problem("three-gaussian", [40, 35, 25], 3, 1.5, "gaussian", 0.3)
    problem("three-laplacian", [20, 20, 20], 3, 1.5, "laplacian", 0.3, duplicates=6)
    problem("five-gaussian", [40, 40, 40, 40, 40], 4, 2.0, "gaussian", 0.15)
    statistics()
