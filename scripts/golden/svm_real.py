#!/usr/bin/python3
"""Golden answers of scikit-learn's SVC (LIBSVM) on the Gram matrices of the real sets, tolerance 1e-6.

    npm run build && /usr/bin/python3 scripts/golden/svm_real.py        (Debian: python3-numpy python3-sklearn)

For each set in ../shared/datasets with fewer than 2,500 graphs: the DOS Gram as `graphdos gram` writes it, trained on the graphs whose number
is not a multiple of 5, tested on the others. For each C from 1e-3 to 1e3: the dual objective of every pair of classes
(½ Σ y_i α_i y_j α_j K_ij − Σ α_i), the predicted class of each test graph, and how near to a tie it was (the least
absolute decision value over the pairs). Writes test/golden/svm/real.json.
"""
import json, subprocess, sys, time
import numpy as np
from sklearn.svm import SVC

SETS = ["MUTAG", "PROTEINS", "IMDB-BINARY", "IMDB-MULTI", "REDDIT-BINARY"]
CS = [10.0 ** k for k in range(-3, 4)]

def gram_of(name):
    subprocess.run(["node", "dist/cli/main.js", "-q", "gram", f"../shared/datasets/{name}.zip", "--kernel", "dos", "--option", "exponent=1",
                    "-o", "/tmp/golden-gram.npy", "--labels", "/tmp/golden-labels.npy"], check=True)
    return np.load("/tmp/golden-gram.npy"), np.load("/tmp/golden-labels.npy")

golden = {}
for name in SETS:
    gram, labels = gram_of(name)
    n = len(labels)
    train, test = np.flatnonzero(np.arange(n) % 5), np.flatnonzero(np.arange(n) % 5 == 0)
    classes = np.unique(labels)
    rows = []
    for C in CS:
        start = time.time()
        objectives = []
        for a in range(len(classes)):
            for b in range(a + 1, len(classes)):
                pair = train[(labels[train] == classes[a]) | (labels[train] == classes[b])]
                machine = SVC(kernel="precomputed", C=C, tol=1e-6, cache_size=1000).fit(gram[np.ix_(pair, pair)], labels[pair])
                alpha = np.zeros(len(pair)); alpha[machine.support_] = machine.dual_coef_[0]
                objectives.append(float(0.5 * alpha @ gram[np.ix_(pair, pair)] @ alpha - np.abs(alpha).sum()))
        whole = SVC(kernel="precomputed", C=C, tol=1e-6, cache_size=1000, decision_function_shape="ovo").fit(gram[np.ix_(train, train)], labels[train])
        cross = gram[np.ix_(test, train)]
        decisions = whole.decision_function(cross).reshape(len(test), -1)
        predicted = [int(np.searchsorted(classes, p)) for p in whole.predict(cross)]
        rows.append({"C": C, "objectives": objectives, "predicted": "".join(map(str, predicted)),
                     "margin": [float(f"{m:.3g}") for m in np.abs(decisions).min(axis=1)]})
        print(name, C, objectives, round(time.time() - start, 1), file=sys.stderr, flush=True)
    golden[name] = rows
json.dump(golden, open("test/golden/svm/real.json", "w"), separators=(",", ":"))
