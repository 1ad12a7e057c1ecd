"""Samples what a program uses of its machine, as metrics `system/*` whose step is the second of the run."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
import time
from typing import Callable, Dict, Optional

SAMPLE_SECONDS = 10.0
_MEBIBYTE = 1024 * 1024
_GPU_FIELDS = (("utilization.gpu", "percent"), ("memory.used", "memory_mb"), ("power.draw", "watts"), ("temperature.gpu", "celsius"))


class MachineSampler:
    """Calls `take(second, numbers)` every few seconds in a thread of its own.

    process: whether processor and memory of this process are sampled, which a worker does for what it executes.
    """

    def __init__(self, take: Callable[[int, Dict[str, float]], None], started: float, process: bool) -> None:
        self._take = take
        self._process = process
        self._started = started
        self._stop = threading.Event()
        self._gpu = shutil.which("nvidia-smi")
        self._thread = threading.Thread(target=self._work, name="warren machine", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()

    def _work(self) -> None:
        processor, clock = time.process_time(), time.monotonic()
        while not self._stop.wait(SAMPLE_SECONDS):
            spent, now = time.process_time(), time.monotonic()
            numbers = self._gpus()
            if self._process:
                numbers["system/cpu_percent"] = 100 * (spent - processor) / (now - clock)
                memory = resident_bytes()
                if memory is not None:
                    numbers["system/memory_mb"] = memory / _MEBIBYTE
            processor, clock = spent, now
            if numbers:
                self._take(int(time.time() - self._started), numbers)

    def _gpus(self) -> Dict[str, float]:
        if self._gpu is None:
            return {}
        query = ",".join(field for field, _name in _GPU_FIELDS)
        try:
            done = subprocess.run(
                [self._gpu, "--query-gpu=" + query, "--format=csv,noheader,nounits"],
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=5,
            )
        except (OSError, subprocess.TimeoutExpired):
            return {}
        numbers: Dict[str, float] = {}
        for index, line in enumerate(done.stdout.decode("ascii", "replace").splitlines()):
            for (_field, name), text in zip(_GPU_FIELDS, line.split(",")):
                try:
                    numbers["system/gpu%d/%s" % (index, name)] = float(text)
                except ValueError:
                    continue  # "[N/A]"
        return numbers


def resident_bytes() -> Optional[int]:
    """Memory of this process that is in RAM; None where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None
