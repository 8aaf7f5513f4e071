"""Golden values for test/spectrum. Writes test/golden/spectrum/*.json.

    python3 scripts/golden/spectrum.py

Needs numpy, scipy and mpmath. Exact where it can be: fractions for the basis change, 60 digits for the rest.
"""

import json
import math
import pathlib
from fractions import Fraction

import mpmath as mp
import numpy as np
import scipy

OUT = pathlib.Path(__file__).resolve().parents[2] / "test" / "golden" / "spectrum"
mp.mp.dps = 60


def save(name, value):
    OUT.mkdir(parents=True, exist_ok=True)
    made_by = f"scripts/golden/spectrum.py, numpy {np.__version__}, scipy {scipy.__version__}, mpmath {mp.__version__}"
    (OUT / f"{name}.json").write_text(json.dumps({"madeBy": made_by, **value}) + "\n")


def damping():
    """NetworkDOS' and Weisse's formulas for N moments, the paper's for highest degree M, at 60 digits."""
    cases = []
    for M in (0, 1, 2, 7, 50):
        N = M + 1
        t = mp.pi / (N + 1)
        weisse = [((N - j + 1) * mp.cos(t * j) + mp.sin(t * j) * mp.cot(t)) / (N + 1) for j in range(N)]
        a = mp.pi / (M + 2)
        paper = [((M + 1 - k) * mp.cos(k * a) + mp.sin((k + 1) * a) / mp.sin(a)) / (M + 2) for k in range(M + 1)]
        lorentz = [mp.sinh(4 * (1 - mp.mpf(j) / N)) / mp.sinh(4) for j in range(N)]
        cases.append(
            {
                "M": M,
                "weisse": [float(x) for x in weisse],
                "paper": [float(x) for x in paper],
                "lorentz4": [float(x) for x in lorentz],
            }
        )
    save("damping", {"cases": cases})


def monomial(n):
    T = [[0] * n for _ in range(n)]
    T[0][0] = 1
    if n > 1:
        T[1][1] = 1
    for m in range(2, n):
        for k in range(n):
            T[m][k] = (2 * T[m - 1][k - 1] if k else 0) - T[m - 2][k]
    return T


def averaging(n):
    V = [[Fraction(0)] * n for _ in range(n)]
    V[0][0] = Fraction(1)
    for k in range(1, n):
        for m in range(k % 2, k + 1, 2):
            V[k][m] = Fraction(math.comb(k, (k - m) // 2), 2 ** (k - 1)) / (2 if m == 0 else 1)
    return V


def largest_singular(A):
    n = len(A)
    B = mp.matrix([[mp.mpf(Fraction(x).numerator) / Fraction(x).denominator for x in row] for row in A])
    G = B.T * B
    v = mp.matrix([1] * n)
    size = mp.mpf(0)
    for _ in range(2000):
        w = G * v
        before, size = size, mp.norm(w)
        v = w / size
        if abs(size - before) < mp.mpf(10) ** -40 * size:
            break
    return mp.sqrt(size)


def basis_and_condition():
    cases = []
    for n in (1, 2, 11, 20, 50, 51):
        T, V = monomial(n), averaging(n)
        for i in range(n):
            for j in range(n):
                assert sum(T[i][k] * V[k][j] for k in range(n)) == (i == j)
        t_sums = [sum(abs(x) for x in row) for row in T]
        v_sums = [sum(row) for row in V]
        cases.append(
            {
                "M": n - 1,
                "skeel": float(max(sum(V[i][k] * t_sums[k] for k in range(n)) for i in range(n))),
                "skeelAsPrinted": float(max(sum(abs(T[i][k]) * v_sums[k] for k in range(n)) for i in range(n))),
                "twoNorm": float(largest_singular(T) * largest_singular(V)),
                "numpyCond": float(np.linalg.cond(np.array(T, dtype=float))),
            }
        )
    last = averaging(51)[50]
    save("condition", {"cases": cases, "lastAveragingRow": [float(x) for x in last]})


def eigenvalues():
    random = np.random.default_rng(20240517)
    cases = []
    for n in (3, 12, 40):
        A = np.round(random.standard_normal((n, n)), 3)
        A = np.round((A + A.T) / 2, 4)
        cases.append({"n": n, "matrix": A.ravel().tolist(), "values": np.linalg.eigvalsh(A).tolist()})
    # repeated eigenvalues: a projection of rank 3 in 10 dimensions, not aligned with the axes
    Q = np.linalg.qr(random.standard_normal((10, 3)))[0]
    P = Q @ Q.T
    P = (P + P.T) / 2
    cases.append({"n": 10, "matrix": P.ravel().tolist(), "values": np.linalg.eigvalsh(P).tolist()})
    save("eigenvalues", {"cases": cases})


def density():
    """Moments of known eigenvalues, the damped series by numpy's chebval, its integral by scipy's quad in the angle."""
    from numpy.polynomial import chebyshev
    from scipy.integrate import quad

    random = np.random.default_rng(7)
    eigenvalues = np.sort(random.uniform(-1, 1, 30))
    M = 20
    moments = np.array([np.cos(m * np.arccos(eigenvalues)).sum() for m in range(M + 1)])
    N = M + 1
    j = np.arange(N)
    t = np.pi / (N + 1)
    g = ((N - j + 1) * np.cos(t * j) + np.sin(t * j) / np.tan(t)) / (N + 1)
    c = 2 * g * moments
    c[0] /= 2
    points = np.array([-0.999, -0.7, -0.1, 0.0, 0.3, 0.85, 0.999])
    values = chebyshev.chebval(points, c) / (np.pi * np.sqrt(1 - points**2))
    below = [quad(lambda s: chebyshev.chebval(np.cos(s), c) / np.pi, np.arccos(x), np.pi, epsabs=1e-13, limit=500)[0] for x in points]
    save(
        "density",
        {
            "moments": moments.tolist(),
            "points": points.tolist(),
            "density": values.tolist(),
            "cumulative": below,
        },
    )


damping()
basis_and_condition()
eigenvalues()
density()
