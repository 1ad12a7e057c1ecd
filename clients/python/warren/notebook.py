"""What is different in a notebook: a cell may fail without an end of the program, and `init` comes again in the same one."""

from __future__ import annotations

import sys
import traceback
from typing import Any, List

from .ending import failure_of, note_failure, open_runs

_hooked: List[Any] = []


def shell_here() -> Any:
    """IPython's shell, in which cells are executed; None in other programs, also in those that only open one for a look."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None and hasattr(module, "get_ipython") else None
    return None if type(shell).__name__ == "InteractiveShellEmbed" else shell


def follow_cells() -> None:
    """Has each cell say how it ended: the errors of cells become lines of the log, and the end of the kernel ends its run as the last cell did."""
    shell = shell_here()
    if shell is None or shell in _hooked:
        return
    _hooked.append(shell)
    shell.events.register("pre_run_cell", _before_cell)
    shell.events.register("post_run_cell", _after_cell)


def _before_cell(_info: Any = None) -> None:
    for run in open_runs():
        if run._console is not None:
            run._console.renew()


def _after_cell(result: Any) -> None:
    error = result.error_before_exec or result.error_in_exec
    left = isinstance(error, SystemExit)
    if error is None or (left and failure_of(error) is None):
        note_failure(None)
        return
    note_failure(error)
    for run in open_runs() if not left else ():
        run.log_text("".join(_lines_of(error)).rstrip("\n"), "error")


def _lines_of(error: BaseException) -> List[str]:
    """The traceback, without the frames that execute the cell."""
    within = error.__traceback__
    while within is not None and "IPython" in within.tb_frame.f_code.co_filename:
        within = within.tb_next
    return traceback.format_exception(type(error), error, within)
