"""Calls that the server answers the same however often they are sent, since they have a key."""

from __future__ import annotations

import re
import time
import uuid
from typing import Any, Dict

from .transport import Refused, Transport, Unreachable

#: Seconds before each try after the first.
_WAITS = (0.5, 1.0, 2.0)
#: What a server says whose calls have no keys yet.
_KNOWS_NO_KEY = re.compile(r'Unknown argument "key"|Field "key" is not defined')


def new_key() -> str:
    """A key by which the server knows one call, and makes what it asks for once."""
    return uuid.uuid4().hex


def asked_once(transport: Transport, query: str, variables: Dict[str, Any]) -> Any:
    """The data of the answer to a call with a `key`: it is sent again where the answer is lost. Raises Unreachable or Refused.

    A server of an earlier version is asked without the key, and once.
    """
    try:
        return _asked_again(transport, query, variables)
    except Refused as refused:
        # it was refused as a whole, before anything was made
        if not _KNOWS_NO_KEY.search(str(refused)):
            raise
    plain = {name: value for name, value in variables.items() if name != "key"}
    if "input" in plain:
        plain["input"] = {name: value for name, value in plain["input"].items() if name != "key"}
    return transport.graphql(query.replace(", $key: String", "").replace(", key: $key", ""), plain)


def _asked_again(transport: Transport, query: str, variables: Dict[str, Any]) -> Any:
    for tried, wait in enumerate(_WAITS):
        try:
            return transport.graphql(query, variables)
        except Unreachable as lost:
            # no server was there from the start
            if tried == 0 and isinstance(lost.__cause__, ConnectionRefusedError):
                raise
            time.sleep(wait)
    return transport.graphql(query, variables)
