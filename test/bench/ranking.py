"""The peer of the ranking benchmark: blocks of a float32 score matrix by numpy, the best items of each row by argpartition,
sorted. Argument: a folder with users.npy and items.npy. Prints one JSON object: seconds of each run after a first that warms
up, of all and of the partition alone, and a checksum of the lists."""

import json
import sys
import time

import numpy as np

folder, count, block, runs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
users = np.load(f"{folder}/users.npy")
items = np.load(f"{folder}/items.npy")


def rank():
    partition = 0.0
    lists = np.empty((len(users), count), dtype=np.int32)
    for start in range(0, len(users), block):
        scores = users[start : start + block] @ items.T
        started = time.perf_counter()
        best = np.argpartition(-scores, count - 1, axis=1)[:, :count]
        values = np.take_along_axis(scores, best, axis=1)
        order = np.lexsort((best, -values), axis=1)
        lists[start : start + block] = np.take_along_axis(best, order, axis=1)
        partition += time.perf_counter() - started
    return lists, partition


seconds, partitions = [], []
for run in range(runs + 1):
    started = time.perf_counter()
    lists, partition = rank()
    if run > 0:
        seconds.append(time.perf_counter() - started)
        partitions.append(partition)
lists.tofile(f"{folder}/lists.bin")
json.dump({"seconds": seconds, "partition": partitions, "numpy": np.__version__}, sys.stdout)
