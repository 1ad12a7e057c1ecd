"""Sends points of metrics."""

from __future__ import annotations

from typing import Any, Dict, List, Set

from .channel import Channel
from .mutations import LOG_METRICS
from .plain import plain_text
from .values import EXACT, warn_once, wire_value

_NAMES = "query ($run: ID!) { run(id: $run) { metrics { name } } }"
#: What the server names of points that would give a run more metrics than it may have.
_TOO_MANY = "series"


class SendsPoints(Channel):
    """The part of `Delivery` that sends points; where the server refuses some of them, all others."""

    def _send_points(self, records: List[Any]) -> None:
        records = self._with_room(records)
        if not records:
            return
        columns: Dict[str, Dict[str, List[Any]]] = {}
        for _type, step, time_ms, numbers in records:
            for name, value in numbers.items():
                column = columns.get(name)
                if column is None:
                    column = columns[name] = {"steps": [], "values": [], "times": []}
                column["steps"].append(step)
                column["values"].append(wire_value(value))
                if type(value) is int and not -EXACT <= value <= EXACT:
                    warn_once("log: %s has whole numbers beyond 2**53, of which the nearest float is kept" % plain_text(name))
                column["times"].append(time_ms)
        series = [{"name": name, **column} for name, column in columns.items()]
        if self._ask(LOG_METRICS, {"run": self.run_id, "series": series}, None) is not None:
            return
        # one of them is refused: find out which, so that all others arrive
        names = list(columns)
        if len(names) > 1 and (len(records) == 1 or self._refused_path == _TOO_MANY):
            middle = len(names) // 2
            self._send_points(_of_names(records, set(names[:middle])))
            self._send_points(_of_names(records, set(names[middle:])))
        elif self._refused_path == _TOO_MANY and self._all_names is None:
            # there is room for none: asked once, for a program may log thousands of names at each of its steps
            self._no_room = self._reason
            found = (self._ask(_NAMES, {"run": self.run_id}, None) or {}).get("run") or {"metrics": []}
            self._all_names = {metric["name"] for metric in found["metrics"]}
            self._send_points(records)
        elif len(records) == 1:
            self._refuse(records[0], self._reason)
        else:
            middle = len(records) // 2
            self._send_points(records[:middle])
            self._send_points(records[middle:])

    def _with_room(self, records: List[Any]) -> List[Any]:
        """Without the metrics for which the run has no room, which are put away as refused."""
        if self._all_names is None:
            return records
        for _type, step, time_ms, numbers in records:
            beyond = {name: value for name, value in numbers.items() if name not in self._all_names}
            if beyond:
                self._refuse(["metrics", step, time_ms, beyond], self._no_room)
        return _of_names(records, self._all_names)


def _of_names(records: List[Any], names: Set[str]) -> List[Any]:
    """The same records with these metrics alone; those that have none of them are left out."""
    parts = [[kind, step, time_ms, {name: numbers[name] for name in numbers if name in names}] for kind, step, time_ms, numbers in records]
    return [part for part in parts if part[3]]
