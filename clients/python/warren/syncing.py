"""Sends journals that no program sends: of offline runs, and of programs that died."""

from __future__ import annotations

import os
import threading
from typing import Any, Dict, List, NamedTuple, Optional

from .aside import read_aside
from .delivery import Delivery, RunEnded
from .journal import SendingLock, find_journals, read_position, read_records
from .reopening import send_whole
from .transport import Refused, Transport, Unreachable
from .values import warn


class Synced(NamedTuple):
    """What became of one journal."""

    path: str
    #: sent, nothing new, in use, no room, refused
    outcome: str
    detail: str = ""
    #: Of the run's page, where something was sent.
    url: Optional[str] = None


def sync_journal(path: str, server: Optional[str], token: Optional[str], project: Optional[str] = None) -> Synced:
    """Sends what is new in a journal, to the server that it names unless another is given. Raises Unreachable.

    project: of a run that is made now; one that is there already stays where it is.
    """
    header = _header(path)
    if header is None:
        return Synced(path, "refused", "it does not begin with a run")
    lock = SendingLock(path)
    if not lock.try_acquire():
        return Synced(path, "in use", "its program sends it")
    transport = Transport(server or header["server"], token)
    try:
        delivery = Delivery(path, transport)
        delivery.project = project
        delivery.settle_server()
        before = delivery.position.offset
        send_whole(delivery, header)
        waited = len(delivery.aside.entries)
        delivery.retry_aside()
        unstored = delivery.aside.told()
        if unstored is not None:
            return Synced(path, "no room", unstored)
        if delivery.position.refused > 0:
            return Synced(path, "refused", "%d records stand in %s.refused" % (delivery.position.refused, path))
        if delivery.position.offset > before or waited:
            return Synced(path, "sent", _losses(delivery), _url_of(transport, delivery.run_id))
        return Synced(path, "nothing new", _losses(delivery))
    except (Refused, RunEnded) as error:
        return Synced(path, "refused", str(error))
    finally:
        transport.close()
        lock.release()


def _url_of(transport: Transport, run_id: Optional[str]) -> Optional[str]:
    """None where it cannot be had now: what was to be sent is sent all the same."""
    try:
        found = transport.graphql("query ($id: ID!) { run(id: $id) { number } }", {"id": run_id})["run"]
    except (Refused, Unreachable):
        return None
    return None if found is None else "%s/runs/%d" % (transport.url, found["number"])


def _losses(delivery: Delivery) -> str:
    """What the server does not get, since it is nowhere any more."""
    losses = []
    if delivery.position.damaged:
        losses.append("damaged lines of the journal, which are lost: %d" % delivery.position.damaged)
    if delivery.gone:
        losses.append("these files went to %s alone: %s" % (delivery.earlier_server, ", ".join(sorted(delivery.gone))))
    return "; ".join(losses)


def send_first(run_folder: str, transport: Transport) -> None:
    """Sends what a program that died left of a run, before another goes on with it: its steps and lines come first."""
    for path in find_journals(run_folder):
        if _is_left_behind(path):
            try:
                sync_journal(path, transport.url, transport.token)
            except Unreachable:
                return


def send_left_behind(folder: str, transport: Transport) -> None:
    """Sends, in a thread of its own, what programs that died left in this folder, and what a server has lost that was restored from a
    backup: journals that nobody holds."""
    left = [path for path in find_journals(folder) if _is_left_behind(path) or _is_lost(path, transport)]
    if left:
        threading.Thread(target=_send_all, args=(left, transport.token), name="warren left behind", daemon=True).start()


def _send_all(paths: List[str], token: Optional[str]) -> None:
    for path in paths:
        try:
            synced = sync_journal(path, None, token)
        except Unreachable:
            return
        except Exception as error:
            warn("%s is not sent: %s" % (path, error))
            continue
        if synced.outcome == "sent":
            warn("sent what an earlier program had left in %s" % path)


def _is_left_behind(path: str) -> bool:
    header = _header(path)
    return (
        header is not None
        and header.get("mode") == "online"
        and (read_position(path).offset < os.path.getsize(path) or bool(read_aside(path)))
        and _is_free(path)
    )


def _is_lost(path: str, transport: Transport) -> bool:
    """Whether the server had all of a journal before it was restored."""
    position = read_position(path)
    return position.server == transport.url and position.epoch != "" and transport.epoch not in ("", position.epoch) and _is_free(path)


def _is_free(path: str) -> bool:
    lock = SendingLock(path)
    free = lock.try_acquire()
    lock.release()
    return free


def _header(path: str) -> Optional[Dict[str, Any]]:
    try:
        records = read_records(path, 0, 65_536).records
    except OSError:
        return None
    first = records[0] if records else None
    return first[2] if isinstance(first, list) and first[0] == "run" and len(first) > 2 else None
