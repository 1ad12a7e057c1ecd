"""The thread that sends a journal while its program runs."""

from __future__ import annotations

import random
import threading
import time
from typing import Callable, Optional

from .delivery import Delivery, RunEnded
from .transport import Unreachable
from .values import warn

#: Records wait this long for company, unless many come.
GATHER_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 15.0
#: The end of a run takes so long before it says what it waits for.
QUIET_SECONDS = 3.0


class Sender:
    """Sends until told to stop. `on_ended` is called once where the server says that the run has ended. `away`: it was told
    that the server does not answer."""

    def __init__(self, delivery: Delivery, heartbeat_seconds: float, on_ended: Callable[[str], None], away: bool = False) -> None:
        self._delivery = delivery
        self._heartbeat_seconds = heartbeat_seconds
        self._on_ended = on_ended
        self._wake = threading.Event()
        self._finishing = False
        self._away_since: Optional[float] = time.monotonic() if away else None
        self.problem: Optional[str] = None
        #: Why nothing was sent the last time.
        self.reason = ""
        self._thread = threading.Thread(target=self._work, name="warren sender", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def finish(self, patience_seconds: float) -> bool:
        """Waits until all is sent; gives up when the server is away for so long. Returns whether all is sent."""
        self._finishing = True
        self._wake.set()
        began = time.monotonic()
        told = False
        while self._thread.is_alive():
            self._thread.join(0.05)
            away = self._away_since
            if not told and time.monotonic() - began > QUIET_SECONDS:
                told = True
                left = self._delivery.left_bytes()
                url = self._delivery.transport.url
                if away is not None:
                    warn("waits for %s, at most %.0f s (%s)" % (url, patience_seconds, self.reason))
                elif left >= 1024:
                    warn("sends the rest to %s: %s kB" % (url, format(left // 1024, ",")))
            if away is not None and time.monotonic() - max(away, began) > patience_seconds:
                return False
        return self.problem is None

    def _work(self) -> None:
        pause = GATHER_SECONDS
        heard = time.monotonic()
        while True:
            finishing = self._finishing
            try:
                sent = self._delivery.send_some()
                if sent:
                    heard = time.monotonic()
                elif finishing:
                    if not self._delivery.position.ended:
                        self._delivery.retry_aside()
                    return
                elif time.monotonic() - heard >= self._heartbeat_seconds:
                    self._delivery.heartbeat()
                    heard = time.monotonic()
                if self._away_since is not None:
                    warn("the server answers again")
                    self._away_since = None
                pause = GATHER_SECONDS
                if sent and finishing:
                    continue
            except RunEnded as ended:
                self.problem = str(ended)
                self._on_ended(str(ended))
                return
            except Exception as error:  # the server is away, or a defect here, which must not end the user's training
                self.reason = str(error) if isinstance(error, Unreachable) else "%s: %s" % (type(error).__name__, error)
                if self._away_since is None:
                    self._away_since = time.monotonic()
                    warn("%s; records are kept in %s and sent later" % (self.reason, self._delivery.journal_path))
                pause = min(LONGEST_PAUSE_SECONDS, max(pause, GATHER_SECONDS) * 2) * random.uniform(0.75, 1.0)
            if not self._finishing or self._away_since is not None:
                self._wake.wait(pause if not self._finishing else min(pause, 1.0))
                self._wake.clear()  # it woke once: what waits for a server from now on waits the whole pause
