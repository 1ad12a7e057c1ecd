"""Histograms of a PyTorch model's gradients and parameters while it is trained."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Mapping, Optional

from .media import Histogram
from .values import warn


class Watches:
    """The part of `Run` that watches models."""

    _hooks: Optional[List[Any]] = None

    def log(self, data: Mapping[str, Any], step: Optional[int] = None, commit: Optional[bool] = None) -> None:
        raise NotImplementedError

    def watch(self, models: Any, criterion: Any = None, log: Optional[str] = "gradients", log_freq: int = 1000, idx: Any = None, **_ignored: Any) -> None:
        """Logs histograms of gradients with the next `log`, at every `log_freq`-th backward pass of each parameter.

        log: "gradients", "parameters" (at every `log_freq`-th forward pass), "all", or None for nothing.
        """
        if log not in ("gradients", "parameters", "all", None):
            raise ValueError("watch: log %r is not one of gradients, parameters, all, None" % (log,))
        if self._hooks is None:
            self._hooks = []
        several = models if isinstance(models, (list, tuple)) else [models]
        for place, model in enumerate(several):
            if not hasattr(model, "named_parameters"):
                warn("watch: a %s has no named_parameters: nothing of it is recorded" % type(model).__name__)
                continue
            prefix = "graph_%d" % (place if idx is None else idx) if len(several) > 1 or idx else ""
            if log in ("gradients", "all"):
                self._watch_gradients(model, prefix, log_freq)
            if log in ("parameters", "all"):
                self._watch_parameters(model, prefix, log_freq)

    def unwatch(self, models: Any = None) -> None:
        """Watches no model any more."""
        for hook in self._hooks or ():
            hook.remove()
        self._hooks = None

    def _watch_gradients(self, model: Any, prefix: str, every: int) -> None:
        for name, parameter in model.named_parameters():
            if parameter.requires_grad:
                take = _every(every, lambda gradient, name=prefix + name: self._take_histograms({"gradients/" + name: gradient}))
                self._hooks.append(parameter.register_hook(take))  # type: ignore[union-attr]

    def _watch_parameters(self, model: Any, prefix: str, every: int) -> None:
        def take(*_call: Any) -> None:
            self._take_histograms({"parameters/" + prefix + name: parameter for name, parameter in model.named_parameters()})

        self._hooks.append(model.register_forward_hook(_every(every, take)))  # type: ignore[union-attr]

    def _take_histograms(self, tensors: Mapping[str, Any]) -> None:
        found: Dict[str, Any] = {}
        for name, tensor in tensors.items():
            dense = tensor.to_dense() if getattr(tensor, "is_sparse", False) else tensor
            found[name] = Histogram(dense)
        self.log(found, commit=False)


def _every(count: int, call: Callable[..., None]) -> Callable[..., None]:
    """A call that passes every `count`-th one on."""
    seen = 0

    def counted(*arguments: Any) -> None:
        nonlocal seen
        seen += 1
        if seen % max(1, count) == 0:
            call(*arguments)

    return counted
