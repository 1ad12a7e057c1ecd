"""Gives a run every kind of object as a value. Prints its id; what raises ends it."""

import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import random
import threading
import types
import typing

import warren


def raising(*names):
    def fail(self, *_arguments):
        raise RuntimeError("no")

    return type("Raising", (), {name: fail for name in names})()


class Members(collections.abc.Mapping):
    """A mapping whose members cannot be had."""

    def __iter__(self):
        return iter(["a"])

    def __len__(self):
        return 1

    def __getitem__(self, key):
        raise ValueError("missing")


class Endless(collections.abc.Sequence):
    def __len__(self):
        return 10**15

    def __getitem__(self, place):
        return place


class Lying:
    __class__ = property(lambda self: 1 / 0)


class Colour(enum.Enum):
    RED = {1}


@dataclasses.dataclass
class Unfinished:
    there: int = 1
    missing: int = dataclasses.field(init=False)


class Point(typing.NamedTuple):
    x: float = 0.5


def leaves():
    yield from (None, True, -0.0, 1e308, float("nan"), float("inf"), 2**53 + 1, -(10**400), 10**5000, 1j, "", "a\0b", "\udce9", "x" * 200_000)
    yield from (b"\xff", bytearray(3), memoryview(b"abc"), decimal.Decimal("sNaN"), decimal.Decimal("1e999999"), fractions.Fraction(1, 3))
    yield from (range(3), range(10**15), (i for i in range(3)), types, leaves, leaves.__code__, int, ValueError("\udce9"), threading.Lock(), iter([]))
    yield from (datetime.datetime(2026, 1, 1), datetime.timedelta(1), Colour.RED, Colour, Unfinished(), Unfinished, Point(), Members(), Endless(), Lying())
    yield from (raising("__str__", "__repr__"), raising("__getattr__"), raising("__eq__"), raising("item"), raising("tolist", "item"), raising("__bool__"))
    yield from ({"b": 1}.keys(), {"b": 1}.items(), collections.Counter("ab"), collections.deque([1]), {1, "a", None, (2,)}, frozenset(), object(), ...)
    own = []
    own.append(own)
    named = {}
    named["self"] = named
    deep = deeper = []
    for _ in range(5000):
        deeper.append([])
        deeper = deeper[0]
    yield from (own, named, deep, [[1], 2, ["a"]], [1] * 5000)
    try:
        import numpy as np
    except ImportError:
        return
    yield from (np.ma.masked, np.longdouble(0.5), np.float16(0.5), np.str_("a"), np.datetime64("2026-01-01"), np.array(3), np.array([]), np.array(["a"]))
    yield from (np.array([1, None], dtype=object), np.zeros((2, 3, 4)), np.array([1j]), np.ma.array([1, 2], mask=[0, 1]), np.zeros(1, dtype="i4,f8"), np.full(50, np.nan))
    for pixels in (np.linspace(-1, 1, 12).reshape(3, 4), np.full((2, 2), np.nan), np.zeros((2, 2), "uint16") + 65535, np.eye(2) > 0, np.zeros((2, 2, 3)) + 300):
        yield warren.Image(pixels)


def one(generator, known, depth=0):
    """A value, or a container of values."""
    kind = generator.randrange(6) if depth < 3 else 0
    if kind < 3:
        return generator.choice(known)
    inner = [one(generator, known, depth + 1) for _ in range(generator.randrange(4))]
    if kind == 3:
        return inner
    return tuple(inner) if kind == 4 else {generator.choice(["a", 1, (2, 3), None, "\udce9", "n\0l"]): member for member in inner}


generator = random.Random(47)
known = list(leaves())
values = known + [one(generator, known) for _ in range(40)]
run = warren.init(project="any", config={"value %d" % place: value for place, value in enumerate(values)}, save_code=False, console=False)
run.config.update({"late": known[-1], "fine": 1})
for place, value in enumerate(values):
    if place % 40 == 0:
        run.config["set %d" % place] = value
    run.log({"value %d" % place: value, "fine": place}, step=place)
    run.summary["summary %d" % place] = value
run.finish()
print(len(values), run._delivery.position.refused)
print(run.id)
