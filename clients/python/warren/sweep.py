"""`sweep` starts a sweep over a function or a program of one's own."""

from __future__ import annotations

import os
import sys
from typing import Any, Mapping, Optional

from .keyed import asked_once, new_key
from .plain import parameters_of
from .registry import transport_here
from .transport import Refused
from .values import warn

_CREATE = """mutation ($input: CreateSweepInput!) { createSweep(input: $input) { warnings sweep { number } } }"""


def sweep(
    sweep: Any,
    entity: Optional[str] = None,
    project: Optional[str] = None,
    prior_runs: Any = None,
    *,
    name: Optional[str] = None,
    server: Optional[str] = None,
    token: Optional[str] = None,
) -> str:
    """Starts a sweep, and answers its number for `agent`.

    sweep: a mapping in W&B's format (method, metric, parameters, run_cap, early_terminate, program or command), or a function
        that returns one. Where it names no `kind` of Warren's, agents execute the trials.
    project, name: of the sweep, over what the mapping says. `entity` and `prior_runs` are taken for W&B's programs.

    Raises ValueError that says what is wrong with it.
    """
    given = sweep() if callable(sweep) else sweep
    if prior_runs:
        warn("sweep: prior_runs are left alone")
    file = {"kind": "external", **parameters_of(given)}
    if isinstance(given, Mapping):
        if "parameters" in file:
            file["parameters"] = _with_kinds(given.get("parameters"), file["parameters"])
    asked = {"file": file, "project": project or file.get("project") or os.environ.get("WARREN_PROJECT"), "name": name, "key": new_key()}
    transport = transport_here(server, token)
    try:
        made = asked_once(transport, _CREATE, {"input": {key: value for key, value in asked.items() if value is not None}})["createSweep"]
    except Refused as refused:
        raise ValueError("sweep: %s" % refused) from None
    finally:
        transport.close()
    for warning in made["warnings"]:
        warn("sweep: %s" % warning)
    number = made["sweep"]["number"]
    print("warren: sweep %d at %s/sweeps/%d" % (number, transport.url, number), file=sys.stderr)
    return str(number)


def _with_kinds(given: Any, plain: Any) -> Any:
    """Parameters of which `0.0` to `1.0` are all numbers between, and `0` to `1` are two: JSON, as the server reads it, has no such difference."""
    if not isinstance(given, Mapping) or not isinstance(plain, dict):
        return plain
    kept = {}
    for name, parameter in plain.items():
        asked = given.get(name)
        if isinstance(asked, Mapping) and isinstance(parameter, dict):
            if "distribution" not in asked and any(isinstance(asked.get(bound), float) for bound in ("min", "max")):
                parameter = {"distribution": "uniform", **parameter}
            if "parameters" in asked:
                parameter = {**parameter, "parameters": _with_kinds(asked["parameters"], parameter["parameters"])}
        kept[name] = parameter
    return kept
