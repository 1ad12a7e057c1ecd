"""Runs of the server that meet a filter, read page by page."""

from __future__ import annotations

from itertools import islice
from typing import Any, Dict, Iterator, List, Optional

from .frames import flat, frame_of, number_of
from .shown import MOST_ROWS, Link, names_of, table_shown
from .stored_run import FIELDS, StoredRun
from .transport import Refused, Transport
from .values import warn_once

_PAGE = """query ($project: String, $filter: String, $order: RunOrder, $first: Int!, $after: String) {
  runs(project: $project, filter: $filter, orderBy: $order, first: $first, after: $after) {
    totalCount hints pageInfo { hasNextPage endCursor } edges { node { %s } }
  }
}""" % FIELDS
_RUN = "query ($id: ID!) { run(id: $id) { %s } }" % FIELDS
_HISTORIES = """query ($ids: [ID!]!, $names: [String!], $points: Int!) {
  metricHistory(runIds: $ids, names: $names, maxPoints: $points) { runId name steps values times }
}"""
#: Runs whose curves one request reads.
_RUNS_AT_ONCE = 100


def run_of(transport: Transport, name: str) -> StoredRun:
    """The run with this id or number. Raises ValueError where there is none."""
    found = transport.graphql(_RUN, {"id": name})["run"]
    if found is None:
        raise ValueError("there is no run %s at %s" % (name, transport.url))
    return StoredRun(transport, found)


class Runs:
    """Runs that meet a filter: `len`, indices and loops read as many pages as they need."""

    def __init__(self, transport: Transport, asked: Dict[str, Any], per_page: int) -> None:
        self._transport = transport
        self._asked = asked
        self._per_page = per_page
        self._loaded: List[StoredRun] = []
        self._is_older = False
        self._after: Optional[str] = None
        self._total: Optional[int] = None
        self._more = True

    def __len__(self) -> int:
        if self._total is None:
            self._read()
        return self._total or 0

    def __repr__(self) -> str:
        return "<Runs: %s>" % ("not read yet" if self._total is None else self._total)

    def _repr_html_(self) -> str:
        """The first of them: what they are, and the values that they have."""
        total, first = len(self), list(islice(self, MOST_ROWS))
        values = names_of(run.summary for run in first)
        rows = [[run.number, Link(run.name, run.url), run.state, *(run.summary.get(name) for name in values)] for run in first]
        return table_shown(["run", "name", "state", *values], rows, total)

    def __iter__(self) -> Iterator[StoredRun]:
        index = 0
        while index < len(self._loaded) or self._read():
            yield self._loaded[index]
            index += 1

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice) or index < 0:
            return list(self)[index]
        while index >= len(self._loaded) and self._read():
            pass
        return self._loaded[index]

    def to_frame(self, metrics: Optional[List[str]] = None, pandas: bool = True) -> Any:
        """One row a run: number, name, state and so on, `config.PATH` for each parameter, and the metrics under their names.

        metrics: these alone. A DataFrame where pandas is installed, with times as pandas has them, else a list of dictionaries.
        """
        rows = []
        for run in self:
            row: Dict[str, Any] = {
                **{"number": run.number, "id": run.id, "name": run.name, "state": run.state, "project": run.project},
                **{"kind": run.kind, "dataset": run.dataset, "seed": run.seed, "user": run.user, "tags": run.tags},
                **{"created": run.created_at, "started": run.started_at, "ended": run.ended_at},
            }
            row.update({"config." + path: value for path, value in flat(run.config).items()})
            row.update({name: value for name, value in run.summary.items() if metrics is None or name in metrics})
            rows.append(row)
        return frame_of(rows, pandas, times=("created", "started", "ended"))

    def histories(self, samples: int = 500, keys: Optional[List[str]] = None, pandas: bool = True, **_ignored: Any) -> Any:
        """The curves of all of them, one row a run, metric and step: `run`, `metric`, `step`, `value`, `time` in Unix seconds."""
        runs = {run.id: run.number for run in self}
        ids = list(runs)
        rows: List[Dict[str, Any]] = []
        start, size = 0, _RUNS_AT_ONCE
        while start < len(ids):
            asked = {"ids": ids[start : start + size], "names": keys, "points": max(1, min(int(samples), 20_000))}
            try:
                found = self._transport.graphql(_HISTORIES, asked)["metricHistory"]
            except Refused as error:
                if error.code != "TOO_LARGE" or size == 1:
                    raise
                size = (size + 1) // 2
                continue
            start += size
            for series in found:
                facts = {"run": runs[series["runId"]], "metric": series["name"]}
                rows.extend(
                    {**facts, "step": step, "value": number_of(value), "time": time / 1000}
                    for step, value, time in zip(series["steps"], series["values"], series["times"])
                )
        return frame_of(rows, pandas)

    def _read(self) -> bool:
        """Reads the next page; False where there is none."""
        if not self._more:
            return False
        while True:
            try:
                asked = {**self._asked, "first": self._per_page, "after": self._after}
                page = self._transport.graphql(_PAGE.replace(" hints", "" if self._is_older else " hints"), asked)["runs"]
                break
            except Refused as error:
                if '"hints"' in str(error) and not self._is_older:
                    # a server before there were any
                    self._is_older = True
                    continue
                # of runs with very many metrics fewer go into an answer
                if error.code != "TOO_LARGE" or self._per_page == 1:
                    raise
                self._per_page = (self._per_page + 1) // 2
        self._total = page["totalCount"]
        for hint in page.get("hints") or ():
            warn_once("runs: %s" % hint)
        self._after = page["pageInfo"]["endCursor"]
        self._more = page["pageInfo"]["hasNextPage"]
        self._loaded.extend(StoredRun(self._transport, edge["node"]) for edge in page["edges"])
        return len(page["edges"]) > 0
