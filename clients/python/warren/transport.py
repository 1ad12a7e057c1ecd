"""Talks to a Warren server: GraphQL and uploads over one connection that stays open."""

from __future__ import annotations

import http.client
import json
import os
import ssl
from typing import Any, Dict, Optional
from urllib.parse import quote, urlsplit

TIMEOUT_SECONDS = 30.0


class Unreachable(Exception):
    """The server is away or cannot answer now: the same request may go through later."""


class Refused(Exception):
    """The server refuses the request for good; the message says why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


#: Codes of errors that pass by themselves.
_PASSING = {"UNAVAILABLE", "TIMEOUT", "INTERNAL", "INTERNAL_ERROR"}


class Transport:
    """One connection to one server. Not safe between threads."""

    def __init__(self, url: str, token: Optional[str] = None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("server: %r is no address such as http://127.0.0.1:4680" % (url,))
        self.url = url.rstrip("/")
        self._prefix = parts.path.rstrip("/")
        self._secure = parts.scheme == "https"
        self._host = parts.hostname
        self._port = parts.port
        self.token = token
        self._connection: Optional[http.client.HTTPConnection] = None

    def graphql(self, query: str, variables: Dict[str, Any]) -> Any:
        """The data of the answer. Raises Unreachable or Refused."""
        body = json.dumps({"query": query, "variables": variables}, separators=(",", ":")).encode()
        status, text = self._request("POST", "/graphql", body, {"content-type": "application/json"})
        try:
            answer = json.loads(text)
        except ValueError:
            answer = {}
        errors = answer.get("errors") if isinstance(answer, dict) else None
        if errors:
            code = (errors[0].get("extensions") or {}).get("code", "UNKNOWN")
            message = errors[0].get("message", "no message")
            if status >= 500 or code in _PASSING or status == 429:
                raise Unreachable("%s: %s" % (code, message))
            raise Refused(code, message)
        if status != 200 or not isinstance(answer, dict) or "data" not in answer:
            raise self._failure(status, text)
        return answer["data"]

    def upload(self, run_id: str, name: str, path: str, media_type: str) -> None:
        """Puts a file under a name of a run; the same bytes again change nothing."""
        with open(path, "rb") as file:
            headers = {"content-type": media_type, "content-length": str(os.fstat(file.fileno()).st_size)}
            status, text = self._request("PUT", "/artifacts/%s/%s" % (run_id, quote(name)), file, headers)
        if status not in (200, 201, 204):
            raise self._failure(status, text)

    def download(self, run_id: str, name: str, path: str) -> None:
        """Writes an artifact of a run to a file, which appears whole or not at all."""
        status, data = self._request("GET", "/artifacts/%s/%s" % (run_id, quote(name)), None, {})
        if status != 200:
            raise self._failure(status, data)
        temporary = "%s.%d.part" % (path, os.getpid())
        with open(temporary, "wb") as file:
            file.write(data)
        os.replace(temporary, path)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _request(self, method: str, path: str, body: Any, headers: Dict[str, str]) -> Any:
        if self.token:
            headers = {**headers, "authorization": "Bearer " + self.token}
        fresh = self._connection is None
        try:
            return self._exchange(method, path, body, headers)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            # a kept connection that the server had closed: once more, on a new one
            if not fresh and not isinstance(error, TimeoutError) and not hasattr(body, "read"):
                try:
                    return self._exchange(method, path, body, headers)
                except (OSError, http.client.HTTPException) as second:
                    self.close()
                    error = second
            raise Unreachable("%s does not answer: %s" % (self.url, error)) from error

    def _exchange(self, method: str, path: str, body: Any, headers: Dict[str, str]) -> Any:
        if self._connection is None:
            self._connection = (
                http.client.HTTPSConnection(
                    self._host, self._port, timeout=TIMEOUT_SECONDS, context=ssl.create_default_context()
                )
                if self._secure
                else http.client.HTTPConnection(self._host, self._port, timeout=TIMEOUT_SECONDS)
            )
        self._connection.request(method, self._prefix + path, body=body, headers=headers)
        response = self._connection.getresponse()
        return response.status, response.read()

    def _failure(self, status: int, text: bytes) -> Exception:
        shown = text[:300].decode("utf-8", "replace")
        message = "%s answers %d: %s" % (self.url, status, shown)
        if status in (408, 425, 429) or status >= 500:
            return Unreachable(message)
        return Refused("HTTP_%d" % status, message)
