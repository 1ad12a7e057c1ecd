"""Calls that the server answers the same however often they are sent, since they have a key."""

from __future__ import annotations

import time
import uuid
from typing import Any, Dict

from .transport import Transport, Unreachable

#: Seconds before each try after the first.
_WAITS = (0.5, 1.0, 2.0)


def new_key() -> str:
    """A key by which the server knows one call, and makes what it asks for once."""
    return uuid.uuid4().hex


def asked_once(transport: Transport, query: str, variables: Dict[str, Any]) -> Any:
    """The data of the answer to a call with a key: it is sent again where the answer is lost. Raises Unreachable or Refused."""
    for tried, wait in enumerate(_WAITS):
        try:
            return transport.graphql(query, variables)
        except Unreachable as lost:
            # no server was there from the start
            if tried == 0 and isinstance(lost.__cause__, ConnectionRefusedError):
                raise
            time.sleep(wait)
    return transport.graphql(query, variables)
