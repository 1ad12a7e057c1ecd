"""How runs and tables look in a notebook, as HTML."""

from __future__ import annotations

from html import escape
from typing import Any, Iterable, List, Mapping, NamedTuple, Optional, Sequence

MOST_ROWS = 20
MOST_COLUMNS = 12
_LONGEST_CELL = 200


def run_shown(title: str, url: Optional[str], facts: str, parts: Mapping[str, Mapping[str, Any]]) -> str:
    """A run: its name as a link to its page, what it is, and parameters and values by name."""
    link = "<b>%s</b>" % escape(title)
    if url is not None:
        link = '<a href="%s" target="_blank">%s</a>' % (escape(url), link)
    tables = [table_shown((heading, ""), list(part.items())) for heading, part in parts.items() if part]
    return "<div>%s %s%s</div>" % (link, escape(facts), "".join(tables))


def table_shown(columns: Sequence[Any], rows: Sequence[Sequence[Any]], total: Optional[int] = None) -> str:
    """The first rows and columns of a table, and how many there are where that is not all."""
    shown = [row[:MOST_COLUMNS] for row in rows[:MOST_ROWS]]
    head = "".join("<th>%s</th>" % escape(str(column)) for column in columns[:MOST_COLUMNS])
    body = "".join("<tr>%s</tr>" % "".join("<td>%s</td>" % _cell(cell) for cell in row) for row in shown)
    whole = len(rows) if total is None else total
    left: List[str] = []
    if whole > len(shown):
        left.append("%d of %d rows" % (len(shown), whole))
    if len(columns) > MOST_COLUMNS:
        left.append("%d of %d columns" % (MOST_COLUMNS, len(columns)))
    said = "<p>%s</p>" % ", ".join(left) if left else ""
    return "<table><thead><tr>%s</tr></thead><tbody>%s</tbody></table>%s" % (head, body, said)


class Link(NamedTuple):
    """A cell that leads to a page."""

    text: str
    url: str


def names_of(mappings: Iterable[Mapping[str, Any]]) -> List[str]:
    """The names in any of them, in the order in which they come."""
    return list(dict.fromkeys(name for mapping in mappings for name in mapping))


def _cell(value: Any) -> str:
    if isinstance(value, Link):
        return '<a href="%s" target="_blank">%s</a>' % (escape(value.url), _cell(value.text))
    text = "%.6g" % value if isinstance(value, float) else "" if value is None else str(value)
    return escape(text if len(text) <= _LONGEST_CELL else text[:_LONGEST_CELL] + " …")
