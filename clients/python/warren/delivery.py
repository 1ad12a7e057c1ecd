"""Takes records from a journal to the server, in order, each once in effect.

The API keeps the first of two points with one name and step and of two lines with one number, so that a request whose
answer was lost is sent again without harm. The position is written after the server has answered.
"""

from __future__ import annotations

import collections
import errno
import json
import os
from typing import Any, Callable, Counter, Deque, Dict, List, Optional, Set, Tuple

from .arrived import Line, all_there, lines_there, without_those
from .aside import NO_ROOM, Aside, AsideList
from .journal import Journal, Position, Records, read_position, read_records, remove_file, write_position
from .mutations import (
    ADD_PARAMETERS,
    CREATE_RUN,
    DEFINE_METRICS,
    DESCRIBE_RUN,
    FINISH_RUN,
    HEARTBEAT,
    LOG_LINES,
    LOG_MEDIA,
    LOG_METRICS,
    RAISE_ALERT,
    REGISTER_VERSION,
    USE_VERSION,
)
from .plain import plain_text
from .transport import Refused, Transport, Unreachable
from .values import EXACT, warn, warn_once, wire_value

MOST_POINTS = 20_000
MOST_LINES = 2_000
LONGEST_LINE = 20_000
LONGEST_TITLE = 200
LONGEST_TEXT = 10_000
MOST_MEDIA = 200
CHUNK_BYTES = 1_000_000

_NAMES = "query ($run: ID!) { run(id: $run) { metrics { name } } }"
_FOUND = "query ($run: ID!) { run(id: $run) { endedAt artifacts { name } } }"

#: What the server names of points that would give a run more metrics than it may have.
_TOO_MANY = "series"
#: The server may take the same request later: a token is given or a deleted run restored.
_WAITS = {"UNAUTHENTICATED", "FORBIDDEN"}
#: Errors of this machine that pass by themselves: no more files or memory now.
PASSING = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS, errno.EINTR, errno.EAGAIN, errno.ESTALE}
MOST_NAMED = 20


class _Restored(Exception):
    """The server was restored from a backup: what it had got may be gone."""


class RunEnded(Exception):
    """The run has ended at the server: somebody cancelled it, or finished it elsewhere."""


