"""`init`: makes a run, or goes on with one."""

from __future__ import annotations

import contextlib
import difflib
import inspect
import os
import sys
import tempfile
import threading
import time
import uuid
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, Optional, TypedDict

from .beginning import Before, Beginning, beginning, look_before
from .delivery import Delivery
from .environment import describe_environment, installed_packages, uncommitted_changes, user_name
from .ending import finish_open_runs, open_runs
from .journal import Journal, SendingLock
from .log_tail import log_bytes
from .naming import name_of, tags_of
from .notebook import follow_cells, shell_here
from .resuming import began_with, next_step, reopen_run, uuid_of
from .run import Run, new_run_id
from .sender import QUIET_SECONDS, Sender
from .syncing import send_left_behind
from .tensorboard import follow, wanted
from .transport import Refused, Transport, Unreachable
from .trial import runs
from .values import warn, warn_once
from .wandb_variables import wandb_variables

if TYPE_CHECKING:
    from typing_extensions import Unpack

DEFAULT_SERVER = "http://127.0.0.1:4680"
#: The server gives a run up that it has not heard of for so long, so it hears three times as often.
HEARTBEAT_SECONDS = 20.0
MODES = ("online", "offline", "disabled")
REINITS = ("default", "finish_previous", "create_new", "return_previous")


