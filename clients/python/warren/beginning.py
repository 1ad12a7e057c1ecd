"""What a run begins with, and what there is of it already."""

from __future__ import annotations

import os
from typing import Any, Dict, NamedTuple, Optional

from .recorded import keep_set
from .resuming import check_resume, find_run, last_kept_step
from .syncing import send_first
from .transport import Transport
from .trial import Trial, laid_over, queued_here, trial_here
from .plain import fitting, parameters_of
from .values import checked_seed, is_seed, seed_apart, warn


class Beginning(NamedTuple):
    """What a run begins with, once program, sweep and queue have had their say."""

    trial: Optional[Trial]
    #: A worker executes this program for the run: the worker records what it prints, and how it ends.
    executed: bool
    #: Parameters that were queued with it.
    queued: Dict[str, Any]
    project: Optional[str]
    id: Optional[str]
    parameters: Dict[str, Any]
    #: The parameters without the seed.
    stored: Dict[str, Any]
    seed: int
    #: Whether a whole number that is set as `config.seed` later becomes the seed: nobody has given another.
    takes_seed: bool


def beginning(config: Any, project: Optional[str], id: Optional[str], seed: Optional[int]) -> Beginning:
    given_seed = None if seed is None else checked_seed(seed)
    trial = trial_here()
    parameters = parameters_of(config)
    if trial is not None:
        # what its sweep says goes before what the program says
        parameters, project, id, given_seed = laid_over(parameters, trial.drawn), trial.project, trial.run_id, trial.seed
    executed = bool(os.environ.get("WARREN_ATTEMPT")) and trial is None
    queued = queued_here() if executed else {}
    parameters = keep_set(parameters, queued, "as it was queued")
    if executed:
        project = _queued_project(project)
    if executed and given_seed is None:
        given_seed = int(os.environ.get("WARREN_SEED") or 0)
        own = parameters.get("seed")
        # 0 is the seed of whoever names none
        if is_seed(own) and given_seed != 0 and own != given_seed:
            warn("config: seed is %d, and the run was queued with seed %d: give the program {seed}, or let it use run.seed" % (own, given_seed))
    run_seed, stored = seed_apart(given_seed, parameters)
    return Beginning(trial, executed, queued, project, id, parameters, fitting(stored), run_seed, given_seed is None)


def _queued_project(given: Optional[str]) -> Optional[str]:
    """The project of the run that a worker executes this program for, whatever the program names."""
    queued = os.environ.get("WARREN_PROJECT")
    if given and queued and given != queued:
        warn("init: the run stays in project %s, where it was queued, and not in %s: queue it with --project %s" % (queued, given, given))
    return queued or given


class Before(NamedTuple):
    """What there is of a run already."""

    #: As the server has it; None where it has not, or is not asked.
    found: Optional[Dict[str, Any]]
    #: The last step that is kept here and not sent.
    kept: Optional[int]
    #: Whether the program may go on with it.
    resumes: bool


def look_before(transport: Optional[Transport], journal_path: str, run_id: str, given_id: Optional[str], resume: Any, rank: Optional[int]) -> Before:
    """Looks for the run, at the server if there is one. Raises ValueError where what there is does not agree with `resume`."""
    folder = os.path.dirname(journal_path)
    found = None
    if transport is not None and given_id:
        send_first(folder, transport)
        found = find_run(transport, run_id)
    resumes = bool(given_id) and resume not in (None, False, "never")
    kept = last_kept_step(folder) if resumes and found is None else None
    check_resume(given_id, found is not None, resume, joins=rank is not None, kept=kept is not None)
    return Before(found, kept, resumes)
