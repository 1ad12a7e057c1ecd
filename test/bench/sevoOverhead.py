"""SEvo's rescaled transformation (Eq. 7) by scipy's csr @ dense and by torch's, single precision: folder, width, layers, beta,
runs, threads of torch. The variation is cos(index); the sums of absolute results go back."""
import json
import sys
import time

import numpy as np
import scipy
import scipy.sparse as sparse

folder, width, layers, beta, runs, threads = sys.argv[1], *map(float, sys.argv[2:7])
width, layers, runs, threads = int(width), int(layers), int(runs), int(threads)
offsets, columns, values = (np.load(f"{folder}/{name}.npy") for name in ("offsets", "columns", "values"))
size = len(offsets) - 1
matrix = sparse.csr_matrix((values.astype(np.float32), columns.astype(np.int32), offsets.astype(np.int32)), shape=(size, size))
dense = np.cos(np.arange(size * width)).reshape(size, width).astype(np.float32)
factor = (1 - beta) / (1 - beta ** (layers + 1))


def smoothed(product, variation):
    term = total = variation
    for _ in range(layers):
        term = product(term) * beta
        total = total + term
    return total * factor


def timed(product, variation):
    seconds = []
    for run in range(runs + 1):
        started = time.perf_counter()
        result = smoothed(product, variation)
        if run > 0:
            seconds.append(time.perf_counter() - started)
    return seconds, result


seconds, result = timed(lambda x: matrix @ x, dense)
cases = {"scipy": {"seconds": seconds, "absoluteSum": float(np.abs(result.astype(np.float64)).sum()), "version": scipy.__version__}}
try:
    import torch

    torch.set_num_threads(threads)
    with torch.no_grad():
        graph = torch.sparse_csr_tensor(
            torch.from_numpy(matrix.indptr), torch.from_numpy(matrix.indices), torch.from_numpy(matrix.data), size=(size, size)
        )
        seconds, result = timed(lambda x: graph @ x, torch.from_numpy(dense))
    cases["torch"] = {"seconds": seconds, "absoluteSum": float(result.double().abs().sum()), "version": torch.__version__}
except ImportError:
    pass
print(json.dumps(cases))
