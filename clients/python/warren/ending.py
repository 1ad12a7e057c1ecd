"""The end of the program ends its runs."""

from __future__ import annotations

import atexit
import sys
from typing import TYPE_CHECKING, Any, List

if TYPE_CHECKING:
    from .run import Run

_open_runs: List["Run"] = []
_failure: List[str] = []
_hooked = False


def ends_with_program(run: "Run") -> None:
    """Has the end of the program end the run, as what happened says."""
    global _hooked
    _open_runs.append(run)
    if _hooked:
        return
    _hooked = True
    atexit.register(_finish_open_runs)
    before = sys.excepthook

    def note_failure(kind: Any, error: Any, traceback: Any) -> None:
        _failure.append("CANCELLED" if issubclass(kind, KeyboardInterrupt) else "%s: %s" % (kind.__name__, error))
        before(kind, error, traceback)

    sys.excepthook = note_failure


def _finish_open_runs() -> None:
    for run in list(_open_runs):
        if not _failure:
            run.finish()
        elif _failure[-1] == "CANCELLED":
            run.cancel()
        else:
            run.finish(1, _failure[-1])


def forget(run: "Run") -> None:
    """The run has ended."""
    if run in _open_runs:
        _open_runs.remove(run)
