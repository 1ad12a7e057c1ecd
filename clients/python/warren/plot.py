"""`warren.plot`: charts of a table, of series and of a classifier's scores, as `wandb.plot` draws them.

Logged under a name, each is a Vega-Lite chart of that name and a table `NAME_table` with its numbers.
"""

from __future__ import annotations

import math
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from .bins import counted, flat_numbers
from .elsewhere import instead_of_plot
from .media import Chart, Table
from .scores import class_scores, confusion, listed, precisions_at_recalls, roc_points
from .plain import plain_json
from .values import number_of

#: Rows that a chart draws; of more, so many are picked evenly. Its table has all.
MOST_ROWS = 10_000
#: Bins of a histogram.
BINS = 32


def line(table: Table, x: str, y: str, stroke: Optional[str] = None, title: str = "", **_ignored: Any) -> Chart:
    """Values of a column over those of another one; `stroke` names a column with a line for each of its values."""
    return _over_columns(table, "line", {"x": x, "y": y, "color": stroke}, title)


def scatter(table: Table, x: str, y: str, title: str = "", **_ignored: Any) -> Chart:
    """A point for each row."""
    return _over_columns(table, "point", {"x": x, "y": y}, title)


def bar(table: Table, label: str, value: str, title: str = "", **_ignored: Any) -> Chart:
    """A bar for each row, in the order of the rows."""
    rows = _rows(table, {"y": label, "x": value})
    encoding: Dict[str, Dict[str, Any]] = {"y": {"type": "nominal", "sort": None, "title": label}, "x": {"type": "quantitative", "title": value}}
    return _chart(table, rows, "bar", encoding, title)


def histogram(table: Table, value: str, title: str = "", **_ignored: Any) -> Chart:
    """How often values of a column occur, in bins of one width."""
    numbers = [number for number in map(number_of, _column(table, value)) if number is not None]
    counts, edges = counted(flat_numbers(numbers), BINS)
    rows = [{"x": edges[i], "x2": edges[i + 1], "y": count} for i, count in enumerate(counts)]
    encoding: Dict[str, Dict[str, Any]] = {
        "x": {"type": "quantitative", "bin": {"binned": True}, "title": value},
        "x2": {},
        "y": {"type": "quantitative", "title": "count"},
    }
    return _chart(table, rows, "bar", encoding, title)


def line_series(
    xs: Any,
    ys: Any,
    keys: Optional[Sequence[Any]] = None,
    title: str = "",
    xname: str = "x",
    **_ignored: Any,
) -> Chart:
    """Several lines: `ys` is a list of lists, `xs` the same or one list for all of them, `keys` their names."""
    lines = [listed(series) for series in listed(ys)]
    places = listed(xs)
    shared = not places or not hasattr(places[0], "__len__")
    at = [places] * len(lines) if shared else [listed(series) for series in places]
    names = ["key_%d" % i for i in range(len(lines))] if keys is None else [str(key) for key in keys]
    if not len(at) == len(names) == len(lines) or any(len(a) != len(b) for a, b in zip(at, lines)):
        shape = "%s places, %s values" % ([len(series) for series in at], [len(series) for series in lines])
        raise ValueError("plot.line_series: %s, %d names; expected as many of each for every line" % (shape, len(names)))
    data = [[a, name, b] for name, series, values in zip(names, at, lines) for a, b in zip(series, values)]
    table = Table(columns=["step", "lineKey", "lineVal"], data=data)
    named = {"x": xname, "y": "", "color": ""}
    return _over_columns(table, "line", {"x": "step", "y": "lineVal", "color": "lineKey"}, title, named)


def roc_curve(
    y_true: Any,
    y_probas: Any,
    labels: Optional[Sequence[Any]] = None,
    classes_to_plot: Optional[Sequence[Any]] = None,
    title: str = "ROC Curve",
    **_ignored: Any,
) -> Chart:
    """The share of a class that is found over the share of others taken for it, for each class against the others.

    y_probas: a list of a class's scores for each example; or one score each where there are two classes.
    """
    data = []
    for name, scores, found in class_scores("roc_curve", y_true, y_probas, labels, classes_to_plot):
        data += [[name, round(fpr, 3), round(tpr, 3)] for fpr, tpr in roc_points(scores, found)]
    table = Table(columns=["class", "fpr", "tpr"], data=data)
    named = {"x": "False positive rate", "y": "True positive rate", "color": "class"}
    return _over_columns(table, "line", {"x": "fpr", "y": "tpr", "color": "class"}, title, named)


