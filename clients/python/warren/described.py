"""What a run is called and where it is, as programs ask for it and change it."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from typing import TYPE_CHECKING, Any, Dict, FrozenSet, Iterable, List, Mapping, Optional, Tuple
from urllib.parse import quote

from .artifact import files_below
from .journal import Journal
from .naming import tags_of
from .plain import fitting
from .shown import run_shown
from .values import is_seed

if TYPE_CHECKING:
    from .recorded import Config, Summary


class Described:
    """The part of `Run` that says what it is. Name, tags and notes may be set; the server has them, too."""

    id: str
    url: Optional[str]
    number: Optional[int]
    config: Config
    summary: Summary
    _journal: Optional[Journal]
    _finished: bool
    seed: int
    _takes_seed: bool
    #: W&B's; here there are projects alone.
    entity = ""
    project = ""
    group: Optional[str] = None
    job_type: Optional[str] = None
    #: Whether it goes on with a run that was there.
    resumed = False
    offline = False
    start_time = 0.0
    _name = ""
    _tags: Tuple[str, ...] = ()
    _notes = ""
    _folder: Optional[str] = None
    #: Parameters for which there was no room.
    _too_long: FrozenSet[str] = frozenset()

    def _write(self, record: List[Any]) -> None:
        raise NotImplementedError

    def _keep_file(self, path: str, name: str, media_type: Optional[str]) -> None:
        raise NotImplementedError

    def _described(self, run_input: Mapping[str, Any], **others: Any) -> None:
        """Takes what `init` says of it."""
        self._name, self._notes = run_input.get("name") or "", run_input.get("notes") or ""
        self._tags = tuple(run_input.get("tags") or ())
        self.start_time = time.time()
        for name, value in others.items():
            setattr(self, name, value)

    def _write_parameters(self, changes: Dict[str, Any]) -> None:
        """Records parameters; of them `seed` may be the run's seed."""
        if self._takes_seed and is_seed(changes.get("seed")):
            changes = dict(changes)
            self.seed = changes.pop("seed")
            self._write(["describe", {"seed": self.seed}])
        before = [{name: member} for name, member in self.config.items() if name not in changes and name not in self._too_long]
        kept = fitting(changes, before)
        self._too_long = (self._too_long | changes.keys()) - kept.keys()
        if kept:
            self._write(["parameters", kept])

    @property
    def name(self) -> str:
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        self._name = str(name)
        self._write(["describe", {"name": self._name}])

    @property
    def tags(self) -> Tuple[str, ...]:
        return self._tags

    @tags.setter
    def tags(self, tags: Optional[Iterable[str]]) -> None:
        self._tags = tuple(tags_of([tags] if isinstance(tags, str) else tags or ()))
        self._write(["describe", {"tags": list(self._tags)}])

    @property
    def notes(self) -> str:
        return self._notes

    @notes.setter
    def notes(self, notes: Optional[str]) -> None:
        self._notes = str(notes or "")
        self._write(["describe", {"notes": self._notes}])

    def __repr__(self) -> str:
        return "<Run %s %r (%s)%s>" % (self.number or self.id, self._name, self._state_told(), " at %s" % self.url if self.url else "")

    def _repr_html_(self) -> str:
        parts = {"parameters": self.config, "newest values": self.summary}
        named = "run %s" % (self.number or self.id)
        facts = "of project %s, %s" % (self.project, self._state_told())
        return run_shown(self._name or named, self.url, "(%s) %s" % (named, facts) if self._name else facts, parts)

    def _state_told(self) -> str:
        return "disabled" if self._journal is None else "ended" if self._finished else "running"

    @property
    def disabled(self) -> bool:
        return self._journal is None

    @property
    def path(self) -> str:
        return "%s/%s" % (self.project, self.id)

    @property
    def dir(self) -> str:
        """A folder whose files are kept with the run when it ends."""
        if self._folder is None:
            if self._journal is None:
                self._folder = tempfile.mkdtemp(prefix="warren-")
            else:
                self._folder = self._journal.path[: -len(".jsonl")] + "-files"
                try:
                    os.makedirs(self._folder, exist_ok=True)
                except OSError:
                    self._folder = tempfile.mkdtemp(prefix="warren-")
        return self._folder

    @property
    def project_url(self) -> Optional[str]:
        return None if self.url is None else "%s?project=%s" % (self.url.rsplit("/", 1)[0], quote(self.project))

    def get_project_url(self) -> Optional[str]:
        return self.project_url

    def get_url(self) -> Optional[str]:
        return self.url

    def _keep_folder(self) -> None:
        """Keeps the files of `dir`, as the run ends."""
        if self._folder is None or self._journal is None:
            return
        for name, path in files_below(self._folder, ""):
            self._keep_file(path, name, None)
        shutil.rmtree(self._folder, ignore_errors=True)
