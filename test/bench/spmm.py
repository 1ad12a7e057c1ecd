"""scipy's csr @ dense in both precisions: folder, width, runs. The factor is cos(index); the sums of products go back."""
import json
import sys
import time

import numpy as np
import scipy
import scipy.sparse as sparse

folder, width, runs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
offsets, columns, values = (np.load(f"{folder}/{name}.npy") for name in ("offsets", "columns", "values"))
size = len(offsets) - 1
cases = []
for dtype in (np.float64, np.float32):
    matrix = sparse.csr_matrix((values.astype(dtype), columns.astype(np.int32), offsets.astype(np.int32)), shape=(size, size))
    dense = np.cos(np.arange(size * width)).reshape(size, width).astype(dtype)
    seconds = []
    for run in range(runs + 1):
        started = time.perf_counter()
        product = matrix @ dense
        if run > 0:
            seconds.append(time.perf_counter() - started)
    cases.append({"seconds": seconds, "absoluteSum": float(np.abs(product.astype(np.float64)).sum())})
print(json.dumps({"cases": cases, "scipy": scipy.__version__}))
