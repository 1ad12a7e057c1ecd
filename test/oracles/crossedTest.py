"""Reference values of crossedTest.json: python3 test/oracles/crossedTest.py > test/oracles/crossedTest.json"""

import json

import numpy
import pandas
import scipy
import statsmodels
import statsmodels.api as sm
from scipy import optimize, stats


def values(generator, seeds, users, spreads):
    """(2)(seeds)(users) of two methods, rounded, so that the file holds just what was fitted."""
    of_seeds, of_users, rest = spreads
    base = generator.normal(size=users)
    sides = []
    for side, count in enumerate(seeds):
        own = base + of_users * generator.normal(size=users)
        shifts = of_seeds * generator.normal(size=count) if count > 1 else [0.0]
        rows = [own + shift + 0.3 * side + rest * generator.normal(size=users) for shift in shifts]
        sides.append([[round(float(value), 4) for value in row] for row in rows])
    return sides


def fitted(sides):
    """Restricted maximum likelihood: method fixed; seeds, users, and users by method random."""
    rows = [
        {"value": value, "method": side, "seed": f"{side}-{seed}", "user": f"u{user}", "both": f"{side}-u{user}"}
        for side, seeds in enumerate(sides)
        for seed, users in enumerate(seeds)
        for user, value in enumerate(users)
    ]
    data = pandas.DataFrame(rows)
    data["all"] = 1
    parts = {"seed": "0 + C(seed)", "user": "0 + C(user)", "both": "0 + C(both)"}
    model = sm.MixedLM.from_formula("value ~ method", groups="all", vc_formula=parts, data=data)
    # its own search stops early: the likelihood is searched again from where it ended
    result = model.fit(reml=True, method=["powell", "lbfgs"], maxiter=2000)
    components = dict(zip(model.exog_vc.names, result.vcomp))
    return float(-result.params["method"]), float(result.bse["method"]), components, float(result.scale)


def degrees(sides):
    """Cochran's critical value at 0.95, and the degrees of freedom that have it, by their definition."""
    a, b = (numpy.array(side) for side in sides)
    users = a.shape[1]

    def parts(side):
        n = len(side)
        of_seeds = side.mean(axis=1).var(ddof=1) / n
        left = side - side.mean(axis=1, keepdims=True) - side.mean(axis=0) + side.mean()
        return of_seeds, (left**2).sum() / ((n - 1) * (users - 1)) / (n * users), n - 1

    x, y = parts(a), parts(b)
    of_users = max(0, (a.mean(axis=0) - b.mean(axis=0)).var(ddof=1) / users - x[1] - y[1])
    of_seeds = x[0] + y[0]
    welch = of_seeds**2 / (x[0] ** 2 / x[2] + y[0] ** 2 / y[2])
    critical = (of_seeds * stats.t.ppf(0.975, welch) + of_users * stats.t.ppf(0.975, users - 1)) / (of_seeds + of_users)
    df = optimize.brentq(lambda df: stats.t.ppf(0.975, df) - critical, welch, users - 1) if of_users > 0 else welch
    return df, (of_seeds + of_users) ** 0.5


generator = numpy.random.default_rng(46)
cases = []
for seeds, users, spreads in [
    ((3, 3), 24, (0.5, 0.6, 1.0)),
    ((5, 5), 30, (0.3, 0.8, 0.7)),
    ((4, 4), 40, (0.8, 0.4, 0.5)),
    ((10, 10), 20, (0.2, 0.5, 1.0)),
]:
    sides = values(generator, seeds, users, spreads)
    difference, error, components, scale = fitted(sides)
    df, by_means = degrees(sides)
    t = difference / error
    cases.append(
        {
            "sides": sides,
            "difference": difference,
            "standardError": error,
            "components": components,
            "residual": scale,
            "byMeanSquares": by_means,
            "df": df,
            "p": float(2 * stats.t.sf(abs(difference / by_means), df)),
        }
    )

print(
    json.dumps(
        {
            "source": f"statsmodels {statsmodels.__version__} (MixedLM, REML), scipy {scipy.__version__}, numpy {numpy.__version__}",
            "cases": cases,
        }
    )
)
