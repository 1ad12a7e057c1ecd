"""From what a program has to bytes: pictures, files, text, sound."""

from __future__ import annotations

import io
import mimetypes
import os
from typing import Any, Optional, Tuple

from .pixels import png_of


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
        (data if mode is None else data.convert(mode)).save(buffer, format="PNG")
        return buffer.getvalue(), "image/png", (data.size[0], data.size[1])
    content, size = png_of(data)
    return content, "image/png", size


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

    if hasattr(samples, "tolist"):
        samples = samples.tolist()
    frames = [list(frame) if isinstance(frame, (list, tuple)) else [frame] for frame in samples]
    flat = [max(-32768, min(32767, int(round(value * 32767)))) for frame in frames for value in frame]
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(len(frames[0]) if frames else 1)
        file.setsampwidth(2)
        file.setframerate(int(rate))
        file.writeframes(struct.pack("<%dh" % len(flat), *flat))
    return buffer.getvalue()
