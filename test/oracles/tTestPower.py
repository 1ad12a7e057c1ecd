"""Reference values of tTestPower.json: python3 test/oracles/tTestPower.py > test/oracles/tTestPower.json"""

import json

import numpy
import scipy
from scipy import integrate, stats


def power(noncentrality, df, level):
    """By adaptive quadrature over the chi distribution: scipy.stats.nct loses digits in its tails."""
    critical = stats.t.isf(level / 2, df)

    def rejected(s):
        tails = stats.norm.cdf(noncentrality - critical * s) + stats.norm.cdf(-noncentrality - critical * s)
        return tails * stats.chi.pdf(s * df**0.5, df) * df**0.5

    peaks = [1, critical and noncentrality / critical]
    return integrate.quad(rejected, 0, 12, points=peaks, epsabs=1e-13, epsrel=1e-12, limit=500)[0]


def needed(size, factor, level):
    n = 2
    while power(size * n**0.5, factor * (n - 1), level) < 0.8:
        n += 1
    return n


print(
    json.dumps(
        {
            "source": f"scipy {scipy.__version__}, numpy {numpy.__version__}",
            "power": [
                {"noncentrality": noncentrality, "df": df, "level": level, "power": power(noncentrality, df, level)}
                for noncentrality in (0, 0.5, 2, 4.5, 9)
                for df in (1, 2, 3.7, 9, 60, 400)
                for level in (0.05, 0.005)
            ],
            "needed": [
                {"size": size, "dfFactor": factor, "level": level, "n": needed(size, factor, level)}
                for size in (0.4, 0.9, 2.5, 8)
                for factor in (1, 1.4, 2)
                for level in (0.05, 0.0125)
            ],
        },
        indent=1,
    )
)
