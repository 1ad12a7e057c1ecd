"""A run of a program: what `warren.init` returns."""

from __future__ import annotations

import os
import sys
import threading
import time
import uuid
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Tuple

from .console import ConsoleCopy
from .delivery import Delivery
from .described import Described
from .elsewhere import instead_of
from .ending import ends_with_program, exits, failure_of, forget, open_runs
from .interrupting import interrupt_main_thread
from .journal import COUNTED, Journal, SendingLock
from .keeping import KeepsFiles
from .kept_journals import retire
from .log_tail import LogTail, log_bytes
from .logged import changed, media_by_name, tell_again, texts_of, told
from .machine import MachineSampler
from .media import Packed
from .recorded import Config, Summary
from .sender import Sender
from .values import LARGEST_STEP, checked_level, checked_step, numbers_of, warn
from .watching import Watches

#: How long `finish` waits for a server that is away.
PATIENCE_SECONDS = 30.0


class Run(KeepsFiles, Described, Watches):
    """Logs metrics, lines, files and parameters of one program. Made by `warren.init`."""

    def __init__(self, run_id: str, journal: Optional[Journal], config: Dict[str, Any], first_step: int = 0) -> None:
        self.id = run_id
        self.number: Optional[int] = None
        self.url: Optional[str] = None
        self.config = Config(config)
        self.config._run = self
        self.summary = Summary()
        #: Why the server stopped it; None where it did not.
        self.stopped: Optional[str] = None
        self.seed = 0
        #: Whether `config.seed` becomes the seed.
        self._takes_seed = False
        self.sweep_id: Optional[str] = None
        self.step = self._first = first_step
        self._journal = journal
        self._pending: Dict[str, Any] = {}
        self._pending_media: Dict[str, List[Packed]] = {}
        #: The newest plain text by name, with its step.
        self._texts: Dict[str, Tuple[str, int]] = {}
        #: The greatest step so far and what was logged there first; of metrics that came at lower ones, their newest.
        self._greatest = -1
        self._at_greatest: Mapping[str, Any] = {}
        self._late_steps: Dict[str, int] = {}
        self._repeat_told = False
        self._lock = threading.Lock()
        self._owner = os.getpid()
        #: Whether another process of the job ends the run.
        self._joined = False
        #: Whether lines of the log are printed: a worker records what the program prints.
        self._prints = False
        self._sender: Optional[Sender] = None
        self._sending: Optional[SendingLock] = None
        self._delivery: Optional[Delivery] = None
        self._lines = LogTail(self._write, log_bytes())
        self._console: Optional[ConsoleCopy] = None
        self._sampler: Optional[MachineSampler] = None
        self._finished = False
        self._ended_told = False

    # What a program calls

    def log(self, data: Mapping[str, Any], step: Optional[int] = None, commit: Optional[bool] = None) -> None:
        """Logs numbers by name at a step: the given one, or one after the last. Nested mappings are joined with `/`.

        Values may also be texts, things to look at (`Image`, `Table`, `Histogram`, …), figures, or lists of them. A text that
        is as it was is not logged again: it stands until the next one. A list or an array of up to 32 numbers is told as a text,
        of more as a histogram; None is no value.

        With `commit=False` the numbers wait for the next call and share its step. Steps that go back are allowed: of
        two values with one name and step the first is kept, which a warning says once a run.
        """
        others: Dict[str, Any] = {}
        numbers = numbers_of(data, others)
        others = told(others) if others else others
        media = media_by_name(others) if others else {}
        self.summary._take({**numbers, **texts_of(others)} if others else numbers)
        if exits:
            exits.clear()
        if self._finished:
            self._tell_ended("log")
        with self._lock:
            if commit is False and step is None:
                self._pending.update(numbers)
                self._pending_media.update(media)
                return
            if self._pending_media:
                media = {**self._pending_media, **media}
                self._pending_media = {}
            if self._pending:
                numbers = {**self._pending, **numbers}
                self._pending = {}
            if step is None:
                step = self.step
            elif type(step) is not int or not 0 <= step <= LARGEST_STEP:
                step = checked_step(step)
            if step >= self.step and commit is not False:
                self.step = step + 1
            if step > self._greatest:
                self._greatest, self._at_greatest = step, numbers
            elif not self._repeat_told:
                self._note_late(numbers, step)
            if others:
                media = changed(media, others, step, self._texts)
        self._write_at(step, numbers, media)

    def _went_before(self, last_steps: Dict[str, int]) -> None:
        """Takes note of the last steps that metrics have from a program before this one."""
        self._late_steps = {name: step for name, step in last_steps.items() if not name.startswith("system/")}
        self._greatest = max(self._late_steps.values(), default=-1)

    def _note_late(self, numbers: Mapping[str, Any], step: int) -> None:
        """Notes metrics at a step that is not after all others. What is looked up here costs nothing where steps go on."""
        late, at_greatest = self._late_steps, self._at_greatest
        for name in numbers:
            before = self._greatest if name in at_greatest else late.get(name, -1)
            if step <= before:
                self._repeat_told = True
                tell_again(name, step, before)
                return
        late.update(dict.fromkeys(numbers, step))

    def define_metric(
        self,
        name: str,
        step_metric: Optional[str] = None,
        step_sync: Optional[bool] = None,
        hidden: Optional[bool] = None,
        summary: Optional[str] = None,
        goal: Optional[str] = None,
        overwrite: Optional[bool] = None,
    ) -> None:
        """Says of a metric, or of all that match a pattern such as `valid/*`, what stands for it and which way is better.

        step_metric: the metric that is its x axis. summary: min, max, last, mean or best. goal: minimize or maximize.
        `step_sync`, `hidden` and `overwrite` are taken for W&B's programs, and change nothing; its rules copy, none and first are left out.
        """
        summary = None if summary in ("copy", "none", "first") else summary
        rule = "best" if summary and "best" in summary.split(",") else (summary or "").split(",")[0] or None
        if rule not in (None, "min", "max", "last", "mean", "best"):
            raise ValueError("define_metric: summary %r is not one of min, max, last, mean, best" % (summary,))
        if goal not in (None, "minimize", "maximize"):
            raise ValueError("define_metric: goal %r is not one of minimize, maximize" % (goal,))
        self._write(["define", {"name": str(name), "stepMetric": step_metric, "summary": rule, "goal": goal}])

    def log_text(self, text: str, level: str = "info") -> None:
        """Adds lines to the run's log. `level` is debug, info, warn or error, or as Python's logging says it."""
        level = checked_level(level, "log_text")
        if self._prints:
            print(text, file=sys.stdout if level in ("debug", "info") else sys.stderr, flush=True)
            return
        for line in text.splitlines() or [""]:
            self._lines.take(level, line)

    def alert(self, title: str, text: str = "", level: str = "warn", **_ignored: Any) -> None:
        """Tells people: rules that wait for it send it on, the dashboard shows it, and the run's log has it."""
        word = checked_level(getattr(level, "value", level) or "warn", "alert")
        self.log_text("%s: %s" % (title, text) if text else title, word)
        now = int(time.time() * 1000)
        self._write(["alert", now, word if word in ("info", "error") else "warn", str(title), str(text), uuid.uuid4().hex])

    def finish(self, exit_code: Optional[int] = 0, error: Optional[str] = None, patience: float = PATIENCE_SECONDS, quiet: Any = None) -> None:
        """Ends the run and waits until all is sent; gives up where the server is away for `patience` seconds.

        In a job of several processes the first one ends the run, so it should finish last; the others only send.
        """
        state = "SUCCEEDED" if not exit_code and error is None else "FAILED"
        self._end(state, error or ("exit code %d" % exit_code if exit_code else None), patience)

    def cancel(self) -> None:
        """Ends the run as cancelled, as Ctrl-C does."""
        self._end("CANCELLED", None, PATIENCE_SECONDS)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            return instead_of(name, "a run")

    def __reduce__(self) -> Any:
        """In another process, as of multiprocessing, joblib or Ray, it goes on with the same run, which this process ends."""
        server = None if self._delivery is None else self._delivery.transport.url
        mode = "disabled" if self._journal is None else "offline" if self.offline else "online"
        return _go_on, (self.id, self.project, server, mode)

    def __copy__(self) -> "Run":
        return self

    def __deepcopy__(self, _known: Any) -> "Run":
        return self

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, kind: Any, error: Any, _traceback: Any) -> None:
        if kind is None:
            self.finish()
        elif issubclass(kind, KeyboardInterrupt):
            self.cancel()
        elif issubclass(kind, SystemExit):
            self.finish(*(failure_of(error) or ()))
        else:
            self.finish(1, "%s: %s" % (kind.__name__, error))

    # How it gets away

    def _write(self, record: List[Any]) -> None:
        if self._journal is None or self._finished:
            return
        self._journal.append(record)

    def _lose(self, what: str) -> None:
        """Something that was given to the run is nowhere: told when it ends, also on its page."""
        if self._journal is not None:
            self._journal.lost[what] = self._journal.lost.get(what, 0) + 1

    def _tell_lost(self) -> None:
        journal = self._journal
        if journal is None or not journal.lost:
            return
        text = ", ".join("%d %s" % (count, what) if what in COUNTED.values() else what for what, count in list(journal.lost.items())[:20])
        warn("lost, since this machine took no more: %s" % text)
        now = int(time.time() * 1000)
        self._write(["line", now, "error", "lost, since the machine of the program took no more: " + text])
        self._write(["alert", now, "error", "Not all of the run was kept", text, uuid.uuid4().hex])

    def _write_at(self, step: int, numbers: Mapping[str, Any], media: Mapping[str, List[Packed]]) -> None:
        if numbers:
            self._write(["metrics", step, int(time.time() * 1000), numbers])
        for name, packed in media.items():
            self._keep_media(name, step, packed)

    def _tell_ended(self, call: str) -> None:
        """Once a run: what is given to it from now on goes nowhere."""
        if self._journal is not None and not self._ended_told:
            self._ended_told = True
            warn("%s: the run has ended, so that nothing is recorded: warren.init() begins another" % call)

    def _start(self, sender: Optional[Sender], console: bool, machine: bool, started: float) -> None:
        self._sender = sender
        if sender is not None:
            sender.start()
        if console:
            self._console = ConsoleCopy(self._lines.take)
        if machine:
            self._sampler = MachineSampler(self._take_sample, started, process=not self._prints)
        ends_with_program(self)

    def _take_sample(self, second: int, numbers: Dict[str, float]) -> None:
        self._write(["metrics", max(0, second), int(time.time() * 1000), numbers])

    def _cancelled(self, reason: str) -> None:
        warn("%s: what is logged from now on stays in the journal" % reason)
        if "CANCELLED" in reason or "PRUNED" in reason:
            self.stopped = reason
            if not self._finished:
                interrupt_main_thread()

    def _end(self, state: str, error: Optional[str], patience: float) -> None:
        if self._finished or self._owner != os.getpid():
            return
        if self._console is not None:
            self._console.stop()
        self._lines.flush()
        if self._sampler is not None:
            self._sampler.stop()
        step, pending = self.step, bool(self._pending or self._pending_media)
        self._write_at(step, self._pending, self._pending_media)
        for last, values in self.summary._last(self._first, step + 1 if pending else step):
            others: Dict[str, Any] = {}
            numbers = numbers_of(values, others)
            self._write_at(last, numbers, media_by_name(told(others)))
        self._keep_folder()
        self._tell_lost()
        if not self._joined:
            self._write(["end", state, error])
        self._finished = True
        if self._sender is not None and self._journal is not None:
            sent = self._sender.finish(patience)
            self._journal.flush()
            if sent:
                self._tell_refused()
                self._tell_unstored()
                _remove_sent(self._journal.path, self._delivery)
            elif self.stopped is not None and self.sweep_id is not None:
                _remove_sent(self._journal.path, self._delivery)
            elif self._sender.problem is None:
                warn("the server is away: `python -m warren sync %s` sends the rest" % os.path.dirname(self._journal.path))
        elif self._journal is not None:
            folder = os.path.dirname(self._journal.path)
            print("warren: the run is kept; `python -m warren sync %s` sends it" % folder, file=sys.stderr)
        if self._sending is not None:
            self._sending.release()
        if self._journal is not None:
            self._journal.close()
        forget(self)

    def _tell_unstored(self) -> None:
        unstored = self._delivery.aside.told() if self._delivery is not None else None
        if unstored is not None and self._journal is not None:
            folder = os.path.dirname(self._journal.path)
            warn("not stored: %s (kept: `python -m warren sync %s` tries again)" % (unstored, folder))

    def _tell_refused(self) -> None:
        """The first refusal was told when it came."""
        refused = self._delivery.position.refused if self._delivery is not None else 0
        if refused > 1 and self._journal is not None:
            warn("the server refused %d records in all: %s.refused has them, with the reasons" % (refused, self._journal.path))


def _go_on(run_id: str, project: str, server: Optional[str], mode: str) -> Run:
    from .starting import init

    for run in open_runs(inherited=True):
        if run.id == run_id:
            return run
    options: Dict[str, Any] = {} if mode == "disabled" else {"id": run_id, "resume": "allow"}
    run = init(project=project, server=server, mode=mode, save_code=False, console=False, **options)
    run._joined = True
    return run


def new_run_id() -> str:
    return str(uuid.uuid4())


def _remove_sent(journal_path: str, delivery: Optional[Delivery]) -> None:
    """The server has everything: the journal has done its work."""
    if delivery is None or delivery.position.refused > 0 or delivery.aside.entries:
        return
    retire(journal_path)
