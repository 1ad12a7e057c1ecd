"""Takes records from a journal to the server, in order, each once in effect.

The API keeps the first of two points with one name and step and of two lines with one number, so that a request whose
answer was lost is sent again without harm. The position is written after the server has answered.
"""

from __future__ import annotations

import errno
import os
from typing import Any, Callable, Dict, List, Optional

from .arrived import all_there, lines_there, without_those
from .channel import Restored, RunEnded
from .journal import Position, Records, read_records
from .mutations import (
    ADD_PARAMETERS,
    CREATE_RUN,
    DEFINE_METRICS,
    DESCRIBE_RUN,
    FINISH_RUN,
    HEARTBEAT,
    LOG_LINES,
    RAISE_ALERT,
    REGISTER_VERSION,
    USE_VERSION,
)
from .sends_files import SendsFiles
from .sends_points import SendsPoints
from .transport import Refused, Unreachable
from .values import warn_once

MOST_POINTS = 20_000
MOST_LINES = 2_000
LONGEST_LINE = 20_000
LONGEST_TITLE = 200
LONGEST_TEXT = 10_000
CHUNK_BYTES = 1_000_000

_FOUND = "query ($run: ID!) { run(id: $run) { endedAt artifacts { name } } }"

#: Errors of this machine that pass by themselves: no more files or memory now.
PASSING = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS, errno.EINTR, errno.EAGAIN, errno.ESTALE}
MOST_NAMED = 20


