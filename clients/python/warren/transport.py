"""Talks to a Warren server: GraphQL and uploads over one connection that stays open."""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import re
import ssl
import time
import urllib.error
import urllib.request
from typing import Any, Dict, Iterator, Optional, Set, Tuple
from urllib.parse import quote, urlsplit

from .addresses import address_of, proxy_for
from .aside import NO_ROOM
from .values import warn

TIMEOUT_SECONDS = 30.0
#: From this size on an upload that broke off goes on where it was.
RESUMED_BYTES = 16 * 1024 * 1024
#: Times in a row that a download may break without getting further than ever before.
DOWNLOAD_TRIES = 3
BLOCK_BYTES = 1 << 20
#: Servers of which it was told that they do not know the token.
_told: Set[str] = set()
#: What servers have said of their epoch.
_epochs: Dict[str, str] = {}
_SHA256 = re.compile(r"^[0-9a-f]{64}$")


class Unreachable(Exception):
    """The server is away or cannot answer now: the same request may go through later."""


class Refused(Exception):
    """The server refuses the request for good; the message says why."""

    def __init__(self, code: str, message: str, path: Optional[str] = None) -> None:
        super().__init__(message)
        self.code = code
        #: What of the input is refused, where the server says it.
        self.path = path


#: What a server says to a query of ours that its schema has not.
_OF_OTHER_VERSION = re.compile(r'^(Cannot query field|Unknown argument|Unknown type) "|is not defined by type "')
#: Codes of errors that pass by themselves.
_PASSING = {"UNAVAILABLE", "TIMEOUT", "INTERNAL", "INTERNAL_ERROR"}


def _reason_in(body: bytes) -> Tuple[str, Optional[str]]:
    """What the server says of a failure, and its code; of a page of a proxy, its title."""
    try:
        error = json.loads(body)["errors"][0]
        return str(error["message"]), (error.get("extensions") or {}).get("code")
    except (ValueError, LookupError, TypeError, AttributeError):
        text = body[:4_000].decode("utf-8", "replace")
        title = re.search(r"<title>(.*?)</title>", text, re.IGNORECASE | re.DOTALL)
        return " ".join((title.group(1) if title else text).split())[:300], None


class _Begun:
    """What has come of a download, and what the server calls its content; without a tag all is wanted."""

    def __init__(self) -> None:
        self.anew(None)

    def anew(self, tag: Optional[str]) -> None:
        self.digest = hashlib.sha256()
        self.received = 0
        self.tag = tag


