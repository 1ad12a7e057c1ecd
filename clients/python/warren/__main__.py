"""`python -m warren sync [FOLDER …]` sends what offline or dead programs have left; `agent SWEEP` executes trials."""

from __future__ import annotations

import argparse
import os
import sys
from typing import List, Optional

from .agent import agent
from .journal import find_journals
from .syncing import sync_journal
from .transport import Unreachable


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m warren", description="The client of Warren.")
    commands = parser.add_subparsers(dest="command", required=True)
    sync = commands.add_parser("sync", help="send journals of offline or dead programs; again and again is harmless")
    sync.add_argument("folders", nargs="*", default=["warren-runs"], help="folders with journals (default: warren-runs)")
    sync.add_argument("--server", default=os.environ.get("WARREN_API_URL"), help="default: the server of the journal")
    sync.add_argument("--project", help="of the runs that are made, instead of the one that their programs named")
    sync.add_argument("--token", default=os.environ.get("WARREN_TOKEN"))
    executing = commands.add_parser("agent", help="execute trials of a sweep whose file names a program or a command")
    executing.add_argument("sweep", help="its number")
    executing.add_argument("--count", type=int, help="trials at most; default: until it has no more")
    executing.add_argument("--server", default=os.environ.get("WARREN_API_URL"))
    executing.add_argument("--token", default=os.environ.get("WARREN_TOKEN"))
    options = parser.parse_args(arguments)
    return _agent(options) if options.command == "agent" else _sync(options)


def _agent(options: argparse.Namespace) -> int:
    try:
        agent(options.sweep, count=options.count, server=options.server, token=options.token)
    except ValueError as error:
        print("warren: %s" % error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _sync(options: argparse.Namespace) -> int:
    journals = [path for folder in options.folders for path in find_journals(folder)]
    if not journals:
        print("warren: no journal in %s" % ", ".join(options.folders), file=sys.stderr)
        return 2
    failed = 0
    for path in journals:
        try:
            synced = sync_journal(path, options.server, options.token, options.project)
        except Unreachable as error:
            print("warren: %s" % error, file=sys.stderr)
            return 1
        except (ValueError, OSError) as error:
            print("warren: %s: %s" % (path, error), file=sys.stderr)
            failed += 1
            continue
        failed += synced.outcome in ("refused", "no room")
        to = "" if synced.url is None else " to %s" % synced.url
        print("%s: %s%s%s" % (path, synced.outcome, to, " (%s)" % synced.detail if synced.detail else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
