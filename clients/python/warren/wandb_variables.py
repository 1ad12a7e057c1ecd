"""Variables of the environment that programs for W&B are started with: they stand behind Warren's own and what `init` is given."""

from __future__ import annotations

import os
from typing import Any, Dict, NamedTuple, Optional

from .values import warn_once

#: The options of `init` that they say.
_OPTIONS = {
    "WANDB_PROJECT": "project",
    "WANDB_NAME": "name",
    "WANDB_RUN_ID": "id",
    "WANDB_RESUME": "resume",
    "WANDB_TAGS": "tags",
    "WANDB_NOTES": "notes",
    "WANDB_RUN_GROUP": "group",
    "WANDB_JOB_TYPE": "job_type",
    "WANDB_MODE": "mode",
    "WANDB_DIR": "dir",
}
_MODES = {"dryrun": "offline", "run": "online", "shared": "online"}


class Variables(NamedTuple):
    """What the environment says of a run."""

    project: Optional[str] = None
    name: Optional[str] = None
    id: Optional[str] = None
    resume: Optional[str] = None
    tags: Any = None
    notes: Optional[str] = None
    group: Optional[str] = None
    job_type: Optional[str] = None
    mode: Optional[str] = None
    dir: Optional[str] = None


def wandb_variables() -> Variables:
    """Says once which of them say nothing here, and which mode they ask for."""
    found: Dict[str, Any] = {option: os.environ[name] for name, option in _OPTIONS.items() if os.environ.get(name)}
    others = sorted(name for name in os.environ if name.startswith("WANDB_") and name not in _OPTIONS)
    if others:
        warn_once("init: these variables say nothing here: %s" % ", ".join(others))
    if "mode" in found:
        found["mode"] = _MODES.get(found["mode"], found["mode"])
        if found["mode"] != "online" and not os.environ.get("WARREN_MODE"):
            warn_once("init: the run is %s, since WANDB_MODE says so" % found["mode"])
    if "resume" in found:
        found["resume"] = {"true": True, "false": None}.get(found["resume"].lower(), found["resume"])
    if "tags" in found:
        found["tags"] = [tag.strip() for tag in found["tags"].split(",")]
    return Variables(**found)
