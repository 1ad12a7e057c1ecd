"""What a run holds by name: its parameters, and the newest value of each metric."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterator, Mapping, Optional, Set, Tuple

from .plain import parameters_of, plain_json
from .trial import laid_over
from .values import warn

if TYPE_CHECKING:
    from .run import Run


def keep_set(given: Mapping[str, Any], stays: Mapping[str, Any], why: str) -> Dict[str, Any]:
    """What a program gives, with what stays over it; says where the two differ."""
    kept = laid_over(given, stays)
    for key, value in given.items():
        if kept[key] != value:
            warn("config: %s stays %r, %s" % (key, kept[key], why))
    return kept


class Config(Dict[str, Any]):
    """The run's parameters: a dictionary whose members are attributes, too. What is set is recorded."""

    _run: Optional["Run"] = None
    #: What a sweep has drawn, or what was queued, which stays.
    _drawn: Mapping[str, Any] = {}
    _drawn_by = "which the sweep has drawn"

    def update(self, *mappings: Any, allow_val_change: Any = None, **members: Any) -> None:
        """Sets parameters. Values may change anyway: `allow_val_change` is taken for W&B's programs."""
        changes: Dict[str, Any] = {}
        for mapping in mappings:
            changes.update(parameters_of(mapping))
        changes.update(plain_json(members))
        drawn = {key: self._drawn[key] for key in changes if key in self._drawn}
        changes = keep_set(changes, drawn, self._drawn_by)
        for key, value in changes.items():
            super().__setitem__(key, value)
        if changes and self._run is not None:
            if self._run._finished:
                self._run._tell_ended("config")
            self._run._write_parameters(changes)

    def __setitem__(self, key: str, value: Any) -> None:
        self.update({key: value})

    def setdefaults(self, mapping: Mapping[str, Any]) -> None:
        """Sets what is not there yet."""
        self.update({key: value for key, value in mapping.items() if key not in self})

    def setdefault(self, key: str, default: Any = None) -> Any:
        if key not in self:
            self[key] = default
        return self[key]

    def __reduce__(self) -> Any:
        """A copy records nothing: it is for another process, or for another use."""
        return Config, (dict(self),)

    def as_dict(self) -> Dict[str, Any]:
        return dict(self)

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError("config has no %r; it has %s" % (name, ", ".join(self) or "nothing")) from None

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            self[name] = value


class Summary(Dict[str, Any]):
    """The newest value of each metric, also as attributes. What is set here is logged when the run ends, at the last step."""

    _set: Dict[str, Any]
    #: Those of them that had been logged before: the server keeps the first value of a step, so they need a later one.
    _again: Set[str]

    def __init__(self) -> None:
        super().__init__()
        object.__setattr__(self, "_set", {})
        object.__setattr__(self, "_again", set())

    def __setitem__(self, key: str, value: Any) -> None:
        if key in self and key not in self._set:
            self._again.add(key)
        self._set[key] = value
        super().__setitem__(key, value)

    def __reduce__(self) -> Any:
        return dict, (dict(self),)

    def _take(self, logged: Mapping[str, Any]) -> None:
        """What is logged goes over what was set before."""
        if self._set:
            for key in [key for key in self._set if key in logged]:
                del self._set[key]
        dict.update(self, logged)

    def _last(self, first: int, step: int) -> Iterator[Tuple[int, Dict[str, Any]]]:
        """What was set, and the steps at which it is logged where `step` is the next one, and `first` was at the start."""
        yield max(first, step - 1), {key: value for key, value in self._set.items() if key not in self._again}
        yield step, {key: value for key, value in self._set.items() if key in self._again}

    def update(self, *mappings: Any, **members: Any) -> None:
        for mapping in (*mappings, members):
            for key, value in mapping.items():
                self[key] = value

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError("summary has no %r; it has %s" % (name, ", ".join(self) or "nothing")) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value
