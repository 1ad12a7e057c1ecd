"""Logger for RecBole: `with WarrenLogger(project="mine"): run_recbole(model="BPR", dataset="ml-100k")`."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Dict, Mapping, Optional, Type

from recbole.trainer import trainer as trainers

import warren


class WarrenLogger:
    """Logs what RecBole's trainers train within the block, a run for each trainer; ends the run with the block.

    A run has each epoch's loss (`train/loss`), the validation's metrics (`valid/ndcg@10`), the metrics of the last evaluation after
    the training (`test/ndcg@10`), RecBole's configuration, seed and dataset. All else
    goes to `warren.init`. Of several processes the first one logs.
    """

    def __init__(self, **options: Any) -> None:
        self._options = options
        self._run: Optional[warren.Run] = None
        self._theirs: Any = None
        self._epoch = 0
        self._evaluated: Dict[str, Any] = {}

    def __enter__(self) -> "WarrenLogger":
        # the trainers report to an object of this class, with these three methods
        self._theirs, trainers.WandbLogger = trainers.WandbLogger, self._for_trainer
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]) -> None:
        trainers.WandbLogger = self._theirs
        self._end(kind, error, traceback)

    def _for_trainer(self, config: Any) -> "WarrenLogger":
        self._end(None, None, None)
        if not config["single_spec"] and config["local_rank"] != 0:
            return self
        self._epoch, self._evaluated = 0, {}
        given = {"name": config["model"], "dataset": config["dataset"], "seed": config["seed"], **self._options}
        plain = {name: value for name, value in config.final_config_dict.items() if _is_plain(value)}
        self._run = warren.init(**{**given, "config": {**plain, **(self._options.get("config") or {})}})
        return self

    def log_metrics(self, metrics: Mapping[str, Any], head: str = "train", commit: bool = True) -> None:
        if self._run is None:
            return
        if head == "train":
            self._epoch = int(metrics["epoch"])
            loss = metrics["train_loss"]
            parts = {"train/loss%d" % (place + 1): part for place, part in enumerate(loss)} if isinstance(loss, tuple) else {}
            self._run.log({"train/loss": sum(loss) if parts else loss, **parts}, step=self._epoch)
        else:
            # the evaluation before was this validation
            self._evaluated = {}
            self._run.log({"%s/%s" % (head, name): value for name, value in metrics.items() if name != "valid_step"}, step=self._epoch)

    def log_eval_metrics(self, metrics: Mapping[str, Any], head: str = "eval") -> None:
        self._evaluated = dict(metrics)

    def _end(self, kind: Any, error: Any, traceback: Any) -> None:
        if self._run is None:
            return
        run, self._run = self._run, None
        if self._evaluated:
            run.log({"test/" + name: value for name, value in self._evaluated.items()}, step=self._epoch)
        run.__exit__(kind, error, traceback)


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, (str, int, float, bool, list, tuple, dict))
