"""Callback for Keras: `model.fit(..., callbacks=[WarrenCallback(project="mine")])`."""

from __future__ import annotations

import os
import tempfile
from typing import Any, Dict, Optional

import keras

import warren


class WarrenCallback(keras.callbacks.Callback):
    """Logs each epoch's losses and metrics; ends the run with the training.

    log_model: whether the model is kept with the run when the training ends. A training that raises is marked by the end
    of the program. All else goes to `warren.init`.
    """

    def __init__(self, log_model: bool = False, **options: Any) -> None:
        super().__init__()
        self._log_model = log_model
        self._options = options
        self._run: Optional[warren.Run] = None

    def on_train_begin(self, logs: Optional[Dict[str, Any]] = None) -> None:
        self._run = warren.init(**self._options)
        self._run.config.update({"fit/" + name: value for name, value in (self.params or {}).items()})

    def on_epoch_end(self, epoch: int, logs: Optional[Dict[str, Any]] = None) -> None:
        if self._run is not None:
            named = {("valid/" + name[4:] if name.startswith("val_") else "train/" + name): v for name, v in (logs or {}).items()}
            self._run.log(named, step=epoch)

    def on_train_end(self, logs: Optional[Dict[str, Any]] = None) -> None:
        if self._run is None:
            return
        if self._log_model:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "model.keras")
                self.model.save(path)
                self._run.log_artifact(path)
        self._run.finish()
        self._run = None
