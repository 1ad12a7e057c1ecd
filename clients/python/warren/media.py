"""What can be logged to look at: images, tables, histograms, pages, sound, charts, arrays."""

from __future__ import annotations

import io
import json
import math
import os
from typing import Any, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from .bins import counts_of, flat_numbers
from .contents import file_at, file_of, gif_of, picture_of, text_of, wave_of
from .shown import table_shown
from .plain import plain_json
from .values import number_of, warn_once

#: Bins of a histogram at most.
MOST_BINS = 512
#: Characters of a text that need no file of their own; of a longer one so many stand in its metadata.
SHORT_TEXT = 5000


class Packed(NamedTuple):
    """A thing to look at as it goes into the journal and to the server."""

    kind: str
    caption: str
    metadata: Dict[str, Any]
    #: None where the metadata is all of it.
    content: Optional[bytes]
    media_type: str = "application/octet-stream"


class Media:
    """What all things to look at have in common."""

    caption: str = ""

    def packed(self) -> Packed:
        """The thing as bytes, taken now: what the program does to it afterwards changes nothing."""
        raise NotImplementedError


class Image(Media):
    """A picture: a path, bytes of a file, a NumPy array or tensor, a PIL image or a matplotlib figure.

    Arrays are (height, width), (height, width, channels) or, for tensors, (channels, height, width), with 1, 3 or 4
    channels: whole numbers from 0 to 255 or floats from 0 to 1. Other ranges, as of 16 bits or below 0, are brought to that one.
    """

    def __init__(self, data_or_path: Any, mode: Optional[str] = None, caption: Optional[str] = None, **others: Any) -> None:
        for name in sorted(name for name in ("masks", "boxes") if others.get(name)):
            warn_once("Image: %s are not drawn and not kept: draw them into the picture, or log their numbers as a Table" % name)
        self.caption = str(caption or "")
        self._content, self._type, self._size = picture_of(data_or_path, mode)

    def packed(self) -> Packed:
        size = {} if self._size is None else {"width": self._size[0], "height": self._size[1]}
        return Packed("image", self.caption, size, self._content, self._type)


class Table(Media):
    """Rows under column names. `data` is a list of rows, `dataframe` a pandas DataFrame."""

    def __init__(
        self,
        columns: Optional[Sequence[Any]] = None,
        data: Any = None,
        rows: Any = None,
        dataframe: Any = None,
        **_ignored: Any,
    ) -> None:
        data = rows if data is None else data
        if dataframe is None and hasattr(data, "columns") and hasattr(data, "values"):
            dataframe = data
        if dataframe is not None:
            columns = list(dataframe.columns)
            data = dataframe.values.tolist()
        elif hasattr(data, "tolist"):
            data = data.tolist()
        found = [list(row) for row in (data or [])]
        if columns is None:
            columns = ["Input", "Output", "Expected"] if not found else ["column %d" % i for i in range(len(found[0]))]
        self.columns: List[str] = [str(column) for column in columns]
        self.data: List[List[Any]] = []
        for row in found:
            self.add_data(*row)

    def add_data(self, *cells: Any) -> None:
        """Adds a row."""
        if len(cells) != len(self.columns):
            raise ValueError("Table: a row has %d cells, %d columns are declared" % (len(cells), len(self.columns)))
        self.data.append(list(cells))

    add_row = add_data

    def get_column(self, name: str, convert_to: Optional[str] = None) -> Any:
        """The cells of a column; `convert_to="numpy"` gives an array."""
        place = self.columns.index(name)
        cells = [row[place] for row in self.data]
        if convert_to != "numpy":
            return cells
        import numpy

        return numpy.array(cells)

    def get_dataframe(self) -> Any:
        """A DataFrame of pandas."""
        import pandas

        return pandas.DataFrame(self.data, columns=self.columns)

    def iterrows(self) -> Iterator[Tuple[int, List[Any]]]:
        """Rows with their places."""
        return iter(list(enumerate(self.data)))

    def _repr_html_(self) -> str:
        return table_shown(self.columns, self.data)

    def add_column(self, name: str, data: Iterable[Any]) -> None:
        """Adds a column with a cell for each row."""
        cells = list(data)
        if self.data and len(cells) != len(self.data):
            raise ValueError("Table: column %r has %d cells, the table %d rows" % (name, len(cells), len(self.data)))
        self.data = [row + [cell] for row, cell in zip(self.data, cells)] if self.data else [[cell] for cell in cells]
        self.columns.append(str(name))

    def packed(self) -> Packed:
        data = [[_cell(cell) for cell in row] for row in self.data]
        metadata = {"columns": self.columns[:100], "rows": len(data)}
        return Packed("table", self.caption, metadata, _json({"columns": self.columns, "data": data}), "application/json")


class Histogram(Media):
    """Counts of values in bins: of a sequence of numbers, or of `(counts, edges)` as numpy.histogram returns them."""

    def __init__(self, sequence: Any = None, np_histogram: Any = None, num_bins: int = 64) -> None:
        if np_histogram is not None:
            counts, edges = (flat_numbers(part) for part in np_histogram)
        elif sequence is not None:
            if not 1 <= num_bins <= MOST_BINS:
                raise ValueError("Histogram: num_bins is %r, expected 1 to %d" % (num_bins, MOST_BINS))
            counts, edges = counts_of(sequence, num_bins)
        else:
            raise ValueError("Histogram: a sequence or np_histogram=(counts, edges) is wanted")
        if len(edges) != len(counts) + 1 or not 1 <= len(counts) <= MOST_BINS:
            raise ValueError("Histogram: %d counts and %d edges; expected one edge more, and 1 to %d counts" % (len(counts), len(edges), MOST_BINS))
        self.histogram, self.bins = counts, edges

    def packed(self) -> Packed:
        return Packed("histogram", self.caption, {"edges": self.bins, "counts": self.histogram}, None)


