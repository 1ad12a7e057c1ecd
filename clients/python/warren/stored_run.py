"""Runs as the server has them: read, and changed where people may change them."""

from __future__ import annotations

import json
import os
from difflib import get_close_matches
from typing import Any, Dict, Iterable, Iterator, List, Optional
from urllib.parse import quote

from .frames import flat, frame_of, number_of, rows_by_step
from .shown import run_shown
from .transport import Transport
from .values import warn_once

#: What is read of every run.
FIELDS = """id number name state tags notes user preset seed createdAt startedAt endedAt project { name }
  configuration { hash kind datasetName dataset parameters }
  metrics { name summary lastValue lastStep minimum maximum direction pointCount } texts { name texts }"""

_HISTORY = """query ($id: ID!, $names: [String!], $points: Int!) { run(id: $id) {
  history(names: $names, maxPoints: $points) { name steps values times }
} }"""
_ONE = """query ($id: ID!) { run(id: $id) { %s } }""" % FIELDS
_DETAIL = """query ($id: ID!) { run(id: $id) { environment error { code message }
  artifacts { name role mediaType sizeBytes sha256 }
} }"""
_LOG = """query ($id: ID!, $after: String) { run(id: $id) { logs(after: $after, first: 1000) { lines { text } cursor hasMore } } }"""
_UPDATE = "mutation ($input: UpdateRunInput!) { updateRun(input: $input) { id } }"
_DELETE = "mutation ($id: ID!) { deleteRuns(ids: [$id]) { done message } }"
#: Of one answer to `history`.
_MOST_POINTS = 20_000


