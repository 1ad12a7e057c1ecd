"""What programs written for W&B or Trackio call and Warren does not do: it says what to do instead, and training goes on."""

from __future__ import annotations

from typing import Any, Dict, Set

from .values import warn

#: What stands instead of calls that training does not need.
CALLS: Dict[str, str] = {
    "login": "nothing to log in to: WARREN_API_URL names the server, and WARREN_TOKEN is the token where it wants one",
    "setup": "nothing to set up",
    "log_code": "the commit, uncommitted changes and packages are recorded without it; log_artifact keeps a folder",
    "require": "nothing has to be asked for",
    "log_gpu": "GPUs are recorded without it",
    "mark_preempting": 'start the program again with the same id and resume="allow"',
    "show": "the dashboard is served by `warren up`; `run.url` is the run's page",
    "termwarn": "the standard error output is part of the run's log",
    "termlog": "what is printed is part of the run's log",
}
#: Things to look at that W&B has and Warren does not: nothing is logged for them.
_THINGS: Dict[str, str] = {
    "Object3D": "keep its file with log_artifact, or log a Plotly figure",
    "Molecule": "keep its file with log_artifact, or log a picture of it",
}
_told: Set[str] = set()


def instead_of_plot(name: str) -> Any:
    """Stands for a function of `wandb.plot` that is not there: it says once what to log instead, and returns None."""
    return _saying("plot.%s" % name, "log a figure of matplotlib, plotly or altair, or warren.Chart(vega_lite)", None)


def instead_of(name: str, owner: str) -> Any:
    """A function that says once what to do instead of calling `name`.

    AttributeError: nothing of the name is known.
    """
    if name in CALLS:
        return _saying(name, CALLS[name], True)
    if name in _THINGS:
        return _saying(name, _THINGS[name], None)
    raise AttributeError("%s has no %r" % (owner, name))


def _saying(name: str, advice: str, answer: Any) -> Any:
    def call(*_arguments: Any, **_options: Any) -> Any:
        if name not in _told:
            _told.add(name)
            warn("%s: %s" % (name, advice))
        return answer

    return call
