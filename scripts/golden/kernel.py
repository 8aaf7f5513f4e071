"""Golden values for test/kernel and test/signature, by straightforward numpy. Writes test/golden/kernel/kernels.json.

    /usr/bin/python3 scripts/golden/kernel.py

Needs numpy and scipy. Graphs are small and awkward; everything is by dense eigenvectors, powers of matrices and double loops, the way
the formulas are written: nothing is shared with the code under test.
"""

import itertools
import json
import pathlib

import numpy as np
import scipy
import scipy.linalg

OUT = pathlib.Path(__file__).resolve().parents[2] / "test" / "golden" / "kernel"
M = 12


def graphs():
    rng = np.random.default_rng(7)
    listed = [
        ("one node", 1, []),
        ("one node, self-loop", 1, [(0, 0, 1)]),
        ("edge", 2, [(0, 1, 1)]),
        ("edgeless", 4, []),
        ("triangle and isolated node", 4, [(0, 1, 1), (1, 2, 1), (0, 2, 1)]),
        ("star", 7, [(0, i, 1) for i in range(1, 7)]),
        ("complete", 5, [(i, j, 1) for i, j in itertools.combinations(range(5), 2)]),
        ("bipartite", 5, [(i, j, 1) for i in range(2) for j in range(2, 5)]),
        ("path with a loop", 6, [(i, i + 1, 1) for i in range(5)] + [(2, 2, 1)]),
        ("weighted", 5, [(0, 1, 0.5), (1, 2, 2), (2, 3, 3.25), (3, 4, 1), (0, 4, 7), (1, 1, 0.75)]),
    ]
    for k in range(4):
        n = 9 + 2 * k
        listed.append((f"random {k}", n, [(i, j, 1) for i, j in itertools.combinations(range(n), 2) if rng.random() < 0.3]))
    return listed


def normalised(n, edges, self_loops):
    a = np.zeros((n, n))
    for i, j, w in edges:
        a[i, j] = a[j, i] = w
    if self_loops:
        np.fill_diagonal(a, 1)
    d = a.sum(1)
    s = np.where(d > 0, 1 / np.sqrt(np.where(d > 0, d, 1)), 0)
    return s[:, None] * a * s[None]


def chebyshev(m):
    """Rows of nodes: T_0..T_M of the matrix, diagonals, by the three-term recurrence on full matrices."""
    t = [np.eye(len(m)), m]
    while len(t) <= M:
        t.append(2 * m @ t[-1] - t[-2])
    return np.array([np.diag(x) for x in t]).T


def powers(m):
    out, p = [], np.eye(len(m))
    for _ in range(M):
        p = p @ m
        out.append(np.diag(p))
    return np.array(out).T


def jackson():
    a = np.pi / (M + 2)
    m = np.arange(M + 1)
    return ((M + 2 - m) * np.cos(m * a) + np.sin(m * a) / np.tan(a)) / (M + 2)


def mean_kernel(x, y, shape, width):
    total = 0.0
    for a in x:
        for b in y:
            d = np.sqrt(((a - b) ** 2).sum())
            total += np.exp(-d * d / (2 * width * width)) if shape == "gaussian" else np.exp(-d / width)
    return total / (len(x) * len(y))


def mmd(features, shape, width):
    n = len(features)
    s = np.array([[mean_kernel(features[i], features[j], shape, width) for j in range(n)] for i in range(n)])
    q = np.diag(s)
    return np.sqrt(np.maximum(q[:, None] + q[None] - 2 * s, 0))


def euclidean(x):
    return np.sqrt(((x[:, None] - x[None]) ** 2).sum(-1))


def gram(d, p, train):
    sub = d[np.ix_(train, train)][np.triu_indices(len(train), 1)] ** p
    return np.exp(-(d**p) / np.median(sub))


def wasserstein(matrices, points=256):
    """Jackson-damped cumulative densities by a fine quadrature of the damped density, at the midpoints of an even grid."""
    g = jackson()
    theta = (np.arange(200000) + 0.5) * np.pi / 200000
    x = np.cos(theta)
    grid = -1 + (np.arange(points) + 0.5) * 2 / points
    out = []
    for m in matrices:
        mu = chebyshev(m).sum(0) * g / len(m)
        # density(x) dx = (mu_0 + 2 sum mu_k cos(k theta)) / pi d theta
        values = mu[0] + 2 * sum(mu[k] * np.cos(k * theta) for k in range(1, M + 1))
        order = np.argsort(x)
        cumulative = np.cumsum(values[order]) / len(theta)
        out.append(np.interp(grid, x[order], cumulative - 0.5 * values[order] / len(theta)))
    f = np.array(out)
    return np.abs(f[:, None] - f[None]).sum(-1) * 2 / points


def main():
    listed = graphs()
    count = len(listed)
    train = [i for i in range(count) if i % 3 != 1]
    plain = [normalised(n, e, False) for _, n, e in listed]
    lazy = [normalised(n, e, True) for _, n, e in listed]
    cheb = [chebyshev(m) for m in plain]
    trace = np.array([c.sum(0) for c in cheb])
    mean = np.array([c.mean(0) for c in cheb])
    g = jackson()
    monomial = np.array([powers(m).sum(0) for m in plain])
    dos = (trace * g)[:, 1:]
    rpf = [powers(m) for m in plain]
    dos_d, ldos_d = euclidean(dos), mmd(rpf, "gaussian", 0.1)
    k1, k2 = gram(dos_d, 2, train), gram(ldos_d, 1, train)
    ridge = lambda k: k + 1e-8 * np.trace(k) / count * np.eye(count)
    root = scipy.linalg.sqrtm(ridge(k1)).real
    inverse = np.linalg.inv(root)
    geometric = root @ scipy.linalg.sqrtm(inverse @ ridge(k2) @ inverse).real @ root
    result = {
        "madeBy": f"scripts/golden/kernel.py, numpy {np.__version__}, scipy {scipy.__version__}",
        "moments": M,
        "graphs": [{"name": name, "nodeCount": n, "edges": e} for name, n, e in listed],
        "train": train,
        "dos": {
            "trace": dos,
            "mean": (mean * g)[:, 1:],
            "log": np.sign(dos) * np.log1p(np.abs(dos)),
            "monomialUndamped": monomial,
            "zeroth": trace * g,
        },
        "distances": {
            "dos": dos_d,
            "dosCumulative": wasserstein(plain),
            "ldos": ldos_d,
            "ldosLaplacian": mmd(rpf, "laplacian", 0.3),
            "ldosChebyshev": mmd([c[:, 1:] for c in cheb], "gaussian", 0.5),
            "retgk1": mmd([powers(m) for m in lazy], "gaussian", 0.1),
        },
        "grams": {
            "dos": k1,
            "ldos": k2,
            "composite": 0.5 * k1 * k2 + 0.25 * (k1 + k2),
            "mean": (k1 + k2) / 2,
            "product": k1 * k2,
            "geometric": geometric,
        },
    }
    OUT.mkdir(parents=True, exist_ok=True)
    plainly = lambda x: x.tolist()
    (OUT / "kernels.json").write_text(json.dumps(result, default=plainly) + "\n")


if __name__ == "__main__":
    main()
