"""`agent` executes the trials of a sweep: calls of a function, or executions of a program."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
import traceback
from typing import Any, Callable, Dict, List, Optional

from .ending import failure_of
from .environment import user_name
from .interrupting import interrupt_main_thread
from .mutations import FINISH_RUN, HEARTBEAT
from .registry import transport_here
from .run import new_run_id
from .transport import Refused, Transport, Unreachable
from .trial import Trial, runs, under_way
from .values import warn

_TAKE = """mutation ($input: TakeTrialInput!) { takeTrial(input: $input) {
  outcome reason trial point line run { id number seed project { name } sweep { number } configuration { parameters } }
} }"""

#: W&B's word for a variable of this machine; as at W&B, one that is not set leaves its name.
_VARIABLE = re.compile(r"\$\{envvar:([A-Z0-9_]*)\}")
#: The server gives a run up that it has not heard of for three times as long.
HEARTBEAT_SECONDS = 20.0
#: Between two looks at a sweep that is paused.
PAUSE_SECONDS = 5.0
LONGEST_PAUSE_SECONDS = 60.0
#: How the server says that a run was stopped from outside.
STOPPED = ("CANCELLED", "PRUNED")


def agent(
    sweep_id: Any,
    function: Optional[Callable[[], Any]] = None,
    entity: Optional[str] = None,
    project: Optional[str] = None,
    count: Optional[int] = None,
    *,
    server: Optional[str] = None,
    token: Optional[str] = None,
) -> int:
    """Executes trials of a sweep until it has no more, and answers how many. Start as many agents as you like, anywhere.

    function: is called for each trial; in it `init` makes the trial's run, whose `config` has the drawn values. Without
        it, the program or command of the sweep is executed.
    sweep_id: what `sweep` has answered. count: trials at most. `entity` and `project` are taken for W&B's programs.

    A trial that raises has failed, and the next one follows; Ctrl-C cancels the trial under way and ends the agent. A server that
    is away is waited for. Raises ValueError where there is no such sweep, or workers execute its trials.
    """
    asked = str(sweep_id).rsplit("/", 1)[-1].lstrip("#")
    transport = transport_here(server, token)
    done = 0
    try:
        while count is None or done < count:
            taken = _next(transport, asked)
            if taken is None:
                break
            done += 1
            trial = _trial_of(taken)
            print("warren: trial %d of sweep %d: %s" % (trial.number, trial.sweep, _shown(taken["point"])), file=sys.stderr)
            with under_way(trial):
                if function is not None:
                    _call(function, trial, transport)
                elif taken["line"]:
                    _execute(taken["line"], trial, transport)
                else:
                    _finish(transport, trial.run_id, "the sweep names no program, and the agent has no function")
                    raise ValueError("agent: sweep %d names no program: give a function" % trial.sweep)
    finally:
        transport.close()
    return done


def _next(transport: Transport, sweep_id: str) -> Optional[Dict[str, Any]]:
    """Waits for a trial; None where the sweep has no more."""
    asked = {"sweep": sweep_id, "runId": new_run_id(), "user": user_name()}
    said, pause = "", PAUSE_SECONDS
    while True:
        try:
            offer = transport.graphql(_TAKE, {"input": asked})["takeTrial"]
        except Unreachable as error:
            news = "%s; the agent asks again" % error
            pause = min(LONGEST_PAUSE_SECONDS, pause * 1.5)
        except Refused as refused:
            raise ValueError("agent: %s" % refused) from None
        else:
            if offer["outcome"] == "TAKEN":
                return offer  # type: ignore[no-any-return]
            if offer["outcome"] == "ENDED":
                print("warren: sweep %s has no more trials: %s" % (sweep_id, offer["reason"]), file=sys.stderr)
                return None
            news = "sweep %s is paused (%s); the agent goes on when it is resumed" % (sweep_id, offer["reason"])
            pause = PAUSE_SECONDS
        if news != said:
            said = news
            warn(news)
        time.sleep(pause)


def _trial_of(taken: Dict[str, Any]) -> Trial:
    run = taken["run"]
    drawn = run["configuration"]["parameters"]
    return Trial(run["sweep"]["number"], taken["trial"], run["id"], run["project"]["name"], run["seed"], drawn)


def _shown(point: Dict[str, Any]) -> str:
    return ", ".join("%s=%s" % (name, value) for name, value in point.items())


def _call(function: Callable[[], Any], trial: Trial, transport: Transport) -> None:
    """Calls a function for a trial, and ends its run as the function ends."""
    keeper = _Keeper(trial.run_id, transport, interrupt_main_thread)
    error: Optional[str] = None
    try:
        with keeper:
            try:
                function()
            except SystemExit as exited:
                failure = failure_of(exited)
                error = None if failure is None else failure[1] or "exit code %d" % failure[0]
            except Exception as raised:
                traceback.print_exc()
                error = "%s: %s" % (type(raised).__name__, raised)
            if not runs:
                error = error or "the function made no run: it has to call warren.init()"
            _end(trial, transport, error)
    except KeyboardInterrupt:
        stopped = keeper.stopped or next((run.stopped for run in runs if run.stopped), None)
        for run in runs:
            run.cancel()
        if stopped is None:
            if not runs:
                _finish(transport, trial.run_id, None, "CANCELLED")
            raise
        print("warren: trial %d was stopped: %s" % (trial.number, stopped), file=sys.stderr)


def _end(trial: Trial, transport: Transport, error: Optional[str]) -> None:
    if error is not None:
        warn("trial %d has failed: %s" % (trial.number, error))
    for run in runs:
        run.finish(0 if error is None else 1, error)
    if not runs:
        _finish(transport, trial.run_id, error)


def _execute(line: List[str], trial: Trial, transport: Transport) -> None:
    """Executes a program for a trial; where the program has not ended its run itself, its exit code does."""
    line = [_VARIABLE.sub(lambda found: os.environ.get(found.group(1), found.group(1)), word) for word in line]
    try:
        program = subprocess.Popen(line)
    except OSError as error:
        _finish(transport, trial.run_id, "%s: %s" % (line[0], error))
        raise ValueError("agent: %s cannot be executed: %s" % (" ".join(line), error)) from None
    try:
        with _Keeper(trial.run_id, transport, program.terminate):
            code = program.wait()
    except KeyboardInterrupt:
        program.wait()
        _finish(transport, trial.run_id, None, "CANCELLED")
        raise
    _finish(transport, trial.run_id, "exit code %d" % code if code else None)


def _finish(transport: Transport, run_id: str, error: Optional[str], state: Optional[str] = None) -> None:
    """Ends a run that its program has not ended."""
    ended = {"run": run_id, "state": state or ("SUCCEEDED" if error is None else "FAILED"), "message": error}
    try:
        transport.graphql(FINISH_RUN, ended)
    except Refused as refused:
        if refused.code != "CONFLICT":  # it has ended already
            warn("run %s is not ended: %s" % (run_id, refused))
    except Unreachable as away:
        warn("%s; run %s ends when nothing was heard of it for a while" % (away, run_id))


class _Keeper:
    """Tells the server that a trial lives while no run of this program does, and stops it when the server has ended it."""

    def __init__(self, run_id: str, transport: Transport, stop: Callable[[], None]) -> None:
        self._run_id = run_id
        self._transport = Transport(transport.url, transport.token)
        self._stop = stop
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="warren agent", daemon=True)
        #: Why the server ended it; None while it has not.
        self.stopped: Optional[str] = None

    def __enter__(self) -> "_Keeper":
        self._thread.start()
        return self

    def __exit__(self, *_raised: Any) -> None:
        self._over.set()
        self._thread.join()
        self._transport.close()

    def _keep(self) -> None:
        while not self._over.wait(HEARTBEAT_SECONDS):
            if runs:  # it reports itself
                return
            try:
                self._transport.graphql(HEARTBEAT, {"run": self._run_id})
            except Unreachable:
                continue
            except Refused as refused:
                if any(word in str(refused) for word in STOPPED):
                    self.stopped = str(refused)
                    self._stop()
                return
