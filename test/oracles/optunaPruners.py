"""Reference values of optunaPruners.json, by Optuna 5.0.0:
python3 test/oracles/optunaPruners.py > test/oracles/optunaPruners.json

At which iteration SuccessiveHalvingPruner and MedianPruner stop the 24 validation curves of sevo_paper_logs.json (NDCG@10, the n-th
value is iteration n), in two orders: one trial after the other, and eight under way at once that report in turns. The median
rule gets the first 11 values of each: n_startup_trials counts all complete trials, Warren's min_trials those that have come as far.
"""

import json
import warnings
from pathlib import Path

import optuna

warnings.filterwarnings("ignore")
optuna.logging.set_verbosity(optuna.logging.ERROR)

LOGS = json.loads(Path(__file__).with_name("sevo_paper_logs.json").read_text())["logs"]
CURVES = [[value for _, value in log["validation_ndcg10_curve_mean"]] for log in LOGS]

HALVING = [(1, 3), (2, 2), (3, 4)]
CUT = 11
MEDIAN = [(1, 1, 5), (4, 3, 3), (6, 1, 1)]


def stops(pruner, at_once, most):
    curves = [curve[:most] for curve in CURVES]
    study = optuna.create_study(direction="maximize", pruner=pruner)
    stopped = [None] * len(CURVES)
    waiting = list(range(len(CURVES)))
    running = []
    while waiting or running:
        while waiting and len(running) < at_once:
            running.append((waiting.pop(0), study.ask(), 0))
        still = []
        for curve, trial, reported in running:
            iteration = reported + 1
            trial.report(curves[curve][reported], iteration)
            if trial.should_prune():
                stopped[curve] = iteration
                study.tell(trial, state=optuna.trial.TrialState.PRUNED)
            elif iteration == len(curves[curve]):
                study.tell(trial, curves[curve][reported])
            else:
                still.append((curve, trial, iteration))
        running = still
    return stopped


print(
    json.dumps(
        {
            "source": f"Optuna {optuna.__version__}",
            "curves": CURVES,
            "cases": [
                {
                    "early_terminate": {"type": "asha", "min_iter": first, "eta": eta},
                    "atOnce": at_once,
                    "most": 1000,
                    "stopped": stops(
                        optuna.pruners.SuccessiveHalvingPruner(min_resource=first, reduction_factor=eta, min_early_stopping_rate=0),
                        at_once,
                        1000,
                    ),
                }
                for first, eta in HALVING
                for at_once in (1, 8)
            ]
            + [
                {
                    "early_terminate": {"type": "median", "min_iter": first, "every": every, "min_trials": trials},
                    "atOnce": at_once,
                    "most": CUT,
                    "stopped": stops(
                        optuna.pruners.MedianPruner(n_startup_trials=trials, n_warmup_steps=first, interval_steps=every),
                        at_once,
                        CUT,
                    ),
                }
                for first, every, trials in MEDIAN
                for at_once in (1, 8)
            ],
        }
    )
)
