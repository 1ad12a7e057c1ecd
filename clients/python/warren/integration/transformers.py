"""Callback for the Hugging Face Trainer: `Trainer(..., callbacks=[WarrenCallback(project="mine")])`."""

from __future__ import annotations

import os
from typing import Any, Dict, Optional

from transformers import TrainerCallback

from .begun import Begun


class WarrenCallback(TrainerCallback):
    """Logs losses, metrics and the training arguments to the run that is open, or else to one of its own, which ends with the training.

    log_model: whether each checkpoint is kept with the run. A training that raises is marked by the end of the program.
    All else goes to `warren.init`.
    """

    def __init__(self, log_model: bool = False, **options: Any) -> None:
        self._log_model = log_model
        self._begun = Begun(options)

    def on_train_begin(self, args: Any, state: Any, control: Any, **_more: Any) -> None:
        if not state.is_world_process_zero:
            return
        given = getattr(args, "run_name", None)
        if given and given != args.output_dir:
            self._begun.options.setdefault("name", given)
        self._begun.begin(args.to_sanitized_dict())

    def on_log(self, args: Any, state: Any, control: Any, logs: Optional[Dict[str, Any]] = None, **_more: Any) -> None:
        if logs and state.is_world_process_zero:
            # an evaluation before or after the training has its run, too
            self._begun.begin().log({_name(name): value for name, value in logs.items()}, step=state.global_step)

    def on_save(self, args: Any, state: Any, control: Any, **_more: Any) -> None:
        folder = os.path.join(args.output_dir, "checkpoint-%d" % state.global_step)
        if self._begun.run is not None and self._log_model and os.path.isdir(folder):
            self._begun.run.log_artifact(folder)

    def on_train_end(self, args: Any, state: Any, control: Any, **_more: Any) -> None:
        self._begun.end()


def _name(name: str) -> str:
    """`eval_loss` is `eval/loss`, and `loss` is `train/loss`."""
    for prefix in ("eval_", "test_"):
        if name.startswith(prefix):
            return prefix[:-1] + "/" + name[len(prefix) :]
    return "train/" + name
