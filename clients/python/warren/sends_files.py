"""Sends files, things to look at, and the versions that are made of them."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Optional

from .aside import NO_ROOM, Aside
from .channel import Channel
from .journal import remove_file
from .mutations import LOG_MEDIA, REGISTER_VERSION
from .transport import Refused, Unreachable

MOST_MEDIA = 200


class SendsFiles(Channel):
    """The part of `Delivery` that sends what lies beside the journal."""

    def _send_media(self, records: List[Any]) -> None:
        """Contents first, then the records that name them: what is sent twice changes nothing."""
        for start in range(0, len(records), MOST_MEDIA):
            self._send_some_media(records[start : start + MOST_MEDIA])

    def _send_some_media(self, records: List[Any]) -> None:
        items: List[Dict[str, Any]] = []
        kept: List[str] = []
        for record in records:
            _type, name, step, time_ms, things = record
            for thing in things:
                if "file" in thing:
                    path = os.path.join(os.path.dirname(self.journal_path), thing["file"])
                    if not self._send_content(record, path, thing):
                        continue
                    kept.append(path)
                item = {key: value for key, value in thing.items() if key not in ("file", "type")}
                items.append({"name": name, "step": step, "time": time_ms, **item})
        for start in range(0, len(items), MOST_MEDIA):
            part = items[start : start + MOST_MEDIA]
            if self._ask(LOG_MEDIA, {"run": self.run_id, "items": part}, None) is None:
                # one of them is refused: find out which, so that all others arrive
                for item in part:
                    self._ask(LOG_MEDIA, {"run": self.run_id, "items": [item]}, ["media item", item])
        for path in kept:
            remove_file(path)

    def _send_content(self, record: List[Any], path: str, thing: Dict[str, Any]) -> bool:
        """Whether the server has it."""
        sha256 = thing["sha256"]
        if sha256 in self._contents:
            return True
        try:
            self.transport.upload(str(self.run_id), "media/" + sha256, path, thing["type"])
        except FileNotFoundError:
            # uploaded before the position was written, unless another server has got it
            if self.earlier_server is not None:
                self.gone.add(record[1])
                return False
        except Refused as refused:
            self._judge(refused, record)
            return False
        self._contents.add(sha256)
        return True

    def retry_aside(self) -> None:
        """Sends what there was no room for, as far as there is now. Raises Unreachable, RunEnded."""
        for waiting in list(self.aside.entries):
            kind, version = waiting.record[:2]
            if kind == "artifact":
                self._upload(waiting.record, waiting)
            elif not self.aside.holds_files_of(version):
                self._tell_registry(REGISTER_VERSION, {"input": {**version, "runId": self.run_id}}, waiting.record)
                self.aside.remove(waiting)

    def _upload(self, record: List[Any], waiting: Optional[Aside] = None) -> None:
        _kind, name, kept, media_type = record
        path = os.path.join(os.path.dirname(self.journal_path), kept)
        try:
            self.transport.upload(str(self.run_id), name, path, media_type, waiting.since if waiting else None)
        except FileNotFoundError:
            # uploaded before the position was written, unless another server has got it
            if self.earlier_server is not None and name not in self._here:
                self.gone.add(name)
        except Refused as refused:
            if refused.code in NO_ROOM:
                self.aside.add(record, str(refused), waiting)
                return
            self._judge(refused, record)
        else:
            remove_file(path)
        if waiting is not None:
            self.aside.remove(waiting)

    def _tell_registry(self, query: str, variables: Dict[str, Any], record: List[Any]) -> None:
        """A conflict is one over names here, not the end of the run."""
        try:
            self.transport.graphql(query, variables)
        except Refused as refused:
            self._check_epoch()
            if refused.code == "UNAUTHENTICATED":
                raise Unreachable(str(refused)) from refused
            self._refuse(record, str(refused))
