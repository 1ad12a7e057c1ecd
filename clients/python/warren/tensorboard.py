"""What a program writes for TensorBoard goes to its run as well: `init(sync_tensorboard=True)`."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import os
import re
from typing import Any, Callable, Dict, List, Optional, Tuple

from .ending import open_runs
from .logged import media_by_name, texts_of, told
from .media import MOST_BINS, Audio, Histogram, Image
from .run import Run
from .values import numbers_of, warn, warn_once

#: Where PyTorch's SummaryWriter and tensorboardX hand each event to its file, by the package that brings it.
_WRITERS = {"tensorboard": "tensorboard.summary.writer.event_file_writer", "tensorboardX": "tensorboardX.event_file_writer"}
#: Where the messages lie that `add_hparams` writes.
_HPARAMS = ("tensorboard.plugins.hparams.plugin_data_pb2", "tensorboardX.proto.plugin_hparams_pb2")
#: `add_hparams` writes into a folder that is named after the time.
_TIME = re.compile(r"\d{9,}\.\d+")

#: The newest run that asked is the last one.
_followers: List["_Follower"] = []
#: Whether `patch` was called, and the folder that it was given.
_asked = False
_root: Optional[str] = None


def patch(root_logdir: Optional[str] = None, **_ignored: Any) -> None:
    """Has the runs that are open, or the next one, log what is written for TensorBoard below `root_logdir`, as W&B's function does."""
    global _asked, _root
    _asked, _root = True, root_logdir
    for run in open_runs()[-1:]:
        follow(run)


def wanted(sync_tensorboard: Any) -> bool:
    """Whether a run that begins follows what is written for TensorBoard."""
    return _asked if sync_tensorboard is None else bool(sync_tensorboard)


def follow(run: Run) -> None:
    """Has a run log until its end what `SummaryWriter` of PyTorch and of tensorboardX writes: scalars, images, histograms, sound,
    texts and hyperparameters.

    The names of writers in folders below that of the first one, or below the one that `patch` was given, begin with their path in it.
    """
    copied = False
    for package, name in _WRITERS.items():
        if importlib.util.find_spec(package) is None:
            continue
        try:
            _copy_events(importlib.import_module(name).EventFileWriter)
            copied = True
        except Exception as error:  # a folder of this name, or one that is broken: the other one may do
            warn_once("sync_tensorboard: %s cannot be imported: %s: %s" % (package, type(error).__name__, error))
    if not copied:
        warn("sync_tensorboard: neither tensorboard nor tensorboardX is installed: nothing is written that could be logged")
    before = [follower for follower in _followers if not follower.run._finished and follower.run is not run]
    _followers[:] = [*before, _Follower(run, _root)]


def _copy_events(writer: Any) -> None:
    add_event = writer.add_event
    if hasattr(add_event, "_warren"):
        return

    @functools.wraps(add_event)
    def add_and_log(self: Any, event: Any, *others: Any, **options: Any) -> Any:
        answer = add_event(self, event, *others, **options)
        _take(str(getattr(self, "_logdir", "")), event)
        return answer

    add_and_log._warren = True  # type: ignore[attr-defined]
    writer.add_event = add_and_log


def _take(folder: str, event: Any) -> None:
    try:
        follower = next((one for one in reversed(_followers) if not one.run._finished), None)
        if follower is not None and follower.run._owner == os.getpid():
            follower.take(folder, event)
    except Exception as error:  # the training goes on
        warn_once("sync_tensorboard: an event could not be logged: %s: %s" % (type(error).__name__, error))


