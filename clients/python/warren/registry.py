"""Versions of registered models and datasets: what names mean, and their files."""

from __future__ import annotations

import os
import re
import shutil
from typing import Any, Dict, List, Optional

from .transport import Transport
from .values import warn_once

_VERSION = """query ($version: String!) { version: registryVersion(version: $version) {
  name number fileCount files(first: 500) { path artifactName sha256 } runId
} }"""
#: As `_VERSION`, noting that the run takes it: all that the token of a run may ask for.
_TAKEN = """mutation ($run: ID!, $version: String!) { version: useRegistryVersion(runId: $run, version: $version) {
  name number fileCount files(first: 500) { path artifactName sha256 } runId
} }"""
#: How tokens of runs begin, which workers give to the programs that they execute.
_RUN_TOKEN = "warren_run_"
#: What names a run rather than a registered model or dataset.
_RUN = re.compile(r"^(#?\d{1,10}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$")
_FORMS = "RUN:NAME, such as 12:model.pt, or a version, such as ranker@production, ranker:3 or ranker:latest"


class TakenVersion(str):
    """The path of the only file of a version, or of the folder of several; `download()` answers the folder, as W&B's programs ask."""

    def download(self, root: Any = None, **_ignored: Any) -> str:
        """The folder of the files, copied to `root` where that is given."""
        folder = str(self) if os.path.isdir(self) else os.path.dirname(self)
        if root is None:
            return folder
        if os.path.isdir(self):
            return str(shutil.copytree(folder, root, dirs_exist_ok=True))
        os.makedirs(root, exist_ok=True)
        shutil.copy(self, root)
        return str(os.fspath(root))

    def file(self, root: Any = None) -> str:
        """The path of its only file."""
        return os.path.join(self.download(root), os.path.basename(self)) if root is not None else str(self)

    def wait(self, timeout: Any = None) -> "TakenVersion":
        return self


def transport_here(server: Optional[str] = None, token: Optional[str] = None) -> Transport:
    """A connection to the server that is given, or that the environment names."""
    address = server or os.environ.get("WARREN_API_URL") or "http://127.0.0.1:4680"
    return Transport(address, token or os.environ.get("WARREN_TOKEN"))


def names_run(reference: str) -> bool:
    """Whether a reference is of the form RUN:NAME. Raises ValueError where it is of no form."""
    before, colon, after = reference.partition(":")
    if colon and after and _RUN.match(before):
        return True
    if not (colon and after) and "@" not in reference:
        raise ValueError("use_artifact: %r is not of the form %s" % (reference, _FORMS))
    return False


def download_version(transport: Transport, reference: str, path: Optional[str]) -> Dict[str, Any]:
    """Downloads the files of a version; answers it with `path`, that of its only file or of the folder of several.

    path: a file for a version of one file, a folder for others; by default below `artifacts/`. Raises Unreachable, Refused.
    """
    run = os.environ.get("WARREN_RUN_ID") if (transport.token or "").startswith(_RUN_TOKEN) else None
    asked = {"version": _counted_from_one(_whole(reference))}
    answer = transport.graphql(_VERSION, asked) if run is None else transport.graphql(_TAKEN, {**asked, "run": run})
    version = answer["version"]
    files: List[Dict[str, str]] = version["files"]
    wanted = _file_of(reference)
    if wanted is not None:
        files = [file for file in files if file["path"] == wanted]
    named = "%s:%d" % (version["name"], version["number"])
    if not files or version["runId"] is None:
        raise ValueError("use_artifact: %s has no %s" % (named, "file %s" % wanted if wanted else "file at this server"))
    if wanted is None and version["fileCount"] > len(files):
        raise ValueError("use_artifact: %s has %d files, more than a call downloads: say which" % (named, version["fileCount"]))
    single = len(files) == 1
    default = os.path.join("artifacts", named.replace(":", "-v"))
    base = path or (os.path.join(default, os.path.basename(files[0]["path"])) if single else default)
    for file in files:
        target = base if single else os.path.join(base, *_parts(file["path"]))
        os.makedirs(os.path.dirname(os.path.abspath(target)), exist_ok=True)
        transport.download(version["runId"], file["artifactName"], target, file["sha256"])
    return {"name": version["name"], "number": version["number"], "path": base}


def _whole(reference: str) -> str:
    """A reference without the file that it names."""
    return reference.split("/", 1)[0]


def _counted_from_one(version: str) -> str:
    """W&B counts versions `v0`, `v1`, …; here they are 1, 2, …"""
    name, colon, number = version.partition(":v")
    if not (colon and number.isdigit()):
        return version
    counted = "%s:%d" % (name, int(number) + 1)
    warn_once("use_artifact: %s is %s here, where versions count from 1" % (version, counted))
    return counted


def _file_of(reference: str) -> Optional[str]:
    return reference.split("/", 1)[1] if "/" in reference else None


def _parts(path: str) -> List[str]:
    """The folders and the name in a path. Raises ValueError where they would lead out of a folder."""
    parts = path.split("/")
    if any(part in ("", ".", "..") or "\\" in part or os.path.isabs(part) or ":" in part for part in parts):
        raise ValueError("use_artifact: the version has a file %r, which cannot be kept under that name" % (path,))
    return parts
