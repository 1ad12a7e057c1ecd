"""Callback for the Hugging Face Trainer: `Trainer(..., callbacks=[WarrenCallback(project="mine")])`."""

from __future__ import annotations

import os
from typing import Any, Dict, Optional

from transformers import TrainerCallback

import warren


class WarrenCallback(TrainerCallback):
    """Logs losses, metrics and the training arguments; ends the run with the training.

    log_model: whether each checkpoint is kept with the run. A training that raises is marked by the end of the program.
    All else goes to `warren.init`.
    """

    def __init__(self, log_model: bool = False, **options: Any) -> None:
        self._log_model = log_model
        self._options = options
        self._run: Optional[warren.Run] = None

    def on_train_begin(self, args: Any, state: Any, control: Any, **_more: Any) -> None:
        if not state.is_world_process_zero or self._run is not None:
            return
        given = getattr(args, "run_name", None)
        if given and given != args.output_dir:
            self._options.setdefault("name", given)
        config = {**(self._options.pop("config", None) or {}), **args.to_sanitized_dict()}
        self._begin(config)

    def _begin(self, config: Optional[Dict[str, Any]] = None) -> None:
        self._run = warren.init(config=config, **self._options)
        # an evaluation after the training goes on with its run
        self._options.update(id=self._run.id, resume="allow", project=self._run.project)

    def on_log(self, args: Any, state: Any, control: Any, logs: Optional[Dict[str, Any]] = None, **_more: Any) -> None:
        if self._run is None and logs and "id" in self._options and state.is_world_process_zero:
            self._begin()
        if self._run is not None and logs:
            self._run.log({_name(name): value for name, value in logs.items()}, step=state.global_step)

    def on_save(self, args: Any, state: Any, control: Any, **_more: Any) -> None:
        folder = os.path.join(args.output_dir, "checkpoint-%d" % state.global_step)
        if self._run is not None and self._log_model and os.path.isdir(folder):
            self._run.log_artifact(folder)

    def on_train_end(self, args: Any, state: Any, control: Any, **_more: Any) -> None:
        if self._run is not None:
            self._run.finish()
            self._run = None


def _name(name: str) -> str:
    """`eval_loss` is `eval/loss`, and `loss` is `train/loss`."""
    for prefix in ("eval_", "test_"):
        if name.startswith(prefix):
            return prefix[:-1] + "/" + name[len(prefix) :]
    return "train/" + name