def pr_curve(
    y_true: Any,
    y_probas: Any,
    labels: Optional[Sequence[Any]] = None,
    classes_to_plot: Optional[Sequence[Any]] = None,
    interp_size: int = 21,
    title: str = "Precision-Recall Curve",
    **_ignored: Any,
) -> Chart:
    """The best precision at each recall or a greater one, for each class against the others; `y_probas` as in `roc_curve`."""
    recalls = [i / max(1, interp_size - 1) for i in range(interp_size)]
    data = []
    for name, scores, found in class_scores("pr_curve", y_true, y_probas, labels, classes_to_plot):
        precisions = precisions_at_recalls(scores, found, recalls)
        data += [[name, round(precision, 3), round(recall, 3)] for recall, precision in zip(recalls, precisions)]
    table = Table(columns=["class", "precision", "recall"], data=data)
    return _over_columns(table, "line", {"x": "recall", "y": "precision", "color": "class"}, title)


def confusion_matrix(
    probs: Any = None,
    y_true: Any = None,
    preds: Any = None,
    class_names: Optional[Sequence[Any]] = None,
    title: str = "Confusion Matrix",
    **_ignored: Any,
) -> Chart:
    """How often each class was taken for each. `preds` are classes; or `probs`, whose greatest is the prediction."""
    table = Table(columns=["Actual", "Predicted", "nPredictions"], data=confusion(probs, y_true, preds, class_names))
    rows = _rows(table, {"y": "Actual", "x": "Predicted", "n": "nPredictions"})
    axes = {"x": {"field": "x", "type": "nominal", "sort": None, "title": "Predicted"}}
    axes["y"] = {"field": "y", "type": "nominal", "sort": None, "title": "Actual"}
    count = {"field": "n", "type": "quantitative"}
    dark = {"condition": {"test": "datum.n > %d" % (max([row["n"] for row in rows] or [0]) // 2), "value": "white"}, "value": "black"}
    layers = [
        {"mark": {"type": "rect", "tooltip": True}, "encoding": {"color": {**count, "title": "count", "scale": {"scheme": "blues"}}}},
        {"mark": "text", "encoding": {"text": count, "color": dark}},
    ]
    return _logged(table, {"data": {"values": rows}, "encoding": axes, "layer": layers}, title)


def _over_columns(
    table: Table, mark: str, columns: Dict[str, Optional[str]], title: str, named: Optional[Mapping[str, str]] = None
) -> Chart:
    """Columns by channel, and their titles where these are not their names."""
    present = {channel: column for channel, column in columns.items() if column is not None}
    rows = _rows(table, present)
    encoding: Dict[str, Any] = {}
    for channel, column in present.items():
        numbers = channel != "color" and all(row[channel] is None or isinstance(row[channel], (int, float)) for row in rows)
        encoding[channel] = {"type": "quantitative" if numbers else "nominal", "title": (named or present)[channel]}
        if not numbers:
            encoding[channel]["sort"] = None
        elif channel == "x" or mark == "point":
            encoding[channel]["scale"] = {"zero": False}
    return _chart(table, rows, mark, encoding, title)


def _chart(table: Table, rows: List[Dict[str, Any]], mark: str, encoding: Dict[str, Dict[str, Any]], title: str) -> Chart:
    step = max(1, math.ceil(len(rows) / MOST_ROWS))
    spec = {
        "data": {"values": rows[::step]},
        "mark": {"type": mark, "tooltip": True},
        "encoding": {channel: {"field": channel, **how} for channel, how in encoding.items()},
    }
    return _logged(table, spec, title)


def _logged(table: Table, spec: Dict[str, Any], title: str) -> Chart:
    schema = "https://vega.github.io/schema/vega-lite/v5.json"
    chart = Chart({"$schema": schema, "title": title or "", "width": "container", "height": 280, **spec}, "vegaLite")
    chart.table = table
    return chart


def _column(table: Table, name: str) -> List[Any]:
    return [row[name] for row in _rows(table, {name: name})]


def _rows(table: Table, columns: Mapping[str, str]) -> List[Dict[str, Any]]:
    if not isinstance(table, Table):
        raise TypeError("plot: a warren.Table is wanted, not a %s" % type(table).__name__)
    places: List[Tuple[str, int]] = []
    for channel, column in columns.items():
        if str(column) not in table.columns:
            raise ValueError("plot: the table has no column %r; it has %s" % (column, ", ".join(table.columns)))
        places.append((channel, table.columns.index(str(column))))
    return [{channel: _plain(row[place]) for channel, place in places} for row in table.data]


def _plain(cell: Any) -> Any:
    number = number_of(cell)
    if number is None:
        return cell if cell is None or isinstance(cell, str) else str(plain_json(cell))
    return number if math.isfinite(number) else None


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return instead_of_plot(name)