class Transport:
    """One connection to one server. Not safe between threads."""

    def __init__(self, url: str, token: Optional[str] = None) -> None:
        address = address_of(url)
        if address.credentials and token:
            raise ValueError("server: %s has a user, and there is a token (WARREN_TOKEN, or token=…): a request has room for one" % address.url)
        self.url = address.url
        parts = urlsplit(address.url)
        self._prefix = parts.path.rstrip("/")
        self._secure = parts.scheme == "https"
        self._host = parts.hostname or ""
        self._port = parts.port
        self.token = token
        self._credentials = address.credentials
        #: The proxy between, if there is one.
        self._proxy = proxy_for(self._host, parts.scheme)
        self._connection: Optional[http.client.HTTPConnection] = None
        self.connect_seconds = TIMEOUT_SECONDS
        #: New with every restore of the server from a backup; empty until it has answered.
        self.epoch = _epochs.get(self.url, "")
        #: What the server keeps of a log, in bytes, as its last answer said; None where none has.
        self.log_bytes: Optional[int] = None

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
            extensions = errors[0].get("extensions") or {}
            code = extensions.get("code", "UNKNOWN")
            message = errors[0].get("message", "no message")
            if status >= 500 or code in _PASSING or status == 429:
                raise Unreachable("%s: %s" % (code, message))
            if _OF_OTHER_VERSION.search(message):
                message = "the server is of another version than this client: %s; update the older of the two" % message
            raise Refused(code, message, extensions.get("path"))
        if status != 200 or not isinstance(answer, dict) or "data" not in answer:
            raise self._failure(status, text)
        return answer["data"]

    def read(self, path: str) -> bytes:
        """The whole body of a plain GET. Raises Unreachable or Refused."""
        status, text = self._request("GET", path, None, {})
        if status != 200:
            raise self._failure(status, text)
        return text

    def upload(self, run_id: str, name: str, path: str, media_type: str, kept_since: Optional[int] = None) -> None:
        """Puts a file under a name of a run; the same bytes again change nothing.

        kept_since: Unix milliseconds since which it waits for room. The run may have ended since then.
        """
        place = "/artifacts/%s/%s%s" % (run_id, quote(name), "" if kept_since is None else "?keptSince=%d" % kept_since)
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size >= RESUMED_BYTES:
                return self._upload_on(place, file, size, media_type)
            headers = {"content-type": media_type, "content-length": str(size)}
            status, text = self._request("PUT", place, file, headers)
        if status not in (200, 201, 204):
            raise self._failure(status, text)

    def _upload_on(self, path: str, file: Any, size: int, media_type: str) -> None:
        """Sends what the server lacks of a large file, which a try before may have begun to send."""
        digest = hashlib.sha256()
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
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
        temporary = "%s.%d.part" % (path, os.getpid())
        begun = _Begun()
        tries, furthest = 0, 0
        try:
            while True:
                try:
                    self._receive(run_id, name, temporary, sha256, begun)
                    break
                except Unreachable:
                    self.close()
                    tries = 1 if begun.received > furthest else tries + 1
                    furthest = max(furthest, begun.received)
                    if tries == DOWNLOAD_TRIES:
                        raise
                    time.sleep(0.5 * 2 ** (tries - 1))
            os.replace(temporary, path)
        finally:
            if os.path.exists(temporary):
                os.remove(temporary)
                self.close()

    def _receive(self, run_id: str, name: str, path: str, sha256: Optional[str], begun: "_Begun") -> None:
        """Writes an artifact as it comes, behind what came before. Raises Unreachable where it breaks off or has another sum."""
        pinned = "" if sha256 is None else "?sha256=" + sha256
        rest = {"range": "bytes=%d-" % begun.received} if begun.received > 0 and begun.tag else {}
        response = self._open("GET", "/artifacts/%s/%s%s" % (run_id, quote(name), pinned), None, rest)
        tag = (response.headers.get("etag") or "").strip('"')
        if response.status == 307:
            b"".join(self._blocks(response))
            response = self._follow(response.headers.get("location") or "", rest if tag == begun.tag else {})
        if response.status == 416 or (response.status == 206 and tag != begun.tag):
            begun.tag = None
            self.close()
            raise Unreachable("%s has changed %s meanwhile" % (self.url, name))
        if response.status not in (200, 206):
            raise self._failure(response.status, b"".join(self._blocks(response)))
        if response.status == 200:
            begun.anew(tag)
        with open(path, "wb" if response.status == 200 else "ab") as file:
            for block in self._blocks(response):
                begun.digest.update(block)
                file.write(block)
                begun.received += len(block)
        wanted = sha256 or (tag if _SHA256.match(tag) else None)
        if wanted is not None and begun.digest.hexdigest() != wanted.lower():
            begun.tag = None  # from its beginning, the next time
            raise Unreachable("%s gave other bytes of %s than were registered" % (self.url, name))

    def _blocks(self, response: Any) -> Iterator[bytes]:
        """The body of an answer as it comes; only silence ends it early. Raises Unreachable where it breaks off."""
        said = response.headers.get("content-length")
        received = 0
        while True:
            try:
                block = response.read(BLOCK_BYTES)
            except (OSError, http.client.HTTPException) as error:
                self.close()
                raise Unreachable("%s breaks off: %s" % (self.url, error)) from error
            if not block:
                break
            received += len(block)
            yield block
        # a body that is cut off ends like a whole one where it is read in parts
        if said is not None and received != int(said):
            self.close()
            raise Unreachable("%s breaks off: %d of %s bytes came" % (self.url, received, said))

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _request(self, method: str, path: str, body: Any, headers: Dict[str, str]) -> Tuple[int, bytes]:
        """The status and the whole body of an answer."""
        response = self._open(method, path, body, headers)
        return response.status, b"".join(self._blocks(response))

    def _open(self, method: str, path: str, body: Any, headers: Dict[str, str]) -> http.client.HTTPResponse:
        """The answer to a request, its body not read yet. Raises Unreachable."""
        if self.token or self._credentials:
            headers = {**headers, "authorization": self._credentials or "Bearer %s" % self.token}
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
            advice = "; SSL_CERT_FILE names a file with the certificates to trust" if isinstance(error, ssl.SSLCertVerificationError) else ""
            through = "" if self._proxy is None else " through the proxy %s" % self._proxy.url
            raise Unreachable("%s does not answer%s: %s%s" % (self.url, through, error, advice)) from error

    def _exchange(self, method: str, path: str, body: Any, headers: Dict[str, str]) -> http.client.HTTPResponse:
        if self._connection is None:
            self._connection = self._connect()
            self._connection.timeout = self.connect_seconds
            self._connection.connect()
            self._connection.sock.settimeout(TIMEOUT_SECONDS)
        place = self._prefix + path
        if self._proxy is not None and not self._secure:
            # a proxy of plain HTTP is asked for the whole address
            place = "http://%s%s" % (urlsplit(self.url).netloc, place)
            if self._proxy.credentials:
                headers = {**headers, "proxy-authorization": self._proxy.credentials}
        self._connection.request(method, place, body=body, headers=headers)
        response = self._connection.getresponse()
        self.epoch = _epochs[self.url] = response.headers.get("warren-epoch") or self.epoch
        said = response.headers.get("warren-log-bytes") or ""
        if said.isdecimal():
            self.log_bytes = int(said)
        if response.headers.get("warren-token") == "unknown" and self.url not in _told:
            _told.add(self.url)
            warn("%s does not know this token (WARREN_TOKEN, or token=…); it needs none, and answers as to anybody" % self.url)
        return response

    def _connect(self) -> http.client.HTTPConnection:
        proxy = None if self._proxy is None else urlsplit(self._proxy.url)
        host, port = (self._host, self._port) if proxy is None else (proxy.hostname or "", proxy.port)
        if not self._secure:
            return http.client.HTTPConnection(host, port, timeout=TIMEOUT_SECONDS)
        connection = http.client.HTTPSConnection(host, port, timeout=TIMEOUT_SECONDS, context=ssl.create_default_context())
        if self._proxy is not None:
            shown = {"Proxy-Authorization": self._proxy.credentials} if self._proxy.credentials else {}
            connection.set_tunnel(self._host, self._port or 443, shown)
        return connection

    def _follow(self, link: str, headers: Dict[str, str]) -> Any:
        """The answer at a signed link to where the server keeps files. The token stays here."""
        if urlsplit(link).scheme not in ("http", "https"):
            raise Unreachable("%s sends to %r, which is no web address" % (self.url, link[:100]))
        try:
            return urllib.request.urlopen(urllib.request.Request(link, headers=headers), timeout=TIMEOUT_SECONDS)
        except urllib.error.HTTPError as error:
            raise self._failure(error.code, error.read()) from error
        except OSError as error:
            raise Unreachable("%s sends to a place that does not answer: %s" % (self.url, error)) from error

    def _failure(self, status: int, text: bytes) -> Exception:
        shown, code = _reason_in(text)
        message = "%s answers %d: %s" % (self.url, status, shown)
        if code in NO_ROOM:
            return Refused(str(code), message)
        if status in (408, 425, 429) or status >= 500:
            return Unreachable(message)
        return Refused(code if code == "CONFLICT" else "HTTP_%d" % status, message)
