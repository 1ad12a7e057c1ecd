"""Talks to a Warren server: GraphQL and uploads over one connection that stays open."""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import ssl
import urllib.error
import urllib.request
from typing import Any, Dict, Optional
from urllib.parse import quote, urlsplit

TIMEOUT_SECONDS = 30.0
#: From this size on an upload that broke off goes on where it was.
RESUMED_BYTES = 16 * 1024 * 1024


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
            raise ValueError("server: %r is not an address such as http://127.0.0.1:4680" % (url,))
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
            size = os.fstat(file.fileno()).st_size
            if size >= RESUMED_BYTES:
                return self._upload_on(run_id, name, file, size, media_type)
            headers = {"content-type": media_type, "content-length": str(size)}
            status, text = self._request("PUT", "/artifacts/%s/%s" % (run_id, quote(name)), file, headers)
        if status not in (200, 201, 204):
            raise self._failure(status, text)

    def _upload_on(self, run_id: str, name: str, file: Any, size: int, media_type: str) -> None:
        """Sends what the server lacks of a large file, which a try before may have begun to send."""
        digest = hashlib.sha256()
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
        path = "/artifacts/%s/%s" % (run_id, quote(name))
        headers = {"content-type": media_type, "x-content-sha256": digest.hexdigest()}
        asked = {**headers, "content-length": "0", "content-range": "bytes */%d" % size}
        status, text = self._request("PUT", path, b"", asked)
        if status in (200, 201):
            return
        if status == 202:
            start = int(json.loads(text)["received"])
            headers["content-range"] = "bytes %d-%d/%d" % (start, size - 1, size)
        elif status == 400:  # a server that takes files as a whole
            start = 0
        else:
            raise self._failure(status, text)
        file.seek(start)
        status, text = self._request("PUT", path, file, {**headers, "content-length": str(size - start)})
        if status not in (200, 201, 204):
            raise self._failure(status, text)

    def download(self, run_id: str, name: str, path: str, sha256: Optional[str] = None) -> None:
        """Writes an artifact of a run to a file, which appears whole or not at all.

        sha256: of the content that is wanted, whatever the run has under that name now.
        """
        pinned = "" if sha256 is None else "?sha256=" + sha256
        status, data = self._request("GET", "/artifacts/%s/%s%s" % (run_id, quote(name), pinned), None, {})
        if status != 200:
            raise self._failure(status, data)
        if sha256 is not None and hashlib.sha256(data).hexdigest() != sha256:
            raise Unreachable("%s gave other bytes of %s than were registered" % (self.url, name))
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
        data = response.read()
        if response.status == 307 and method == "GET":
            return self._follow(response.getheader("location") or "")
        return response.status, data

    def _follow(self, link: str) -> Any:
        """What lies at a signed link to where the server keeps files. The token stays here."""
        if urlsplit(link).scheme not in ("http", "https"):
            raise Unreachable("%s sends to %r, which is no web address" % (self.url, link[:100]))
        try:
            with urllib.request.urlopen(link, timeout=TIMEOUT_SECONDS) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def _failure(self, status: int, text: bytes) -> Exception:
        shown = text[:300].decode("utf-8", "replace")
        message = "%s answers %d: %s" % (self.url, status, shown)
        if status in (408, 425, 429) or status >= 500:
            return Unreachable(message)
        return Refused("HTTP_%d" % status, message)
