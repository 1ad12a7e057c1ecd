"""The peer of `bench matmul`: numpy's products (OpenBLAS), of a transposed operand as numpy's users write it.

Reads [{"rows", "columns", "depth", "transposeA", "transposeB", "calls"}] as JSON; prints seconds of one call, over RUNS runs."""
import json
import sys
import time

import numpy

RUNS = 5
generator = numpy.random.default_rng(1)


def operand(rows, columns, transposed):
    shape = (columns, rows) if transposed else (rows, columns)
    values = generator.random(shape, dtype=numpy.float32)
    return values.T if transposed else values


def seconds(case):
    a = operand(case["rows"], case["depth"], case["transposeA"])
    b = operand(case["depth"], case["columns"], case["transposeB"])
    out = numpy.empty((case["rows"], case["columns"]), numpy.float32)
    runs = []
    for _ in range(RUNS + 1):
        started = time.perf_counter()
        for _ in range(case["calls"]):
            numpy.matmul(a, b, out=out)
        runs.append((time.perf_counter() - started) / case["calls"])
    return runs[1:]


def library():
    try:
        for line in open("/proc/self/maps"):
            if "blas" in line.lower():
                return line.split("/")[-1].strip()
    except OSError:
        pass
    return "unknown"


cases = json.load(sys.stdin)
timed = [seconds(case) for case in cases]
print(json.dumps({"seconds": timed, "numpy": numpy.__version__, "library": library()}))