class StoredRun:
    """A run that the server has. `config`, `summary` and so on are as they were when it was read; `load` reads it again.

    id, number, name, tags, notes, user, seed, project, kind, dataset, created_at, started_at, ended_at: as in the dashboard.
    state: `running`, `succeeded`, `failed`, `cancelled`, `crashed`, `pruned`, `queued` or `waiting`.
    config: the parameters. summary: by metric the value that stands for it, the last unless the program said otherwise; the newest
    texts, too.
    """

    def __init__(self, transport: Transport, fields: Dict[str, Any]) -> None:
        self._transport = transport
        self._detail: Optional[Dict[str, Any]] = None
        self._take(fields)

    def _take(self, fields: Dict[str, Any]) -> None:
        configuration = fields["configuration"]
        self.id: str = fields["id"]
        self.number: int = fields["number"]
        self.name: str = fields["name"]
        self.state: str = fields["state"].lower()
        self.tags: List[str] = list(fields["tags"])
        self.notes: str = fields["notes"]
        self.user: Optional[str] = fields["user"]
        self.seed: int = fields["seed"]
        self.project: str = fields["project"]["name"]
        self.kind: str = configuration["kind"]
        self.dataset: Optional[str] = configuration["datasetName"]
        self.configuration_hash: str = configuration["hash"]
        self.config: Dict[str, Any] = configuration["parameters"] or {}
        self.metrics: Dict[str, Dict[str, Any]] = {
            metric["name"]: {key: number_of(value) for key, value in metric.items()} for metric in fields["metrics"]
        }
        texts = {one["name"]: one["texts"][0] if len(one["texts"]) == 1 else one["texts"] for one in fields["texts"]}
        self.summary: Dict[str, Any] = {**texts, **{name: metric["summary"] for name, metric in self.metrics.items()}}
        self.created_at: str = fields["createdAt"]
        self.started_at: Optional[str] = fields["startedAt"]
        self.ended_at: Optional[str] = fields["endedAt"]
        self._known = (self.name, list(self.tags), self.notes)

    def __repr__(self) -> str:
        return "<Run %d %r (%s)>" % (self.number, self.name, self.state)

    def _repr_html_(self) -> str:
        facts = "(run %d) of project %s, %s" % (self.number, self.project, self.state)
        return run_shown(self.name, self.url, facts, {"parameters": flat(self.config), "values": self.summary})

    @property
    def url(self) -> str:
        """The run's page."""
        return "%s/runs/%d" % (self._transport.url, self.number)

    @property
    def environment(self) -> Dict[str, Any]:
        """Where it ran: host, versions, commit, fingerprint of the data."""
        return dict(self._details()["environment"] or {})

    @property
    def error(self) -> Optional[str]:
        """Why it failed; None where it did not."""
        error = self._details()["error"]
        return error["message"] if error else None

    def load(self) -> "StoredRun":
        """Reads the run again."""
        self._detail = None
        self._take(self._transport.graphql(_ONE, {"id": self.id})["run"])
        return self

    def history(self, samples: int = 500, keys: Optional[List[str]] = None, pandas: bool = True) -> Any:
        """The curves as one row a step: `_step`, `_timestamp`, and a column a metric; a DataFrame where pandas is installed.

        samples: points of a curve at most, up to 20,000; a longer one is thinned. keys: these metrics alone.
        """
        asked = {"id": self.id, "names": keys, "points": max(1, min(int(samples), _MOST_POINTS))}
        found = self._transport.graphql(_HISTORY, asked)["run"]["history"]
        self._tell_unknown(keys, [series["name"] for series in found])
        return frame_of(rows_by_step(found), pandas)

    def scan_history(self, keys: Optional[List[str]] = None) -> Iterator[Dict[str, Any]]:
        """Every point, one row a step; with `keys` these metrics alone, at the steps where all of them have a value."""
        text = self._transport.read("/export?format=jsonl&filter=" + quote("number = %d" % self.number))
        metrics = json.loads(text)["metrics"] if text.strip() else {}
        self._tell_unknown(keys, metrics)
        wanted = list(metrics) if keys is None else [key for key in keys if key in metrics]
        for row in rows_by_step({"name": name, **metrics[name]} for name in wanted):
            if keys is None or all(key in row for key in keys):
                yield row

    def logs(self) -> Iterator[str]:
        """The lines of its log."""
        after: Optional[str] = None
        while True:
            page = self._transport.graphql(_LOG, {"id": self.id, "after": after})["run"]["logs"]
            for line in page["lines"]:
                yield line["text"]
            if not page["hasMore"]:
                return
            after = page["cursor"]

    def files(self) -> List["StoredFile"]:
        """The files that it has kept."""
        return [StoredFile(self._transport, self.id, fields) for fields in self._details()["artifacts"]]

    def file(self, name: str) -> "StoredFile":
        """The file of this name. Raises ValueError where there is none."""
        files = {one.name: one for one in self.files()}
        if name in files:
            return files[name]
        within = [one for one in files if one.endswith("/" + name)]
        known = within or list(files)[:12]
        raise ValueError("run %d has no file %r; it has %s" % (self.number, name, ", ".join(known) or "none"))

    def update(self) -> None:
        """Sends `name`, `tags` and `notes` as they have been set."""
        name, tags, notes = self._known
        changed: Dict[str, Any] = {"id": self.id}
        if self.name != name:
            changed["name"] = self.name
        if list(self.tags) != tags:
            changed["tags"] = list(self.tags)
        if self.notes != notes:
            changed["notes"] = self.notes
        if len(changed) > 1:
            self._transport.graphql(_UPDATE, {"input": changed})
            self._known = (self.name, list(self.tags), self.notes)

    def delete(self) -> None:
        """Moves the run to the trash, from where `warren restore` takes it back."""
        [outcome] = self._transport.graphql(_DELETE, {"id": self.id})["deleteRuns"]
        if not outcome["done"]:
            raise ValueError("run %d: %s" % (self.number, outcome["message"]))

    def _tell_unknown(self, keys: Optional[List[str]], there: Iterable[str]) -> None:
        known = list(there)
        for key in keys or ():
            if key not in known:
                near = get_close_matches(key, {*known, *self.metrics}, 3)
                hint = " Did you mean %s?" % " or ".join(repr(name) for name in near) if near else ""
                warn_once("run %d has no metric %r.%s" % (self.number, key, hint))

    def _details(self) -> Dict[str, Any]:
        if self._detail is None:
            self._detail = dict(self._transport.graphql(_DETAIL, {"id": self.id})["run"])
        return self._detail


class StoredFile:
    """A file of a run: name, size in bytes, sha256, media_type."""

    def __init__(self, transport: Transport, run_id: str, fields: Dict[str, Any]) -> None:
        self._transport = transport
        self._run_id = run_id
        self.name: str = fields["name"]
        self.size = int(fields["sizeBytes"])
        self.sha256: str = fields["sha256"]
        self.media_type: str = fields["mediaType"]
        self.role: str = fields["role"]

    def __repr__(self) -> str:
        return "<File %r (%d bytes)>" % (self.name, self.size)

    def download(self, root: str = ".", replace: bool = False) -> str:
        """Writes it below a folder, under its name, and answers the path. A file that is there stays unless `replace`."""
        parts = self.name.split("/")
        if any(part in ("", ".", "..") or os.path.isabs(part) for part in parts):
            raise ValueError("the file %r cannot be kept under that name" % self.name)
        path = os.path.join(root, *parts)
        if replace or not os.path.exists(path):
            os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
            self._transport.download(self._run_id, self.name, path)
        return path