class _Follower:
    """What has come of one run's writers."""

    def __init__(self, run: Run, root: Optional[str]) -> None:
        self.run = run
        self._root = os.path.abspath(root) if root else None
        #: The plugin that reads a name's tensors: only its first event need say so.
        self._plugins: Dict[str, str] = {}
        #: The step of the next value of a name that comes without any, which TensorBoard writes as step 0; none for names with steps.
        self._unstepped: Dict[str, Optional[int]] = {}
        #: As they were when the folder was first written to: the program may change its own.
        self._prefixes: Dict[str, str] = {}

    def take(self, folder: str, event: Any) -> None:
        if folder not in self._prefixes:
            self._prefixes[folder] = self._prefix(folder)
        prefix = self._prefixes[folder]
        for value in event.summary.value:
            plugin = value.metadata.plugin_data.plugin_name
            if plugin == "hparams":
                self.run.config.update(_hyperparameters(value.metadata.plugin_data.content))
                continue
            name = prefix + value.tag
            plugin = self._plugins.setdefault(name, plugin)
            found = _logged(value, plugin)
            if found is not None:
                name = name[: -len("/text_summary")] if name.endswith("/text_summary") else name
                self._log(name, found, self._step(name, event.step))

    def _log(self, name: str, found: Any, step: int) -> None:
        """As `Run.log` does, but what waits there for the program's own next call goes on waiting."""
        others: Dict[str, Any] = {}
        numbers = numbers_of({name: found}, others)
        media = media_by_name(told(others)) if others else {}
        self.run.summary._take({**numbers, **texts_of(others)})
        with self.run._lock:
            self.run.step = max(self.run.step, step + 1)
        self.run._write_at(step, numbers, media)

    def _prefix(self, folder: str) -> str:
        folder = os.path.abspath(folder)
        if self._root is None:
            self._root = folder
        if folder == self._root or _TIME.fullmatch(os.path.basename(folder)):
            return ""
        inside = folder.startswith(os.path.join(self._root, ""))
        place = os.path.relpath(folder, self._root) if inside else os.path.basename(folder)
        return place.replace(os.sep, "/") + "/"

    def _step(self, name: str, step: int) -> int:
        """The event's step; values without any are counted."""
        if step != 0:
            self._unstepped[name] = None
            return max(0, step)
        own = self._unstepped.get(name, self.run._first)
        self._unstepped[name] = None if own is None else own + 1
        return own or 0


def _logged(value: Any, plugin: str) -> Any:
    """What `Run.log` takes for a value of a summary; None where there is nothing to show, as for graphs and meshes."""
    kind = value.WhichOneof("value")
    if kind == "simple_value":
        return value.simple_value
    if kind == "image":
        return Image(value.image.encoded_image_string)
    if kind == "audio":
        return Audio(value.audio.encoded_audio_string)
    if kind == "histo":
        histogram = value.histo
        limits = [min(max(limit, histogram.min), histogram.max) for limit in histogram.bucket_limit]
        return _histogram([histogram.min, *limits], list(histogram.bucket)) if limits else None
    if kind == "tensor":
        return _logged_tensor(value.tensor, plugin)
    return None


def _logged_tensor(tensor: Any, plugin: str) -> Any:
    texts = tensor.string_val
    if plugin == "scalars":
        numbers = tensor.float_val or tensor.double_val
        return numbers[0] if numbers else None
    if plugin == "text":
        return "\n".join(text.decode("utf-8", "replace") for text in texts) if texts else None
    # width and height come before the images
    if plugin == "images":
        return [Image(picture) for picture in texts[2:]] or None
    return None


def _histogram(edges: List[float], counts: List[float]) -> Histogram:
    """Neighboring bins together until there are no more than are kept."""
    width = -(-len(counts) // MOST_BINS)
    few = [sum(counts[start : start + width]) for start in range(0, len(counts), width)]
    return Histogram(np_histogram=(few, [*edges[:-1:width], edges[-1]]))


def _hyperparameters(content: bytes) -> Dict[str, Any]:
    for name in _HPARAMS:
        try:
            read: Callable[[bytes], Any] = importlib.import_module(name).HParamsPluginData.FromString
        except ImportError:
            continue
        pairs: List[Tuple[str, Any]] = [
            (key, getattr(value, value.WhichOneof("kind"))) for key, value in read(content).session_start_info.hparams.items()
        ]
        # they are kept as floats
        return {key: int(value) if isinstance(value, float) and value.is_integer() else value for key, value in pairs}
    return {}
