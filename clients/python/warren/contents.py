"""From what a program has to bytes: pictures, files, text, sound."""

from __future__ import annotations

import io
import mimetypes
import os
from typing import Any, Optional, Tuple

from .pixels import png_of


#: Of Pillow, as PNG has them.
_PNG_MODES = ("1", "L", "LA", "I", "I;16", "P", "RGB", "RGBA")


def picture_of(data: Any, mode: Optional[str]) -> Tuple[bytes, str, Optional[Tuple[int, int]]]:
    """A picture as bytes, with its media type and, where known, its width and height."""
    if isinstance(data, (str, os.PathLike, bytes, bytearray)):
        content, media_type = file_of(data, "image/png", "Image", "a picture's path, its bytes, an array, or a figure")
        return content, _picture_type(content) or media_type, None
    buffer = io.BytesIO()
    if hasattr(data, "savefig"):
        data.savefig(buffer, format="png")
        return buffer.getvalue(), "image/png", None
    if hasattr(data, "get_figure") and hasattr(data.get_figure(), "savefig"):
        return picture_of(data.get_figure(), mode)
    if hasattr(data, "save") and hasattr(data, "size") and hasattr(data, "mode"):
        if mode is None and data.mode not in _PNG_MODES:  # such as CMYK
            mode = "L" if data.mode == "F" else "RGB"
        (data if mode is None else data.convert(mode)).save(buffer, format="PNG")
        return buffer.getvalue(), "image/png", (data.size[0], data.size[1])
    content, size = png_of(data)
    return content, "image/png", size


def gif_of(pictures: Any, per_second: float) -> bytes:
    """Pictures (time, channel, height, width), numbers from 0 to 255, as a GIF that repeats. Raises ValueError, or where Pillow is missing TypeError."""
    try:
        from PIL import Image
    except ImportError:
        raise TypeError("Video: an array is kept as a GIF, for which Pillow is wanted: pip install pillow, or give a file") from None
    for method in ("detach", "cpu", "numpy"):
        if hasattr(pictures, method):
            pictures = getattr(pictures, method)()
    shape = tuple(pictures.shape)
    if len(shape) == 5:
        # W&B's batches: one beside the other
        pictures = pictures.transpose(1, 2, 3, 0, 4).reshape(shape[1], shape[2], shape[3], shape[0] * shape[4])
        shape = tuple(pictures.shape)
    if len(shape) != 4 or shape[1] not in (1, 3) or 0 in shape:
        raise ValueError("Video: an array of shape %s is no (time, 1 or 3 channels, height, width)" % (shape,))
    frames = pictures.clip(0, 255).astype("uint8").transpose(0, 2, 3, 1)
    shown = [Image.fromarray(frame[:, :, 0] if shape[1] == 1 else frame) for frame in frames]
    buffer = io.BytesIO()
    shown[0].save(buffer, format="GIF", save_all=True, append_images=shown[1:], duration=max(20, round(1000 / per_second)), loop=0)
    return buffer.getvalue()


def _picture_type(content: bytes) -> Optional[str]:
    """The type that the first bytes of a picture say."""
    for start, media_type in ((b"\x89PNG", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif")):
        if content.startswith(start):
            return media_type
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    return "image/svg+xml" if b"<svg" in content[:1000] else None


def file_of(source: Any, default_type: str, call: str, wanted: str) -> Tuple[bytes, str]:
    """The bytes of a file or of a path, and their media type."""
    if isinstance(source, (bytes, bytearray)):
        return bytes(source), default_type
    return file_at(source, call, wanted), mimetypes.guess_type(os.fspath(source))[0] or default_type


def file_at(path: Any, call: str, wanted: str) -> bytes:
    """What a file holds. Raises FileNotFoundError where it cannot be read, saying what the call expects."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError) as error:
        given = os.fspath(path)
        shown = given if len(given) <= 200 else given[:200] + "…"
        reason = getattr(error, "strerror", None) or str(error)
        raise FileNotFoundError("%s: no file can be read at %r (%s): expected %s" % (call, shown, reason, wanted)) from None


def text_of(data: Any, endings: Tuple[str, ...]) -> str:
    """The text of a string, bytes, an open file, or a path with one of the endings."""
    if hasattr(data, "read"):
        data = data.read()
    if isinstance(data, bytes):
        return data.decode("utf-8", "replace")
    if isinstance(data, os.PathLike) or (isinstance(data, str) and data.lower().endswith(endings) and os.path.exists(data)):
        with open(data, encoding="utf-8", errors="replace") as file:
            return file.read()
    return str(data)


def wave_of(samples: Any, rate: int) -> bytes:
    """Samples from -1 to 1, or frames of them, as a 16-bit WAV file."""
    import struct
    import wave

    loudest = 32767.0
    kind = str(getattr(samples, "dtype", ""))
    if kind.rpartition(".")[2] in ("int16", "int32", "int64"):
        # whole numbers are samples already, of 16 or 32 bits
        loudest = 1.0 if "int16" in kind else 2.0**-16 if "int32" in kind else 1.0
    if hasattr(samples, "tolist"):
        samples = samples.tolist()
    frames = [list(frame) if isinstance(frame, (list, tuple)) else [frame] for frame in samples]
    flat = [max(-32768, min(32767, int(round(value * loudest)))) for frame in frames for value in frame]
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(len(frames[0]) if frames else 1)
        file.setsampwidth(2)
        file.setframerate(int(rate))
        file.writeframes(struct.pack("<%dh" % len(flat), *flat))
    return buffer.getvalue()