class Html(Media):
    """A page: its text, a path that ends in .html, or an open file. Scripts in it do not run when it is shown."""

    def __init__(self, data: Any, inject: bool = True, caption: Optional[str] = None, **_ignored: Any) -> None:
        self.caption = str(caption or "")
        self._text = text_of(data, (".html", ".htm"))

    def packed(self) -> Packed:
        return Packed("html", self.caption, {}, self._text.encode("utf-8", "replace"), "text/html")


class Text(Media):
    """Plain text."""

    def __init__(self, text: Any, caption: Optional[str] = None) -> None:
        self.caption = str(caption or "")
        self._text = str(text)

    def packed(self) -> Packed:
        content = self._text.encode("utf-8", "replace")
        beginning = {"text": content.decode()[:SHORT_TEXT]}
        return Packed("text", self.caption, beginning, content if len(self._text) > SHORT_TEXT else None, "text/plain")


class Audio(Media):
    """Sound: a path, the bytes of a file, or samples from -1 to 1 with their `sample_rate`, kept as 16-bit WAV."""

    def __init__(self, data_or_path: Any, sample_rate: Optional[int] = None, caption: Optional[str] = None) -> None:
        self.caption = str(caption or "")
        if isinstance(data_or_path, (str, os.PathLike, bytes, bytearray)):
            self._content, self._type = file_of(data_or_path, "audio/wav", "Audio", "the path or the bytes of a file, or samples")
        elif sample_rate is None:
            raise ValueError("Audio: samples need their sample_rate")
        else:
            self._content, self._type = wave_of(data_or_path, sample_rate), "audio/wav"

    def packed(self) -> Packed:
        return Packed("audio", self.caption, {}, self._content, self._type)


class Video(Media):
    """Moving pictures: the path or the bytes of an MP4, WebM or GIF file; or an array (time, channel, height, width) of numbers from 0
    to 255, kept as a GIF of `fps` pictures a second, for which Pillow is wanted."""

    def __init__(
        self, data_or_path: Any, caption: Optional[str] = None, fps: Optional[int] = None, format: Optional[str] = None, **_ignored: Any
    ) -> None:
        self.caption = str(caption or "")
        if hasattr(data_or_path, "shape"):
            self._content, self._type = gif_of(data_or_path, fps or 4), "image/gif"
            return
        if not isinstance(data_or_path, (str, os.PathLike, bytes, bytearray)):
            raise TypeError("Video: a path or the bytes of a file is wanted, not a %s" % type(data_or_path).__name__)
        self._content, self._type = file_of(data_or_path, "video/%s" % (format or "mp4"), "Video", "the path or the bytes of a file")

    def packed(self) -> Packed:
        kind = "image" if self._type.startswith("image/") else "video"
        return Packed(kind, self.caption, {}, self._content, self._type)


class Chart(Media):
    """A chart as JSON: a Vega-Lite specification or altair chart, a Plotly figure, or an ECharts option."""

    #: What it was drawn from, which is logged with it.
    table: Optional[Table] = None

    def __init__(self, spec: Any, kind: Optional[str] = None, caption: Optional[str] = None) -> None:
        self.caption = str(caption or "")
        for method in ("to_plotly_json", "to_dict"):
            if not isinstance(spec, (str, bytes, Mapping)) and hasattr(spec, method):
                spec = json.loads(spec.to_json()) if hasattr(spec, "to_json") else getattr(spec, method)()
        if isinstance(spec, (str, bytes)):
            spec = json.loads(spec)
        if not isinstance(spec, Mapping):
            raise TypeError("Chart: a mapping is wanted, not a %s" % type(spec).__name__)
        self._spec = dict(spec)
        self._kind = kind or _chart_kind(self._spec)
        if self._kind not in ("vegaLite", "plotly", "echarts"):
            raise ValueError("Chart: kind %r is not one of vegaLite, plotly, echarts" % (kind,))

    def packed(self) -> Packed:
        return Packed(self._kind, self.caption, {}, _json(plain_json(self._spec)), "application/json")


class Plotly(Chart):
    """A Plotly figure."""

    def __init__(self, figure: Any, caption: Optional[str] = None) -> None:
        super().__init__(figure, "plotly", caption)


class Array(Media):
    """A NumPy array, or the path of an .npy file."""

    def __init__(self, data_or_path: Any, caption: Optional[str] = None) -> None:
        self.caption = str(caption or "")
        if isinstance(data_or_path, (str, os.PathLike)):
            self._content = file_at(data_or_path, "Array", "an array, or the path of an .npy file")
            return
        import numpy

        buffer = io.BytesIO()
        numpy.save(buffer, numpy.asarray(data_or_path), allow_pickle=False)
        self._content = buffer.getvalue()

    def packed(self) -> Packed:
        return Packed("array", self.caption, {}, self._content, "application/x-npy")


def _chart_kind(spec: Mapping[str, Any]) -> str:
    if "vega" in str(spec.get("$schema", "")) or "mark" in spec:
        return "vegaLite"
    if isinstance(spec.get("data"), (list, tuple)):
        return "plotly"
    return "echarts" if "series" in spec else "vegaLite"


def _cell(value: Any) -> Any:
    if type(value) in (str, int, bool) or value is None:
        return value
    number = number_of(value)
    if number is not None:
        return number if not isinstance(number, float) or math.isfinite(number) else str(number)
    if isinstance(value, Media):
        return "(%s)" % value.packed().kind
    return plain_json(value)


def _json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()
