"""From what a program logs to numbers by name."""

from __future__ import annotations

import decimal
import math
import numbers
import sys
from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Set, Tuple, Union

#: Whole numbers up to here are floats, too.
EXACT = 2**53
#: Of a metric.
LARGEST_STEP = 2**53
#: Mappings within mappings.
DEEPEST = 40
_LEVELS = {"warning": "warn", "critical": "error", "fatal": "error"}

if TYPE_CHECKING:
    from typing_extensions import TypeGuard

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
    found: Dict[str, Number] = {}
    rest: Dict[str, Any] = {} if others is None else others
    _collect(found, rest, data, "", 0)
    if others is None:
        for name, value in rest.items():
            warn_left_out(name, value)
    return found


def _collect(found: Dict[str, Number], others: Dict[str, Any], data: Mapping[str, Any], prefix: str, depth: int) -> None:
    for key, value in data.items():
        name = key if type(key) is str and not prefix else "%s%s" % (prefix, _name(key))
        try:
            if isinstance(value, Mapping) and depth < DEEPEST:
                _collect(found, others, value, name + "/", depth + 1)
                continue
            number = number_of(value)
        except Exception as error:
            warn_left_out(name, value, error)
            continue
        if number is not None:
            found[name] = number
        else:
            others[name] = value


def _name(key: Any) -> str:
    try:
        return str(key)
    except Exception:
        return "<%s>" % type(key).__name__


def warn_left_out(name: str, value: Any, error: Optional[Exception] = None) -> None:
    """Says once a name that what was logged under it is not kept."""
    if name not in _left_out:
        _left_out.add(name)
        reason = "neither a number nor something to look at" if error is None else "which raises %s" % type(error).__name__
        warn("log: %r is a %s, %s: it is left out" % (name, type(value).__name__, reason))


def number_of(value: Any) -> Any:
    """A plain int or float of a number, a boolean, a decimal, a fraction, a NumPy or tensor scalar; None for all else.

    One that is masked is NaN: it has no value.
    """
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, (int, float)):
        return int(value) if isinstance(value, int) else float(value)
    item = getattr(value, "item", None)
    if callable(item):
        if type(value).__name__ == "MaskedConstant":
            return math.nan
        try:
            inner = item()
        except Exception:  # an array of several
            return None
        if isinstance(inner, (bool, int, float)):
            return number_of(inner)
        # types that Python has not, such as numpy.longdouble and bfloat16, hold themselves
        return None if isinstance(inner, (str, bytes, complex)) or type(inner) is not type(value) else _float_of(inner)
    if isinstance(value, numbers.Integral):
        return int(value)
    return _float_of(value) if isinstance(value, (decimal.Decimal, numbers.Real)) else None


def _float_of(value: Any) -> Optional[float]:
    """What is beyond any float is infinite, as `1e999` is."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    except (TypeError, ValueError):  # a signaling NaN among others
        return math.nan if isinstance(value, (decimal.Decimal, numbers.Real)) else None


def wire_value(value: Any) -> Union[float, str]:
    """As Warren's API takes a metric's value: JSON has no NaN and no infinities."""
    number = _float_of(value)
    if number is None:
        return "NaN"
    if math.isfinite(number):
        return number
    if math.isnan(number):
        return "NaN"
    return "Infinity" if number > 0 else "-Infinity"


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


def is_seed(value: Any) -> "TypeGuard[int]":
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
