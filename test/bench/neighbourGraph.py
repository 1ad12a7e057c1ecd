"""Jaccard K-nearest-neighbour graphs with scipy (LEPORID Eq. 9; ties to the lower index; union): folder, columns, K, runs (0: one, cold)."""
import json
import sys
import time

import numpy as np
import scipy
import scipy.sparse as sparse

folder, width, neighbours, runs = sys.argv[1], *map(int, sys.argv[2:5])
offsets, columns, values = (np.load(f"{folder}/{name}.npy") for name in ("offsets", "columns", "values"))
size = len(offsets) - 1
sets = sparse.csr_matrix(
    (np.ones(len(columns), np.float32), columns.astype(np.int32), offsets.astype(np.int32)), shape=(size, width)
)
ROWS = max(1, 4_000_000 // size)


def graph():
    sizes = np.diff(sets.indptr).astype(np.float64)
    holders = sets.T.tocsr()
    out_columns, out_values, counts = [], [], np.zeros(size + 1, np.int64)
    for first in range(0, size, ROWS):
        common = sets[first : first + ROWS] @ holders
        common.sort_indices()
        for row in range(common.shape[0]):
            node = first + row
            begin, end = common.indptr[row], common.indptr[row + 1]
            others = common.indices[begin:end]
            shared = common.data[begin:end].astype(np.float64)
            similarity = shared / (sizes[node] + sizes[others] - shared)
            similarity[others == node] = 0
            if len(others) - 1 > neighbours:
                least = np.partition(similarity, len(similarity) - neighbours)[len(similarity) - neighbours]
                kept = similarity > least
                ties = np.flatnonzero(similarity == least)
                kept[ties[: neighbours - kept.sum()]] = True
                kept = np.flatnonzero(kept)
            else:
                kept = np.flatnonzero(similarity > 0)
            out_columns.append(others[kept])
            out_values.append(similarity[kept])
            counts[node + 1] = len(kept)
    directed = sparse.csr_matrix(
        (np.concatenate(out_values), np.concatenate(out_columns), np.cumsum(counts)), shape=(size, size)
    )
    return directed.maximum(directed.T).tocsr()


seconds = []
for run in range(runs + 1):
    started = time.perf_counter()
    found = graph()
    if run > 0 or runs == 0:
        seconds.append(time.perf_counter() - started)
rows = np.repeat(np.arange(size, dtype=np.int64), np.diff(found.indptr))
weights = ((rows + 1) * (found.indices.astype(np.int64) + 1)) % 97
print(
    json.dumps(
        {
            "seconds": seconds,
            "entries": int(found.nnz),
            "checksum": float((found.data * weights).sum()),
            "scipy": scipy.__version__,
        }
    )
)
