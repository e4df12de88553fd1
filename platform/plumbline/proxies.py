"""Whose address a request comes from, where proxies stand before us."""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register  # noqa: A004 - Django's name
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


def networks(written: Iterable[str]) -> list[Network]:
    """Addresses and networks as TRUSTED_PROXIES writes them. Raises ImproperlyConfigured for anything else, `*` too."""
    try:
        return [ip_network(one.strip()) for one in written]
    except ValueError as error:
        raise ImproperlyConfigured(
            f"TRUSTED_PROXIES: {error}; write addresses and networks with commas between, as 10.0.0.5,172.18.0.0/16"
        ) from None


def as_peers(written: Iterable[str]) -> str:
    """The same for gunicorn, which compares a peer as the socket names it: on IPv6 an IPv4 peer is ::ffff:a.b.c.d."""
    named = networks(filter(None, written))
    mapped = [f"::ffff:{one.network_address}/{96 + one.prefixlen}" for one in named if one.version == 4]
    return ",".join((*map(str, named), *mapped))


def client_address(request: HttpRequest) -> str | None:
    """The nearest address that is no trusted proxy's: what axes locks together with a name.

    X-Forwarded-For is read from its end, as each proxy appends whom it was asked by: what stands before the first
    stranger was written by that stranger.
    """
    nearest = _parsed(request.META.get("REMOTE_ADDR", ""))
    for hop in reversed(request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")):
        before = _parsed(hop)
        if nearest is None or before is None or not _is_trusted(nearest):
            break
        nearest = before
    return None if nearest is None else str(nearest)


def _is_trusted(address: Address) -> bool:
    return any(address in network for network in settings.TRUSTED_PROXIES)


def _parsed(written: str) -> Address | None:
    """Some proxies write the port behind an address, and an IPv4 address as an IPv6 one."""
    bare = written.strip()
    if bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    elif bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        found = ip_address(bare)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


@register(Tags.security, deploy=True)
def proxies_are_named(**_: Any) -> list[CheckMessage]:
    """Under HTTPS there is a proxy: unnamed, its address is everybody's, and who guesses locks a name for all."""
    if not settings.HTTPS or settings.TRUSTED_PROXIES:
        return []
    return [
        Warning(
            "HTTPS is on, so a proxy stands before us, but TRUSTED_PROXIES names none: every visitor has its address,"
            " and a stranger's five wrong passwords lock a colleague out.",
            hint="Set TRUSTED_PROXIES to the addresses or networks from which your proxies ask.",
            id="plumbline.W001",
        )
    ]
