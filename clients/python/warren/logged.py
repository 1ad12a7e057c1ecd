"""Which logged values are things to look at."""

from __future__ import annotations

import hashlib
import os
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from .media import Chart, Image, Media, Packed, Plotly, Text
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


def changed(media: Dict[str, List[Packed]], values: Mapping[str, Any], step: int, last: Dict[str, Tuple[str, int]]) -> Dict[str, List[Packed]]:
    """Without the plain texts that are as they were: a text stands until the next one. `last` has the newest with its step."""
    for name, value in texts_of(values).items():
        text, since = last.get(name, (None, -1))
        if text == value and step >= since:
            media.pop(name, None)
        elif step >= since:
            last[name] = (value, step)
    return media


def texts_of(values: Mapping[str, Any]) -> Dict[str, str]:
    """The plain texts among what is no number."""
    return {name: value for name, value in values.items() if isinstance(value, str)}


def items_of(things: List[Packed], folder: str, new_name: Callable[[], str]) -> List[Dict[str, Any]]:
    """What the journal's record of things to look at holds; their contents are written beside it. Raises OSError."""
    items: List[Dict[str, Any]] = []
    for place, thing in enumerate(things):
        item: Dict[str, Any] = {"index": place, "kind": thing.kind, "caption": thing.caption, "metadata": thing.metadata}
        if thing.content is not None:
            item.update(sha256=hashlib.sha256(thing.content).hexdigest(), type=thing.media_type, file=new_name())
            with open(os.path.join(folder, item["file"]), "wb") as file:
                file.write(thing.content)
        items.append(item)
    return items


def media_of(value: Any) -> Optional[Media]:
    """The thing to look at that a logged value is; None for all else. Texts are, and figures of matplotlib, plotly and altair."""
    if isinstance(value, Media):
        return value
    if isinstance(value, str):
        return Text(value)
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
