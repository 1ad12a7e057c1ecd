"""What `init` asks before it goes on with a run that may be there."""

from __future__ import annotations

import os
import uuid
from typing import Any, Dict, Optional, Tuple

from .journal import find_journals, read_records
from .mutations import RESUME_RUN
from .transport import Refused, Transport, Unreachable

#: Names of ids that are no UUID.
_NAMESPACE = uuid.UUID("6b1d5f5e-7a51-4c0c-9d1c-3f8a0a6f2a4e")

_FIND = "query ($id: ID!) { run(id: $id) { id state metrics { name lastStep } mediaSeries { steps } } }"
_BEGAN_WITH = "query ($id: ID!) { run(id: $id) { seed configuration { parameters } } }"


#: The number that the dashboard shows is not what a program gave as `id`.
_NUMBERS = ' with this id. Numbers of runs are no ids: warren.Api().run("%s").id is the id of run number %s'


def uuid_of(project: str, given: str) -> str:
    """The id of a run whose program gave `id`: a UUID as it is, another name as one of its project."""
    try:
        return str(uuid.UUID(given))
    except ValueError:
        return str(uuid.uuid5(_NAMESPACE, "%s/%s" % (project, given)))


def find_run(transport: Transport, run_id: str) -> Optional[Dict[str, Any]]:
    """The run as the server has it; None where there is none, or no server. Raises ValueError where it may not be seen."""
    try:
        found: Optional[Dict[str, Any]] = transport.graphql(_FIND, {"id": run_id})["run"]
        return found
    except Unreachable:
        return None
    except Refused as refused:
        if refused.code == "NOT_FOUND":
            return None
        raise ValueError("the server refuses to look for the run: %s" % refused) from None


def began_with(transport: Transport, run_id: str, asked_by: str) -> Tuple[Dict[str, Any], Optional[int]]:
    """Parameters and seed of a run; none without a server. asked_by: what messages name. Raises ValueError where there is no run."""
    try:
        found = transport.graphql(_BEGAN_WITH, {"id": run_id})["run"]
    except Unreachable:
        return {}, None
    except Refused as refused:
        raise ValueError("%s: %s" % (asked_by, refused)) from None
    if found is None:
        raise ValueError("%s: there is no run %s" % (asked_by, run_id))
    return found["configuration"]["parameters"], found["seed"]


def reopen_run(transport: Transport, run_id: str) -> None:
    """Goes on with a run that has ended, as its next attempt. Raises ValueError where it may not go on."""
    try:
        transport.graphql(RESUME_RUN, {"run": run_id})
    except (Refused, Unreachable) as error:
        raise ValueError("resume: %s" % error) from None


def check_resume(given_id: Optional[str], found: bool, resume: Any, joins: bool, kept: bool) -> None:
    """Raises ValueError where a run is wanted that is not there, or the other way round. kept: a journal of it is here."""
    if resume == "must" and not found and not kept:
        advice = _NUMBERS % (given_id, given_id) if str(given_id).isdigit() else ""
        raise ValueError("resume: there is no run %s%s" % (given_id or "without an id", advice))
    if found and not joins and resume in (None, False, "never"):
        # a run that Warren made for this program is its own
        if os.environ.get("WARREN_RUN_ID") != given_id:
            raise ValueError('id: run %s is there already; resume="allow" goes on with it' % given_id)


def next_step(found: Optional[Dict[str, Any]], kept: Optional[int]) -> int:
    """The step after the last one, as the server or else the journals here have it."""
    if found is None:
        return 0 if kept is None else kept + 1
    steps = [series["lastStep"] for series in found["metrics"] if not series["name"].startswith("system/")]
    steps.extend(series["steps"][-1] for series in found["mediaSeries"])
    return int(max(steps)) + 1 if steps else 0


def last_kept_step(run_folder: str) -> Optional[int]:
    """The last step in the journals of a run; -1 where they have nothing of a step, None where there are no journals."""
    last: Optional[int] = None
    for path in find_journals(run_folder):
        last = -1 if last is None else last
        offset = 0
        while True:
            records, end, _damaged = read_records(path, offset)
            if end == offset:
                break
            offset = end
            for record in records:
                if record[0] == "metrics" and not all(name.startswith("system/") for name in record[3]):
                    last = max(last, int(record[1]))
                elif record[0] == "media":
                    last = max(last, int(record[2]))
    return last
