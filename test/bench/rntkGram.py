"""The peers of the recurrent Gram benchmark: the recursion of OverRec Algorithms 1 and 2 (one layer, ReLU, float64) vectorised
over blocks of pairs, by numpy and by torch, on two threads each, the upper blocks only. Arguments: a folder with series.npy
(n, T), squares of the sigmas w, u, b, v, runs, warm-ups before them. Writes numpy's and torch's Gram matrices beside it; prints one
JSON object."""

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

THREADS = 2
ROWS = 16

folder = sys.argv[1]
w, u, b, v = (float(square) for square in sys.argv[2:6])
runs, warm_ups = int(sys.argv[6]), int(sys.argv[7])
x = np.load(f"{folder}/series.npy")
n, steps = x.shape
by_step = np.ascontiguousarray(x.T)


def variances():
    own = np.empty((steps, n))
    own[0] = u * by_step[0] ** 2 + b
    for t in range(1, steps):
        own[t] = w * own[t - 1] / 2 + u * by_step[t] ** 2 + b
    return own


def by_numpy():
    own = variances()
    gram = np.empty((n, n))

    def block(start):
        stop = min(n, start + ROWS)
        value = np.zeros((stop - start, n - start))
        gradient = np.zeros_like(value)
        sigma, psi, scale, c, angle = (np.empty_like(value) for _ in range(5))
        for t in range(steps):
            np.multiply(u * by_step[t, start:stop, None], by_step[t, None, start:], out=sigma)
            sigma += b
            value *= w
            sigma += value
            np.multiply(gradient, w, out=psi)
            psi += sigma
            np.multiply(own[t, start:stop, None], own[t, None, start:], out=scale)
            np.sqrt(scale, out=scale)
            np.divide(sigma, scale, out=c)
            np.clip(c, -1, 1, out=c)
            np.arccos(c, out=angle)
            np.subtract(np.pi, angle, out=angle)
            np.multiply(psi, angle, out=gradient)
            gradient *= 1 / (2 * np.pi)
            angle *= c
            c *= c
            np.subtract(1, c, out=c)
            np.sqrt(c, out=c)
            angle += c
            np.multiply(angle, scale, out=value)
            value *= 1 / (2 * np.pi)
        value += gradient
        value *= v
        gram[start:stop, start:] = value
        gram[start:, start:stop] = value.T

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(block, range(0, n, ROWS)))
    return gram


def by_torch():
    own = torch.from_numpy(variances())
    given = torch.from_numpy(by_step)
    gram = torch.empty((n, n), dtype=torch.float64)
    rows = 64
    for start in range(0, n, rows):
        stop = min(n, start + rows)
        value = torch.zeros((stop - start, n - start), dtype=torch.float64)
        gradient = torch.zeros_like(value)
        for t in range(steps):
            sigma = (u * given[t, start:stop, None]) * given[t, None, start:]
            sigma.add_(b).add_(value, alpha=w)
            psi = torch.add(sigma, gradient, alpha=w)
            scale = (own[t, start:stop, None] * own[t, None, start:]).sqrt_()
            c = torch.div(sigma, scale).clamp_(-1, 1)
            angle = torch.acos(c).neg_().add_(np.pi)
            gradient = psi.mul_(angle).mul_(1 / (2 * np.pi))
            root = (1 - c * c).sqrt_()
            value = angle.mul_(c).add_(root).mul_(scale).mul_(1 / (2 * np.pi))
        theta = value.add_(gradient).mul_(v)
        gram[start:stop, start:] = theta
        gram[start:, start:stop] = theta.T
    return gram.numpy()


def timed(work):
    seconds = []
    for run in range(runs + warm_ups):
        started = time.perf_counter()
        gram = work()
        if run >= warm_ups:
            seconds.append(time.perf_counter() - started)
    return seconds, gram


found = {"numpy": timed(by_numpy), "torch": None}
versions = {"numpy": np.__version__}
try:
    import torch

    torch.set_num_threads(THREADS)
    versions["torch"] = torch.__version__
    found["torch"] = timed(by_torch)
except ImportError:
    pass
peers = {}
for name, result in found.items():
    if result is not None:
        peers[name], gram = result
        gram.astype(np.float64).tofile(f"{folder}/{name}.bin")
json.dump({"seconds": peers, "versions": versions}, sys.stdout)
