"""Whose address a request comes from: nobody chooses it for themselves."""

from ipaddress import ip_address, ip_network

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from plumbline.proxies import as_peers, client_address, networks, proxies_are_named

PROXY, OUTER_PROXY, VISITOR, SPOOFED = "172.18.0.2", "10.0.0.9", "203.0.113.7", "198.51.100.1"


@pytest.fixture(autouse=True)
def trusted(settings: Settings) -> None:
    settings.TRUSTED_PROXIES = networks(["172.18.0.0/16", OUTER_PROXY, "fd00::/8"])


def asked(peer: str, *said: str) -> str | None:
    headers = {"X-Forwarded-For": ", ".join(said)} if said else {}
    return client_address(RequestFactory().get("/", headers=headers, REMOTE_ADDR=peer))


def test_a_trusted_proxy_is_believed() -> None:
    assert asked(PROXY, VISITOR) == VISITOR
    assert asked(PROXY, VISITOR, OUTER_PROXY) == VISITOR


def test_what_the_visitor_wrote_before_the_proxy_is_not() -> None:
    assert asked(PROXY, SPOOFED, VISITOR) == VISITOR
    assert asked(PROXY, OUTER_PROXY, SPOOFED, VISITOR, OUTER_PROXY) == VISITOR


def test_a_stranger_who_says_to_be_a_proxy_is_not() -> None:
    assert asked(VISITOR, SPOOFED) == VISITOR


def test_without_trusted_proxies_nobodys_word_counts(settings: Settings) -> None:
    settings.TRUSTED_PROXIES = []
    assert asked("127.0.0.1", SPOOFED) == "127.0.0.1"


def test_a_proxy_that_says_nothing_or_nonsense_is_itself_the_address() -> None:
    assert asked(PROXY) == PROXY
    assert asked(PROXY, VISITOR, "unknown") == PROXY
    assert asked("") is None


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (f"{VISITOR}:51324", VISITOR),
        (f"::ffff:{VISITOR}", VISITOR),
        ("[2001:db8::1]:443", "2001:db8::1"),
        ("2001:db8:0:0::1", "2001:db8::1"),
    ],
)
def test_an_address_has_one_name_however_it_is_written(written: str, meant: str) -> None:
    assert asked(PROXY, written) == asked(f"::ffff:{PROXY}", written) == meant


@given(said=st.lists(st.one_of(st.text(max_size=20), st.ip_addresses().map(str)), max_size=5))
def test_nothing_that_a_visitor_writes_changes_the_address(said: list[str]) -> None:
    assert asked(PROXY, *said, VISITOR) == VISITOR


@given(written=st.lists(st.one_of(st.ip_addresses(), st.sampled_from(["10.0.0.0/8", "fd00::/8"])), min_size=1))
def test_gunicorn_trusts_the_same_peers_in_both_their_forms(written: list[object]) -> None:
    peers = [ip_network(one) for one in as_peers(map(str, written)).split(",")]
    for network in networks(map(str, written)):
        first = str(network.network_address)
        forms = [first, f"::ffff:{first}"] if network.version == 4 else [first]
        assert all(any(ip_address(form) in peer for peer in peers) for form in forms)


def test_gunicorn_trusts_no_other_peers() -> None:
    assert as_peers(["10.0.0.5", "172.18.0.0/16", "", "fd00::1"]) == (
        "10.0.0.5/32,172.18.0.0/16,fd00::1/128,::ffff:10.0.0.5/128,::ffff:172.18.0.0/112"
    )


@pytest.mark.parametrize("wrong", ["*", "proxy.example", "10.0.0.1/8"])
def test_what_is_no_address_is_refused_with_the_remedy(wrong: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"TRUSTED_PROXIES: .*; write addresses and networks"):
        networks([wrong])


def test_https_without_a_named_proxy_is_reported_at_deployment(settings: Settings) -> None:
    settings.HTTPS = True
    assert proxies_are_named() == []
    settings.TRUSTED_PROXIES = []
    [warning] = proxies_are_named()
    assert "lock a colleague out" in warning.msg
    settings.HTTPS = False
    assert proxies_are_named() == []
