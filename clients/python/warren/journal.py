"""The journal of one program: an append-only file of records, one JSON array a line.

A record is on its way to the server as soon as it is in the file: whoever dies afterwards, `delivery` finds it there.
Beside the file stands its position file (`.sent`), which says up to where the server has it.
"""

from __future__ import annotations

import collections
import errno
import itertools
import json
import os
import threading
from typing import Any, Deque, Dict, List, NamedTuple, Optional, Union

from .plain import plain_json
from .values import warn, warn_once, wire_value

try:
    import fcntl
except ImportError:  # Windows: two senders of one journal only send twice what the server keeps once
    fcntl = None  # type: ignore[assignment]

_encode = json.JSONEncoder(separators=(",", ":")).encode
#: A line longer than this is not a record of ours.
LONGEST_RECORD = 64 * 1024 * 1024
#: What waits in memory at most while the disk takes nothing.
WAITING_BYTES = 32 * 1024 * 1024
#: Records that a sender takes from there at once.
MOST_TAKEN = 5000
#: What is counted where it is lost.
COUNTED = {"metrics": "points", "line": "lines of the log", "media": "things to look at"}


class Journal:
    """Appends records. Safe between threads, and between a process and those that it forks: a record is one write.

    What the disk does not take waits in memory, and goes first as soon as there is room; what is beyond that is counted as lost.
    """

    def __init__(self, path: str) -> None:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        _keep_from_git(os.path.dirname(os.path.dirname(path)))
        self.path = path
        self._torn = False
        self._file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._waiting: Deque[bytes] = collections.deque()
        self._waiting_bytes = 0
        self._told = False
        #: Lines that a sender has at this moment.
        self._taken = 0
        #: What is lost, by what it was.
        self.lost: Dict[str, int] = {}

    def append(self, record: List[Any]) -> None:
        """Never raises: what the file does not take, as on a full disk, waits in memory, of which it is told once."""
        line = _line_of(record)
        if self._waiting or not self._put(line):
            self._wait(line, record)

    def _put(self, line: bytes) -> bool:
        """Whether the file has taken the line."""
        if self._torn:
            line = b"\n" + line
        try:
            written = os.write(self._file, line)
        except OSError as error:
            self._reason = error
            return False
        whole = written == len(line)
        self._torn = not whole and not self._take_back(line[:written])
        self._reason = OSError(errno.ENOSPC, "the disk took a part of a record only")
        return whole

    def _take_back(self, part: bytes) -> bool:
        """Removes the part of a line that the file has taken, unless another process has written behind it."""
        try:
            start = os.fstat(self._file).st_size - len(part)
            if os.pread(self._file, len(part), start) == part:
                os.ftruncate(self._file, start)
                return True
        except (OSError, AttributeError):
            pass
        return False

    def _wait(self, line: bytes, record: List[Any]) -> None:
        if self._owner != os.getpid():
            self._owner, self._lock = os.getpid(), threading.Lock()
            self._waiting.clear()  # the process that forked has them
            self._waiting_bytes = self._taken = 0
            if self._put(line):
                return
        with self._lock:
            if self._taken == 0:
                self._flush()
                if not self._waiting and self._put(line):
                    return
            # the end of the run, and what is told of it, always has room
            if self._waiting_bytes + len(line) > WAITING_BYTES and record[0] in COUNTED:
                what = COUNTED[record[0]]
                self.lost[what] = self.lost.get(what, 0) + (len(record[3]) if record[0] == "metrics" else 1)
                return
            self._waiting.append(line)
            self._waiting_bytes += len(line)
        # outside of the lock: what is printed comes back as lines of the log
        if not self._told:
            self._told = True
            warn("the journal %s takes no more (%s): what is logged waits in memory" % (self.path, self._reason))

    def _flush(self) -> None:
        while self._waiting and self._put(self._waiting[0]):
            self._waiting_bytes -= len(self._waiting.popleft())

    def flush(self) -> None:
        """Writes what waits, as far as there is room now."""
        if self._waiting and self._owner == os.getpid():
            with self._lock:
                if self._taken == 0:
                    self._flush()

    def read(self, offset: int, most_bytes: int) -> "Records":
        """Whole records from `offset` on, also of a file that somebody has removed."""
        return read_records(self._file if hasattr(os, "pread") else self.path, offset, most_bytes)

    def take_waiting(self) -> List[Any]:
        """The records that wait in memory, for a sender, which says by `sent` whether it has sent them."""
        with self._lock:
            lines = list(itertools.islice(self._waiting, MOST_TAKEN))
            self._taken = len(lines)
        return [json.loads(line) for line in lines]

    def sent(self, taken: bool) -> None:
        with self._lock:
            for _ in range(self._taken if taken else 0):
                self._waiting_bytes -= len(self._waiting.popleft())
            self._taken = 0

    def keep_place(self) -> None:
        """Writes the journal anew where somebody has removed it, or the folder, while the program goes on."""
        if os.path.exists(self.path):
            return
        os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
        removed, anew = os.dup(self._file), os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            copied = _copy(removed, anew, 0)
            os.dup2(anew, self._file)
            _copy(removed, anew, copied)  # what was written meanwhile
        finally:
            os.close(removed)
            os.close(anew)
        warn_once("%s was removed while its program goes on: it is written anew" % self.path)

    def close(self) -> None:
        os.close(self._file)


