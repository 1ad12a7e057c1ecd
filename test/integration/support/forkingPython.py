"""Imports the modules named by its arguments after the first, once, and forks for each program it is told of: a line of JSON on standard
input with `id`, `script`, `arguments`, `folder` and `environment`. A program's output goes over two connections to the socket that the
first argument names, each begun by a line with the program's id and the number of the stream. Its start and its end are told on
standard output.

A program is executed where this one would end, so that the interpreter's own end, of exit codes and of what was not caught, is its own.
"""
import contextlib
import importlib
import json
import os
import select
import signal
import socket
import sys
import types


def connected(path, program, stream):
    """The connection that a stream of a program goes over."""
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    connection.sendall(b"%d %d\n" % (program, stream))
    return connection


def next_program():
    """Forks for each program; returns what is asked of it in its own process, and None in this one when standard input ends."""
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    ids, waiting, events = {}, b"", sys.stdout
    while True:
        ready, _, _ = select.select([0, woken], [], [])
        if woken in ready:
            os.read(woken, 4096)
            while ids:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    break
                events.write("%s\n" % json.dumps({"id": ids.pop(pid), "status": os.waitstatus_to_exitcode(status)}))
        if 0 not in ready:
            continue
        got = os.read(0, 1 << 20)
        if not got:
            return None
        *lines, waiting = (waiting + got).split(b"\n")
        for asked in map(json.loads, lines):
            streams = {stream: connected(sys.argv[1], asked["id"], stream) for stream in (1, 2)}
            pid = os.fork()
            if pid == 0:
                os.setpgid(0, 0)
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                os.close(woken), os.close(wake)
            for stream, connection in streams.items():
                if pid == 0:
                    os.dup2(connection.fileno(), stream)
                connection.close()
            if pid == 0:
                return asked
            with contextlib.suppress(OSError):
                os.setpgid(pid, pid)
            ids[pid] = asked["id"]
            events.write("%s\n" % json.dumps({"id": asked["id"], "pid": pid}))


for module in sys.argv[2:]:
    importlib.import_module(module)
asked = next_program()
if asked is not None:
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.environ.clear()
    os.environ.update(asked["environment"])
    os.chdir(asked["folder"])
    # as of `python3 -c`
    sys.argv = ["-c", *asked["arguments"]]
    sys.path[0] = ""
    sys.modules["__main__"] = types.ModuleType("__main__")
    exec(compile(asked["script"], "<string>", "exec"), sys.modules["__main__"].__dict__)