class Delivery:
    """Sends one journal. Whoever uses it holds the journal's SendingLock."""

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

    def _is_restored(self) -> bool:
        return bool(self.position.epoch) and self.transport.epoch not in ("", self.position.epoch)

    def _begin_anew(self) -> None:
        """All of the journal is to be sent once more. Raises Unreachable."""
        warn_once("%s was restored from a backup: %s is sent again" % (self.transport.url, self.journal_path))
        before = self.position
        try:
            run = self.transport.graphql(_FOUND, {"run": _run_id_of(self.journal_path)})["run"]
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
        except _Restored:
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
        except (Unreachable, RunEnded, Refused, _Restored):
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
        except _Restored:
            self._begin_anew()

    def _send_points(self, records: List[Any]) -> None:
        records = self._with_room(records)
        if not records:
            return
        columns: Dict[str, Dict[str, List[Any]]] = {}
        for _type, step, time_ms, numbers in records:
            for name, value in numbers.items():
                column = columns.get(name)
                if column is None:
                    column = columns[name] = {"steps": [], "values": [], "times": []}
                column["steps"].append(step)
                column["values"].append(wire_value(value))
                if type(value) is int and not -EXACT <= value <= EXACT:
                    warn_once("log: %s has whole numbers beyond 2**53, of which the nearest float is kept" % plain_text(name))
                column["times"].append(time_ms)
        series = [{"name": name, **column} for name, column in columns.items()]
        if self._ask(LOG_METRICS, {"run": self.run_id, "series": series}, None) is not None:
            return
        # one of them is refused: find out which, so that all others arrive
        names = list(columns)
        if len(names) > 1 and (len(records) == 1 or self._refused_path == _TOO_MANY):
            middle = len(names) // 2
            self._send_points(_of_names(records, set(names[:middle])))
            self._send_points(_of_names(records, set(names[middle:])))
        elif self._refused_path == _TOO_MANY and self._all_names is None:
            # there is room for none: asked once, for a program may log thousands of names at each of its steps
            self._no_room = self._reason
            found = (self._ask(_NAMES, {"run": self.run_id}, None) or {}).get("run") or {"metrics": []}
            self._all_names = {metric["name"] for metric in found["metrics"]}
            self._send_points(records)
        elif len(records) == 1:
            self._refuse(records[0], self._reason)
        else:
            middle = len(records) // 2
            self._send_points(records[:middle])
            self._send_points(records[middle:])

    def _with_room(self, records: List[Any]) -> List[Any]:
        """Without the metrics for which the run has no room, which are put away as refused."""
        if self._all_names is None:
            return records
        for _type, step, time_ms, numbers in records:
            beyond = {name: value for name, value in numbers.items() if name not in self._all_names}
            if beyond:
                self._refuse(["metrics", step, time_ms, beyond], self._no_room)
        return _of_names(records, self._all_names)

    def _send_lines(self, records: List[Any], first: int) -> int:
        if self._lines_there:
            records = without_those(records, self._lines_there, LONGEST_LINE)
        if records:
            lines = [{"time": ms, "level": level, "text": text[:LONGEST_LINE]} for _type, ms, level, text in records]
            self._ask(LOG_LINES, {"run": self.run_id, "from": first, "lines": lines}, ["lines", len(lines)])
        return first + len(records)

    def _send_media(self, records: List[Any]) -> None:
        """Contents first, then the records that name them: what is sent twice changes nothing."""
        for start in range(0, len(records), MOST_MEDIA):
            self._send_some_media(records[start : start + MOST_MEDIA])

    def _send_some_media(self, records: List[Any]) -> None:
        items: List[Dict[str, Any]] = []
        kept: List[str] = []
        for record in records:
            _type, name, step, time_ms, things = record
            for thing in things:
                if "file" in thing:
                    path = os.path.join(os.path.dirname(self.journal_path), thing["file"])
                    if not self._send_content(record, path, thing):
                        continue
                    kept.append(path)
                item = {key: value for key, value in thing.items() if key not in ("file", "type")}
                items.append({"name": name, "step": step, "time": time_ms, **item})
        for start in range(0, len(items), MOST_MEDIA):
            part = items[start : start + MOST_MEDIA]
            if self._ask(LOG_MEDIA, {"run": self.run_id, "items": part}, None) is None:
                # one of them is refused: find out which, so that all others arrive
                for item in part:
                    self._ask(LOG_MEDIA, {"run": self.run_id, "items": [item]}, ["media item", item])
        for path in kept:
            remove_file(path)

    def _send_content(self, record: List[Any], path: str, thing: Dict[str, Any]) -> bool:
        """Whether the server has it."""
        sha256 = thing["sha256"]
        if sha256 in self._contents:
            return True
        try:
            self.transport.upload(str(self.run_id), "media/" + sha256, path, thing["type"])
        except FileNotFoundError:
            # uploaded before the position was written, unless another server has got it
            if self.earlier_server is not None:
                self.gone.add(record[1])
                return False
        except Refused as refused:
            self._judge(refused, record)
            return False
        self._contents.add(sha256)
        return True

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

    def retry_aside(self) -> None:
        """Sends what there was no room for, as far as there is now. Raises Unreachable, RunEnded."""
        for waiting in list(self.aside.entries):
            kind, version = waiting.record[:2]
            if kind == "artifact":
                self._upload(waiting.record, waiting)
            elif not self.aside.holds_files_of(version):
                self._tell_registry(REGISTER_VERSION, {"input": {**version, "runId": self.run_id}}, waiting.record)
                self.aside.remove(waiting)

    def _upload(self, record: List[Any], waiting: Optional[Aside] = None) -> None:
        _kind, name, kept, media_type = record
        path = os.path.join(os.path.dirname(self.journal_path), kept)
        try:
            self.transport.upload(str(self.run_id), name, path, media_type, waiting.since if waiting else None)
        except FileNotFoundError:
            # uploaded before the position was written, unless another server has got it
            if self.earlier_server is not None and name not in self._here:
                self.gone.add(name)
        except Refused as refused:
            if refused.code in NO_ROOM:
                self.aside.add(record, str(refused), waiting)
                return
            self._judge(refused, record)
        else:
            remove_file(path)
        if waiting is not None:
            self.aside.remove(waiting)

    def _tell_registry(self, query: str, variables: Dict[str, Any], record: List[Any]) -> None:
        """A conflict is one over names here, not the end of the run."""
        try:
            self.transport.graphql(query, variables)
        except Refused as refused:
            self._check_epoch()
            if refused.code == "UNAUTHENTICATED":
                raise Unreachable(str(refused)) from refused
            self._refuse(record, str(refused))

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
            raise _Restored

    def _judge(self, refused: Refused, record: Optional[List[Any]]) -> None:
        if refused.code in _WAITS:
            raise Unreachable(str(refused)) from refused
        if refused.code == "CONFLICT":
            raise RunEnded(str(refused)) from refused
        self._reason, self._refused_path = str(refused), refused.path
        if record is not None:
            self._refuse(record, str(refused))

    _reason = ""
    _no_room = ""
    _refused_path: Optional[str] = None

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


def _of_names(records: List[Any], names: Set[str]) -> List[Any]:
    """The same records with these metrics alone; those that have none of them are left out."""
    parts = [[kind, step, time_ms, {name: numbers[name] for name in numbers if name in names}] for kind, step, time_ms, numbers in records]
    return [part for part in parts if part[3]]


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
