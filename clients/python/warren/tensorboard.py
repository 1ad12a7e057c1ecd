"""What a program writes for TensorBoard goes to its run as well: `init(sync_tensorboard=True)`."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import os
import re
from typing import Any, Callable, Dict, List, Optional, Tuple

from .ending import open_runs
from .media import MOST_BINS, Audio, Histogram, Image
from .run import Run
from .values import warn, warn_once

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
    return bool(sync_tensorboard) or _asked


def follow(run: Run) -> None:
    """Has a run log until its end what `SummaryWriter` of PyTorch and of tensorboardX writes: scalars, images, histograms, sound,
    texts and hyperparameters.

    The names of writers in folders below that of the first one, or below the one that `patch` was given, begin with their path in it.
    """
    found = [name for package, name in _WRITERS.items() if importlib.util.find_spec(package) is not None]
    if not found:
        warn("sync_tensorboard: neither tensorboard nor tensorboardX is installed: nothing is written that could be logged")
    for name in found:
        _copy_events(importlib.import_module(name).EventFileWriter)
    _followers.append(_Follower(run, _root))


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
    while _followers and _followers[-1].run._finished:
        _followers.pop()
    if not _followers or _followers[-1].run._owner != os.getpid():
        return
    try:
        _followers[-1].take(folder, event)
    except Exception as error:  # the training goes on
        warn_once("sync_tensorboard: an event could not be logged: %s: %s" % (type(error).__name__, error))


class _Follower:
    """What has come of one run's writers."""

    def __init__(self, run: Run, root: Optional[str]) -> None:
        self.run = run
        self._root = os.path.abspath(root) if root else None
        #: The plugin that reads a name's tensors: only its first event need say so.
        self._plugins: Dict[str, str] = {}
        #: How many values of a name came without a step, which TensorBoard writes as step 0.
        self._at_zero: Dict[str, int] = {}

    def take(self, folder: str, event: Any) -> None:
        prefix = self._prefix(folder)
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
                self.run.log({name: found}, step=self._step(name, event.step))

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
            return max(0, step)
        count = self._at_zero.get(name, 0)
        self._at_zero[name] = count + 1
        return count


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