def _copy(source: int, target: int, offset: int) -> int:
    while True:
        block = os.pread(source, 1 << 20, offset)
        if not block:
            return offset
        offset += os.write(target, block)


def _line_of(record: List[Any]) -> bytes:
    try:
        return _encode(record).encode() + b"\n"
    except ValueError:  # Python spells no whole number of more than 4,300 digits
        if record[0] == "metrics":
            record = [*record[:3], {name: wire_value(value) for name, value in record[3].items()}]
        return _encode(plain_json(record)).encode() + b"\n"


def _keep_from_git(folder: str) -> None:
    """Journals are no part of the code: neither Git nor `warren run`, which sends what Git would, is to take them."""
    try:
        with open(os.path.join(folder, ".gitignore"), "x", encoding="utf-8") as file:
            file.write("*\n")
    except OSError:
        pass  # it is there, or the folder takes none


class Position(NamedTuple):
    """Up to where a journal is sent."""

    #: Bytes of the journal that the server has.
    offset: int = 0
    #: Number in the run of the next line of output; None before the first.
    next_line: Optional[int] = None
    #: Whether the server knows the run.
    created: bool = False
    #: Records that the server refused for good; they stand in the `.refused` file, with the reason.
    refused: int = 0
    #: Whether the end of the run is sent: nothing more follows.
    ended: bool = False
    #: Lines that were no records, as a damaged disk leaves them: what stood in them is lost.
    damaged: int = 0
    #: The server that has it; another one has nothing of it yet. Empty where it was not written down.
    server: str = ""
    #: Of the server, new with every restore from a backup.
    epoch: str = ""
    #: Number in the run of the first line of output.
    first_line: int = 0


class Records(NamedTuple):
    """What stands in a part of a journal."""

    records: List[Any]
    #: Offset after them.
    end: int
    #: Lines between them that are no records.
    damaged: int


def read_position(journal_path: str) -> Position:
    try:
        with open(journal_path + ".sent", encoding="utf-8") as file:
            return Position(**json.load(file))
    except (OSError, ValueError, TypeError):
        # without a position everything is sent again, which changes nothing at the server
        return Position()


def write_position(journal_path: str, position: Position) -> None:
    """Replaces the position at once or not at all."""
    replace_file(journal_path + ".sent", json.dumps(position._asdict()))


def replace_file(path: str, text: str) -> None:
    """Writes a file at once or not at all. Where the disk takes none it stays as it is: whoever reads it sends again what it lacks."""
    temporary = "%s.%d" % (path, os.getpid())
    try:
        with open(temporary, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    except OSError:
        remove_file(temporary)


def remove_file(path: str) -> None:
    """Removes a file as far as that can be done."""
    try:
        os.unlink(path)
    except OSError:
        pass


def read_records(journal: Union[str, int], offset: int, most_bytes: int = 4_000_000) -> Records:
    """Whole records of a path or an open file from `offset` on. Torn lines, as a full disk leaves them, are left out and counted."""
    with open(journal, "rb", closefd=isinstance(journal, str)) as file:

        def read(start: int) -> bytes:
            if isinstance(journal, int):
                return os.pread(journal, most_bytes, start)
            file.seek(start)
            return file.read(most_bytes)

        data = read(offset)
        while b"\n" not in data and len(data) < LONGEST_RECORD:
            more = read(offset + len(data))
            if not more:
                break
            data += more
    end = data.rfind(b"\n") + 1
    lines = [line for line in data[:end].splitlines() if line]
    records = [record for record in map(_decoded, lines) if record]
    return Records(records, offset + end, len(lines) - len(records))


def _decoded(line: bytes) -> Optional[List[Any]]:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record if isinstance(record, list) else None


def find_journals(folder: str) -> List[str]:
    """All journals of a folder, the oldest first."""
    found: Dict[str, float] = {}
    for parent, _folders, files in os.walk(folder):
        for name in files:
            if name.endswith(".jsonl"):
                path = os.path.join(parent, name)
                try:
                    found[path] = os.path.getmtime(path)
                except OSError:
                    continue  # its program has just removed it
    return sorted(found, key=lambda path: (found[path], path))


class SendingLock:
    """Held by whoever sends a journal, so that a program and `warren sync` do not do the work twice."""

    def __init__(self, journal_path: str) -> None:
        self._path = journal_path + ".lock"
        self._file = -1

    def try_acquire(self) -> bool:
        """Where a file system has no locks, or takes no file, all may send: they only send twice what the server keeps once."""
        if self._file >= 0:
            return True
        try:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            return True
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                if error.errno in (errno.EAGAIN, errno.EACCES):
                    os.close(file)
                    return False
        if _sent_by_another(self._path):
            os.close(file)
            return False
        self._file = file
        return True

    def release(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _sent_by_another(lock_path: str) -> bool:
    """Whether the lock names a living process: the TypeScript client, which has no flock, writes `PID START` into it."""
    try:
        with open(lock_path, encoding="ascii") as file:
            pid, start = file.read().split(" ")
        with open("/proc/%d/stat" % int(pid), encoding="ascii", errors="replace") as file:
            return file.read().rpartition(") ")[2].split(" ")[19] == start
    except (OSError, ValueError, IndexError):
        return False


def remove_journal(journal_path: str) -> None:
    """Removes a journal of which the server has all."""
    for end in ("", ".sent", ".lock"):
        remove_file(journal_path + end)
    try:
        os.rmdir(os.path.dirname(journal_path))
    except OSError:
        pass  # other journals of the run are there
