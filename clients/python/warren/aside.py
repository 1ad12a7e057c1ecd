"""Files for which the server had no room: a list beside the journal, tried again at the end, by the next start, and by `sync`."""

from __future__ import annotations

import json
import os
import time
from typing import Any, List, NamedTuple, Optional

from .journal import remove_file, replace_file
from .values import warn

#: Codes of the server: the disk is full, or the project holds as much as it may.
NO_ROOM = {"NO_ROOM", "OVER_QUOTA"}
MOST_NAMES = 5


class Aside(NamedTuple):
    """A record of a file, or of a version that is made of such files, and why the server did not take it."""

    #: Unix milliseconds: what the run was given under that name later is newer.
    since: int
    reason: str
    record: List[Any]


class AsideList:
    """What is put aside of one journal, in the order in which it was logged."""

    def __init__(self, journal_path: str) -> None:
        self._journal_path = journal_path
        self.entries = read_aside(journal_path)

    def add(self, record: List[Any], reason: str, before: Optional[Aside] = None) -> None:
        """Keeps a record for later, or, where it has waited `before`, the newer reason."""
        if not self.entries:
            warn("%s is put aside, the rest goes on: %s" % (_name(record), reason))
        if before is not None:
            self._keep([Aside(before.since, reason, record) if entry == before else entry for entry in self.entries])
        elif all(entry.record != record for entry in self.entries):
            self._keep([*self.entries, Aside(int(time.time() * 1000), reason, record)])

    def remove(self, entry: Aside) -> None:
        self._keep([other for other in self.entries if other != entry])

    def clear(self) -> None:
        """For a journal that is sent once more from its beginning."""
        self._keep([])

    def forget_older(self, record: List[Any]) -> None:
        """Of files of one name the newest counts."""
        for entry in list(self.entries):
            if entry.record[:2] == record[:2] and entry.record != record:
                self.remove(entry)
                remove_file(os.path.join(os.path.dirname(self._journal_path), entry.record[2]))

    def holds_files_of(self, version: Any) -> bool:
        """Whether a version is made of a file, or of a folder with a file, that is put aside."""
        kept = str(version.get("artifactName"))
        return any(entry.record[0] == "artifact" and (entry.record[1] + "/").startswith(kept + "/") for entry in self.entries)

    def told(self) -> Optional[str]:
        """What is not stored, the first few by name, and why; None where all is."""
        files = [entry for entry in self.entries if entry.record[0] == "artifact"]
        if not files:
            return None
        more = " and %d more" % (len(files) - MOST_NAMES) if len(files) > MOST_NAMES else ""
        return "%s%s: %s" % (", ".join(_name(entry.record) for entry in files[:MOST_NAMES]), more, files[-1].reason)

    def _keep(self, entries: List[Aside]) -> None:
        """Replaces the list at once or not at all; an empty one is no file."""
        self.entries = entries
        path = self._journal_path + ".aside"
        if entries:
            replace_file(path, json.dumps(entries))
        else:
            remove_file(path)


def read_aside(journal_path: str) -> List[Aside]:
    try:
        with open(journal_path + ".aside", encoding="utf-8") as file:
            return [Aside(*entry) for entry in json.load(file)]
    except (OSError, ValueError, TypeError):
        return []


def _name(record: List[Any]) -> str:
    return str(record[1] if record[0] == "artifact" else record[1]["name"])