class Ignored(TypedDict, total=False):
    """Options of W&B's `init` that say nothing here."""

    entity: Any
    settings: Any
    magic: Any
    anonymous: Any
    force: Any
    allow_val_change: Any
    config_exclude_keys: Any
    config_include_keys: Any
    monitor_gym: Any
    space_id: Any
    embed: Any


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
    sync_tensorboard: Any = None,
    **ignored: Unpack[Ignored],
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
    sync_tensorboard: whether what the program writes for TensorBoard is logged, too: by SummaryWriter of PyTorch and tensorboardX.

    Variables of W&B (WANDB_PROJECT, WANDB_MODE, …) stand behind Warren's own and these options.

    A server that is away is no error: what is logged is kept and sent later. Raises ValueError where the server
    refuses the run for good, for example because of a wrong token.
    """
    said = wandb_variables()
    mode = mode or os.environ.get("WARREN_MODE") or said.mode or "online"
    name, notes, group, job_type = name or said.name, notes or said.notes, group or said.group, job_type or said.job_type
    tags, dir = tags or said.tags, dir or os.environ.get("WARREN_DIR") or said.dir
    if id is None and said.id and not os.environ.get("WARREN_RUN_ID"):
        id, resume = said.id, said.resume if resume is None else resume
    project = project or (None if os.environ.get("WARREN_PROJECT") else said.project)
    if mode not in MODES:
        raise ValueError("mode: %r is not one of %s" % (mode, ", ".join(MODES)))
    if resume not in (None, False, True, "allow", "must", "never", "auto"):
        raise ValueError('resume: %r is not one of "allow", "must", "never"' % (resume,))
    fork = _fork_place(fork_from, project or _default_project())
    if fork is not None and resume:
        raise ValueError("fork_from: a fork is a new run, so it does not go with resume")
    previous = _previous(reinit)
    if previous is not None:
        return previous
    if "resume_from" in ignored:
        raise ValueError('resume_from: a run keeps the points that it has; fork_from="RUN?_step=N" begins another with those up to a step')
    unknown = ignored.keys() - Ignored.__annotations__.keys()
    if unknown:
        raise TypeError("init: there is no option %s" % ", ".join(map(_with_likely_name, sorted(unknown))))
    if ignored:
        warn("init: ignores %s" % ", ".join(sorted(ignored)))
    tags = [tags] if isinstance(tags, str) else tags
    begun = beginning(config, project, None if id is None else str(id), seed)
    name = name_of(name)
    if mode == "disabled":
        run = Run(begun.id or new_run_id(), None, begun.parameters)
        run._described({"name": name, "tags": tags, "notes": notes}, project=begun.project or "", group=group, job_type=job_type)
        return run
    project = begun.project or _default_project()
    given_id = os.environ.get("WARREN_RUN_ID") if begun.executed else begun.id or os.environ.get("WARREN_RUN_ID")
    run_id = uuid_of(project, given_id) if given_id else new_run_id()
    run_input: Dict[str, Any] = {
        "id": run_id,
        "project": project,
        "name": name,
        "parameters": begun.stored,
        "tags": tags_of((*(tags or ()), *filter(None, (group, job_type)))),
        "seed": begun.seed,
        "user": user_name(),
        "datasetName": dataset,
        "notes": notes,
        "environment": describe_environment(),
        "heartbeats": mode == "online",
        "forkFrom": fork,
    }
    run_input = {key: value for key, value in run_input.items() if value is not None}
    token = token or os.environ.get("WARREN_TOKEN")
    transport = Transport(server or os.environ.get("WARREN_API_URL") or DEFAULT_SERVER, token)
    # training begins soon, also where nothing answers
    transport.connect_seconds = QUIET_SECONDS
    journal_path = _new_journal_path(dir, run_id)
    rank = _rank()
    first = rank in (None, 0)
    with _says_it_waits(transport):
        before = look_before(transport if mode == "online" else None, journal_path, run_id, given_id, resume, rank)
    if before.found is not None and before.found["state"] != "RUNNING" and not begun.executed:
        if begun.trial is not None and not runs:
            raise ValueError("trial %d of sweep %d was stopped before it began" % (begun.trial.number, begun.trial.sweep))
        reopen_run(transport, run_id)
    run = _recorded(run_input, begun, before, transport, journal_path, mode)
    assert run._journal is not None
    journal_path = run._journal.path
    run._described(run_input, project=project, group=group, job_type=job_type, resumed=before.resumes and before.found is not None, offline=mode == "offline")
    run._joined = not first or begun.executed
    sender = None
    if mode == "online":
        with _says_it_waits(transport):
            sender = _sending(run, run_input, transport, journal_path)
        send_left_behind(os.path.dirname(os.path.dirname(journal_path)), transport)
    if save_code and first:
        _keep_code(run)
    run._start(sender, console=not begun.executed and (first if console is None else console), machine=first, started=time.time())
    follow_cells()
    if wanted(sync_tensorboard):
        follow(run)
    return run


@contextlib.contextmanager
def _says_it_waits(transport: Transport) -> Iterator[None]:
    """Says what the program waits for where a server is slow to answer."""
    timer = threading.Timer(QUIET_SECONDS, warn_once, ("waits for %s" % transport.url,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _with_likely_name(given: str) -> str:
    """A name that `init` does not know, with the one that it looks like."""
    likely = difflib.get_close_matches(given, inspect.signature(init).parameters, 1, 0.75)
    return "%s (did you mean %s?)" % (given, likely[0]) if likely else given


def _default_project() -> str:
    return os.environ.get("WARREN_PROJECT") or "default"


def _recorded(run_input: Dict[str, Any], begun: Beginning, before: Before, transport: Transport, journal_path: str, mode: str) -> Run:
    """The run over its journal, which begins with what the server is to know of it."""
    parameters, seed, fork = begun.parameters, begun.seed, run_input.get("forkFrom")
    if fork is not None and mode == "online":
        parameters = {**began_with(transport, fork["runId"], "fork_from")[0], **parameters}
    goes_on = before.resumes and not begun.executed and begun.trial is None
    if goes_on and before.found is not None:
        kept, kept_seed = began_with(transport, run_input["id"], "resume")
        parameters, seed = {**kept, **parameters}, seed if kept_seed is None else kept_seed
    first_step = next_step(before.found, before.kept) if fork is None else fork["step"] + 1
    journal = _opened(journal_path)
    journal_path = journal.path
    sending = SendingLock(journal_path)
    if mode == "online":
        sending.try_acquire()
    journal.append(["run", run_input, {"mode": mode, "server": transport.url, "resume": before.resumes}])
    if goes_on and begun.stored:
        # a run that is there keeps the parameters that it began with: these go over them
        journal.append(["parameters", begun.stored])
    run = Run(run_input["id"], journal, parameters, first_step=first_step)
    if before.found is not None:
        run._went_before({metric["name"]: int(metric["lastStep"]) for metric in before.found["metrics"]})
    run.seed, run._takes_seed = seed, begun.takes_seed
    run._too_long = frozenset(begun.parameters.keys() - begun.stored.keys() - {"seed"})
    run._prints = begun.executed
    if mode == "online":
        run._sending = sending
    if begun.trial is not None:
        run.sweep_id, run.config._drawn = str(begun.trial.sweep), begun.trial.drawn
        runs.append(run)
    elif begun.queued:
        run.config._drawn, run.config._drawn_by = begun.queued, "as it was queued"
    return run


def _sending(run: Run, run_input: Dict[str, Any], transport: Transport, journal_path: str) -> Sender:
    """Makes the run at the server, and what sends the rest of it."""
    delivery = Delivery(journal_path, transport, run._journal)
    _create(run, delivery, run_input, journal_path)
    run._delivery = delivery
    run._lines.limit(log_bytes(transport.log_bytes))
    return Sender(delivery, HEARTBEAT_SECONDS, run._cancelled, away=run.number is None)


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


def _opened(path: str) -> Journal:
    """The journal at a path; in the temporary folder of the system where this one takes no files. Raises OSError where neither does."""
    try:
        return Journal(path)
    except OSError as error:
        user = getattr(os, "getuid", lambda: "user")()
        other = os.path.join(tempfile.gettempdir(), "warren-%s" % user, *path.split(os.sep)[-3:])
        journal = Journal(other)
        folder = os.path.dirname(os.path.dirname(other))
        warn("%s: the run is kept in %s; WARREN_DIR names another folder" % (error, folder))
        return journal


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
        try:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "file")
                with open(path, "w", encoding="utf-8", errors="replace") as file:
                    file.write(text)
                run._keep_file(path, name, "text/plain")
        except OSError as error:
            warn("%s is not kept: %s" % (name, error))
