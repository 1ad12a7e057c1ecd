"""Reference values of pairedTests.json, by scipy alone: python3 test/oracles/pairedTests.py > test/oracles/pairedTests.json"""

import itertools
import json

import numpy
import scipy
from scipy import optimize, stats

ALTERNATIVES = {"two_sided": "two-sided", "a_greater": "greater", "a_less": "less"}


def minimal_standard(state):
    """Park and Miller's generator: the test draws the same numbers from the same state."""
    while True:
        state = state * 16807 % 2147483647
        yield state


def quantile(level, df):
    """By the distribution itself: scipy.stats.t.ppf is off by up to 1e-9 of the value."""
    return optimize.brentq(lambda t: stats.t.sf(t, df) - (1 - level) / 2, 0, 1e6, xtol=1e-14, rtol=1e-15)


def paired(a, b):
    a, b = numpy.array(a), numpy.array(b)
    found = stats.ttest_rel(a, b)
    welch = stats.ttest_ind(a, b, equal_var=False)
    u, v = a.var(ddof=1) / len(a), b.var(ddof=1) / len(b)
    df = (u + v) ** 2 / (u**2 / (len(a) - 1) + v**2 / (len(b) - 1))
    difference = a.mean() - b.mean()
    reach = quantile(0.95, df) * (u + v) ** 0.5
    paired_reach = quantile(0.95, found.df) * stats.sem(a - b)
    return {
        "a": a.tolist(),
        "b": b.tolist(),
        "paired": {
            "t": found.statistic,
            "df": int(found.df),
            "p": {name: stats.ttest_rel(a, b, alternative=each).pvalue for name, each in ALTERNATIVES.items()},
            "interval": [difference - paired_reach, difference + paired_reach],
        },
        "welch": {
            "t": welch.statistic,
            "df": df,
            "p": {
                name: stats.ttest_ind(a, b, equal_var=False, alternative=each).pvalue
                for name, each in ALTERNATIVES.items()
            },
            "interval": [difference - reach, difference + reach],
        },
    }


def signed_rank(differences, method):
    def run(alternative):
        mode = "exact" if method == "exact" else "approx"
        return stats.wilcoxon(differences, zero_method="wilcox", correction=False, alternative=alternative, method=mode)

    return {
        "method": method,
        "w": run("two-sided").statistic,
        "p": {name: run(each).pvalue for name, each in ALTERNATIVES.items()},
    }


def per_user(state, users, cutoff):
    """Two configurations of three and two seeds; ranks from 0 (none) to 29, those of the first drawn a little better."""
    draws = minimal_standard(state)
    ranks = [[next(draws) % 30 * (29 - run // 3) // 30 for _ in range(users)] for run in range(5)]
    tables = {
        "hr": lambda rank: float(1 <= rank <= cutoff),
        "ndcg": lambda rank: 1 / numpy.log2(rank + 1) if 1 <= rank <= cutoff else 0.0,
        "mrr": lambda rank: 1 / rank if 1 <= rank <= cutoff else 0.0,
    }
    metrics = {}
    for name, value in tables.items():
        values = numpy.array([[value(rank) for rank in run] for run in ranks])
        better, worse = values[3:].mean(axis=0), values[:3].mean(axis=0)
        # what differs by rounding alone is equal
        differences = numpy.round(better - worse, 12)
        found = stats.ttest_1samp(differences, 0)
        reach = quantile(0.95, users - 1) * stats.sem(differences)
        metrics[name] = {
            "means": [better.mean(), worse.mean()],
            "t": found.statistic,
            "p": found.pvalue,
            "interval": [differences.mean() - reach, differences.mean() + reach],
            "wilcoxon": signed_rank(differences, "normal"),
        }
    return {"state": state, "users": users, "cutoff": cutoff, "metrics": metrics}


def holm_by_closure(p):
    """A hypothesis is rejected when every set of hypotheses that it is in is, each by Bonferroni."""
    tests = range(len(p))
    sets = [s for size in range(1, len(p) + 1) for s in itertools.combinations(tests, size)]
    return [min(1, max(len(s) * min(p[k] for k in s) for s in sets if test in s)) for test in tests]


SAMPLES = [
    ([0.0411, 0.0409, 0.0413, 0.0407, 0.0410], [0.0336, 0.0338, 0.0331, 0.0340, 0.0337]),
    ([0.51, 0.48], [0.47, 0.49]),
    ([3.0, 1.0, 4.0, 1.5, 9.0, 2.6, 5.3], [2.7, 1.8, 2.8, 1.8, 2.8, 4.5, 9.0]),
]
DIFFERENCES = [
    ([2.5, -1.0, 3.0, 0.5, -4.0, 6.0, 7.0, 1.5], "exact"),
    ([1.0, 1.0, -2.0, 3.0, 3.0, -3.0, 4.0, 0.0, 0.0, 5.0], "normal"),
    ([-1.0, -1.0, -1.0, 1.0, -2.0, -2.0, 0.0, 2.0, -3.0, -0.5, -0.5, 0.5], "normal"),
    ([float(value % 97 - 40) for value, _ in zip(minimal_standard(7), range(900))], "normal"),
]
P_VALUES = [[0.01, 0.04, 0.03, 0.005], [0.5, 0.5, 0.5], [0.02], [0.001, 0.2, 0.012, 0.012, 0.9, 0.03]]

print(
    json.dumps(
        {
            "scipy": scipy.__version__,
            "quantiles": [
                {"level": level, "df": df, "t": quantile(level, df)}
                for level in (0.5, 0.9, 0.95, 0.999)
                for df in (1, 2, 4, 3.7, 30, 22362)
            ],
            "normal": [{"z": z, "above": stats.norm.sf(z)} for z in (-3, -0.5, 0, 0.1, 1, 1.96, 2.1, 2.2, 5, 12, 37)],
            "samples": [paired(*sample) for sample in SAMPLES],
            "wilcoxon": [
                {"differences": differences, **signed_rank(differences, method)} for differences, method in DIFFERENCES
            ],
            "per_user": [per_user(1, 1500, 10), per_user(2024, 40, 5)],
            "holm": [{"p": p, "adjusted": holm_by_closure(p)} for p in P_VALUES],
        },
        default=float,
    )
)
