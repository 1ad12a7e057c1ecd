"""From whatever a program has to what JSON can hold. Nothing here raises for a value: what cannot be told is named."""

from __future__ import annotations

import argparse
import collections.abc
import dataclasses
import inspect
import json
import math
import re
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

from .values import EXACT, number_of, warn_once

#: A larger array among the parameters is told by its text.
MOST_LISTED = 1000
#: Containers within containers.
DEEPEST = 40
#: Characters of a text among the parameters.
LONGEST_TEXT = 50_000
#: Of all parameters together, as JSON: what the server takes.
MOST_CHARACTERS = 130_000

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def plain_text(value: Any) -> str:
    """The text of a value, as UTF-8 and PostgreSQL can hold it, without an address: that would tell apart what is alike."""
    try:
        text = value if type(value) is str else str.__str__(value) if isinstance(value, str) else _ADDRESS.sub("", str(value))
    except Exception:
        text = "<%s>" % type(value).__name__
    if "\0" in text:
        text = text.replace("\0", "\\0")
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-8", "backslashreplace").decode()
    return text


def plain_json(value: Any) -> Any:
    """What JSON can hold of a parameter's value; all else becomes text. Equal values are equal: sets are sorted, and addresses left out."""
    return _plain(value, ())


def _plain(value: Any, above: Tuple[int, ...]) -> Any:
    """above: the containers that it is in."""
    if id(value) in above:
        return "<%s that holds itself>" % type(value).__name__
    try:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return _short(plain_text(value))
        return _plain_number(value) if isinstance(value, (int, float)) else _plain_other(value, (*above, id(value)))
    except Exception as error:
        text = _short(plain_text(value))
        warn_once("config: a %s is kept as text: %s" % (type(value).__name__, plain_text(error)[:200] or type(error).__name__))
        return text


def _short(text: str) -> str:
    if len(text) <= LONGEST_TEXT:
        return text
    warn_once("config: a text of %d characters is cut after %d: log_artifact keeps files of any size" % (len(text), LONGEST_TEXT))
    return text[:LONGEST_TEXT] + "…"


def _plain_number(number: Any) -> Any:
    """A float that is not finite is a word. A whole number that JavaScript would round is its digits."""
    if isinstance(number, int):
        return int(number) if -EXACT <= number <= EXACT else _digits(int(number))
    return float(number) if math.isfinite(number) else str(float(number))


def _digits(number: int) -> str:
    try:
        return str(number)
    except ValueError:  # Python spells no number of more than 4,300 digits
        return hex(number)


def _plain_other(value: Any, above: Tuple[int, ...]) -> Any:
    if len(above) > DEEPEST:
        return plain_text(value)
    members = _members_of(value)
    if members is not None:
        return {plain_text(key): _plain(_member(members, key), above) for key in list(members)}
    entries = _entries_of(value)
    if entries is not None:
        listed = [_plain(entry, above) for entry in entries]
        unordered = isinstance(value, collections.abc.Set) and not isinstance(value, collections.abc.MappingView)
        return sorted(listed, key=_place) if unordered else listed
    if isinstance(value, type) or inspect.isroutine(value):
        module = getattr(value, "__module__", None)  # methods of built-in types have none
        return value.__qualname__ if module in (None, "builtins") else "%s.%s" % (module, value.__qualname__)
    number = number_of(value)
    if number is not None:
        return _plain_number(number)
    size = getattr(value, "size", 0)
    if hasattr(value, "tolist") and isinstance(size, int) and 0 < size <= MOST_LISTED:
        return _plain(value.tolist(), above)
    return _short(plain_text(value))


