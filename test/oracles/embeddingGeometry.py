"""Reference values of embeddingGeometry.json, by numpy and scipy alone:
python3 test/oracles/embeddingGeometry.py > test/oracles/embeddingGeometry.json"""

import json

import numpy
import scipy.linalg
import scipy.spatial


def minimal_standard(state):
    """Park and Miller's generator: the test draws the same numbers from the same state."""
    while True:
        state = state * 16807 % 2147483647
        yield state / 2147483647


def table(state, rows, columns):
    draw = minimal_standard(state)
    values = numpy.array([[next(draw) for _ in range(columns)] for _ in range(rows)])
    # columns of different spread, so that the axes are told apart
    return (values - 0.3) * (1 + numpy.arange(columns)) / columns


def gram_alignment(x, y):
    """By the Hilbert-Schmidt independence criterion of n x n Gram matrices, another way than Warren's d x d products."""
    n = len(x)
    center = numpy.eye(n) - 1 / n
    k, l = center @ x @ x.T @ center, center @ y @ y.T @ center
    return (k * l).sum() / numpy.sqrt((k * k).sum() * (l * l).sum())


def nearest(x, count):
    cosines = 1 - scipy.spatial.distance.cdist(x, x, "cosine")
    numpy.fill_diagonal(cosines, -numpy.inf)
    order = numpy.argsort(-cosines, axis=1, kind="stable")[:, :count]
    return order, numpy.take_along_axis(cosines, order, axis=1)


def case(state_a, state_b, rows, columns_a, columns_b, count):
    x, noise = table(state_a, rows, columns_a), table(state_b, rows, columns_b)
    shared = min(columns_a, columns_b)
    # related tables: the second holds what the first has, turned by reversal, and noise
    y = noise.copy()
    y[:, :shared] += x[:, :shared][:, ::-1]
    centered = x - x.mean(axis=0)
    _, singular, axes = numpy.linalg.svd(centered, full_matrices=False)
    flips = numpy.sign(axes[numpy.arange(len(axes)), numpy.abs(axes).argmax(axis=1)])
    axes = axes * flips[:, None]
    near_x, cosines_x = nearest(x, count)
    near_y, _ = nearest(y, count)
    both = [len(set(a) & set(b)) for a, b in zip(near_x.tolist(), near_y.tolist())]
    width = max(columns_a, columns_b)
    wide_x = numpy.pad(centered, ((0, 0), (0, width - columns_a)))
    wide_y = numpy.pad(y - y.mean(axis=0), ((0, 0), (0, width - columns_b)))
    turn, scale = scipy.linalg.orthogonal_procrustes(wide_y, wide_x)
    moved = wide_y @ turn * (scale / (wide_y**2).sum())
    return {
        "states": [state_a, state_b],
        "rows": rows,
        "columns": [columns_a, columns_b],
        "count": count,
        "variances": (singular[:3] ** 2 / (rows - 1)).tolist(),
        "total": centered.var(axis=0, ddof=1).sum(),
        "axes": axes[:3].tolist(),
        "places": (centered @ axes[:3].T)[:5].tolist(),
        "cka": gram_alignment(x, y),
        "nearest": near_x[:5].tolist(),
        "cosines": cosines_x[:5].tolist(),
        "overlap": float(numpy.mean([b / count for b in both])),
        "jaccard": float(numpy.mean([b / (2 * count - b) for b in both])),
        "disparity": scipy.spatial.procrustes(wide_x, wide_y)[2],
        "moved": (moved + numpy.pad(x.mean(axis=0), (0, width - columns_a)))[:5, :columns_a].tolist(),
    }


def matched_case(state_a, state_b, rows, columns, count, ids):
    """Two tables of items in other orders, of which some are in one alone, and some ids stand twice."""
    (step_a, offset_a, modulus_a), (step_b, offset_b, modulus_b) = ids
    ids_a = [(row * step_a + offset_a) % modulus_a for row in range(rows[0])]
    ids_b = [(row * step_b + offset_b) % modulus_b for row in range(rows[1])]
    pairs = [
        (row, ids_b.index(one))
        for row, one in enumerate(ids_a)
        if ids_a.count(one) == 1 and ids_b.count(one) == 1
    ]
    at_a, at_b = (list(side) for side in zip(*pairs))
    x, y = table(state_a, rows[0], columns[0]), table(state_b, rows[1], columns[1])
    shared = min(columns)
    y[at_b, :shared] += x[at_a, :shared][:, ::-1]
    some_x, some_y = x[at_a], y[at_b]
    width = max(columns)
    pad = lambda values: numpy.pad(values, ((0, 0), (0, width - values.shape[1])))
    wide_x, wide_y = pad(some_x - some_x.mean(axis=0)), pad(some_y - some_y.mean(axis=0))
    turn, scale = scipy.linalg.orthogonal_procrustes(wide_y, wide_x)
    # the whole second table goes the way of the rows that both have
    moved = pad(y - some_y.mean(axis=0)) @ turn * (scale / (wide_y**2).sum())
    near_x, near_y = nearest(some_x, count)[0], nearest(some_y, count)[0]
    both = [len(set(a) & set(b)) for a, b in zip(near_x.tolist(), near_y.tolist())]
    return {
        "states": [state_a, state_b],
        "rows": rows,
        "columns": columns,
        "count": count,
        "ids": ids,
        "pairs": pairs,
        "cka": gram_alignment(some_x, some_y),
        "overlap": float(numpy.mean([b / count for b in both])),
        "jaccard": float(numpy.mean([b / (2 * count - b) for b in both])),
        "disparity": scipy.spatial.procrustes(wide_x, wide_y)[2],
        "moved": (moved + numpy.pad(some_x.mean(axis=0), (0, width - columns[0])))[:5, : columns[0]].tolist(),
    }


print(
    json.dumps(
        {
            "numpy": numpy.__version__,
            "scipy": scipy.__version__,
            "cases": [case(11, 12, 60, 8, 8, 5), case(13, 14, 200, 16, 10, 10), case(15, 16, 40, 5, 12, 3)],
            "matched": [
                matched_case(17, 18, [60, 50], [8, 8], 5, [[7, 3, 101], [5, 0, 97]]),
                matched_case(19, 20, [80, 120], [6, 10], 10, [[11, 0, 89], [1, 30, 90]]),
            ],
        },
        indent=1,
    )
)
