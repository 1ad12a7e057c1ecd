"""Reference values of optunaTpe.json, by Optuna 5.0.0: python3 test/oracles/optunaTpe.py > test/oracles/optunaTpe.json

The best of 50 trials of each of 20 seeds of TPESampler on six problems, which optunaTpe.test.ts has, too.
"""

import json
import math
import warnings

import optuna

warnings.filterwarnings("ignore")
optuna.logging.set_verbosity(optuna.logging.ERROR)

HARTMANN = [
    (1, [3, 10, 30], [0.3689, 0.117, 0.2673]),
    (1.2, [0.1, 10, 35], [0.4699, 0.4387, 0.747]),
    (3, [3, 10, 30], [0.1091, 0.8732, 0.5547]),
    (3.2, [0.1, 10, 35], [0.0381, 0.5743, 0.8828]),
]


def sphere(trial):
    return sum((trial.suggest_float(f"x{i}", -5, 5) - 1) ** 2 for i in range(4))


def branin(trial):
    x, y = trial.suggest_float("x", -5, 10), trial.suggest_float("y", 0, 15)
    inner = y - 5.1 * x * x / (4 * math.pi**2) + 5 * x / math.pi - 6
    return inner**2 + 10 * (1 - 1 / (8 * math.pi)) * math.cos(x) + 10


def hartmann(trial):
    x = [trial.suggest_float(f"x{i}", 0, 1) for i in range(3)]
    return -sum(
        alpha * math.exp(-sum(a[i] * (x[i] - p[i]) ** 2 for i in range(3)))
        for alpha, a, p in HARTMANN
    )


def rosenbrock(trial):
    x, y = trial.suggest_float("x", -2, 2), trial.suggest_float("y", -2, 2)
    return math.log(1 + 100 * (y - x**2) ** 2 + (1 - x) ** 2)


def training(trial):
    method = trial.suggest_categorical("method", ["sgd", "adam", "adagrad"])
    rate = trial.suggest_float("rate", 1e-5, 1, log=True)
    units = trial.suggest_int("units", 8, 256, step=8)
    base = {"adam": 0, "adagrad": 0.5}.get(method)
    if method == "sgd":
        base = 0.3 + abs(trial.suggest_float("momentum", 0, 1) - 0.9)
    return base + math.log10(rate / 0.003) ** 2 + ((units - 96) / 100) ** 2


def mixed(trial):
    layers = trial.suggest_int("layers", 1, 8)
    activation = trial.suggest_categorical("activation", ["relu", "tanh", "gelu", "elu"])
    drop = trial.suggest_float("drop", 0, 0.8)
    decay = trial.suggest_float("decay", 1e-6, 1e-1, log=True)
    rate = trial.suggest_float("rate", 1e-5, 1e-1, log=True)
    return (
        ((layers - 3) / 4) ** 2
        + {"relu": 0.2, "tanh": 0.4, "gelu": 0, "elu": 0.3}[activation]
        + (drop - 0.3) ** 2
        + 0.1 * (math.log10(decay) + 4) ** 2
        + (math.log10(rate) + 3) ** 2 * (1 + 0.3 * (layers - 3) ** 2)
    )


def best(problem, seed):
    sampler = optuna.samplers.TPESampler(
        multivariate=True, group=True, constant_liar=True, seed=seed
    )
    study = optuna.create_study(sampler=sampler)
    study.optimize(problem, n_trials=50)
    return study.best_value


problems = [sphere, branin, hartmann, rosenbrock, training, mixed]
found = {problem.__name__: [best(problem, seed) for seed in range(20)] for problem in problems}
print(json.dumps({"optuna": optuna.__version__, "trials": 50, "best": found}, indent=1))
