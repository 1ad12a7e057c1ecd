"""Stops the main thread from another one, as Ctrl-C does."""

from __future__ import annotations

import ctypes
import signal
import threading

import _thread


def interrupt_main_thread() -> None:
    """Raises KeyboardInterrupt in the main thread, also in a program that was started in the background.

    A shell has such programs ignore Ctrl-C, and Python then has no handler that `interrupt_main` could call. What waits in the
    system, as `time.sleep` does, is interrupted with a handler only; without one it ends first.
    """
    if callable(signal.getsignal(signal.SIGINT)):
        _thread.interrupt_main()
        return
    main = ctypes.c_ulong(threading.main_thread().ident or 0)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(main, ctypes.py_object(KeyboardInterrupt))