def _members_of(value: Any) -> Optional[Mapping[Any, Any]]:
    """What is told by names: mappings, namespaces, records of every kind. None for all else."""
    if type(value).__module__.startswith("omegaconf"):
        value = _resolved(value)
    if isinstance(value, Mapping):
        return value
    if isinstance(value, argparse.Namespace):
        return vars(value)
    kind = type(value)
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return dict(zip(kind._fields, value))
    if dataclasses.is_dataclass(kind):
        return {field.name: getattr(value, field.name, None) for field in dataclasses.fields(value)}
    if hasattr(kind, "__attrs_attrs__"):
        return {field.name: getattr(value, field.name, None) for field in kind.__attrs_attrs__}
    # pydantic 2 and 1: its models say their fields, and what they hold may be models again
    fields = getattr(kind, "model_fields", None) or getattr(kind, "__fields__", None)
    if isinstance(fields, Mapping) and fields:
        return {name: getattr(value, name, None) for name in fields}
    return None


def _member(members: Mapping[Any, Any], key: Any) -> Any:
    try:
        return members[key]
    except Exception as error:
        return "<%s>" % type(error).__name__


def _resolved(value: Any) -> Any:
    """A configuration of OmegaConf, with what stands for other values filled in where all of it can be."""
    from omegaconf import OmegaConf  # type: ignore[import-not-found,unused-ignore]

    if not OmegaConf.is_config(value):
        return value
    try:
        return OmegaConf.to_container(value, resolve=True)
    except Exception:
        return OmegaConf.to_container(value, resolve=False)


def _entries_of(value: Any) -> Optional[List[Any]]:
    if isinstance(value, (list, tuple, collections.abc.Set, collections.abc.ValuesView)):
        return list(value)
    # lists of libraries, such as those of OmegaConf
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray, memoryview)) and len(value) <= MOST_LISTED:
        return list(value)
    return None


def _place(entry: Any) -> Tuple[bool, float, str]:
    """The place of an entry of a set: numbers by their size, all else by its text."""
    is_number = isinstance(entry, (int, float))
    return (not is_number, float(entry) if is_number else 0.0, json.dumps(entry, sort_keys=True))


def parameters_of(config: Any) -> Dict[str, Any]:
    """A mapping, or what has attributes, such as argparse's Namespace or a dataclass. Raises TypeError for all else."""
    if config is None:
        return {}
    plain = None if isinstance(config, (str, list, tuple, type)) and not hasattr(type(config), "_fields") else plain_json(config)
    if not isinstance(plain, dict):
        members = _attributes_of(config)
        if members is None:
            raise TypeError("config: a mapping or an argparse.Namespace is wanted, not a %s" % type(config).__name__)
        plain = plain_json(members)
    return plain


def fitting(parameters: Dict[str, Any], beside: Iterable[Any] = ()) -> Dict[str, Any]:
    """What a run keeps of parameters, beside others that it has: the longest ones are left out by name where all are too much."""
    sizes = {name: _size({name: member}) for name, member in parameters.items()}
    room = MOST_CHARACTERS - sum(_size(member) for member in beside)
    left_out = []
    for name in sorted(sizes, key=lambda name: -sizes[name]):
        if sum(sizes.values()) <= room:
            break
        left_out.append(name)
        del sizes[name]
    if left_out:
        reason = "a run keeps %s characters of parameters, and log_artifact files of any size" % format(MOST_CHARACTERS, ",")
        warn_once("config: not recorded: %s; %s" % (", ".join(left_out[:20]) + (", …" if len(left_out) > 20 else ""), reason))
    return {name: member for name, member in parameters.items() if name in sizes}


def _size(member: Any) -> int:
    """Characters of JSON, as JavaScript counts them."""
    return len(json.dumps(member, ensure_ascii=False, separators=(",", ":")).encode("utf-16-le")) // 2


def _attributes_of(config: Any) -> Optional[Dict[str, Any]]:
    members = getattr(config, "__dict__", None)
    slots = [name for kind in type(config).__mro__ for name in getattr(kind, "__slots__", ()) if hasattr(config, name)]
    if members is None and not slots:
        return None
    named = {**(members or {}), **{name: getattr(config, name) for name in slots}}
    return {name: member for name, member in named.items() if not str(name).startswith("__")}
