"""The hosts that webhooks may reach: public ones, and internal ones that the settings name."""

import ipaddress
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings

from plumbline.spec.errors import InputError

_PORTS = {"http": 80, "https": 443}
_CARRIERS = [
    ipaddress.ip_network(one) for one in ("64:ff9b::/96", "64:ff9b:1::/48", "::/96", "::ffff:0:0:0/96", "fec0::/10")
]
"""Networks of IPv6 whose numbers carry one of IPv4, which may be internal, or that were for internal use."""


@dataclass(frozen=True, slots=True)
class Destination:
    """A checked address: requests go to this number, so that the name cannot point elsewhere after the check."""

    scheme: str
    host: str
    port: int
    address: str
    path: str

    @property
    def url(self) -> str:
        """The address with the number in place of the name."""
        number = f"[{self.address}]" if ":" in self.address else self.address
        return f"{self.scheme}://{number}:{self.port}{self.path}"

    @property
    def host_header(self) -> str:
        return self.host if self.port == _PORTS[self.scheme] else f"{self.host}:{self.port}"


def destination(url: str) -> Destination:
    """Return where a request to this address goes. Raises InputError for a host that webhooks may not reach."""
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname:
        raise InputError("the address must begin with https://, or http:// for a host that WEBHOOK_HOSTS names.")
    if parts.username or parts.password:
        raise InputError("the address holds a user or password; take it out: requests are signed.")
    host, port = parts.hostname, _port(url)
    is_named = host in settings.WEBHOOK_HOSTS or f"{host}:{port}" in settings.WEBHOOK_HOSTS
    if parts.scheme == "http" and not is_named:
        raise InputError(f"http:// is allowed only for hosts that WEBHOOK_HOSTS names; {host} is none of them.")
    found = _addresses(host, port)
    if not is_named and (internal := next((one for one in found if not _is_public(one)), "")):
        raise InputError(f"{host} is {internal}, an internal address; WEBHOOK_HOSTS names those that are allowed.")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Destination(parts.scheme, host, port, found[0], path)


def _port(url: str) -> int:
    parts = urlsplit(url)
    try:
        return parts.port or _PORTS[parts.scheme]
    except ValueError:
        raise InputError("the address has a port that is no number from 1 to 65535.") from None


def _addresses(host: str, port: int) -> list[str]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise InputError(f"the name {host[:100]} cannot be resolved.") from None
    return [str(one[4][0]) for one in found]


def _is_public(address: str) -> bool:
    number = ipaddress.ip_address(address.partition("%")[0])
    inner = getattr(number, "ipv4_mapped", None) or getattr(number, "sixtofour", None)
    if any(number in one for one in _CARRIERS):
        return False
    return number.is_global and not number.is_multicast and (inner is None or inner.is_global)
