"""Sends a journal whose run has ended meanwhile: another program with the same id came first."""

from __future__ import annotations

from typing import Any, Dict, Optional

from .delivery import Delivery, RunEnded
from .mutations import FINISH_RUN, RESUME_RUN

_FIND = "query ($run: ID!) { run(id: $run) { state error { message } } }"


def send_whole(delivery: Delivery, header: Dict[str, Any]) -> None:
    """Sends a journal to its end; a run that another program has ended goes on for it. Raises Unreachable, Refused, RunEnded."""
    ended: Optional[Dict[str, Any]] = None
    resumes = bool(header.get("resume"))
    while True:
        try:
            if not delivery.send_some():
                break
        except RunEnded:
            if ended is not None:
                raise
            if not resumes and delivery.is_all_there():
                break
            ended = _reopen(delivery, resumes)
            if ended is None:
                raise
    # a program that went on with the run says itself how it ends
    if ended is not None and not delivery.position.ended and not (resumes and header.get("mode") == "offline"):
        message = (ended["error"] or {}).get("message")
        delivery.transport.graphql(FINISH_RUN, {"run": delivery.run_id, "state": ended["state"], "message": message})


def _reopen(delivery: Delivery, resumes: bool) -> Optional[Dict[str, Any]]:
    """How the run had ended; None where it stays ended, since somebody cancelled it and the program did not ask to go on."""
    run = delivery.transport.graphql(_FIND, {"run": delivery.run_id})["run"]
    begins = resumes and delivery.position.offset == 0
    if run is None or (run["state"] not in ("SUCCEEDED", "FAILED") and not begins):
        return None
    delivery.transport.graphql(RESUME_RUN, {"run": delivery.run_id})
    delivery.goes_on()
    return dict(run)
