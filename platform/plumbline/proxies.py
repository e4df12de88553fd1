"""The client address of a request behind proxies."""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register  # noqa: A004 - Django's name
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
IPV6_PREFIX = 64
"""One site has this many leading bits of its IPv6 addresses, and as many addresses as it likes below."""


def networks(written: Iterable[str]) -> list[Network]:
    """Parse the addresses and networks of TRUSTED_PROXIES. Raises ImproperlyConfigured for anything else."""
    try:
        return [ip_network(one.strip()) for one in written]
    except ValueError as error:
        raise ImproperlyConfigured(
            f"TRUSTED_PROXIES: {error}; write addresses and networks with commas between, as 10.0.0.5,172.18.0.0/16"
        ) from None


def as_peers(written: Iterable[str]) -> str:
    """Return them in gunicorn's form. On IPv6 sockets an IPv4 peer is ::ffff:a.b.c.d."""
    named = networks(filter(None, written))
    mapped = [f"::ffff:{one.network_address}/{96 + one.prefixlen}" for one in named if one.version == 4]
    return ",".join((*map(str, named), *mapped))


def client_address(request: HttpRequest) -> str | None:
    """Return the nearest address that is not a trusted proxy's. axes locks it together with a name.

    X-Forwarded-For is read from its end, where each proxy appends its client. The first stranger may have invented
    everything before its own address.
    """
    nearest = _parsed(request.META.get("REMOTE_ADDR", ""))
    for hop in reversed(request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")):
        before = _parsed(hop)
        if nearest is None or before is None or not _is_trusted(nearest):
            break
        nearest = before
    return None if nearest is None else str(nearest)


def site(address: str) -> Network:
    """Return the network of the one who has this address: a single one of IPv4, a whole network of IPv6."""
    return ip_network(f"{address.partition('%')[0]}/{IPV6_PREFIX if ':' in address else 32}", strict=False)


def _is_trusted(address: Address) -> bool:
    return any(address in network for network in settings.TRUSTED_PROXIES)


def _parsed(written: str) -> Address | None:
    """Parse an address. Some proxies append the port, or write an IPv4 address as IPv6."""
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
    """Warn about an unnamed proxy under HTTPS: visitors would share its address, and one could lock a name for all."""
    if not settings.HTTPS or settings.TRUSTED_PROXIES:
        return []
    return [
        Warning(
            "HTTPS is on, so there is a proxy, but TRUSTED_PROXIES names none: every visitor has the proxy's address,"
            " and a stranger's five wrong passwords lock a colleague out.",
            hint="Set TRUSTED_PROXIES to the addresses or networks from which your proxies ask.",
            id="plumbline.W001",
        )
    ]
