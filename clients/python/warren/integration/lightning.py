"""Logger for PyTorch Lightning: `Trainer(logger=WarrenLogger(project="mine"))`."""

from __future__ import annotations

import os
from argparse import Namespace
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

try:
    from lightning.pytorch.loggers.logger import Logger, rank_zero_experiment
    from lightning.pytorch.utilities import rank_zero_only
except ImportError:
    from pytorch_lightning.loggers.logger import Logger, rank_zero_experiment  # type: ignore[no-redef]
    from pytorch_lightning.utilities import rank_zero_only  # type: ignore[no-redef]

import warren

from .begun import Begun


class WarrenLogger(Logger):
    """Logs what a LightningModule logs, and its hyperparameters, to the run that is open, or else to one of its own, which ends as the
    training ends.

    log_model: whether the best and last checkpoints are kept with the run when it ends. All else goes to `warren.init`.
    """

    def __init__(self, log_model: bool = False, **options: Any) -> None:
        super().__init__()
        self._log_model = log_model
        self._begun = Begun(options)
        self._checkpoints: Any = None
        #: The step at which the epoch was logged last: Lightning says it with each part of a step.
        self._epoch_step: Optional[int] = None

    @property
    @rank_zero_experiment
    def experiment(self) -> warren.Run:
        """The run, started when it is first asked for."""
        return self._begun.begin()

    @property
    def name(self) -> Optional[str]:
        return self._begun.run.project if self._begun.run else self._begun.options.get("project")

    @property
    def version(self) -> Optional[str]:
        return self._begun.run.id if self._begun.run else self._begun.options.get("id")

    def watch(self, model: Any, log: Optional[str] = "gradients", log_freq: int = 100, **options: Any) -> None:
        self.experiment.watch(model, log=log, log_freq=log_freq, **options)

    @rank_zero_only
    def log_image(self, key: str, images: List[Any], step: Optional[int] = None, caption: Sequence[str] = (), **_options: Any) -> None:
        captions = list(caption) + [""] * len(images)
        self.experiment.log({key: [warren.Image(image, caption=text) for image, text in zip(images, captions)]}, step=step)

    @rank_zero_only
    def log_table(
        self, key: str, columns: Optional[List[str]] = None, data: Any = None, dataframe: Any = None, step: Optional[int] = None
    ) -> None:
        self.experiment.log({key: warren.Table(columns=columns, data=data, dataframe=dataframe)}, step=step)

    log_text = log_table

    @rank_zero_only
    def log_hyperparams(self, params: Union[Dict[str, Any], Namespace], *_args: Any, **_kwargs: Any) -> None:
        self.experiment.config.update(params)

    @rank_zero_only
    def log_metrics(self, metrics: Mapping[str, float], step: Optional[int] = None) -> None:
        if step is not None and step == self._epoch_step:
            metrics = {name: value for name, value in metrics.items() if name != "epoch"}
        elif "epoch" in metrics:
            self._epoch_step = step
        self.experiment.log(metrics, step=step)

    @rank_zero_only
    def after_save_checkpoint(self, checkpoint_callback: Any) -> None:
        self._checkpoints = checkpoint_callback

    @rank_zero_only
    def finalize(self, status: str) -> None:
        run = self._begun.run
        if run is None or status not in ("success", "failed"):
            return
        if self._log_model and self._checkpoints is not None:
            paths = {self._checkpoints.best_model_path, getattr(self._checkpoints, "last_model_path", "")}
            for path in sorted(filter(None, paths)):
                run.log_artifact(path, "checkpoints/" + os.path.basename(path))
        self._begun.end(*((0, None) if status == "success" else (1, "the training failed")))
