"""The dense computation in torch: RNTK values of every query and row over padded one-hot sequences (OverRec Algorithms 1 and 2,
normalised, all sigmas 1), a block of queries against all rows at a time, then the nearest rows.

Arguments: a folder with queries.npy and rows.npy (sequences, length), items from 1 and 0 for padding in front, then how many
rows are kept, threads, queries of a block, and runs. Prints seconds by precision, after a block that warms up; leaves the values
of the nearest rows as float64.npy and float32.npy."""

import json
import sys
import time

import numpy as np
import torch

folder, count, threads, block, runs = sys.argv[1], *map(int, sys.argv[2:6])
torch.set_num_threads(threads)
queries = torch.from_numpy(np.load(f"{folder}/queries.npy"))
rows = torch.from_numpy(np.load(f"{folder}/rows.npy"))
length = queries.shape[1]


def deviations(sequences, dtype):
    """Roots of Sigma^(t,t) of each sequence with itself, 0 at padding, and their inverses: (length, sequences)."""
    own = np.zeros(length + 1)
    for step in range(1, length + 1):
        own[step] = own[step - 1] / 2 + 1
    taken = torch.cumsum(sequences > 0, dim=1).T.contiguous()
    roots = torch.from_numpy(np.sqrt(own))[taken]
    inverses = torch.where(roots > 0, 1 / roots, torch.zeros_like(roots))
    return roots.to(dtype), inverses.to(dtype)


def nearest(queries, dtype):
    """Values of the `count` nearest rows of each query. A padded side has deviation 0, so that its V and gradient stay 0."""
    root_r, inverse_r = deviations(rows, dtype)
    root_q, inverse_q = deviations(queries, dtype)
    items_r = torch.where(rows > 0, rows, torch.full_like(rows, -1)).T.contiguous()
    items_q = queries.T.contiguous()
    result = np.empty((len(queries), count))
    for start in range(0, len(queries), block):
        part = slice(start, min(start + block, len(queries)))
        value = torch.zeros((part.stop - start, len(rows)), dtype=dtype)
        gradient = torch.zeros_like(value)
        for t in range(length):
            value += items_q[t, part, None] == items_r[t]
            gradient += value
            c = value.mul_(inverse_q[t, part, None]).mul_(inverse_r[t]).clamp_(-1, 1)
            angle = torch.acos(-c)
            gradient *= angle
            gradient *= 1 / (2 * np.pi)
            root = torch.addcmul(torch.ones((), dtype=dtype), c, c, value=-1).sqrt_()
            value = root.addcmul_(c, angle).mul_(root_q[t, part, None] / (2 * np.pi)).mul_(root_r[t])
        theta = value.add_(gradient)
        result[part] = torch.topk(theta, count, dim=1).values.numpy()
    return result


seconds = {}
for name, dtype in (("float64", torch.float64), ("float32", torch.float32)):
    nearest(queries[:block], dtype)
    seconds[name] = []
    for _ in range(runs):
        started = time.perf_counter()
        values = nearest(queries, dtype)
        seconds[name].append(time.perf_counter() - started)
    np.save(f"{folder}/{name}.npy", values)
print(json.dumps({"seconds": seconds, "version": torch.__version__}))
