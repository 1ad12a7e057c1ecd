"""The journal of one program: an append-only file of records, one JSON array a line.

A record is on its way to the server as soon as it is in the file: whoever dies afterwards, `delivery` finds it there.
Beside the file stands its position file (`.sent`), which says up to where the server has it.
"""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, NamedTuple, Optional

try:
    import fcntl
except ImportError:  # Windows: two senders of one journal only send twice what the server keeps once
    fcntl = None  # type: ignore[assignment]

_encode = json.JSONEncoder(separators=(",", ":")).encode
#: A line longer than this is not a record of ours.
LONGEST_RECORD = 64 * 1024 * 1024


class Journal:
    """Appends records. Safe between threads, and between a process and those that it forks: a record is one write."""

    def __init__(self, path: str) -> None:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        _keep_from_git(os.path.dirname(os.path.dirname(path)))
        self.path = path
        self._torn = False
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def append(self, record: List[Any]) -> None:
        """Raises OSError where the file takes no more, as on a full disk; what stood there before is kept."""
        line = _encode(record).encode() + b"\n"
        if self._torn:
            line = b"\n" + line
        written = os.write(self._file, line)
        self._torn = written != len(line)
        if self._torn:
            raise OSError(28, "the disk took a part of a record only", self.path)

    def close(self) -> None:
        os.close(self._file)


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
    except (FileNotFoundError, ValueError, TypeError):
        # without a position everything is sent again, which changes nothing at the server
        return Position()


def write_position(journal_path: str, position: Position) -> None:
    """Replaces the position at once or not at all."""
    temporary = "%s.sent.%d" % (journal_path, os.getpid())
    with open(temporary, "w", encoding="utf-8") as file:
        json.dump(position._asdict(), file)
    os.replace(temporary, journal_path + ".sent")


def read_records(journal_path: str, offset: int, most_bytes: int = 4_000_000) -> Records:
    """Whole records from `offset` on. Torn lines, as a full disk leaves them, are left out and counted."""
    with open(journal_path, "rb") as file:
        file.seek(offset)
        data = file.read(most_bytes)
        while b"\n" not in data and len(data) < LONGEST_RECORD:
            more = file.read(most_bytes)
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
                found[path] = os.path.getmtime(path)
    return sorted(found, key=lambda path: (found[path], path))


class SendingLock:
    """Held by whoever sends a journal, so that a program and `warren sync` do not do the work twice."""

    def __init__(self, journal_path: str) -> None:
        self._path = journal_path + ".lock"
        self._file = -1

    def try_acquire(self) -> bool:
        if self._file >= 0:
            return True
        file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
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
        try:
            os.unlink(journal_path + end)
        except FileNotFoundError:
            pass
    try:
        os.rmdir(os.path.dirname(journal_path))
    except OSError:
        pass  # other journals of the run are there
