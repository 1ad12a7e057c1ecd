"""Reference values of sequentialT.json: python3 test/oracles/sequentialT.py > test/oracles/sequentialT.json

Repeated t-tests of independent normal differences with mean 0. Two looks by adaptive quadrature: with n1 pairs, then m more, the
first t, the mean of the rest over the root of the first sum of squares (Student's t with n1 degrees of freedom) and the spread of
the rest over both (Fisher's F) are independent. Many looks by drawing.
"""

import json
import math

import numpy
import scipy
from scipy import integrate, optimize, special, stats

ALPHA = 0.05
SAMPLES = 10_000_000
BATCH = 500_000


def obrien_fleming(fraction):
    return 2 * stats.norm.sf(stats.norm.isf(ALPHA / 2) / math.sqrt(fraction))


def pocock(fraction):
    return ALPHA * math.log(1 + (math.e - 1) * fraction)


def student(t, df):
    front = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)
    return front * (1 + t * t / df) ** (-(df + 1) / 2)


def both_inside(n1, n2, c1, c2):
    m = n2 - n1
    share = c2**2 / (n2 - 1 + c2**2)

    def given(tau, t):
        z = t / math.sqrt(n1 - 1 + t * t)
        total = math.sqrt(n1) * z + math.sqrt(m / n1) * tau
        spread = total**2 / (n2 * share) - 1 - tau**2 / n1
        f = spread * (n1 + 1) / ((m - 1) * (1 + tau**2 / n1))
        return special.fdtrc(m - 1, n1 + 1, max(0.0, f)) * student(tau, n1) * student(t, n1 - 1)

    def over_tau(t):
        return integrate.quad(lambda u: given(math.tan(u), t) / math.cos(u) ** 2, -math.pi / 2, math.pi / 2, epsrel=1e-8, limit=200)[0]

    return 2 * integrate.quad(over_tau, 0, c1, epsrel=1e-7, limit=200)[0]


def two_looks(n1, n2, spending):
    first = spending(n1 / n2)
    c1 = stats.t.isf(first / 2, n1 - 1)
    c2 = optimize.brentq(lambda c: both_inside(n1, n2, c1, c) - (1 - ALPHA), 1.5, 5, xtol=1e-6)
    return {"looks": [{"pairs": n1, "spent": first, "boundary": c1}, {"pairs": n2, "spent": ALPHA, "boundary": c2}]}


def drawn(pairs, seed):
    """Boundaries of the same nominal level as sqrt(K / k) times 2.05, and how often they are crossed for the first time."""
    levels = [2 * stats.norm.sf(2.05 * math.sqrt(pairs[-1] / n)) for n in pairs]
    boundaries = [round(float(stats.t.isf(level / 2, n - 1)), 3) for n, level in zip(pairs, levels)]
    counts = numpy.zeros(len(pairs), dtype=numpy.int64)
    generator = numpy.random.default_rng(seed)
    for _ in range(SAMPLES // BATCH):
        total, squares, alive, n = numpy.zeros(BATCH), numpy.zeros(BATCH), numpy.ones(BATCH, dtype=bool), 0
        for look, (wanted, boundary) in enumerate(zip(pairs, boundaries)):
            while n < wanted:
                d = generator.standard_normal(BATCH)
                total += d
                squares += d * d
                n += 1
            variance = (squares - total**2 / n) / (n - 1)
            crossed = alive & (total**2 >= boundary**2 * n * variance)
            counts[look] += crossed.sum()
            alive &= ~crossed
    return {
        "samples": SAMPLES,
        "looks": [{"pairs": n, "boundary": c, "crossed": int(k) / SAMPLES} for n, c, k in zip(pairs, boundaries, counts)],
    }


print(
    json.dumps(
        {
            "source": f"scipy {scipy.__version__}, numpy {numpy.__version__}",
            "twoLooks": [
                two_looks(n1, n2, spending)
                for n1, n2 in ((2, 4), (3, 6), (5, 10), (4, 20), (10, 20))
                for spending in (obrien_fleming, pocock)
            ],
            "drawn": [
                drawn([3, 4, 5], 1),
                drawn(list(range(3, 11)), 2),
                drawn(list(range(6, 21)), 3),
                drawn([5, 10, 15, 20], 4),
            ],
        },
        indent=1,
    )
)
