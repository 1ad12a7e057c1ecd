"""The dense computation, vectorised: RNTK values of every query and row over padded one-hot sequences (OverRec Algorithms 1
and 2, normalised), then the nearest rows. Reads one JSON object from stdin, prints one: seconds of each run after a first that
warms up, and the values of the nearest rows of each query."""

import json
import sys
import time

import numpy as np

TWO_PI = 2 * np.pi


def variances(length):
    """Sigma^(t,t) of a sequence with itself, t from 1, all sigmas 1."""
    found = np.ones(length + 1)
    for t in range(2, length + 1):
        found[t] = found[t - 1] / 2 + 1
    return found


def nearest(queries, rows, count):
    """Values of the `count` nearest rows; 0 is padding."""
    width = queries.shape[1]
    own = variances(width)
    taken_q = np.cumsum(queries > 0, axis=1)
    taken_r = np.cumsum(rows > 0, axis=1)
    result = np.empty((len(queries), count))
    for start in range(0, len(queries), 100):
        part = queries[start : start + 100]
        value = np.zeros((len(part), len(rows)))
        gradient = np.zeros_like(value)
        for t in range(width):
            both = (part[:, t, None] > 0) & (rows[None, :, t] > 0)
            sigma = value + ((part[:, t, None] == rows[None, :, t]) & both)
            psi = sigma + gradient
            scale = np.sqrt(own[taken_q[start : start + 100, t]][:, None] * own[taken_r[:, t]][None, :])
            c = np.clip(sigma / scale, -1, 1)
            angle = np.pi - np.arccos(c)
            value = np.where(both, (c * angle + np.sqrt(1 - c * c)) / TWO_PI * scale, 0)
            gradient = np.where(both, psi * angle / TWO_PI, 0)
        theta = value + gradient
        top = np.partition(theta, len(rows) - count, axis=1)[:, -count:]
        result[start : start + 100] = -np.sort(-top, axis=1)
    return result


job = json.load(sys.stdin)
queries = np.array(job["queries"], dtype=np.int32)
rows = np.array(job["rows"], dtype=np.int32)
seconds = []
for run in range(job["runs"] + 1):
    started = time.perf_counter()
    values = nearest(queries, rows, job["count"])
    if run > 0:
        seconds.append(time.perf_counter() - started)
json.dump({"seconds": seconds, "values": values.tolist()}, sys.stdout)
