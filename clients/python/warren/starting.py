"""`init`: makes a run, or goes on with one."""

from __future__ import annotations

import os
import sys
import tempfile
import time
import uuid
from typing import Any, Dict, Iterable, Optional

from .delivery import Delivery
from .environment import describe_environment, installed_packages, uncommitted_changes, user_name
from .ending import finish_open_runs, open_runs
from .journal import Journal, SendingLock
from .naming import name_of, tags_of
from .notebook import follow_cells, shell_here
from .recorded import keep_set
from .resuming import check_resume, find_run, last_kept_step, next_step, parameters_of_run, reopen_run, uuid_of
from .run import Run, new_run_id
from .sender import Sender
from .syncing import send_first, send_left_behind
from .transport import Refused, Transport, Unreachable
from .trial import laid_over, queued_here, runs, trial_here
from .values import checked_seed, parameters_of, seed_apart, warn

DEFAULT_SERVER = "http://127.0.0.1:4680"
#: The server gives a run up that it has not heard of for so long, so it hears three times as often.
HEARTBEAT_SECONDS = 20.0
MODES = ("online", "offline", "disabled")
REINITS = ("default", "finish_previous", "create_new", "return_previous")


def init(
    project: Optional[str] = None,
    name: Optional[str] = None,
    config: Any = None,
    tags: Optional[Iterable[str]] = None,
    *,
    id: Optional[str] = None,
    resume: Any = None,
    fork_from: Optional[str] = None,
    mode: Optional[str] = None,
    dir: Optional[str] = None,
    server: Optional[str] = None,
    token: Optional[str] = None,
    seed: Optional[int] = None,
    dataset: Optional[str] = None,
    notes: Optional[str] = None,
    group: Optional[str] = None,
    job_type: Optional[str] = None,
    console: Optional[bool] = None,
    save_code: bool = True,
    reinit: Any = None,
    **ignored: Any,
) -> Run:
    """Starts a run and returns it.

    project, name, tags, notes: as the dashboard shows them; `group` and `job_type` become tags.
    config: the run's parameters, a mapping or an argparse.Namespace.
    seed, dataset: what replicates differ in, and what was trained on. A whole number `seed` in `config` is the seed unless another is given.
    id, resume: the same id goes on with the same run. resume="must" asks for a run that is there, "never" for one that
        is not, "allow" (or True) takes either. Without `resume` an id that is there is refused.
    fork_from: "RUN?_step=N" begins with the points of another run (its id or number) up to step N, and with its
        parameters; `config` goes over them, and steps count on from N + 1.
    mode: "online" (sent while the program runs), "offline" (kept until `python -m warren sync`), or "disabled".
        WARREN_MODE is the default.
    dir: where the journal is kept: the folder `warren-runs` below it. WARREN_DIR, or the working directory.
    server, token: WARREN_API_URL and WARREN_TOKEN, or a server on this machine.
    console: whether lines that the program prints become log lines; by default in the first process of a job only.
    save_code: whether the uncommitted changes and the list of packages are kept as files of the run.
    reinit: what becomes of a run that this program began and did not finish. "finish_previous" (or True) ends it, "create_new" leaves
        it as it is, "return_previous" answers it and begins no other one. By default cells of a notebook end it, and programs do not.

    A server that is away is no error: what is logged is kept and sent later. Raises ValueError where the server
    refuses the run for good, for example because of a wrong token.
    """
    mode = mode or os.environ.get("WARREN_MODE") or "online"
    if mode not in MODES:
        raise ValueError("mode: %r is not one of %s" % (mode, ", ".join(MODES)))
    if resume not in (None, False, True, "allow", "must", "never", "auto"):
        raise ValueError('resume: %r is not one of "allow", "must", "never"' % (resume,))
    fork = _fork_place(fork_from, project or os.environ.get("WARREN_PROJECT") or "default")
    if fork is not None and resume:
        raise ValueError("fork_from: a fork is a new run, so it does not go with resume")
    previous = _previous(reinit)
    if previous is not None:
        return previous
    if ignored:
        warn("init: ignores %s" % ", ".join(sorted(ignored)))
    given_seed = None if seed is None else checked_seed(seed)
    tags = [tags] if isinstance(tags, str) else tags
    trial = trial_here()
    parameters, name = parameters_of(config), name_of(name)
    if trial is not None:
        # what its sweep says goes before what the program says
        parameters, project, id, given_seed = laid_over(parameters, trial.drawn), trial.project, trial.run_id, trial.seed
    # a run that a worker executes this program for: its worker records what it prints, and how it ends
    executed = bool(os.environ.get("WARREN_ATTEMPT")) and trial is None
    queued = queued_here() if executed else {}
    parameters = keep_set(parameters, queued, "as it was queued")
    if executed and given_seed is None:
        given_seed = int(os.environ.get("WARREN_SEED") or 0)
    run_seed, stored = seed_apart(given_seed, parameters)
    if mode == "disabled":
        run = Run(id or new_run_id(), None, parameters)
        run._described({"name": name, "tags": tags, "notes": notes}, project=project or "", group=group, job_type=job_type)
        return run
    project = project or os.environ.get("WARREN_PROJECT") or "default"
    given_id = os.environ.get("WARREN_RUN_ID") if executed else id or os.environ.get("WARREN_RUN_ID")
    run_id = uuid_of(project, given_id) if given_id else new_run_id()
    rank = _rank()
    first = rank in (None, 0)
    run_input: Dict[str, Any] = {
        "id": run_id,
        "project": project,
        "name": name,
        "parameters": stored,
        "tags": tags_of((*(tags or ()), *filter(None, (group, job_type)))),
        "seed": run_seed,
        "user": user_name(),
        "datasetName": dataset,
        "notes": notes,
        "environment": describe_environment(),
        "heartbeats": mode == "online",
        "forkFrom": fork,
    }
    run_input = {key: value for key, value in run_input.items() if value is not None}
    journal_path = _new_journal_path(dir, run_id)
    transport = Transport(server or os.environ.get("WARREN_API_URL") or DEFAULT_SERVER, token or os.environ.get("WARREN_TOKEN"))
    found = None
    if mode == "online" and given_id:
        send_first(os.path.dirname(journal_path), transport)
        found = find_run(transport, run_id)
    resumes = bool(given_id) and resume not in (None, False, "never")
    kept = last_kept_step(os.path.dirname(journal_path)) if resumes and found is None else None
    check_resume(given_id, found is not None, resume, joins=rank is not None, kept=kept is not None)
    if found is not None and found["state"] != "RUNNING" and not executed:
        if trial is not None and not runs:
            raise ValueError("trial %d of sweep %d was stopped before it began" % (trial.number, trial.sweep))
        reopen_run(transport, run_id)
    if fork is not None and mode == "online":
        parameters = {**parameters_of_run(transport, fork["runId"], "fork_from"), **parameters}
    # a run that is there keeps the parameters that it began with: these go over them
    over = stored if resumes and not executed and trial is None else {}
    if resumes and found is not None and not executed and trial is None:
        parameters = {**parameters_of_run(transport, run_id, "resume"), **parameters}
    first_step = next_step(found, kept) if fork is None else fork["step"] + 1
    journal = Journal(journal_path)
    sending = SendingLock(journal_path)
    if mode == "online":
        sending.try_acquire()
    journal.append(["run", run_input, {"mode": mode, "server": transport.url, "resume": resumes}])
    if over:
        journal.append(["parameters", over])
    run = Run(run_id, journal, parameters, first_step=first_step)
    run._described(run_input, project=project, group=group, job_type=job_type, resumed=resumes and found is not None, offline=mode == "offline")
    run.seed = run_seed
    if trial is not None:
        run.sweep_id, run.config._drawn = str(trial.sweep), trial.drawn
        runs.append(run)
    elif queued:
        run.config._drawn, run.config._drawn_by = queued, "as it was queued"
    run._joined = not first or executed
    run._prints = executed
    sender = None
    if mode == "online":
        delivery = Delivery(journal_path, transport)
        _create(run, delivery, run_input, journal_path)
        run._sending, run._delivery = sending, delivery
        sender = Sender(delivery, HEARTBEAT_SECONDS, run._cancelled, away=run.number is None)
        send_left_behind(os.path.dirname(os.path.dirname(journal_path)), token or os.environ.get("WARREN_TOKEN"))
    if save_code and first:
        _keep_code(run)
    run._start(sender, console=not executed and (first if console is None else console), machine=first, started=time.time())
    follow_cells()
    return run