class Delivery(SendsPoints, SendsFiles):
    """Sends one journal. Whoever uses it holds the journal's SendingLock."""

    def settle_server(self) -> None:
        """Begins anew where another server has got a part, or this one was restored. One with the run's end is the same under another
        address. Raises Unreachable."""
        if self.position.server == self.transport.url and self.position.epoch:
            if not self.transport.epoch:
                self.transport.graphql("{ __typename }", {})
            if self._is_restored():
                self._begin_anew()
            return
        if self.position.server in ("", self.transport.url):
            return
        run = self.transport.graphql(_FOUND, {"run": _run_id_of(self.journal_path)})["run"]
        if run is not None and run["endedAt"] is not None:
            self._move()
            return
        self._here = {artifact["name"] for artifact in run["artifacts"]} if run is not None else set()
        self.earlier_server = self.position.server
        self.position = Position()
        self.aside.clear()

    def _begin_anew(self) -> None:
        """All of the journal is to be sent once more. Raises Unreachable."""
        warn_once("%s was restored from a backup: %s is sent again" % (self.transport.url, self.journal_path))
        before = self.position
        try:
            run = self.transport.graphql(_FOUND, {"run": self.run_id or _run_id_of(self.journal_path)})["run"]
        except Refused:
            run = None
        self._here = set() if run is None else {artifact["name"] for artifact in run["artifacts"]}
        self.earlier_server = "%s before its restore" % self.transport.url
        self._contents.clear()
        self._all_names = None
        self.aside.clear()
        self.position = Position(created=before.created, next_line=before.first_line, first_line=before.first_line, refused=before.refused)
        self._move()

    def send_some(self) -> bool:
        """Sends the next records. Returns whether there were any. Raises Unreachable, RunEnded."""
        try:
            return self._send_next()
        except Restored:
            self._begin_anew()
            return True

    def _send_next(self) -> bool:
        self._check_epoch()
        records, end, damaged = self._read()
        if self.run_id is None:
            self.run_id = _run_id_of(self.journal_path)
        if records or damaged:
            next_line = self._send(records)
            self._move(offset=end, next_line=next_line, damaged=self.position.damaged + damaged)
            return True
        waiting = [] if self._journal is None else self._journal.take_waiting()
        sent = False
        try:
            if waiting:
                self._move(next_line=self._send(waiting))
            sent = True
        finally:
            if self._journal is not None:
                self._journal.sent(sent)
        return bool(waiting)

    def _read(self) -> Records:
        try:
            if self._journal is None:
                return read_records(self.journal_path, self.position.offset, CHUNK_BYTES)
            self._journal.keep_place()
            self._journal.flush()
        except OSError as error:
            if self._journal is None:
                raise Unreachable("%s cannot be read: %s" % (self.journal_path, error)) from error
        return self._journal.read(self.position.offset, CHUNK_BYTES)

    def _send(self, records: List[Any]) -> int:
        """Sends records in their order. Answers the number of the next line."""
        points: List[Any] = []
        lines: List[Any] = []
        media: List[Any] = []
        point_count = 0
        next_line = self.position.next_line or 0
        for record in records:
            if record[0] == "metrics":
                points.append(record)
                point_count += len(record[3])
                if point_count >= MOST_POINTS:
                    self._guarded(self._send_points, points)
                    points, point_count = [], 0
            elif record[0] == "line":
                lines.append(record)
                if len(lines) >= MOST_LINES:
                    next_line = self._send_lines(lines, next_line)
                    lines = []
            elif record[0] == "media":
                media.append(record)
            else:
                self._guarded(self._send_points, points)
                next_line = self._send_lines(lines, next_line)
                self._guarded(self._send_media, media)
                points, point_count, lines, media = [], 0, [], []
                self._guarded(self._send_other, [record])
                if record[0] == "run":
                    next_line = self.position.next_line or 0
        self._guarded(self._send_points, points)
        next_line = self._send_lines(lines, next_line)
        self._guarded(self._send_media, media)
        return next_line

    def _guarded(self, send: Callable[[List[Any]], None], records: List[Any]) -> None:
        """Sends records. One with which this machine cannot deal is put away as refused, and all others arrive."""
        try:
            if records:
                send(records)
        except (Unreachable, RunEnded, Refused, Restored):
            raise
        except OSError as error:
            if error.errno in PASSING:
                raise Unreachable("this machine cannot send now: %s" % error) from error
            self._split(send, records, error)
        except Exception as error:
            self._split(send, records, error)

    def _split(self, send: Callable[[List[Any]], None], records: List[Any], error: Exception) -> None:
        if len(records) == 1:
            self._refuse(records[0], "%s: %s" % (type(error).__name__, error))
            return
        for record in records:
            self._guarded(send, [record])

    def left_bytes(self) -> int:
        """What of the journal is not sent yet."""
        try:
            return max(0, os.path.getsize(self.journal_path) - self.position.offset)
        except OSError:
            return 0

    def is_all_there(self) -> bool:
        """Whether the server has all of a journal of which nothing is known to be sent; then it is. Raises Unreachable, Refused."""
        if self.position.offset > 0 or self.run_id is None or not all_there(self.transport, self.run_id, self.journal_path, LONGEST_LINE):
            return False
        self._move(offset=os.path.getsize(self.journal_path), created=True, ended=True)
        return True

    def goes_on(self) -> None:
        """The run is in its next attempt, whose lines count from 0."""
        self._move(next_line=0)

    def heartbeat(self) -> None:
        """Says that the program lives. Raises Unreachable, RunEnded."""
        try:
            if self.run_id is not None and self.position.created:
                self._ask(HEARTBEAT, {"run": self.run_id}, ["heartbeat"])
        except Restored:
            self._begin_anew()

    def _send_lines(self, records: List[Any], first: int) -> int:
        if self._lines_there:
            records = without_those(records, self._lines_there, LONGEST_LINE)
        if records:
            lines = [{"time": ms, "level": level, "text": text[:LONGEST_LINE]} for _type, ms, level, text in records]
            self._ask(LOG_LINES, {"run": self.run_id, "from": first, "lines": lines}, ["lines", len(lines)])
        return first + len(records)

    def _send_other(self, records: List[Any]) -> None:
        """Sends a record that keeps its place among the others."""
        (record,) = records
        kind = record[0]
        if kind == "run":
            try:
                self.create(record[1])
            except Refused as refused:
                if refused.code == "CONFLICT":  # stopped between the program's own call and this one
                    raise RunEnded(str(refused)) from refused
                raise
        elif kind == "parameters":
            self._ask(ADD_PARAMETERS, {"run": self.run_id, "parameters": record[1]}, record)
        elif kind == "describe":
            self._ask(DESCRIBE_RUN, {"input": {**record[1], "id": self.run_id}}, record)
        elif kind == "define":
            self._ask(DEFINE_METRICS, {"run": self.run_id, "definitions": [record[1]]}, record)
        elif kind == "alert":
            _kind, _time, level, title, text, alert_id = record
            named = {"run": self.run_id, "id": alert_id, "level": level}
            self._ask(RAISE_ALERT, {**named, "title": title[:LONGEST_TITLE], "text": text[:LONGEST_TEXT]}, record)
        elif kind == "artifact":
            self.aside.forget_older(record)
            self._upload(record)
        elif kind == "register" and self.aside.holds_files_of(record[1]):
            self.aside.add(record, "it waits for its files")
        elif kind == "register":
            self._tell_registry(REGISTER_VERSION, {"input": {**record[1], "runId": self.run_id}}, record)
        elif kind == "use":
            self._tell_registry(USE_VERSION, {"run": self.run_id, "version": record[1]}, record)
        elif kind == "end":
            self.retry_aside()
            self._tell_lost()
            self._ask(FINISH_RUN, {"run": self.run_id, "state": record[1], "message": record[2]}, record)
            self._move(ended=True)

    def _tell_lost(self) -> None:
        """Says on the run's page what it has not got, for who looks there does not see what its program printed."""
        lost = ["%s (%s)" % (_named(record), reason) for reason, record in self._refused]
        lost.extend("the file %s" % name for name in sorted(self.gone))
        if lost:
            more = " and %d more" % (len(lost) - MOST_NAMED) if len(lost) > MOST_NAMED else ""
            # it comes once, however often the end is sent
            told = {"run": self.run_id, "id": "losses-%s" % self.run_id, "level": "error", "title": "Not all of the run arrived"}
            self._ask(RAISE_ALERT, {**told, "text": (", ".join(lost[:MOST_NAMED]) + more)[:LONGEST_TEXT]}, None)

    def create(self, run_input: Dict[str, Any]) -> Dict[str, Any]:
        """Makes the run, or finds the one that has this id already. Raises Unreachable, Refused."""
        asked = run_input if self.project is None else {**run_input, "project": self.project}
        answer: Dict[str, Any] = self.transport.graphql(CREATE_RUN, {"input": asked})["createRun"]
        self._check_epoch()
        self.run = answer
        self.run_id = answer["id"]
        if not self.position.created:
            if answer["nextLogLine"] > 0 and self._journal is None:
                # another copy of this journal may have been sent
                self._lines_there = lines_there(self.transport, answer["id"], LONGEST_LINE)
            self._move(created=True, next_line=answer["nextLogLine"], first_line=answer["nextLogLine"])
        return answer


def _named(record: List[Any]) -> str:
    """What a record is called on the run's page."""
    if record[0] == "metrics":
        return "%s at step %s" % (", ".join(list(record[3])[:5]), record[1])
    return " ".join(str(part) for part in record[:2] if isinstance(part, (str, int)))


def _run_id_of(journal_path: str) -> Optional[str]:
    for record in read_records(journal_path, 0).records[:1]:
        if record[0] == "run":
            return str(record[1]["id"])
    return None


__all__ = ["Delivery", "Position", "RunEnded"]
