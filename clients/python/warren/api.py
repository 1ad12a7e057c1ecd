"""Reads what the server has: for notebooks and scripts."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any, Dict, Iterator, List, Optional, Union

from .frames import frame_of, number_of
from .registry import TakenVersion, download_version, transport_here
from .resuming import uuid_of
from .stored_run import StoredRun
from .stored_runs import Runs, run_of
from .stored_sweep import SWEEP, SWEEPS, StoredSweep
from .values import warn_once
from .wandb_filter import filter_text, order_of

_PROJECTS = "{ projects(first: 500) { edges { node { name } } } }"
_METRICS = "query ($project: String) { runColumns(project: $project) { metrics } }"
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
    ) -> Runs:
        """The runs of a project, or of all, that meet a filter; read page by page as they are looked at.

        path: name of the project; of `entity/project`, as W&B has it, the last part.
        filters: a text as in the dashboard and in `warren ls`, or a dictionary as for W&B.
        order: a field of filters, `-` before it for the greatest first.
        """
        project = None if path is None else path.rsplit("/", 1)[-1]
        asked = {"project": project, "filter": filter_text(filters), "order": order_of(order)}
        return Runs(self._transport, asked, max(1, min(int(per_page), 500)))

    def run(self, path: Union[str, int]) -> StoredRun:
        """The run with this id or number; of `entity/project/ID` the last two parts, where ID may be the name that a program
        gave as `id`. Raises ValueError where there is none."""
        name = _last_part(path)
        parts = str(path).strip("/").split("/")
        if len(parts) > 1 and not name.lstrip("#").isdigit():
            project = parts[-2] if parts[-2] != "runs" or len(parts) < 3 else parts[-3]
            try:
                return run_of(self._transport, uuid_of(project, name))
            except ValueError:
                raise ValueError("there is no run %s in project %s at %s" % (name, project, self._transport.url)) from None
        return run_of(self._transport, name)

    def sweep(self, path: Union[str, int]) -> StoredSweep:
        """The sweep with this id or number; of `entity/project/ID` the last part. Raises ValueError where there is none."""
        name = _last_part(path)
        found = self._transport.graphql(SWEEP, {"id": name})["sweep"]
        if found is None:
            raise ValueError("there is no sweep %s at %s" % (name, self._transport.url))
        return StoredSweep(self._transport, found)

    def sweeps(self, path: Optional[str] = None) -> Iterator[StoredSweep]:
        """The sweeps of a project, or of all, the newest first; read page by page as they are looked at."""
        before: Optional[int] = None
        while True:
            asked = {"project": None if path is None else _last_part(path), "before": before}
            page = self._transport.graphql(SWEEPS, asked)["sweeps"]
            for fields in page:
                yield StoredSweep(self._transport, fields)
            if not page:
                return
            before = page[-1]["number"]

    def artifact(self, name: str, type: Optional[str] = None) -> TakenVersion:
        """A version of a registered model or dataset, such as `ranker:latest`, downloaded below `artifacts/`; of
        `entity/project/NAME:VERSION` the last part. type: taken for W&B's programs, and ignored. Raises Refused, ValueError."""
        version = _last_part(name)
        whole = version if ":" in version or "@" in version else version + ":latest"
        return TakenVersion(download_version(self._transport, whole, None)["path"])

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
                self._tell_unknown([name for name in names if rows and not any(row[name + " n"] for row in rows)], asked["project"])
                return frame_of(rows, pandas)
            asked["after"] = page["pageInfo"]["endCursor"]

    def _tell_unknown(self, names: List[str], project: Optional[str]) -> None:
        """Says of metrics of which no group has a value that no run has them, and what may be meant."""
        known = self._transport.graphql(_METRICS, {"project": project})["runColumns"]["metrics"] if names else []
        for name in names:
            if name not in known:
                near = get_close_matches(name, known, 3)
                hint = " Did you mean %s?" % " or ".join('"%s"' % one for one in near) if near else ""
                warn_once('groups: no run has a metric "%s".%s' % (name, hint))

    def graphql(self, query: str, variables: Optional[Dict[str, Any]] = None) -> Any:
        """The data of any other question; the server describes them at /explorer. Raises Refused, Unreachable."""
        return self._transport.graphql(query, variables or {})


def _last_part(path: Union[str, int]) -> str:
    return str(path).rsplit("/", 1)[-1].lstrip("#")


def _group_row(fields: List[str], group: Dict[str, Any]) -> Dict[str, Any]:
    row: Dict[str, Any] = {**dict(zip(fields, group["values"])), "runs": group["runCount"]}
    for metric in group["metrics"]:
        row.update({"%s %s" % (metric["name"], word): number_of(metric[key]) for word, key in _STATISTICS.items()})
    return row
