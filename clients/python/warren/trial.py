"""The trial of a sweep that this program executes, as its agent says."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, NamedTuple, Optional

from contextlib import contextmanager

if TYPE_CHECKING:
    from .run import Run

#: Tells the program, and the programs that it starts, of their trial.
_VARIABLE = "WARREN_TRIAL"


class Trial(NamedTuple):
    """A run that an agent has taken from a sweep."""

    sweep: int
    number: int
    run_id: str
    project: str
    seed: int
    #: The values that the sweep has drawn, nested.
    drawn: Dict[str, Any]


#: The runs that `init` made of the trial under way; emptied when the next one begins.
runs: List["Run"] = []


@contextmanager
def under_way(trial: Trial) -> Iterator[None]:
    """Within it, `init` makes the run of the trial, in programs that are started, too."""
    runs.clear()
    before = {name: os.environ.get(name) for name in (_VARIABLE, "WARREN_RUN_ID")}
    os.environ[_VARIABLE] = json.dumps(trial._asdict())
    os.environ["WARREN_RUN_ID"] = trial.run_id
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def trial_here() -> Optional[Trial]:
    """The trial that this program executes; None where it executes none."""
    text = os.environ.get(_VARIABLE)
    return Trial(**json.loads(text)) if text else None


def queued_here() -> Dict[str, Any]:
    """The parameters with which the run was queued that a worker executes this program for."""
    queued: Dict[str, Any] = json.loads(os.environ.get("WARREN_PARAMETERS") or "{}")
    return queued


def laid_over(given: Mapping[str, Any], drawn: Mapping[str, Any]) -> Dict[str, Any]:
    """What a program gives, with what its sweep has drawn or what was queued over it, also within nested mappings."""
    merged = dict(given)
    for name, value in drawn.items():
        below = merged.get(name)
        both = isinstance(below, Mapping) and isinstance(value, Mapping)
        merged[name] = laid_over(below, value) if both else value  # type: ignore[arg-type]
    return merged
