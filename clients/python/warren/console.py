"""Copies what a program prints to the run's log."""

from __future__ import annotations

import sys
from typing import Any, Callable, List

LONGEST_LINE = 20_000


class Copied:
    """A text stream whose whole lines are also given to `take`; of a line that `\\r` rewrites, the last form."""

    def __init__(self, stream: Any, take: Callable[[str], None]) -> None:
        self._stream = stream
        self._take = take
        self._line = ""
        self._busy = False

    def write(self, text: str) -> int:
        written = self._stream.write(text)
        # `take` may itself print, for example a warning: that is not copied
        if not self._busy:
            self._busy = True
            try:
                self._split(text)
            finally:
                self._busy = False
        return written

    def _split(self, text: str) -> None:
        *lines, rest = (self._line + text).split("\n")
        for line in lines:
            self._take(line.rstrip("\r").rsplit("\r", 1)[-1][:LONGEST_LINE])
        self._line = rest.rsplit("\r", 1)[-1] if rest.rstrip("\r") == rest else rest
        if len(self._line) > LONGEST_LINE:
            self._take(self._line[:LONGEST_LINE])
            self._line = ""

    def flush_line(self) -> None:
        if self._line.strip():
            self._take(self._line.rsplit("\r", 1)[-1][:LONGEST_LINE])
        self._line = ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __iter__(self) -> Any:
        return iter(self._stream)


class ConsoleCopy:
    """Puts itself in the place of `sys.stdout` and `sys.stderr` until `stop`."""

    def __init__(self, take: Callable[[str, str], None]) -> None:
        self._before = (sys.stdout, sys.stderr)
        self._copies: List[Copied] = [
            Copied(sys.stdout, lambda text: take("info", text)),
            Copied(sys.stderr, lambda text: take("warn", text)),
        ]
        sys.stdout, sys.stderr = self._copies  # type: ignore[assignment]

    def stop(self) -> None:
        for copy in self._copies:
            copy.flush_line()
        if sys.stdout is self._copies[0]:
            sys.stdout = self._before[0]
        if sys.stderr is self._copies[1]:
            sys.stderr = self._before[1]
