"""A classifier's scores beside the truth: curves and counts that `warren.plot` draws."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from .values import number_of

#: Points of a curve at most.
MOST_POINTS = 1000


def listed(values: Any) -> List[Any]:
    """The entries of a sequence, an array or a tensor."""
    for method in ("detach", "cpu"):
        if hasattr(values, method):
            values = getattr(values, method)()
    return list(values.tolist() if hasattr(values, "tolist") else values)


def class_scores(
    call: str, truth: Any, scores: Any, labels: Optional[Sequence[Any]], wanted: Optional[Sequence[Any]]
) -> Iterator[Tuple[str, List[float], List[bool]]]:
    """For each class its name, the score of each example, and whether the example is of it."""
    truths = [_plain(value) for value in listed(truth)]
    rows = listed(scores)
    if rows and not hasattr(rows[0], "__len__"):
        # one score each: of the second class
        rows = [[1 - float(score), float(score)] for score in rows]
        if len(set(truths)) > 2:
            raise ValueError("plot.%s: %d classes need a score of each class for every example" % (call, len(set(truths))))
    rows = [listed(row) for row in rows]
    if len(rows) != len(truths):
        raise ValueError("plot.%s: %d examples are true, %d have scores" % (call, len(truths), len(rows)))
    classes = sorted(set(truths))
    width = len(rows[0]) if rows else 0
    numbered = all(isinstance(one, int) and 0 <= one < width for one in classes)
    if not numbered and len(classes) != width:
        raise ValueError("plot.%s: %d scores for each example, %d classes among the examples" % (call, width, len(classes)))
    chosen = None if wanted is None else {_plain(one) for one in wanted}
    for place, one in enumerate(classes):
        if chosen is not None and one not in chosen:
            continue
        column = one if numbered else place
        name = str(one) if labels is None or not numbered else str(labels[column])
        yield name, [float(row[column]) for row in rows], [value == one for value in truths]


def roc_points(scores: Sequence[float], found: Sequence[bool]) -> List[Tuple[float, float]]:
    """False and true positive rate at each threshold, greatest first; those on a straight line between others are left out."""
    counts = [(0, 0)] + [(taken - right, right) for taken, right in _taken(scores, found)]
    negatives, positives = max(1, counts[-1][0]), max(1, counts[-1][1])
    corners = [
        point
        for i, point in enumerate(counts)
        if i in (0, len(counts) - 1) or _difference(counts[i - 1], point) != _difference(point, counts[i + 1])
    ]
    step = -(-len(corners) // MOST_POINTS)
    kept = corners[::step] + (corners[-1:] if (len(corners) - 1) % step else [])
    return [(false / negatives, true / positives) for false, true in kept]


def precisions_at_recalls(scores: Sequence[float], found: Sequence[bool], recalls: Sequence[float]) -> List[float]:
    """The best precision at each recall or a greater one."""
    taken = _taken(scores, found)
    positives = max(1, sum(found))
    return [max([right / count for count, right in taken if right / positives >= recall - 1e-12] or [0.0]) for recall in recalls]


def confusion(probs: Any, truth: Any, preds: Any, names: Optional[Sequence[Any]]) -> List[List[Any]]:
    """Rows of actual class, predicted class and count, of every pair of classes."""
    if (probs is None) == (preds is None) or truth is None:
        raise ValueError("plot.confusion_matrix: y_true, and either preds or probs, are wanted")
    if preds is None:
        rows = [listed(row) for row in listed(probs)]
        preds = [max(range(len(row)), key=row.__getitem__) for row in rows]
    actual, predicted = ([_plain(value) for value in listed(values)] for values in (truth, preds))
    if len(actual) != len(predicted):
        raise ValueError("plot.confusion_matrix: %d examples are true, %d are predicted" % (len(actual), len(predicted)))
    seen = set(actual) | set(predicted)
    if all(isinstance(value, int) and value >= 0 for value in seen):
        if names is None:
            names = ["Class_%d" % (i + 1) for i in range(max(seen or {0}) + 1)]
        if seen and max(seen) >= len(names):
            raise ValueError("plot.confusion_matrix: class %d has no name among %d" % (max(seen), len(names)))
        classes: List[Any] = list(range(len(names)))
    else:
        classes = sorted(seen, key=str) if names is None else list(names)
        names = classes
        unknown = sorted(map(str, seen - set(classes)))
        if unknown:
            raise ValueError("plot.confusion_matrix: %s is not among class_names" % ", ".join(unknown))
    counts: Dict[Tuple[Any, Any], int] = {}
    for pair in zip(actual, predicted):
        counts[pair] = counts.get(pair, 0) + 1
    return [[str(names[i]), str(names[j]), counts.get((a, b), 0)] for i, a in enumerate(classes) for j, b in enumerate(classes)]


def _taken(scores: Sequence[float], found: Sequence[bool]) -> List[Tuple[int, int]]:
    """At each distinct threshold, greatest first, how many examples are taken, and how many of them are right."""
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    taken: List[Tuple[int, int]] = []
    right = 0
    for place, i in enumerate(order):
        right += found[i]
        if place + 1 == len(order) or scores[order[place + 1]] != scores[i]:
            taken.append((place + 1, right))
    return taken


def _difference(a: Tuple[int, int], b: Tuple[int, int]) -> Tuple[int, int]:
    return b[0] - a[0], b[1] - a[1]


def _plain(value: Any) -> Any:
    number = number_of(value)
    if number is None:
        return value
    return int(number) if float(number).is_integer() else number
