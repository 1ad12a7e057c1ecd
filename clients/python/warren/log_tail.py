"""Keeps a log that floods short: its beginning, and from then on the newest lines."""

from __future__ import annotations

import os
import threading
import time
from typing import Any, Callable, List, Optional

#: What a line takes at the server beside its text.
BYTES_BESIDE_TEXT = 100
#: What waits at most; of more, the oldest lines are given up.
TAIL_BYTES = 512 * 1024
#: What leaves on average once the log is long.
BYTES_PER_SECOND = 256 * 1024


def log_bytes(most_bytes: Optional[int] = None) -> int:
    """What the log of a run takes: what the server keeps, 64 MiB where it has not said so, or less by WARREN_LOG_MB."""
    given = os.environ.get("WARREN_LOG_MB", "")
    own = int(given) * 2**20 if given.isdecimal() and int(given) > 0 else None
    if most_bytes is None or own is None:
        return most_bytes or own or 64 * 2**20
    return min(most_bytes, own)


class LogTail:
    """Gives records of lines to `write`, all of them until they are `most_bytes`; then the newest, at a rate that nobody minds.

    Safe between threads. A process that forks takes along nothing that waits.
    """

    def __init__(self, write: Callable[[List[Any]], None], most_bytes: int) -> None:
        self._write = write
        self._room = self._most_bytes = most_bytes
        self._forget()

    def limit(self, most_bytes: int) -> None:
        """Takes another limit."""
        self._room += most_bytes - self._most_bytes
        self._most_bytes = most_bytes

    def _forget(self) -> None:
        self._owner = os.getpid()
        self._lock = threading.RLock()
        # two halves, of which the older one is given up as a whole
        self._older: List[List[Any]] = []
        self._newer: List[List[Any]] = []
        self._older_bytes = self._newer_bytes = self._dropped = 0
        self._free_at = 0.0
        self._timer: Optional[threading.Timer] = None

    def take(self, level: str, text: str) -> None:
        record = ["line", int(time.time() * 1000), level, text]
        size = len(text) + BYTES_BESIDE_TEXT
        self._room -= size
        if self._room > 0:
            self._write(record)
            return
        if self._owner != os.getpid():
            self._forget()
        with self._lock:
            if self._newer and self._newer_bytes + size > TAIL_BYTES / 2:
                self._dropped += len(self._older)
                self._older, self._older_bytes = self._newer, self._newer_bytes
                self._newer, self._newer_bytes = [], 0
            self._newer.append(record)
            self._newer_bytes += size
            now = time.monotonic()
            if now >= self._free_at:
                self.flush()
            elif self._timer is None:
                self._wait(self._free_at - now)

    def _wait(self, seconds: float) -> None:
        self._timer = threading.Timer(seconds, self.flush)
        self._timer.daemon = True
        try:
            self._timer.start()
        except RuntimeError:  # the interpreter ends: `finish` lets go what waits
            self._timer = None

    def flush(self) -> None:
        """Lets go what waits."""
        if self._owner != os.getpid():
            return
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = None
            records, dropped = self._older + self._newer, self._dropped
            self._free_at = time.monotonic() + (self._older_bytes + self._newer_bytes) / BYTES_PER_SECOND
            self._older, self._newer = [], []
            self._older_bytes = self._newer_bytes = self._dropped = 0
            if dropped:
                text = "… %s lines are left out here: more was printed than a long log takes" % format(dropped, ",")
                self._write(["line", records[0][1], "warn", text])
            for record in records:
                self._write(record)
