"""The end of the program ends its runs."""

from __future__ import annotations

import atexit
import builtins
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING, Any, List, Optional, Tuple

if TYPE_CHECKING:
    from .run import Run

#: Schedulers kill a program soon after the signal that is to end it.
SIGNAL_SECONDS = 5.0
_open_runs: List["Run"] = []
_failure: List[str] = []
#: The exit on which the main thread is; emptied by what is logged after it, since somebody caught it then.
exits: List[SystemExit] = []
_hooked = False


def ends_with_program(run: "Run") -> None:
    """Has the end of the program end the run, as what happened says."""
    global _hooked
    _open_runs.append(run)
    if _hooked:
        return
    _hooked = True
    atexit.register(finish_open_runs)
    workers = sys.modules.get("multiprocessing.util")
    if workers is not None and sys.modules["multiprocessing"].parent_process() is not None:
        # a process of a pool may end without what `atexit` has
        workers.Finalize(None, finish_open_runs, exitpriority=0)
    before = sys.excepthook

    def note_uncaught(kind: Any, error: Any, traceback: Any) -> None:
        note_failure(error if error is not None else kind())
        before(kind, error, traceback)

    sys.excepthook = note_uncaught
    _note_exits()
    _note_raised_exits()
    _end_by_signals()


def note_failure(error: Optional[BaseException]) -> None:
    """The error with which the program ends, or the last cell of a notebook has ended; None: that went well."""
    exits.clear()
    if error is None:
        _failure.clear()
    elif isinstance(error, SystemExit):
        _failure.clear()
        exits.append(error)
    else:
        _failure[:] = ["CANCELLED" if isinstance(error, KeyboardInterrupt) else "%s: %s" % (type(error).__name__, error)]


def open_runs(inherited: bool = False) -> List["Run"]:
    """The runs of this process that have not ended; with those of the process that it was forked from, which sends what is logged here."""
    return [run for run in _open_runs if inherited or run._owner == os.getpid()]


def failure_of(error: SystemExit) -> Optional[Tuple[int, Optional[str]]]:
    """Exit code and reason of an exit that means failure: another number than 0, or a message."""
    if error.code is None or error.code == 0:
        return None
    return (error.code, None) if isinstance(error.code, int) else (1, str(error.code))


def _end_by_signals() -> None:
    """Has the signals by which schedulers end programs end the runs, where nothing else takes them."""
    if threading.current_thread() is not threading.main_thread():
        return
    for name in ("SIGTERM", "SIGHUP", "SIGUSR1"):
        number = getattr(signal, name, None)
        # these set handlers of their own, and leave those alone that are there
        taken = name == "SIGUSR1" and any(module in sys.modules for module in ("lightning", "pytorch_lightning", "submitit"))
        if number is not None and not taken and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _ended_by)


def _ended_by(number: int, _frame: Any) -> None:
    """Ends the runs of this process, and then the process as the signal would have."""

    def end() -> None:
        for run in open_runs():
            run.log_text("ended by %s" % signal.Signals(number).name, "warn")
            run._end("CANCELLED", "ended by %s" % signal.Signals(number).name, SIGNAL_SECONDS - 1)

    # in a thread: the program may hold what it needs
    thread = threading.Thread(target=end, name="warren end", daemon=True)
    thread.start()
    thread.join(SIGNAL_SECONDS)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _note_exits() -> None:
    """No hook tells of `sys.exit`: the function itself takes note."""
    leave = sys.exit

    def leave_noted(status: Any = None) -> Any:
        if threading.current_thread() is threading.main_thread():
            exits[:] = [SystemExit(status)]
        leave(status)

    sys.exit = leave_noted


def _note_raised_exits() -> None:
    """A `raise SystemExit(…)`, and `exit(…)`, which does that: Python 3.12 tells of them, older ones of the latter only."""
    monitoring: Any = getattr(sys, "monitoring", None)
    free = [tool for tool in (3, 4) if monitoring is not None and monitoring.get_tool(tool) is None]
    if not free:
        _note_quitters()
        return

    def raised(_code: Any, _offset: int, error: BaseException) -> None:
        if isinstance(error, SystemExit) and threading.current_thread() is threading.main_thread():
            exits[:] = [error]

    def handled(_code: Any, _offset: int, error: BaseException) -> None:
        if isinstance(error, SystemExit) and error in exits:
            exits.clear()

    events = monitoring.events
    monitoring.use_tool_id(free[0], "warren")
    for event, callback in ((events.RAISE, raised), (events.RERAISE, raised), (events.EXCEPTION_HANDLED, handled)):
        monitoring.register_callback(free[0], event, callback)
    monitoring.set_events(free[0], events.RAISE | events.RERAISE | events.EXCEPTION_HANDLED)


def _note_quitters() -> None:
    """`exit` and `quit`, where Python has them: they raise without `sys.exit`."""
    quitter = type(getattr(builtins, "exit", None))
    leave = getattr(quitter, "__call__", None)
    if quitter.__name__ != "Quitter" or leave is None:
        return

    def leave_noted(self: Any, code: Any = None) -> Any:
        if threading.current_thread() is threading.main_thread():
            exits[:] = [SystemExit(code)]
        return leave(self, code)

    quitter.__call__ = leave_noted  # type: ignore[method-assign]


def finish_open_runs() -> None:
    """Ends them as the program ends, or as the last cell of a notebook has ended."""
    exited = failure_of(exits[0]) if exits else None
    for run in list(_open_runs):
        if not _failure:
            run.finish(*(exited or ()))
        elif _failure[-1] == "CANCELLED":
            run.cancel()
        else:
            run.finish(1, _failure[-1])


def forget(run: "Run") -> None:
    """The run has ended."""
    if run in _open_runs:
        _open_runs.remove(run)
