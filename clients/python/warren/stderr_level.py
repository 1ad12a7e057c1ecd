"""How serious a line of a program's stderr says that it is, as `src/base/lib/stderrLevel.ts` tells it."""

from __future__ import annotations

import re

_LEVELS = {
    **dict.fromkeys(("DEBUG", "TRACE"), "debug"),
    **dict.fromkeys(("INFO", "NOTICE", "I"), "info"),
    **dict.fromkeys(("WARNING", "WARN", "W"), "warn"),
    **dict.fromkeys(("ERROR", "CRITICAL", "FATAL", "E", "F"), "error"),
}

# A level is looked for in this many characters.
_HEAD_LENGTH = 120
# After a time, brackets and the name of a logger: `INFO:root:`, `[2026-01-02 03:04:05][WARN]`, `... - train - ERROR - `.
_NAMED = re.compile(
    r"[\s\d[\](){}|<>.,:/TZ+-]*(?:[\w.]+ - )?(DEBUG|TRACE|INFO|NOTICE|WARNING|WARN|ERROR|CRITICAL|FATAL)(?=[\s\]:|,)>-]|$)"
)
# glog, as in `W0102 03:04:05`, and TensorFlow, as in `2026-01-02 03:04:05.6: I tensorflow/...`.
_LETTER = re.compile(r"(?:(?=[IWEF]\d{4} )|[\d\-:. ]+: (?=[IWEF] ))([IWEF])")
# Python's `warnings`: `train.py:3: UserWarning: ...`; compilers and others: `warning: ...`.
_WARNING = re.compile(r"(?:\S+:\d+: )?(?:\w*Warning|warning):")
# The beginning and the end of what Python and Node print when a program fails.
_FAILURE = re.compile(
    r"(?:Traceback \(|During handling of the above exception|The above exception was|Uncaught "
    r"|[\w.]*(?:Error|Exception|KeyboardInterrupt|SystemExit)(?::|$|\s\[))|error:"
)


class StderrLevels:
    """Tells of each line in turn how serious it is. What says nothing, such as a progress bar, is no warning; indented
    lines after an error belong to it."""

    def __init__(self) -> None:
        self._in_error = False

    def level_of(self, line: str) -> str:
        head = line[:_HEAD_LENGTH]
        if self._in_error and (not head.strip() or head[0].isspace()):
            return "error"
        said = _NAMED.match(head) or _LETTER.match(head)
        if said:
            level = _LEVELS[said.group(1)]
        elif _FAILURE.match(head):
            level = "error"
        else:
            level = "warn" if _WARNING.match(head) else "info"
        self._in_error = level == "error"
        return level
