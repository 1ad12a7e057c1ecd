"""What earlier programs have left of a run on this machine: all that is known of it while its server is not."""

from __future__ import annotations

from typing import Optional

from .journal import find_journals, read_records


def next_step_here(run_folder: str) -> Optional[int]:
    """The step after the last one that the journals in a run's folder have; None where there is no journal."""
    paths = find_journals(run_folder)
    if not paths:
        return None
    last = -1
    for path in paths:
        offset = 0
        while True:
            records, end, _damaged = read_records(path, offset)
            if end == offset:
                break
            offset = end
            for record in records:
                if record[0] == "metrics" and any(not name.startswith("system/") for name in record[3]):
                    last = max(last, record[1])
    return last + 1
