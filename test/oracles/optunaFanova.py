"""Reference values of optunaFanova.json, by Optuna 5.0.0 and scikit-learn 1.9.1:
python3 test/oracles/optunaFanova.py > test/oracles/optunaFanova.json

Trials of five problems, drawn at random, with the mean of `get_param_importances` over 10 seeds of
FanovaImportanceEvaluator. Optuna weighs a `log=True` parameter by its value, and the ends of whole numbers half; so that the
search space is measured as it is drawn from, the former are given by their exponents here, the latter as rounded fractions.
"""

import json
import math
import random
import warnings

import optuna
from optuna.distributions import CategoricalDistribution, FloatDistribution
from optuna.importance import FanovaImportanceEvaluator, get_param_importances

warnings.filterwarnings("ignore")
optuna.logging.set_verbosity(optuna.logging.ERROR)


class Whole(FloatDistribution):
    pass


PROBLEMS = {
    "additive": (
        {"a": FloatDistribution(0, 1), "b": FloatDistribution(0, 1), "c": FloatDistribution(0, 1)},
        lambda p: 3 * p["a"] + p["b"] ** 2 + 0.1 * p["c"],
        100,
    ),
    "interaction": (
        {"x": FloatDistribution(-1, 1), "y": FloatDistribution(-1, 1), "z": FloatDistribution(-1, 1)},
        lambda p: p["x"] + 2 * p["x"] * p["y"] + 0.3 * p["z"],
        200,
    ),
    "training": (
        {
            "method": CategoricalDistribution(["sgd", "adam", "adagrad"]),
            "exponent": FloatDistribution(-5, 0),
            "units": Whole(7.5, 256.5),
        },
        lambda p: {"sgd": 1.2, "adam": 0, "adagrad": 0.5}[p["method"]]
        + 0.3 * (p["exponent"] + 2.5) ** 2
        + ((p["units"] - 96) / 100) ** 2,
        200,
    ),
    "mixed": (
        {
            "layers": Whole(0.5, 8.5),
            "activation": CategoricalDistribution(["relu", "tanh", "gelu", "elu"]),
            "drop": FloatDistribution(0, 0.8),
            "exponent": FloatDistribution(-5, -1),
        },
        lambda p: ((p["layers"] - 3) / 4) ** 2
        + {"relu": 0.2, "tanh": 0.9, "gelu": 0, "elu": 0.5}[p["activation"]]
        + 4 * (p["drop"] - 0.3) ** 2
        + 0.2 * (p["exponent"] + 3) ** 2 * (1 + 0.1 * (p["layers"] - 3) ** 2),
        300,
    ),
    "thousand": (
        {f"x{i}": FloatDistribution(0, 1) for i in range(6)},
        lambda p: math.sin(6 * p["x0"]) + 2 * (p["x1"] - 0.5) ** 2 + p["x2"] * p["x3"] + 0.05 * p["x4"],
        1000,
    ),
}


def draw(distribution, generator):
    if isinstance(distribution, CategoricalDistribution):
        return generator.choice(distribution.choices)
    if isinstance(distribution, Whole):
        return float(generator.randint(math.ceil(distribution.low), math.floor(distribution.high)))
    return round(generator.uniform(distribution.low, distribution.high), 6)


found = {}
for name, (space, objective, count) in PROBLEMS.items():
    plain = {p: FloatDistribution(d.low, d.high) if isinstance(d, Whole) else d for p, d in space.items()}
    generator = random.Random(name)
    study = optuna.create_study()
    points, values = [], []
    for _ in range(count):
        point = {path: draw(distribution, generator) for path, distribution in space.items()}
        value = round(objective(point) + 0.02 * generator.gauss(0, 1), 8)
        points.append(list(point.values()))
        values.append(value)
        study.add_trial(optuna.trial.create_trial(params=point, distributions=plain, value=value))
    seeds = 2 if count == 1000 else 10
    importances = [
        get_param_importances(study, evaluator=FanovaImportanceEvaluator(seed=seed)) for seed in range(seeds)
    ]
    found[name] = {
        "paths": list(space),
        "points": points,
        "values": values,
        "importance": {path: sum(one[path] for one in importances) / seeds for path in space},
    }
print(json.dumps({"optuna": optuna.__version__, "problems": found}))
