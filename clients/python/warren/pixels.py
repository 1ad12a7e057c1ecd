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
    for method in ("detach", "cpu", "numpy"):
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
    if array.dtype.kind == "f":
        # floats are 0 to 1, unless they plainly are not
        array = (array * 255 if float(array.max()) <= 1.0 else array).round()
    elif array.dtype.kind == "b":
        array = array.astype("uint8") * 255
    array = array.clip(0, 255).astype("uint8")
    channels = shape[2] if len(shape) == 3 else 1
    return shape[0], shape[1], channels, [array[row].tobytes() for row in range(shape[0])]


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
        scale = 255 if floats and max(max(row) for row in flat) <= 1.0 else 1
        return height, width, channels, [bytes(max(0, min(255, round(v * scale))) for v in row) for row in flat]
    except (TypeError, IndexError, ValueError):
        raise ValueError(
            "Image: a %s is no path, picture, figure or array of (height, width) or (height, width, 1 to 4)"
            % type(pixels).__name__
        ) from None
