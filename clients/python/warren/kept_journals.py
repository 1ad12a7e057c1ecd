"""Journals stay for a while after their end: a server that is restored from a backup gets again what it has lost."""

from __future__ import annotations

import os
import shutil
import time
from typing import List, Tuple

from .journal import find_journals, read_position, remove_file, remove_journal

#: Unless WARREN_KEEP_JOURNALS names other days; 0 keeps none.
KEEP_DAYS = 30.0
#: All of a folder together.
KEEP_BYTES = 10**9


def retire(journal_path: str) -> None:
    """The server has all of a journal: it stays for a while, and those that are older or too much go."""
    folder = os.path.dirname(os.path.dirname(journal_path))
    try:
        # a disk that is short of room keeps none
        if _keep_days() > 0 and shutil.disk_usage(folder).free > KEEP_BYTES:
            remove_file(journal_path + ".lock")
            _prune(folder)
            return
    except OSError:
        pass  # somebody has removed the folder
    remove_journal(journal_path)


def is_whole(journal_path: str) -> bool:
    """Whether the server has all of a journal, with the end of its run."""
    position = read_position(journal_path)
    return position.ended and position.refused == 0 and position.offset >= os.path.getsize(journal_path)


def _keep_days() -> float:
    if os.environ.get("WARREN_ATTEMPT"):  # the folder of a program that a worker executes goes with it
        return 0
    try:
        return float(os.environ.get("WARREN_KEEP_JOURNALS") or KEEP_DAYS)
    except ValueError:
        return KEEP_DAYS


def _prune(folder: str) -> None:
    kept: List[Tuple[float, int, str]] = []
    for path in find_journals(folder):
        try:
            if is_whole(path) and not os.path.exists(path + ".aside"):
                kept.append((os.path.getmtime(path), os.path.getsize(path), path))
        except OSError:
            continue  # another program has removed it
    oldest = time.time() - _keep_days() * 86400
    total = 0
    for modified, size, path in sorted(kept, reverse=True):
        total += size
        if modified < oldest or total > KEEP_BYTES:
            remove_journal(path)
