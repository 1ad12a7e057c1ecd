"""What a run keeps beside its numbers: files, and things to look at."""

from __future__ import annotations

import mimetypes
import os
import shutil
import time
from typing import Any, List, Optional, Sequence

from .artifact import Artifact, file_name, files_below, files_matching
from .journal import Journal, remove_file
from .logged import items_of
from .media import Packed
from .registering import RegistersVersions
from .values import warn, warn_once


class KeepsFiles(RegistersVersions):
    """The part of `Run` that copies files beside its journal."""

    _journal: Optional[Journal]
    _finished: bool
    #: How many were copied.
    _files = 0

    def _tell_ended(self, call: str) -> None:
        raise NotImplementedError

    def _lose(self, what: str) -> None:
        raise NotImplementedError

    def log_artifact(
        self,
        path: Any,
        name: Optional[str] = None,
        type: Optional[str] = None,
        aliases: Optional[Sequence[str]] = None,
        register: Any = None,
        **_ignored: Any,
    ) -> Any:
        """Keeps a file, every file of a folder, or an `Artifact` with the run. The bytes are copied before the call returns.

        register: a name under which it becomes the next version of a model or dataset; True: its own; False: none. aliases: of that
        version. Without `register` an `Artifact`, and what is given aliases or a `type` such as "model", is registered under its name.
        """
        if isinstance(path, Artifact):
            kept = path.name
            for inner, whole in path.files():
                self._keep_file(whole, inner, None)
        elif not isinstance(path, (str, bytes, os.PathLike)):
            raise TypeError("log_artifact: a path or an Artifact is wanted, not %r" % (path,))
        elif os.path.isdir(path):
            path = os.fsdecode(path)
            kept = name or os.path.basename(os.path.normpath(path))
            for inner, whole in files_below(path, kept):
                self._keep_file(whole, inner, None)
        else:
            path = os.fsdecode(path)
            kept = name or os.path.basename(path)
            if not os.path.isfile(path):
                raise FileNotFoundError("log_artifact: there is no file %s" % path)
            self._keep_file(path, kept, type if type and "/" in type else None)
        asked = bool(path.files()) if isinstance(path, Artifact) else bool(aliases or (type and "/" not in type))
        if register or (register is None and asked):
            told = path.told() if isinstance(path, Artifact) else {"type": type}
            self.register_model(register if isinstance(register, str) else kept.rsplit("/", 1)[-1], kept, aliases, **told)
        return path if isinstance(path, Artifact) else None

    def save(self, glob_str: Any = None, base_path: Any = None, policy: Any = None) -> None:
        """Keeps the files that a pattern such as `out/*.pt` matches now. `policy` changes nothing; without a pattern nothing is to be done."""
        if glob_str is None:
            return
        found = files_matching(glob_str, base_path)
        if not found:
            warn("save: no file matches %s" % os.fspath(glob_str))
        for name, path in found:
            self._keep_file(path, name, None)

    def _keep_file(self, path: str, name: str, media_type: Optional[str]) -> None:
        if self._finished:
            self._tell_ended("log_artifact")
        if self._journal is None or self._finished:
            return
        name, kept = file_name(name), self._kept_name()
        copied = os.path.join(os.path.dirname(self._journal.path), kept)
        try:
            shutil.copyfile(path, copied)
        except (OSError, shutil.SpecialFileError) as error:
            remove_file(copied)
            warn("log_artifact: %s is lost: %s" % (name, error))
            self._lose("the file %s" % name)
            return
        guessed = media_type or mimetypes.guess_type(name)[0] or "application/octet-stream"
        self._write(["artifact", name, kept, guessed])

    def _keep_media(self, name: str, step: int, things: List[Packed]) -> None:
        """Writes contents beside the journal, then the record: what the record names is there."""
        if self._journal is None or self._finished:
            return
        try:
            items = items_of(things, os.path.dirname(self._journal.path), self._kept_name)
        except OSError as error:
            warn_once("%s at step %d is lost: %s" % (name, step, error))
            self._lose("%s at step %d" % (name, step))
            return
        self._write(["media", name, step, int(time.time() * 1000), items])

    def _kept_name(self) -> str:
        """A new name for a file beside the journal."""
        assert self._journal is not None
        self._files += 1
        return "%s-%d-%d" % (os.path.basename(self._journal.path)[: -len(".jsonl")], os.getpid(), self._files)
