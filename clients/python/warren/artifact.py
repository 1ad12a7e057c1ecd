"""Files that a program keeps with its run."""

from __future__ import annotations

import atexit
import contextlib
import glob
import json
import mimetypes
import os
import re
import shutil
import tempfile
from typing import IO, Any, Dict, Iterator, List, Mapping, Optional, Tuple

from .plain import plain_text
from .values import warn

#: Of a version, as the server takes them.
MOST_TAGS, LONGEST_TAG = 100, 5_000
_ODD = re.compile(r"[\x00-\x1f\x7f\\]")
#: Of what is left out.
MOST_NAMED = 5


class Artifact:
    """Files under one name, as W&B's programs collect them; `log_artifact` keeps each as `NAME/FILE`."""

    def __init__(self, name: str, type: Optional[str] = None, description: Optional[str] = None, metadata: Any = None, **_ignored: Any) -> None:
        self.name, self.type, self.description, self.metadata = str(name), type, description, metadata
        self._files: Dict[str, str] = {}
        self._folder: Optional[str] = None

    def add_file(self, local_path: Any, name: Optional[str] = None, **_ignored: Any) -> None:
        path = os.fspath(local_path)
        if not os.path.isfile(path):
            raise ValueError("add_file: there is no file %s" % path)
        self._files[name or os.path.basename(path)] = path

    def add_dir(self, local_path: Any, name: Optional[str] = None, **_ignored: Any) -> None:
        path = os.fspath(local_path)
        if not os.path.isdir(path):
            raise ValueError("add_dir: there is no folder %s" % path)
        self._files.update(files_below(path, name or ""))

    @contextlib.contextmanager
    def new_file(self, name: str, mode: str = "w", encoding: Optional[str] = None) -> Iterator[IO[Any]]:
        """An open file that is one of the artifact when it is closed."""
        path = os.path.join(self._scratch(), name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, mode, encoding=encoding or (None if "b" in mode else "utf-8")) as file:
            yield file
        self._files[name] = path

    def add(self, obj: Any, name: str) -> None:
        """A table or another thing to look at, as its file."""
        packed = obj.packed()
        ending = ".%s.json" % packed.kind if packed.media_type == "application/json" else mimetypes.guess_extension(packed.media_type or "") or ""
        name = name if name.endswith(ending) else name + ending
        with self.new_file(name, "wb") as file:
            file.write(packed.content if packed.content is not None else json.dumps(packed.metadata).encode())

    def wait(self, timeout: Any = None) -> "Artifact":
        """Itself: its files are copied when it is logged."""
        return self

    def _scratch(self) -> str:
        if self._folder is None:
            self._folder = tempfile.mkdtemp(prefix="warren-artifact-")
            atexit.register(shutil.rmtree, self._folder, ignore_errors=True)
        return self._folder

    def told(self) -> Dict[str, Any]:
        """Its type, its description, and what its metadata says in a word, as tags of a version have it."""
        facts = self.metadata.items() if isinstance(self.metadata, Mapping) else ()
        words = {str(key): value for key, value in facts if isinstance(value, (str, int, float)) and len(str(value)) <= LONGEST_TAG}
        tags = {key: words[key] for key in list(words)[:MOST_TAGS]}
        return {"type": self.type, "description": self.description or "", "tags": tags}

    def files(self) -> List[Tuple[str, str]]:
        """Names as the run keeps them, and paths."""
        return [("%s/%s" % (self.name, name), path) for name, path in self._files.items()]


def files_below(folder: str, base: str) -> List[Tuple[str, str]]:
    """Name, below `base`, and path of every file of a folder. What is none, such as a pipe or a link to another folder, is named and left out."""
    found: List[Tuple[str, str]] = []
    left_out: List[str] = []
    for parent, folders, files in os.walk(folder):
        left_out.extend(os.path.join(parent, inner) for inner in folders if os.path.islink(os.path.join(parent, inner)))
        for file in sorted(files):
            whole = os.path.join(parent, file)
            inner = os.path.relpath(whole, folder).replace(os.sep, "/")
            if os.path.isfile(whole):
                found.append(("%s/%s" % (base, inner) if base else inner, whole))
            else:
                left_out.append(whole)
    if left_out:
        more = " and %d more" % (len(left_out) - MOST_NAMED) if len(left_out) > MOST_NAMED else ""
        warn("%s%s: no files, and left out" % (", ".join(map(plain_text, left_out[:MOST_NAMED])), more))
    return found


def file_name(name: Any) -> str:
    """The name of a file as every server takes it: what is no UTF-8, control characters and backslashes are others."""
    text = str(name).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return _ODD.sub("_", text)


def files_matching(pattern: Any, base_path: Any = None) -> List[Tuple[str, str]]:
    """Name and path of each file that a pattern such as `out/*.pt` matches; a folder stands for its files.

    Names are relative to `base_path`, or to the folder of the file.
    """
    found: List[Tuple[str, str]] = []
    for path in sorted(glob.glob(os.fspath(pattern), recursive=True)):
        name = os.path.basename(os.path.normpath(path)) if base_path is None else os.path.relpath(path, base_path).replace(os.sep, "/")
        found.extend(files_below(path, name) if os.path.isdir(path) else [(name, path)])
    return found
