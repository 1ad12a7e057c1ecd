"""Filters and orders of programs written for W&B, in the words of Warren's filters."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, Iterable, List, Mapping, Tuple

_FIELDS = {
    "display_name": "name",
    "displayName": "name",
    "name": "id",
    "state": "state",
    "tags": "tag",
    "group": "tag",
    "job_type": "tag",
    "jobType": "tag",
    "username": "user",
    "user": "user",
    "created_at": "created",
    "createdAt": "created",
    "duration": "duration",
    "sweep": "sweep",
}
_STATES = {"finished": "SUCCEEDED", "killed": "CANCELLED", "pending": "QUEUED"}
_OPERATORS = {"$eq": "=", "$ne": "!=", "$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}
_JOINED = {"$and": " and ", "$or": " or "}


def filter_text(filters: Any) -> str:
    """A filter: Warren's own text as it is, W&B's dictionary of conditions translated. Raises ValueError for what has no words."""
    if filters is None or isinstance(filters, str):
        return filters or ""
    if not isinstance(filters, Mapping):
        raise ValueError("filters: expected a text such as 'config.lr = 0.1', or a dictionary, not %r" % (filters,))
    return " and ".join(_conditions(filters))


def order_of(order: str) -> Dict[str, str]:
    """`-created_at` and `+summary_metrics.loss` as an order; without a sign the smallest come first."""
    direction = "DESC" if order.startswith("-") else "ASC"
    key = order.lstrip("+-")
    # an order by ids, as W&B calls them names, is of no use
    return {"by": key if key == "name" else _field(key), "direction": direction}


def _conditions(filters: Mapping[str, Any]) -> List[str]:
    found = []
    for key, value in filters.items():
        if key in _JOINED:
            found.append("(%s)" % _JOINED[key].join("(%s)" % filter_text(one) for one in value))
        elif key == "$nor":
            found.append("not (%s)" % " or ".join("(%s)" % filter_text(one) for one in value))
        elif key == "$not":
            found.append("not (%s)" % filter_text(value))
        elif isinstance(value, Mapping):
            found.extend(_condition(key, operator, operand) for operator, operand in value.items())
        else:
            found.append(_condition(key, "$eq", value))
    return found


def _condition(key: str, operator: str, operand: Any) -> str:
    field = _field(key)
    if field.startswith("metric.") and _is_text(operand):
        field = "text." + field[len("metric.") :]
    if operator == "$not":
        return "not (%s)" % " and ".join(_conditions({key: operand}))
    if operator in ("$in", "$nin"):
        words = ", ".join(_literal(field, one) for one in operand)
        return "%s %sin (%s)" % (field, "not " if operator == "$nin" else "", words)
    if operator == "$exists":
        return "%s is %snull" % (field, "not " if operand else "")
    if operator == "$regex":
        return "%s like %s" % (field, _quoted(_pattern(str(operand))))
    if operator not in _OPERATORS:
        raise ValueError("filters: %s of %r is not known; known are %s" % (operator, key, _known(_OPERATORS)))
    if operand is None and operator in ("$eq", "$ne"):
        return "%s is %snull" % (field, "not " if operator == "$ne" else "")
    return "%s %s %s" % (field, _OPERATORS[operator], _literal(field, operand))


def _is_text(operand: Any) -> bool:
    return isinstance(operand, str) or (isinstance(operand, (list, tuple)) and len(operand) > 0 and all(isinstance(one, str) for one in operand))


def _field(key: str) -> str:
    for start in ("summary_metrics.", "summary."):
        if key.startswith(start):
            return "metric.%s" % _quoted(key[len(start) :])
    if key.startswith("config."):
        path = key[len("config.") :]
        path = path[: -len(".value")] if path.endswith(".value") else path
        return "config.%s" % ".".join(_quoted(part) for part in path.split("."))
    # fields of Warren's own filters
    return _FIELDS.get(key, key)


def _literal(field: str, value: Any) -> str:
    if field == "state":
        return _STATES.get(str(value).lower(), str(value).upper())
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, (int, float)) else _quoted(str(value))


def _pattern(expression: str) -> str:
    """A simple regular expression as a pattern of `like`. Raises ValueError for one that is not."""
    start, end = expression.startswith("^"), expression.endswith("$")
    inner = expression[int(start) : len(expression) - int(end)]
    parts: List[Tuple[str, str]] = re.findall(r"(\.\*)|(\\.|[^\\])", inner)
    words = []
    for anything, one in parts:
        if anything:
            words.append("%")
        elif len(one) == 1 and one in ".[](){}*+?|^$":
            raise ValueError("filters: $regex %r; only texts, ^, $ and .* are known" % expression)
        else:
            words.append("\\" + one[-1] if one[-1] in "%_\\" else one[-1])
    return "%s%s%s" % ("" if start else "%", "".join(words), "" if end else "%")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _known(names: Iterable[str]) -> str:
    return ", ".join([*names, "$in", "$nin", "$regex", "$exists", "$not"])
