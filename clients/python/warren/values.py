"""From what a program logs to numbers by name."""

from __future__ import annotations

import argparse
import dataclasses
import decimal
import fractions
import inspect
import math
import re
import sys
from typing import Any, Dict, Mapping, Optional, Sequence, Set, Tuple, Union

#: A larger array among the parameters is told by its text.
MOST_LISTED = 1000
#: Of a metric.
LARGEST_STEP = 2**53
_LEVELS = {"warning": "warn", "critical": "error", "fatal": "error"}

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")

Number = Union[int, float]
_left_out: Set[str] = set()
_warned: Set[str] = set()


def numbers_of(data: Mapping[str, Any], others: Optional[Dict[str, Any]] = None) -> Dict[str, Number]:
    """Names and numbers; nested mappings are flattened with `/`.

    What is no number goes to `others`, by name; without it, it is left out, with one warning a name.
    """
    try:
        members = data.items()
    except AttributeError:
        wanted = 'a mapping of names to numbers is wanted, such as {"loss": 0.3}'
        raise TypeError("log: %s, not a %s" % (wanted, type(data).__name__)) from None
    for name, value in members:
        kind = type(value)
        if (kind is not float and kind is not int) or type(name) is not str:
            break
    else:
        return dict(data)
    numbers: Dict[str, Number] = {}
    rest: Dict[str, Any] = {} if others is None else others
    _collect(numbers, rest, data, "")
    if others is None:
        for name, value in rest.items():
            warn_left_out(name, value)
    return numbers


def _collect(numbers: Dict[str, Number], others: Dict[str, Any], data: Mapping[str, Any], prefix: str) -> None:
    for key, value in data.items():
        name = prefix + str(key)
        if isinstance(value, Mapping):
            _collect(numbers, others, value, name + "/")
            continue
        number = number_of(value)
        if number is not None:
            numbers[name] = number
        else:
            others[name] = value


def warn_left_out(name: str, value: Any) -> None:
    """Says once a name that what was logged under it is not kept."""
    if name not in _left_out:
        _left_out.add(name)
        warn("log: %r is a %s, neither a number nor something to look at: it is left out" % (name, type(value).__name__))


def number_of(value: Any) -> Any:
    """A plain int or float of a number, a boolean, a decimal, a fraction, a NumPy or tensor scalar; None for all else."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, (int, float)):
        return value
    item = getattr(value, "item", None)
    if item is None:
        return _float_of(value) if isinstance(value, (decimal.Decimal, fractions.Fraction)) else None
    try:
        inner = item()
    except (TypeError, ValueError, RuntimeError):
        return None
    return number_of(inner) if isinstance(inner, (bool, int, float)) else None


def _float_of(value: Union[Number, decimal.Decimal, fractions.Fraction]) -> float:
    """What is beyond any float is infinite, as `1e999` is."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def wire_value(value: Number) -> Union[float, str]:
    """As Warren's API takes a metric's value: JSON has no NaN and no infinities."""
    number = _float_of(value)
    if math.isfinite(number):
        return number
    if math.isnan(number):
        return "NaN"
    return "Infinity" if number > 0 else "-Infinity"


def plain_json(value: Any) -> Any:
    """What JSON can hold of a parameter's value; all else becomes text."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, float)):
        return value if isinstance(value, int) or math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {str(key): plain_json(member) for key, member in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain_json(member) for member in value]
    # lists of libraries, such as those of OmegaConf
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray, memoryview)) and len(value) <= MOST_LISTED:
        return [plain_json(member) for member in value]
    if isinstance(value, argparse.Namespace):
        return plain_json(vars(value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain_json(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, type) or inspect.isroutine(value):
        module = getattr(value, "__module__", None)  # methods of built-in types have none
        return value.__qualname__ if module in (None, "builtins") else "%s.%s" % (module, value.__qualname__)
    number = number_of(value)
    if number is not None:
        return plain_json(number)
    size = getattr(value, "size", 0)
    if hasattr(value, "tolist") and isinstance(size, int) and 0 < size <= MOST_LISTED:
        return plain_json(value.tolist())
    # an address would tell apart runs that are alike
    return _ADDRESS.sub("", str(value))


def parameters_of(config: Any) -> Dict[str, Any]:
    """A mapping, or what has attributes, such as argparse's Namespace or a dataclass."""
    if config is None:
        return {}
    members = config if isinstance(config, Mapping) else getattr(config, "__dict__", None)
    if members is None:
        raise TypeError("config: a mapping or an argparse.Namespace is wanted, not a %s" % type(config).__name__)
    return plain_json(members)


def warn(message: str) -> None:
    print("warren: " + message, file=sys.__stderr__, flush=True)


def warn_once(message: str) -> None:
    """Warns, unless the same was said before."""
    if message not in _warned:
        _warned.add(message)
        warn(message)


def checked_step(step: Any) -> int:
    """A step as a plain int. ValueError: it is not a whole number from 0 to 2**53."""
    index = getattr(step, "__index__", None)
    try:
        number = index() if index is not None else (int(step) if float(step).is_integer() else -1)
    except (TypeError, ValueError):
        number = -1
    if not 0 <= number <= LARGEST_STEP:
        raise ValueError("log: step %r is not a whole number from 0 to 2**53" % (step,))
    return number


def checked_level(level: Any, call: str) -> str:
    """A level of the log. ValueError: there is no such level."""
    word = str(level).lower()
    word = _LEVELS.get(word, word)
    if word not in ("debug", "info", "warn", "error"):
        raise ValueError("%s: level %r is not one of debug, info, warn, error" % (call, level))
    return word


def is_seed(value: Any) -> bool:
    """Whether a parameter called `seed` is what replicates differ in."""
    return type(value) is int and 0 <= value < 2**31


def seed_apart(given: Optional[int], parameters: Dict[str, Any]) -> Tuple[int, Dict[str, Any]]:
    """The seed of a run, and the parameters without it: a whole number `seed` among them is the seed, unless another is given."""
    own = parameters.get("seed")
    if is_seed(own) and given in (None, own):
        return own, {name: value for name, value in parameters.items() if name != "seed"}
    return given or 0, parameters


def checked_seed(seed: Any) -> int:
    """A seed as a plain int. ValueError: it is no whole number."""
    try:
        return int(seed)
    except (TypeError, ValueError):
        raise ValueError("seed: %r is not a whole number from 0 to 2**31 - 1" % (seed,)) from None
