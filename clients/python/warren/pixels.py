"""From arrays of pixels to PNG, with the standard library alone."""

from __future__ import annotations

import math
import struct
import zlib
from typing import Any, List, Tuple

_COLOR_TYPES = {1: 0, 2: 4, 3: 2, 4: 6}


def png_of(pixels: Any) -> Tuple[bytes, Tuple[int, int]]:
    """A PNG, and its width and height. `pixels` is an array, a tensor or nested lists; see `Image`. Raises ValueError."""
    is_tensor = hasattr(pixels, "detach")
    for method in ("detach", "cpu", "float" if is_tensor and str(pixels.dtype) == "torch.bfloat16" else "cpu", "numpy"):
        if is_tensor and hasattr(pixels, method):
            pixels = getattr(pixels, method)()
    if hasattr(pixels, "__array_interface__"):
        height, width, channels, rows = _rows_of_array(pixels, is_tensor)
    else:
        height, width, channels, rows = _rows_of_lists(pixels)
    header = struct.pack(">IIBBBBB", width, height, 8, _COLOR_TYPES[channels], 0, 0, 0)
    data = b"".join(b"\0" + row for row in rows)
    chunks = (_chunk(b"IHDR", header), _chunk(b"IDAT", zlib.compress(data, 6)), _chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks), (width, height)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _rows_of_array(array: Any, channels_first: bool) -> Tuple[int, int, int, List[bytes]]:
    shape = tuple(array.shape)
    if channels_first and len(shape) == 4 and shape[1] in (1, 3, 4) and 0 not in shape:
        array = _grid_of(array)
        shape = tuple(array.shape)
    if channels_first and len(shape) == 3 and shape[0] in (1, 3, 4) and shape[2] not in (1, 3, 4):
        array = array.transpose(1, 2, 0)
        shape = tuple(array.shape)
    if len(shape) not in (2, 3) or 0 in shape or (len(shape) == 3 and shape[2] not in _COLOR_TYPES):
        raise ValueError("Image: an array of shape %s is no (height, width) or (height, width, 1 to 4)" % (shape,))
    if array.dtype.kind == "b":
        array = array.astype("uint8")
        low, high = 0.0, 1.0
    else:
        if array.dtype.kind == "f" and not (array - array == 0).all():
            finite = array[array - array == 0]
            array = array.copy()
            array[array != array] = 0
            array = array.clip(*((finite.min(), finite.max()) if finite.size else (0, 1)))
        low, high = _range_of(float(array.min()), float(array.max()), array.dtype.kind == "f")
    if (low, high) != (0.0, 255.0):
        array = (array.astype("float64") - low) * (255 / (high - low))
    array = array.round().clip(0, 255).astype("uint8")
    channels = shape[2] if len(shape) == 3 else 1
    return shape[0], shape[1], channels, [array[row].tobytes() for row in range(shape[0])]


def _range_of(low: float, high: float, floats: bool) -> Tuple[float, float]:
    """What is black and what is white: floats are 0 to 1, whole numbers 0 to 255 or, of 16 bits, 0 to 65535, unless they plainly are not."""
    for white in (1.0, 255.0) if floats else (255.0, 65535.0):
        if 0 <= low and high <= white:
            return 0.0, white
    return low, max(high, low + 1e-12)


def _byte(value: float) -> int:
    return 0 if value != value else round(max(0, min(255, value)))


def _grid_of(batch: Any) -> Any:
    """The pictures (number, channel, height, width) of a batch in one (channel, height, width), about as many beside as below each other."""
    number, channels, height, width = batch.shape
    columns = int(math.ceil(number**0.5))
    rows = int(math.ceil(number / columns))
    grid = batch[:1].repeat(rows * columns, axis=0) * 0
    grid[:number] = batch
    return grid.reshape(rows, columns, channels, height, width).transpose(2, 0, 3, 1, 4).reshape(channels, rows * height, columns * width)


def _rows_of_lists(pixels: Any) -> Tuple[int, int, int, List[bytes]]:
    try:
        rows = [[cell if isinstance(cell, (list, tuple)) else [cell] for cell in row] for row in pixels]
        height, width, channels = len(rows), len(rows[0]), len(rows[0][0])
        flat = [[value for cell in row for value in cell] for row in rows]
        if channels not in _COLOR_TYPES or any(len(row) != width * channels for row in flat):
            raise ValueError
        floats = any(isinstance(value, float) for row in flat for value in row)
        finite = [float(value) for row in flat for value in row if math.isfinite(value)] or [0.0]
        low, high = _range_of(min(finite), max(finite), floats)
        white = 255 / (high - low)
        return height, width, channels, [bytes(_byte((value - low) * white) for value in row) for row in flat]
    except (TypeError, IndexError, ValueError):
        raise ValueError(
            "Image: a %s is no path, picture, figure or array of (height, width) or (height, width, 1 to 4)"
            % type(pixels).__name__
        ) from None