def _previous(reinit: Any) -> Optional[Run]:
    """The run that goes on; None where another one begins, before which those that are open end, as `reinit` says."""
    if reinit not in (None, False, True, *REINITS):
        raise ValueError("reinit: %r is not one of %s" % (reinit, ", ".join(REINITS)))
    previous = open_runs()
    if reinit == "return_previous":
        return previous[-1] if previous else None
    by_default = reinit in (None, False, "default")
    if reinit in (True, "finish_previous") or (previous and by_default and shell_here() is not None):
        if by_default:
            names = ", ".join(str(run.number or run.name or run.id) for run in previous)
            print('warren: ends run %s, as another init follows in this notebook; reinit="create_new" leaves it' % names, file=sys.stderr)
        finish_open_runs()
    return None


def _fork_place(fork_from: Optional[str], project: str) -> Optional[Dict[str, Any]]:
    if fork_from is None:
        return None
    parent, _, step = fork_from.partition("?_step=")
    if not parent or not step.isdigit():
        raise ValueError('fork_from: %r is not of the form "RUN?_step=N"' % (fork_from,))
    return {"runId": parent if parent.isdigit() else uuid_of(project, parent), "step": int(step)}


def _rank() -> Optional[int]:
    """The number of this process in its job, as torchrun, SLURM and MPI give it; None where it is alone."""
    for name in ("RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK"):
        text = os.environ.get(name, "")
        if text.isdigit():
            return int(text)
    return None


def _new_journal_path(folder: Optional[str], run_id: str) -> str:
    base = os.path.join(os.path.abspath(folder or os.environ.get("WARREN_DIR") or "."), "warren-runs")
    started = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    return os.path.join(base, run_id, "%s-%d-%s.jsonl" % (started, os.getpid(), uuid.uuid4().hex[:6]))


def _create(run: Run, delivery: Delivery, run_input: Dict[str, Any], journal_path: str) -> None:
    """Makes the run at once, so that mistakes show at the start."""
    try:
        answer = delivery.create(run_input)
    except Unreachable as error:
        warn("%s; what is logged is kept in %s and sent later" % (error, journal_path))
        return
    except Refused as refused:
        raise ValueError("the server refuses the run: %s" % refused) from None
    run.number = answer["number"]
    run._name = answer["name"]
    run.url = "%s/runs/%d" % (delivery.transport.url, answer["number"])
    print("warren: run %d at %s" % (run.number, run.url), file=sys.stderr)


def _keep_code(run: Run) -> None:
    texts = {"code/uncommitted.diff": uncommitted_changes(), "code/requirements.txt": "\n".join(installed_packages())}
    for name, text in texts.items():
        if not text:
            continue
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "file")
            with open(path, "w", encoding="utf-8", errors="replace") as file:
                file.write(text)
            run._keep_file(path, name, "text/plain")
