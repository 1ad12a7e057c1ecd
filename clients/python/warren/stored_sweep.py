"""Sweeps as the server has them: their trials, the best of them, and what can be done with them."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from .frames import frame_of, number_of
from .keyed import asked_once, new_key
from .stored_run import StoredRun
from .stored_runs import Runs, run_of
from .transport import Transport

_FIELDS = """id number name state reason definition createdAt endedAt project { name }
  counts { total running succeeded failed cancelled pruned planned } best { number point objective runs { id number } }
  confirmations { id number } untakenConfirmations"""
SWEEP = "query ($id: ID!) { sweep(id: $id) { %s } }" % _FIELDS
SWEEPS = "query ($project: String, $before: Int) { sweeps(project: $project, first: 100, before: $before) { %s } }" % _FIELDS
_TRIALS = """query ($id: ID!, $after: Int) { sweep(id: $id) { trials(first: 100, after: $after) {
  number point state objective error epochs runs { number }
} } }"""
_ACT = "mutation ($id: ID!) { %sSweep(id: $id) { number } }"
_EXTEND = "mutation ($input: ExtendSweepInput!) { extendSweep(input: $input) { number } }"
_CONFIRM = """mutation ($id: ID!, $seeds: Int, $trial: Int, $key: String) {
  confirmSweep(id: $id, seeds: $seeds, trial: $trial, key: $key) { number }
}"""


class StoredSweep:
    """A sweep that the server has, as it was when it was read; `load` reads it again.

    id, number, name, project, created_at, ended_at, reason: as in the dashboard.
    state: `running`, `paused`, `finished` or `cancelled`. config: method, metric, parameters and all else, defaults filled in.
    counts: of its trials by state. expected_run_count: how many trials there are to be; None without a limit.
    best: the values of the best trial by path; None without any. best_value: its objective, the mean over its seeds.
    """

    def __init__(self, transport: Transport, fields: Dict[str, Any]) -> None:
        self._transport = transport
        self._take(fields)

    def _take(self, fields: Dict[str, Any]) -> None:
        best: Optional[Dict[str, Any]] = fields["best"]
        self.id: str = fields["id"]
        self.number: int = fields["number"]
        self.name: str = fields["name"]
        self.state: str = fields["state"].lower()
        self.reason: str = fields["reason"]
        self.project: str = fields["project"]["name"]
        self.created_at: str = fields["createdAt"]
        self.ended_at: Optional[str] = fields["endedAt"]
        self.config: Dict[str, Any] = fields["definition"]
        self.counts: Dict[str, Any] = fields["counts"]
        self.expected_run_count: Optional[float] = fields["counts"]["planned"]
        self.best: Optional[Dict[str, Any]] = None if best is None else best["point"]
        self.best_trial: Optional[int] = None if best is None else best["number"]
        self.best_value: Any = None if best is None else number_of(best["objective"])
        #: Seeds to confirm a trial with that agents are still to take.
        self.untaken_seeds: List[int] = list(fields["untakenConfirmations"])
        self._best_runs: List[str] = [] if best is None else [run["id"] for run in best["runs"]]
        self._confirmations: List[str] = [run["id"] for run in fields["confirmations"]]

    @property
    def url(self) -> str:
        """Its page in the dashboard."""
        return "%s/sweeps/%d" % (self._transport.url, self.number)

    @property
    def runs(self) -> Runs:
        """The runs of its trials, and those that confirm trials, the newest first."""
        asked = {"project": None, "filter": "sweep = %d" % self.number, "order": {"by": "number", "direction": "DESC"}}
        return Runs(self._transport, asked, 50)

    def best_run(self, order: Optional[str] = None) -> Optional[StoredRun]:
        """The first run of the best trial; None without any. order: taken for W&B's programs, and ignored."""
        return run_of(self._transport, self._best_runs[0]) if self._best_runs else None

    def confirmations(self) -> List[StoredRun]:
        """The runs that confirm a trial on fresh seeds, the newest 100 of them."""
        return [run_of(self._transport, run_id) for run_id in self._confirmations]

    def trials(self, pandas: bool = True) -> Any:
        """One row a trial: `trial`, `state`, `objective`, `epochs`, `runs`, `error`, and the values drawn by path.

        A DataFrame where pandas is installed, else a list of dictionaries.
        """
        rows: List[Dict[str, Any]] = []
        after: Optional[int] = None
        while True:
            page = self._transport.graphql(_TRIALS, {"id": self.id, "after": after})["sweep"]["trials"]
            rows.extend(_trial_row(trial) for trial in page)
            if len(page) < 100:
                return frame_of(rows, pandas)
            after = page[-1]["number"]

    def confirm(self, seeds: int = 5, trial: Optional[int] = None) -> List[int]:
        """Has the best trial, or another one, executed with fresh seeds: only their mean is worth reporting.

        Answers the numbers of the runs that were queued; none where agents execute the trials: the next `agent` takes them.
        """
        asked = {"id": self.id, "seeds": seeds, "trial": trial, "key": new_key()}
        made = asked_once(self._transport, _CONFIRM, asked)["confirmSweep"]
        self.load()
        return [run["number"] for run in made]

    def pause(self) -> None:
        """Draws no more trials until it is resumed."""
        self._act("pause")

    def resume(self) -> None:
        """Goes on where it was paused."""
        self._act("resume")

    def cancel(self) -> None:
        """Ends it, and the runs of it that have not ended."""
        self._act("cancel")

    def extend(
        self,
        trials: Optional[int] = None,
        *,
        hours: Optional[float] = None,
        epochs: Optional[int] = None,
        concurrency: Optional[int] = None,
        until_nothing_better_in: Optional[int] = None,
        parameters: Optional[Dict[str, Any]] = None,
    ) -> None:
        """Gives it more to do; one that has finished goes on.

        trials, hours, epochs: beside those it has. parameters: new ones, or ones that get other values; not for grids.
        """
        given: Dict[str, Any] = {"trials": trials, "hours": hours, "epochs": epochs, "concurrency": concurrency}
        given.update(untilNothingBetterIn=until_nothing_better_in, parameters=parameters)
        asked = {"id": self.id, **{key: value for key, value in given.items() if value is not None}}
        asked_once(self._transport, _EXTEND, {"input": {**asked, "key": new_key()}})
        self.load()

    def load(self) -> "StoredSweep":
        """Reads it again."""
        self._take(self._transport.graphql(SWEEP, {"id": self.id})["sweep"])
        return self

    def _act(self, action: str) -> None:
        self._transport.graphql(_ACT % action, {"id": self.id})
        self.load()

    def __repr__(self) -> str:
        return "<Sweep %d %s (%s)>" % (self.number, self.name, self.state)


def _trial_row(trial: Dict[str, Any]) -> Dict[str, Any]:
    return {
        **{"trial": trial["number"], "state": trial["state"].lower(), "objective": number_of(trial["objective"])},
        **{"epochs": trial["epochs"], "error": trial["error"], "runs": [run["number"] for run in trial["runs"]]},
        **trial["point"],
    }
