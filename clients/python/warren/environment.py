"""Where a program runs: recorded with its run. Environment variables are not recorded: they hold secrets."""

from __future__ import annotations

import getpass
import os
import platform
import shutil
import subprocess
import sys
from typing import Any, Dict, List, Optional

from .masking import masked_arguments

_SECONDS = 10


def describe_environment() -> Dict[str, Any]:
    """Program, arguments, Python, host, processors, GPUs and the commit of the code."""
    described: Dict[str, Any] = {
        "program": _program(),
        "arguments": masked_arguments(sys.argv[1:]),
        "python": platform.python_version(),
        "operatingSystem": platform.platform(),
        "host": platform.node(),
        "cores": os.cpu_count(),
        "gpus": gpu_names(),
    }
    commit = _git("rev-parse", "HEAD")
    if commit:
        described["codeCommit"] = commit.strip()
        described["codeBranch"] = (_git("rev-parse", "--abbrev-ref", "HEAD") or "").strip()
        described["codeChanged"] = bool((_git("status", "--porcelain", "--untracked-files=no") or "").strip())
    return {key: value for key, value in described.items() if value not in (None, [], "")}


def _program() -> Optional[str]:
    """The script, or the notebook where its editor tells it; None for what was typed."""
    typed = sys.argv[0] if sys.argv else ""
    main = sys.modules.get("__main__")
    notebook = getattr(main, "__vsc_ipynb_file__", None) or (os.environ.get("JPY_SESSION_NAME") if "ipykernel" in sys.modules else None)
    if notebook:
        return str(notebook)
    if not typed or typed.startswith("-"):
        return None
    # a relative name is one of the folder where the program was started, which it may have left, as Hydra's jobs do
    file = getattr(main, "__file__", None) or ""
    path = file if os.path.isabs(file) and os.path.basename(file) == os.path.basename(typed) else os.path.abspath(typed)
    # the folder of a program that a worker executes is made for that attempt alone
    inside = os.path.relpath(path, os.environ.get("WARREN_DIR") or None) if os.environ.get("WARREN_ATTEMPT") else path
    return path if inside.startswith("..") else inside


def user_name() -> Optional[str]:
    """Who runs the program: WARREN_USER, or the user of this machine; None where that has no name, as in containers."""
    told = os.environ.get("WARREN_USER", "").strip()
    if told:
        return told
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return None


def uncommitted_changes() -> Optional[str]:
    """The difference of the code to its commit; None where there is none or no Git."""
    return _git("diff", "HEAD", "--no-color", "--no-ext-diff") or None


def installed_packages() -> List[str]:
    """Lines `name==version`, as pip's requirements have them."""
    try:
        from importlib.metadata import distributions
    except ImportError:
        return []
    found = {(entry.metadata["Name"], entry.version) for entry in distributions() if entry.metadata["Name"]}
    return sorted(("%s==%s" % pair for pair in found), key=str.lower)


def gpu_names() -> List[str]:
    text = _output(["nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader"])
    return [line.strip() for line in (text or "").splitlines() if line.strip()]


def _git(*arguments: str) -> Optional[str]:
    return _output(["git", *arguments])


def _output(command: List[str]) -> Optional[str]:
    if shutil.which(command[0]) is None:
        return None
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=_SECONDS, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None
