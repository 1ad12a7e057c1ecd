"""scipy's eigsh, largest algebraic, on a normalised adjacency: folder, count, runs (0: one, cold), then tolerances."""
import json
import resource
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


def used():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


cases = []
for tolerance in map(float, sys.argv[4:]):
    seconds, processor = [], []
    for run in range(runs + 1):
        started, before = time.perf_counter(), used()
        found, vectors = eigsh(matrix, count, which="LA", tol=tolerance)
        if run > 0 or runs == 0:
            seconds.append(time.perf_counter() - started)
            processor.append(used() - before)
    residual = float(np.linalg.norm(matrix @ vectors - vectors * found, axis=0).max())
    times = {"seconds": seconds, "processorSeconds": processor}
    cases.append({**times, "residual": residual, "values": sorted(found.tolist(), reverse=True)})
print(json.dumps({"cases": cases, "scipy": scipy.__version__}))
