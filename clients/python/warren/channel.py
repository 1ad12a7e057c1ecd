"""One journal and the server that it is sent to: asking, and what becomes of what is refused."""

from __future__ import annotations

import collections
import json
from typing import Any, Counter, Deque, Dict, List, Optional, Set, Tuple

from .arrived import Line
from .aside import AsideList
from .journal import Journal, read_position, write_position
from .plain import plain_text
from .transport import Refused, Transport, Unreachable
from .values import warn

#: The server may take the same request later: a token is given or a deleted run restored.
_WAITS = {"UNAUTHENTICATED", "FORBIDDEN"}


class Restored(Exception):
    """The server was restored from a backup: what it had got may be gone."""


class RunEnded(Exception):
    """The run has ended at the server: somebody cancelled it, or finished it elsewhere."""


class Channel:
    """What all parts of a `Delivery` have in common."""

    def __init__(self, journal_path: str, transport: Transport, journal: Optional[Journal] = None) -> None:
        """journal: of this program, of which records may wait in memory."""
        self.journal_path = journal_path
        self._journal = journal
        self.transport = transport
        self.position = read_position(journal_path)
        #: What there was no room for.
        self.aside = AsideList(journal_path)
        #: The other server that has got a part of it; this one begins with nothing.
        self.earlier_server: Optional[str] = None
        #: Files that went to that server, and are not here any more.
        self.gone: Set[str] = set()
        #: Files that this server has all the same: it may be the first one under another address.
        self._here: Set[str] = set()
        #: Of the run that is made, instead of the one that its program named.
        self.project: Optional[str] = None
        #: What was refused, with the reasons, as long as it is to be told.
        self._refused: Deque[Tuple[str, List[Any]]] = collections.deque(maxlen=1000)
        self.run_id: Optional[str] = None
        self.run: Dict[str, Any] = {}
        #: The metrics of a run that may have no more; None as long as there is room.
        self._all_names: Optional[Set[str]] = None
        #: Lines that the server has had from a copy of this journal.
        self._lines_there: Counter[Line] = collections.Counter()
        #: Contents that the server has: the same picture again is not sent again.
        self._contents: Set[str] = set()
        #: Of the last refusal.
        self._reason = ""
        self._no_room = ""
        self._refused_path: Optional[str] = None

    def _ask(self, query: str, variables: Dict[str, Any], record: Optional[List[Any]]) -> Any:
        """The answer; None where it is refused, noted unless `record` is None."""
        try:
            answer = self.transport.graphql(query, variables)
        except Refused as refused:
            self._check_epoch()
            self._judge(refused, record)
            return None
        self._check_epoch()
        return answer

    def _check_epoch(self) -> None:
        """Before an answer counts: a restored server may have refused what it does not know any more."""
        if self._is_restored():
            raise Restored

    def _judge(self, refused: Refused, record: Optional[List[Any]]) -> None:
        if refused.code in _WAITS:
            raise Unreachable(str(refused)) from refused
        if refused.code == "CONFLICT":
            raise RunEnded(str(refused)) from refused
        self._reason, self._refused_path = str(refused), refused.path
        if record is not None:
            self._refuse(record, str(refused))

    def _refuse(self, record: List[Any], reason: str) -> None:
        if self.position.refused == 0:
            warn("the server refuses a record: %s (kept in %s.refused)" % (plain_text(reason), self.journal_path))
        self._refused.append((plain_text(reason), record))
        try:
            with open(self.journal_path + ".refused", "a", encoding="utf-8") as file:
                file.write(json.dumps([reason, record]) + "\n")
        except OSError:
            pass  # it stands in the journal
        self.position = self.position._replace(refused=self.position.refused + 1)

    def _move(self, **changes: Any) -> None:
        epoch = self.position.epoch or self.transport.epoch
        self.position = self.position._replace(**{"server": self.transport.url, "epoch": epoch, **changes})
        write_position(self.journal_path, self.position)

    def _is_restored(self) -> bool:
        return bool(self.position.epoch) and self.transport.epoch not in ("", self.position.epoch)
