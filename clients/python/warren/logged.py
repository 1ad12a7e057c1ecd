"""Which logged values are things to look at."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from .bins import flat_numbers
from .journal import remove_file
from .media import Chart, Histogram, Image, Media, Packed, Plotly, Table, Text
from .plain import plain_json, plain_text
from .values import DEEPEST, number_of, warn, warn_left_out

#: Numbers of a list or an array that are told as a text; more are counted in a histogram.
MOST_TOLD = 32
#: A longer range is not counted.
MOST_COUNTED = 1_000_000


def told(values: Mapping[str, Any]) -> Dict[str, Any]:
    """What is no number, as it is told; None is left out, without a word."""
    found: Dict[str, Any] = {}
    for name, value in values.items():
        try:
            if value is not None:
                found[name] = told_value(value)
        except Exception as error:
            warn_left_out(name, value, error)
    return found


def told_value(value: Any) -> Any:
    """A list or an array of up to 32 numbers is a text, of more a histogram; other plain lists are texts as JSON. Lists of texts and of
    things to look at stay as they are. Dates and paths are texts.
    """
    if isinstance(value, str):
        return plain_text(value)
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, os.PathLike):
        return plain_text(os.fspath(value))
    if not isinstance(value, (list, tuple, set, frozenset, range)):
        return _told_array(value) if hasattr(value, "tolist") and tuple(getattr(value, "shape", ())) else value
    if isinstance(value, range) and len(value) > MOST_COUNTED:
        return str(value)
    entries = plain_json(value) if isinstance(value, (set, frozenset)) else list(value)
    if not all(_is_plain(entry) for entry in entries) or (entries and all(isinstance(entry, str) for entry in entries)):
        return entries
    return _told_entries(entries, entries)


def _told_array(array: Any) -> Any:
    size = 1
    for length in array.shape:
        size *= length
    if size > MOST_TOLD:
        try:
            return Histogram(array)
        except (TypeError, ValueError):  # of texts
            pass
    return _told_entries(array, array.tolist())


def _told_entries(value: Any, entries: List[Any]) -> Any:
    try:
        if len(flat_numbers(entries)) > MOST_TOLD:
            return Histogram(value)
    except (TypeError, ValueError):
        pass
    return json.dumps(plain_json(entries), ensure_ascii=False)


def _is_plain(value: Any, depth: int = 0) -> bool:
    if depth > DEEPEST:  # or a list that holds itself
        return True
    if isinstance(value, (list, tuple)):
        return all(_is_plain(entry, depth + 1) for entry in value)
    if isinstance(value, Mapping):
        return all(_is_plain(entry, depth + 1) for entry in value.values())
    return value is None or isinstance(value, (str, datetime.date)) or number_of(value) is not None


def tell_again(name: str, step: int, before: int) -> None:
    """Tells that a metric has come at a step that is not after its last one."""
    place = "again at step %d" % step if step == before else "at step %d after step %d" % (step, before)
    warn("log: %s is logged %s: where a step has a value already, the first one is kept (told once)" % (name, place))


def media_by_name(values: Mapping[str, Any]) -> Dict[str, List[Packed]]:
    """The things to look at among values that are no numbers, as bytes; what is none is left out, with a warning."""
    found: Dict[str, List[Packed]] = {}
    for name, value in values.items():
        packed: List[Packed] = []
        tables: List[Packed] = []
        reason: Optional[Exception] = None
        entries = value if isinstance(value, (list, tuple)) else [value]
        for entry in entries:
            try:
                thing = media_of(entry)
                if thing is not None:
                    packed.append(thing.packed())
                if isinstance(thing, Chart) and thing.table is not None:
                    tables.append(thing.table.packed())
            except Exception as error:
                reason = error
        if len(packed) < len(entries) or not packed:
            warn_left_out(name, value, reason)
        if packed:
            found[name] = packed
        if tables:
            found["%s_table" % name] = tables
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
            path = os.path.join(folder, item["file"])
            try:
                with open(path, "wb") as file:
                    file.write(thing.content)
            except OSError:
                remove_file(path)
                raise
        items.append(item)
    return items


def media_of(value: Any) -> Optional[Media]:
    """The thing to look at that a logged value is; None for all else. Texts are, figures of matplotlib, plotly and altair, and
    DataFrames of pandas."""
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
    if module == "pandas" and hasattr(value, "columns"):
        return Table(dataframe=value)
    if module == "PIL" and hasattr(value, "save"):
        return Image(value)
    # `log({"figure": plt})`
    if module == "builtins" and getattr(value, "__name__", "") == "matplotlib.pyplot":
        return Image(value.gcf())
    return None
