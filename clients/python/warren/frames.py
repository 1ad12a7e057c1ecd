"""Tables for notebooks: pandas' where it is installed, else rows as dictionaries."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Mapping, Sequence

_NON_FINITE = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


def number_of(value: Any) -> Any:
    """A value of a metric as a float, where the server names one that JSON has no number for."""
    return _NON_FINITE.get(value, value) if isinstance(value, str) else value


def frame_of(rows: List[Dict[str, Any]], pandas: bool, times: Sequence[str] = ()) -> Any:
    """The rows as a DataFrame, with the columns `times` as times; as they are where that is not wanted, or pandas is not installed."""
    if not pandas:
        return rows
    try:
        from pandas import DataFrame, to_datetime
    except ImportError:
        return rows
    frame = DataFrame(rows)
    for name in times:
        if name in frame:
            frame[name] = to_datetime(frame[name], utc=True)
    return frame


def flat(nested: Mapping[str, Any], prefix: str = "") -> Dict[str, Any]:
    """Values by their dotted path: {"net": {"width": 8}} is {"net.width": 8}."""
    found: Dict[str, Any] = {}
    for key, value in nested.items():
        path = prefix + str(key)
        if isinstance(value, Mapping) and value:
            found.update(flat(value, path + "."))
        else:
            found[path] = value
    return found


def rows_by_step(series: Iterable[Mapping[str, Any]]) -> List[Dict[str, Any]]:
    """Series as columns become one row a step: `_step`, `_timestamp` in Unix seconds, and the value of each metric there."""
    rows: Dict[int, Dict[str, Any]] = {}
    for one in series:
        for step, value, time in zip(one["steps"], one["values"], one["times"]):
            row = rows.setdefault(step, {"_step": step, "_timestamp": time / 1000})
            row["_timestamp"] = max(row["_timestamp"], time / 1000)
            row[one["name"]] = number_of(value)
    return [rows[step] for step in sorted(rows)]
