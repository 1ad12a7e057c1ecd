"""Counts of numbers in bins."""

from __future__ import annotations

import math
import sys
from typing import Any, List, Tuple

from .values import DEEPEST, number_of


def flat_numbers(values: Any) -> List[Any]:
    """Numbers of a sequence, an array or a tensor, in any shape; what is not finite is left out."""
    for method in ("detach", "cpu"):
        if hasattr(values, method):
            values = getattr(values, method)()
    if hasattr(values, "tolist"):
        values = values.tolist()
    found: List[Any] = []
    waiting = [iter(values if hasattr(values, "__iter__") else [values])]
    while waiting:
        value = next(waiting[-1], waiting)
        if value is waiting:
            waiting.pop()
        elif isinstance(value, (list, tuple)):
            if len(waiting) > DEEPEST:
                raise ValueError("Histogram: lists within more than %d lists are no numbers" % DEEPEST)
            waiting.append(iter(value))
        else:
            number = number_of(value)
            if number is None:
                raise TypeError("Histogram: %r is no number" % (value,))
            if math.isfinite(number):
                found.append(number)
    return found


def counts_of(values: Any, bins: int) -> Tuple[List[int], List[float]]:
    """Counts and edges of the finite numbers of a sequence, an array or a tensor; NumPy counts its own arrays and tensors."""
    numpy = sys.modules.get("numpy")
    array = values
    if numpy is not None and hasattr(values, "detach"):
        array = values.detach().cpu().float().numpy()
    if numpy is None or not isinstance(array, numpy.ndarray) or array.dtype.kind not in "iuf":
        return counted(flat_numbers(values), bins)
    finite = array[numpy.isfinite(array)]
    if finite.size == 0:
        return counted([], bins)
    counts, edges = numpy.histogram(finite.astype(float), bins)
    return counts.tolist(), edges.tolist()


def counted(values: List[Any], bins: int) -> Tuple[List[int], List[float]]:
    """As numpy.histogram: bins of one width, the last one closed."""
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    if low == high:
        low, high = low - 0.5, high + 0.5
    width = (high - low) / bins
    counts = [0] * bins
    for value in values:
        counts[min(bins - 1, int((value - low) / width))] += 1
    return counts, [low + i * width for i in range(bins)] + [high]
