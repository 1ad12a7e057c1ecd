"""Which logged values are things to look at."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional

from .media import Chart, Image, Media, Packed, Plotly
from .values import warn_left_out


def media_by_name(values: Mapping[str, Any]) -> Dict[str, List[Packed]]:
    """The things to look at among values that are no numbers, as bytes; what is none is left out, with a warning."""
    found: Dict[str, List[Packed]] = {}
    for name, value in values.items():
        things = [media_of(entry) for entry in (value if isinstance(value, (list, tuple)) else [value])]
        packed = [thing.packed() for thing in things if thing is not None]
        if len(packed) < len(things) or not packed:
            warn_left_out(name, value)
        if packed:
            found[name] = packed
    return found


def media_of(value: Any) -> Optional[Media]:
    """The thing to look at that a logged value is; None for all else. Figures of matplotlib, plotly and altair are."""
    if isinstance(value, Media):
        return value
    module = type(value).__module__.split(".")[0]
    if module == "matplotlib" and hasattr(value, "savefig"):
        return Image(value)
    if module == "plotly" and hasattr(value, "to_json"):
        return Plotly(value)
    if module == "altair" and hasattr(value, "to_json"):
        return Chart(value)
    if module == "PIL" and hasattr(value, "save"):
        return Image(value)
    # `log({"figure": plt})`
    if module == "builtins" and getattr(value, "__name__", "") == "matplotlib.pyplot":
        return Image(value.gcf())
    return None
