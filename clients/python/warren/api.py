"""Reads what the server has: for notebooks and scripts."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Optional, Union

from .frames import flat, frame_of, number_of
from .registry import transport_here
from .stored_run import FIELDS, StoredRun
from .transport import Refused, Transport
from .wandb_filter import filter_text, order_of

_PAGE = """query ($project: String, $filter: String, $order: RunOrder, $first: Int!, $after: String) {
  runs(project: $project, filter: $filter, orderBy: $order, first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } edges { node { %s } }
  }
}""" % FIELDS
_RUN = "query ($id: ID!) { run(id: $id) { %s } }" % FIELDS
_PROJECTS = "{ projects(first: 500) { edges { node { name } } } }"
_HISTORIES = """query ($ids: [ID!]!, $names: [String!], $points: Int!) {
  metricHistory(runIds: $ids, names: $names, maxPoints: $points) { runId name steps values times }
}"""
_GROUPS = """query ($project: String, $filter: String, $by: [String!]!, $metrics: [GroupMetricInput!], $after: String) {
  runGroups(project: $project, filter: $filter, groupBy: $by, metrics: $metrics, first: 500, after: $after) {
    fields pageInfo { hasNextPage endCursor }
    edges { node { values runCount metrics { name n mean standardDeviation standardError low high minimum maximum } } }
  }
}"""
_STATISTICS = {
    "n": "n",
    "mean": "mean",
    "sd": "standardDeviation",
    "se": "standardError",
    "low": "low",
    "high": "high",
    "min": "minimum",
    "max": "maximum",
}
#: Runs whose curves one request reads.
_RUNS_AT_ONCE = 100


class Api:
    """A server's runs. Not safe between threads.

    server, token: as of `init`; WARREN_API_URL and WARREN_TOKEN, or a server on this machine. timeout is ignored.

        api = warren.Api()
        for run in api.runs("mine", filters='state = SUCCEEDED and config.lr < 0.1', order='-metric."test/ndcg@10"'):
            print(run.number, run.config, run.summary)
    """

    def __init__(self, server: Optional[str] = None, token: Optional[str] = None, **_ignored: Any) -> None:
        self._transport = transport_here(server, token)

    def runs(
        self,
        path: Optional[str] = None,
        filters: Union[str, Dict[str, Any], None] = None,
        order: str = "-number",
        per_page: int = 50,
        **_ignored: Any,
    ) -> "Runs":
        """The runs of a project, or of all, that meet a filter; read page by page as they are looked at.

        path: name of the project; of `entity/project`, as W&B has it, the last part.
        filters: a text as in the dashboard and in `warren ls`, or a dictionary as for W&B.
        order: a field of filters, `-` before it for the greatest first.
        """
        project = None if path is None else path.rsplit("/", 1)[-1]
        asked = {"project": project, "filter": filter_text(filters), "order": order_of(order)}
        return Runs(self._transport, asked, max(1, min(int(per_page), 500)))

    def run(self, path: Union[str, int]) -> StoredRun:
        """The run with this id or number; of `entity/project/ID` the last part. Raises ValueError where there is none."""
        name = str(path).rsplit("/", 1)[-1].lstrip("#")
        found = self._transport.graphql(_RUN, {"id": name})["run"]
        if found is None:
            raise ValueError("there is no run %s at %s" % (name, self._transport.url))
        return StoredRun(self._transport, found)

    def projects(self) -> List[str]:
        """Names of the projects."""
        return [edge["node"]["name"] for edge in self._transport.graphql(_PROJECTS, {})["projects"]["edges"]]

    def groups(
        self,
        by: Union[str, List[str]],
        metrics: Union[str, List[str]] = (),  # type: ignore[assignment]
        path: Optional[str] = None,
        filters: Union[str, Dict[str, Any], None] = None,
        best_of: Optional[str] = None,
        pandas: bool = True,
    ) -> Any:
        """Groups of runs with statistics of metrics, summed up in the server over all that meet the filter.

        by: fields such as `kind`, `optimizer.learningRate`, or `configuration`, which is all but the seed.
        best_of: the values at the step where this metric was best, such as the test at the best validation.
        Answers one row a group, as a DataFrame where pandas is installed: the fields, `runs`, and for each metric its
        `mean`, `sd`, `se`, `low` and `high` (95 % interval of the mean), `min`, `max` and `n`, as `test/ndcg@10 mean`.
        """
        fields = [by] if isinstance(by, str) else list(by)
        names = [metrics] if isinstance(metrics, str) else list(metrics)
        wanted = [{"name": name, **({} if best_of is None else {"bestOf": best_of})} for name in names]
        asked: Dict[str, Any] = {"project": None if path is None else path.rsplit("/", 1)[-1], "filter": filter_text(filters)}
        asked.update({"by": fields, "metrics": wanted, "after": None})
        rows: List[Dict[str, Any]] = []
        while True:
            page = self._transport.graphql(_GROUPS, asked)["runGroups"]
            rows.extend(_group_row(fields, edge["node"]) for edge in page["edges"])
            if not page["pageInfo"]["hasNextPage"]:
                return frame_of(rows, pandas)
            asked["after"] = page["pageInfo"]["endCursor"]

    def graphql(self, query: str, variables: Optional[Dict[str, Any]] = None) -> Any:
        """The data of any other question; the server describes them at /explorer. Raises Refused, Unreachable."""
        return self._transport.graphql(query, variables or {})


class Runs:
    """Runs that meet a filter: `len`, indices and loops read as many pages as they need."""

    def __init__(self, transport: Transport, asked: Dict[str, Any], per_page: int) -> None:
        self._transport = transport
        self._asked = asked
        self._per_page = per_page
        self._loaded: List[StoredRun] = []
        self._after: Optional[str] = None
        self._total: Optional[int] = None
        self._more = True

    def __len__(self) -> int:
        if self._total is None:
            self._read()
        return self._total or 0

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

        metrics: these alone. A DataFrame where pandas is installed, else a list of dictionaries.
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
        return frame_of(rows, pandas)

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
                page = self._transport.graphql(_PAGE, asked)["runs"]
                break
            except Refused as error:
                # of runs with very many metrics fewer go into an answer
                if error.code != "TOO_LARGE" or self._per_page == 1:
                    raise
                self._per_page = (self._per_page + 1) // 2
        self._total = page["totalCount"]
        self._after = page["pageInfo"]["endCursor"]
        self._more = page["pageInfo"]["hasNextPage"]
        self._loaded.extend(StoredRun(self._transport, edge["node"]) for edge in page["edges"])
        return len(page["edges"]) > 0


def _group_row(fields: List[str], group: Dict[str, Any]) -> Dict[str, Any]:
    row: Dict[str, Any] = {**dict(zip(fields, group["values"])), "runs": group["runCount"]}
    for metric in group["metrics"]:
        row.update({"%s %s" % (metric["name"], word): number_of(metric[key]) for word, key in _STATISTICS.items()})
    return row
