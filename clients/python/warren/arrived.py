"""What a server has of a journal already: copies of one journal, and a copy after its original, add nothing twice."""

from __future__ import annotations

import collections
import datetime
from typing import Any, Counter, Dict, List, Tuple

from .journal import read_records
from .transport import Transport

_LOG = """query ($run: ID!, $after: String) { logs(runId: $run, after: $after, first: 5000) {
  cursor hasMore lines { time text }
} }"""
_HAS = "query ($run: ID!) { run(id: $run) { metrics { name lastStep } mediaSeries { name steps } artifacts { name } } }"

Line = Tuple[int, str]


def lines_there(transport: Transport, run_id: str, longest: int) -> Counter[Line]:
    """The lines of a run's log, by their time and text. Raises Unreachable, Refused."""
    found: Counter[Line] = collections.Counter()
    after = None
    while True:
        page = transport.graphql(_LOG, {"run": run_id, "after": after})["logs"]
        found.update((_milliseconds(line["time"]), line["text"][:longest]) for line in page["lines"])
        if not page["hasMore"]:
            return found
        after = page["cursor"]


def without_those(lines: List[Any], there: Counter[Line], longest: int) -> List[Any]:
    """Records of lines without those that are there, each as often as it is."""
    new = []
    for record in lines:
        key = (record[1], record[3][:longest])
        if there[key] > 0:
            there[key] -= 1
        else:
            new.append(record)
    return new


def all_there(transport: Transport, run_id: str, journal_path: str, longest: int) -> bool:
    """Whether the server has all of a journal: points and things to look at up to their last steps, lines, and files. Raises Unreachable."""
    run = transport.graphql(_HAS, {"run": run_id})["run"]
    if run is None:
        return False
    steps: Dict[str, int] = {metric["name"]: metric["lastStep"] for metric in run["metrics"]}
    media = {series["name"]: set(series["steps"]) for series in run["mediaSeries"]}
    files = {artifact["name"] for artifact in run["artifacts"]}
    log = lines_there(transport, run_id, longest)
    offset = 0
    while True:
        records, end, _damaged = read_records(journal_path, offset)
        if without_those([record for record in records if record[0] == "line"], log, longest):
            return False
        for record in records:
            if record[0] == "metrics" and any(steps.get(name, -1) < record[1] for name in record[3]):
                return False
            if record[0] == "media" and record[2] not in media.get(record[1], ()):
                return False
            if record[0] == "artifact" and record[1] not in files:
                return False
        if end == offset:
            return True
        offset = end


def _milliseconds(time: str) -> int:
    return round(datetime.datetime.fromisoformat(time.replace("Z", "+00:00")).timestamp() * 1000)
