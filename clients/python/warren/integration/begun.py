"""The run that an integration logs to: the one that is open, or else one of its own."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional

import warren


class Begun:
    """Goes on with the run that the program has opened, which stays open; without one it begins a run, and ends it.

    `options` are those of `warren.init`. What comes after the end of a run of its own, such as a test, goes on with that one.
    """

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.options: Dict[str, Any] = dict(options)
        self.run: Optional[warren.Run] = None
        self._own = False

    def begin(self, config: Any = None) -> warren.Run:
        """The run. Raises ValueError as `warren.init` does."""
        if self.run is not None and not self.run._finished:
            if config:
                self.run.config.update(config)
            return self.run
        opened = warren.run
        if opened is not None and not opened._finished and self.options.get("id") in (None, opened.id):
            self.run, self._own = opened, False
            for given in (self.options.get("config"), config):
                if given:
                    opened.config.update(given)
            return opened
        own = self.options.pop("config", None)
        self.run, self._own = warren.init(config=own, **self.options), True
        if config:
            self.run.config.update(config)
        self.options.update(id=self.run.id, resume="allow", project=self.run.project)
        return self.run

    def end(self, exit_code: int = 0, error: Optional[str] = None) -> None:
        """The training is over."""
        run, self.run = self.run, None
        if run is not None and self._own:
            run.finish(exit_code, error)
