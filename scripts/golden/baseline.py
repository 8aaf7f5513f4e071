"""Golden values for the spectral baselines in test/baseline. Writes test/golden/baseline/{fgsd,netlsd}.json.

    /usr/bin/python3 scripts/golden/baseline.py

Needs numpy. Everything comes from dense eigen-decompositions (numpy.linalg.eigh) of the full matrices: no twins, no trees, no grounding.

FGSD: L = D - A without self-loops; S = diag(F) 1' + 1 diag(F)' - 2F with F = sum over lambda > 0 of f(lambda) phi phi'. Histograms take
all n * n entries, bin floor(S / width + 1e-4).
NetLSD: eigenvalues of I - D^-1/2 A D^-1/2, self-loops kept (counted once in the degree), 0 for isolated nodes.
"""

import json
import pathlib

import numpy as np

OUT = pathlib.Path(__file__).resolve().parents[2] / "test" / "golden" / "baseline"


def save(name, cases):
    OUT.mkdir(parents=True, exist_ok=True)
    made_by = f"scripts/golden/baseline.py, numpy {np.__version__}"
    (OUT / f"{name}.json").write_text(json.dumps({"madeBy": made_by, "cases": cases}) + "\n")


def matrix(case):
    A = np.zeros((case["n"], case["n"]))
    for (i, j), w in zip(case["edges"], case["weights"]):
        A[i, j] = A[j, i] = w
    return A


def graphs():
    random = np.random.default_rng(17)
    for name, n, p, weighted in (
        ("sparse, with trees, isolated nodes and several components", 30, 0.06, False),
        ("one core with trees", 40, 0.07, False),
        ("dense", 16, 0.5, False),
        ("weighted", 25, 0.12, True),
    ):
        edges = [(i, j) for i in range(n) for j in range(i) if random.random() < p]
        weights = [round(float(random.uniform(0.3, 3)), 3) if weighted else 1 for _ in edges]
        yield {"name": name, "n": n, "edges": edges, "weights": weights}
    # threads: a hub with leaves, replies to replies, a few answers across
    edges = [(0, i) for i in range(1, 25)]
    edges += [(1, 25), (1, 26), (2, 27), (27, 28), (27, 29), (3, 30), (3, 4), (5, 6), (25, 30), (28, 31), (28, 32), (28, 33)]
    yield {"name": "thread", "n": 36, "edges": edges, "weights": [1] * len(edges)}
    # twins of both kinds and self-loops
    edges = [(i, j) for i in range(5) for j in range(i)] + [(i, 5) for i in range(5)] + [(5, 6), (5, 7), (5, 8), (8, 9), (9, 9), (2, 2), (10, 10)]
    yield {"name": "clique twins, leaf twins, self-loops", "n": 12, "edges": edges, "weights": [1] * len(edges)}


def fgsd():
    cases = []
    for case in graphs():
        A = matrix(case)
        np.fill_diagonal(A, 0)
        values, vectors = np.linalg.eigh(np.diag(A.sum(1)) - A)
        positive = values > 1e-9
        result = {}
        for name, power in (("harmonic", 1), ("biharmonic", 2)):
            F = (vectors[:, positive] * values[positive] ** -power) @ vectors[:, positive].T
            d = np.diag(F)
            S = d[:, None] + d[None, :] - 2 * F
            np.fill_diagonal(S, 0)
            histograms = []
            for width in (1e-3, 1e-4, 1e-5):
                bins, counts = np.unique(np.floor(np.maximum(S, 0) / width + 1e-4).astype(np.int64), return_counts=True)
                histograms.append({"width": width, "bins": bins.tolist(), "counts": counts.tolist()})
            result[name] = {"distances": [float(f"{x:.15g}") for x in S.ravel()], "histograms": histograms}
        cases.append({**case, **result})
    save("fgsd", cases)


def netlsd():
    times = np.logspace(-2, 2, 250)[[0, 60, 125, 180, 220, 249]]
    cases = []
    for case in graphs():
        A = matrix(case)
        n = case["n"]
        d = A.sum(1)
        root = np.where(d > 0, 1 / np.sqrt(np.maximum(d, 1e-300)), 0)
        L = np.diag((d > 0).astype(float)) - root[:, None] * A * root[None, :]
        values = np.linalg.eigvalsh(L)
        complete = np.linalg.eigvalsh(np.eye(n) - (np.ones((n, n)) - np.eye(n)) / (n - 1))
        result = {}
        for name, f in (("heat", lambda x: np.exp(-x)), ("wave", np.cos)):
            trace = f(times[:, None] * values).sum(1)
            whole = f(times[:, None] * complete).sum(1)
            result[name] = {"none": trace.tolist(), "empty": (trace / n).tolist(), "complete": (trace / whole).tolist()}
        cases.append({**case, "times": times.tolist(), **result})
    save("netlsd", cases)


fgsd()
netlsd()
