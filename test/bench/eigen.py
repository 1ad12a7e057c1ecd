"""scipy's eigsh, largest algebraic, on a normalised adjacency: folder, count, runs (0: one, cold), then tolerances."""
import json
import sys
import time

import numpy as np
import scipy
import scipy.sparse as sparse
from scipy.sparse.linalg import eigsh

folder, count, runs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
offsets, columns, values = (np.load(f"{folder}/{name}.npy") for name in ("offsets", "columns", "values"))
size = len(offsets) - 1
matrix = sparse.csr_matrix((values, columns.astype(np.int32), offsets.astype(np.int32)), shape=(size, size))
cases = []
for tolerance in map(float, sys.argv[4:]):
    seconds = []
    for run in range(runs + 1):
        started = time.perf_counter()
        found, vectors = eigsh(matrix, count, which="LA", tol=tolerance)
        if run > 0 or runs == 0:
            seconds.append(time.perf_counter() - started)
    residual = float(np.linalg.norm(matrix @ vectors - vectors * found, axis=0).max())
    cases.append({"seconds": seconds, "residual": residual, "values": sorted(found.tolist(), reverse=True)})
print(json.dumps({"cases": cases, "scipy": scipy.__version__}))
