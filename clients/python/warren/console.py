"""Copies what a program prints to the run's log."""

from __future__ import annotations

import sys
from typing import Any, Callable, List

from .stderr_level import StderrLevels

LONGEST_LINE = 20_000


def _info(_text: str) -> str:
    return "info"


class _Tap:
    """Stands for the `write` of a text stream, and gives whole lines to `take`, too; of a line that `\\r` rewrites, the last form.

    The stream stays the same object: what holds it, such as a handler of `logging`, is copied, too.
    """

    def __init__(self, stream: Any, take: Callable[[str], None]) -> None:
        self.stream = stream
        self._before = stream.write
        self._take = take
        self._line = ""
        self._busy = False
        self._live = True
        stream.write = self

    def __call__(self, text: str) -> Any:
        # Copied first: who reads what is printed may end the program at once. While it is busy it copies nothing: `take` may
        # itself print, for example a warning.
        if self._live and not self._busy and isinstance(text, str):
            self._busy = True
            try:
                self._split(text)
            finally:
                self._busy = False
        return self._before(text)

    def _split(self, text: str) -> None:
        *lines, rest = (self._line + text).split("\n")
        for line in lines:
            self._take(line.rstrip("\r").rsplit("\r", 1)[-1][:LONGEST_LINE])
        self._line = rest.rsplit("\r", 1)[-1] if rest.rstrip("\r") == rest else rest
        if len(self._line) > LONGEST_LINE:
            self._take(self._line[:LONGEST_LINE])
            self._line = ""

    def is_on(self, stream: Any) -> bool:
        """Whether it gets what is written to a stream."""
        top = stream.write
        while isinstance(top, _Tap) and top is not self:
            top = top._before
        return top is self

    def stop(self) -> None:
        if self._line.strip():
            self._take(self._line.rsplit("\r", 1)[-1][:LONGEST_LINE])
        self._live = False
        # one that was put over this one removes both when it stops
        top = self.stream.write
        while isinstance(top, _Tap) and not top._live:
            top = self.stream.write = top._before


class ConsoleCopy:
    """Copies what goes to `sys.stdout` and `sys.stderr` until `stop`."""

    def __init__(self, take: Callable[[str, str], None]) -> None:
        self._take = take
        self._levels = StderrLevels()
        self._taps: List[_Tap] = []
        self.renew()

    def renew(self) -> None:
        """Copies the streams that `sys` has now, where it does not: notebooks have others for a cell, and put back the `write` of before."""
        for stream, level_of in ((sys.stdout, _info), (sys.stderr, self._levels.level_of)):
            if stream is None or any(tap.is_on(stream) for tap in self._taps):
                continue
            for tap in [tap for tap in self._taps if tap.stream is stream]:
                tap.stop()
                self._taps.remove(tap)
            try:
                self._taps.append(_Tap(stream, lambda text, level_of=level_of: self._take(level_of(text), text)))  # type: ignore[misc]
            except AttributeError:
                pass  # a stream whose `write` cannot be set is not copied

    def stop(self) -> None:
        for tap in self._taps:
            tap.stop()
        self._taps = []
