"""Callback for Keras: `model.fit(..., callbacks=[WarrenCallback(project="mine")])`."""

from __future__ import annotations

import os
import tempfile
from typing import Any, Dict, Optional

import keras

from .begun import Begun


class WarrenCallback(keras.callbacks.Callback):
    """Logs each epoch's losses and metrics to the run that is open, or else to one of its own, which ends with the training.

    log_model: whether the model is kept with the run when the training ends. A training that raises is marked by the end
    of the program. All else goes to `warren.init`.
    """

    def __init__(self, log_model: bool = False, **options: Any) -> None:
        super().__init__()
        self._log_model = log_model
        self._begun = Begun(options)

    def on_train_begin(self, logs: Optional[Dict[str, Any]] = None) -> None:
        self._begun.begin({"fit/" + name: value for name, value in (self.params or {}).items()})

    def on_epoch_end(self, epoch: int, logs: Optional[Dict[str, Any]] = None) -> None:
        run = self._begun.run
        if run is not None:
            named = {("valid/" + name[4:] if name.startswith("val_") else "train/" + name): v for name, v in (logs or {}).items()}
            run.log(named, step=epoch)

    def on_train_end(self, logs: Optional[Dict[str, Any]] = None) -> None:
        run = self._begun.run
        if run is not None and self._log_model:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "model.keras")
                self.model.save(path)
                run.log_artifact(path)
        self._begun.end()
