"""Logs experiments to Warren, from two lines:

    import warren

    run = warren.init(project="mine", config={"lr": 0.01})
    run.log({"train/loss": 0.7})

The standard library alone; Python 3.8 or newer. Most programs written for W&B need no more than another import.
"""

from __future__ import annotations

import functools
import importlib
import sys
import uuid
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional

from .agent import agent
from .api import Api
from .artifact import Artifact
from .elsewhere import instead_of
from .media import Array, Audio, Chart, Histogram, Html, Image, Plotly, Table, Text, Video
from .recorded import Config, Summary
from .registry import TakenVersion, download_version, names_run, transport_here
from .run import Run
from .starting import init as _init
from .stored_run import StoredFile, StoredRun
from .stored_runs import Runs
from .stored_sweep import StoredSweep
from .sweep import sweep
from .transport import Refused, Unreachable

__version__ = "0.1.0"
__all__ = [
    "AlertLevel",
    "Api",
    "Array",
    "Artifact",
    "Audio",
    "Chart",
    "Config",
    "Histogram",
    "Html",
    "Image",
    "Markdown",
    "Plotly",
    "Refused",
    "Run",
    "Runs",
    "Settings",
    "StoredFile",
    "StoredRun",
    "StoredSweep",
    "Summary",
    "Table",
    "Text",
    "Unreachable",
    "Video",
    "agent",
    "alert",
    "config",
    "define_metric",
    "finish",
    "init",
    "log",
    "link_artifact",
    "link_model",
    "log_artifact",
    "log_model",
    "log_text",
    "plot",
    "register_model",
    "run",
    "save",
    "summary",
    "sweep",
    "tensorboard",
    "unwatch",
    "use_artifact",
    "watch",
]

#: The run that the last `init` made; None before it and after `finish`.
run: Optional[Run] = None
config: Config = Config()
summary: Summary = Summary()


#: As Trackio names it.
Markdown = Text
#: As W&B's programs make the id of a run that is to be resumed.
util = SimpleNamespace(generate_id=lambda length=8: uuid.uuid4().hex[:length])
#: W&B's settings of a run, which `init` ignores.
Settings = dict


class AlertLevel:
    """Levels of `alert`."""

    INFO, WARN, ERROR = "info", "warn", "error"


@functools.wraps(_init)
def _init_here(*arguments: Any, **options: Any) -> Run:
    global run, config, summary
    set_before: Dict[str, Any] = dict(config) if config._run is None else {}
    run = _init(*arguments, **options)
    config, summary = run.config, run.summary
    config.setdefaults(set_before)
    return run


if TYPE_CHECKING:
    # for type checkers, which find a misspelled option or name by it
    from .starting import init as init
    from . import plot as plot, tensorboard as tensorboard

    def login(*_arguments: Any, **_options: Any) -> bool: ...

    def require(*_arguments: Any, **_options: Any) -> None: ...

    def setup(*_arguments: Any, **_options: Any) -> None: ...

else:
    init = _init_here
    # not `from . import`, which does not find it where the one-file client is executed, as by `python -m warren`
    plot = importlib.import_module(".plot", __package__)
    tensorboard = importlib.import_module(".tensorboard", __package__)


def _current() -> Run:
    if run is None:
        raise RuntimeError("warren.init() must be called first")
    return run


def log(data: Mapping[str, Any], step: Optional[int] = None, commit: Optional[bool] = None) -> None:
    """Logs numbers and things to look at of the current run; see `Run.log`."""
    _current().log(data, step, commit)


def log_artifact(path: Any, name: Optional[str] = None, type: Optional[str] = None, **options: Any) -> Any:
    """Keeps a file, a folder or an `Artifact` with the current run; see `Run.log_artifact`."""
    return _current().log_artifact(path, name, type, **options)


def save(glob_str: Any = None, base_path: Any = None, policy: Any = None) -> None:
    """Keeps the files that a pattern matches; see `Run.save`."""
    _current().save(glob_str, base_path, policy)


def watch(models: Any, criterion: Any = None, log: Optional[str] = "gradients", log_freq: int = 1000, **options: Any) -> None:
    """Logs histograms of the gradients and parameters of a model; see `Run.watch`."""
    _current().watch(models, criterion, log, log_freq, **options)


def unwatch(models: Any = None) -> None:
    """Watches no model any more."""
    _current().unwatch(models)


def define_metric(name: str, step_metric: Optional[str] = None, **options: Any) -> None:
    """Says of a metric what stands for it and which way is better; see `Run.define_metric`."""
    _current().define_metric(name, step_metric, **options)


def alert(title: str, text: str = "", level: str = "warn", **_ignored: Any) -> None:
    """Writes a warning into the log of the current run."""
    _current().alert(title, text, level)


def log_text(text: str, level: str = "info") -> None:
    """Adds lines to the log of the current run; see `Run.log_text`."""
    _current().log_text(text, level)


def use_artifact(reference: str, path: Optional[str] = None, server: Optional[str] = None, token: Optional[str] = None) -> str:
    """Downloads a registered version, such as `ranker@production`, or `RUN:NAME`, a file of a run by id or number.

    Answers the path of the file, or the folder of the files of a version that has several. Where a run is under way, it is noted
    that it took the version. `path` may be left out for versions: they come below `artifacts/`.
    """
    if not names_run(reference):
        if run is not None and server is None:
            return run.use_artifact(reference, path)
        transport = transport_here(server, token)
        try:
            return TakenVersion(download_version(transport, reference, path)["path"])
        finally:
            transport.close()
    run_id, _colon, name = reference.partition(":")
    if path is None:
        raise ValueError("use_artifact: where is %s to be kept? Give a path" % reference)
    transport = transport_here(server, token)
    try:
        transport.download(run_id.lstrip("#"), name, path)
    finally:
        transport.close()
    return path


def register_model(name: str, artifact: str, aliases: Any = None, **options: Any) -> None:
    """Registers an artifact of the current run as the next version of a model; see `Run.register_model`."""
    _current().register_model(name, artifact, aliases, **options)


def link_artifact(artifact: Any, target_path: str, aliases: Any = None) -> None:
    """Registers what was logged before under a name; see `Run.link_artifact`."""
    _current().link_artifact(artifact, target_path, aliases)


def log_model(path: Any, name: Optional[str] = None, aliases: Any = None) -> None:
    """Keeps a file or folder with the current run, and registers it; see `Run.log_model`."""
    _current().log_model(path, name, aliases)


def link_model(path: Any, registered_model_name: str, name: Optional[str] = None, aliases: Any = None) -> None:
    """Keeps a file or folder with the current run, and registers it under a name; see `Run.link_model`."""
    _current().link_model(path, registered_model_name, name, aliases)


def finish(exit_code: Optional[int] = 0, error: Optional[str] = None, quiet: Any = None) -> None:
    """Ends the current run; the end of the program does it, too."""
    global run
    if run is not None:
        run.finish(exit_code, error)
        run = None


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return instead_of(name, "warren")


class _Module(ModuleType):
    """`warren.config = {...}` sets parameters of the run, as older programs for W&B do."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "config" and isinstance(value, Mapping) and not isinstance(value, Config):
            self.config.update(value)
        else:
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Module
