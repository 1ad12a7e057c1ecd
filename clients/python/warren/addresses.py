"""Addresses of servers, with the user that they may name, and the proxies on the way to them."""

from __future__ import annotations

import base64
import ipaddress
import urllib.request
from typing import Dict, NamedTuple, Optional
from urllib.parse import unquote, urlsplit, urlunsplit


#: Of addresses that named a user before: what is kept and shown of them does not.
_credentials: Dict[str, str] = {}


class Address(NamedTuple):
    """Where requests go. `url` may be shown and kept: user and password are not in it."""

    url: str
    #: The value of an Authorization header; None where the address names no user.
    credentials: Optional[str]


def address_of(given: str) -> Address:
    """Raises ValueError where it is no address."""
    text = str(given).strip()
    try:
        parts = urlsplit(text)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        known = False
    if not known:
        raise ValueError("server: %r is not an address such as http://127.0.0.1:4680" % text.rpartition("@")[2])
    plain = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"), "", ""))
    if parts.username is not None:
        pair = "%s:%s" % (unquote(parts.username), unquote(parts.password or ""))
        _credentials[plain] = "Basic " + base64.b64encode(pair.encode()).decode()
    return Address(plain, _credentials.get(plain))


def proxy_for(host: str, scheme: str) -> Optional[Address]:
    """The proxy that `http_proxy`, `https_proxy` and `no_proxy` name, or the system does. This machine is reached without one."""
    proxy = urllib.request.getproxies().get(scheme)
    if not proxy or _is_here(host) or urllib.request.proxy_bypass(host):
        return None
    try:
        return address_of(proxy if "://" in proxy else "http://" + proxy)
    except ValueError:
        shown = proxy.rpartition("@")[2]
        raise ValueError("%s_proxy: %r is not an address such as http://proxy:3128" % (scheme, shown)) from None


def _is_here(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
