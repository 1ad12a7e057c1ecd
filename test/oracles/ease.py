"""Reference values for ease.test.ts: weights of EASE by numpy's general inverse.

    python3 test/oracles/ease.py > test/oracles/ease.json

Written from Eq. 8 of Steck (WWW 2019): P = inv(X'X + λ I), B = P / (-diag P), diagonal 0. Every user's last two items are
left out of X, as leave-one-out leaves them out of training. Once more of the first users alone, fewer than items.
"""

import json
import random

import numpy

USERS, FEW_USERS, ITEMS, L2 = 160, 60, 140, 3.5

draw = random.Random(7)
sequences = []
for user in range(USERS):
    base = draw.randrange(ITEMS)
    items = [(base + int(draw.expovariate(0.06))) % ITEMS for _ in range(draw.randrange(5, 30))]
    sequences.append(items)

x = numpy.zeros((USERS, ITEMS))
for user, items in enumerate(sequences):
    x[user, items[:-2]] = 1


def weights(x):
    p = numpy.linalg.inv(x.T @ x + L2 * numpy.eye(ITEMS))
    b = p / -numpy.diag(p)
    numpy.fill_diagonal(b, 0)
    return b


b = weights(x)
few = weights(x[:FEW_USERS])
rows = [0, 1, 63, 64, 127, 128, 139]
scores = x[5] @ b
print(
    json.dumps(
        {
            "items": ITEMS,
            "l2": L2,
            "sequences": sequences,
            "rows": {str(row): [float(f"{value:.14g}") for value in b[row]] for row in rows},
            "fewUsers": FEW_USERS,
            "rowsOfFewUsers": {str(row): [float(f"{value:.14g}") for value in few[row]] for row in rows},
            "scoresOfUser5": [float(f"{value:.14g}") for value in scores],
        },
        separators=(",", ":"),
    )
)
