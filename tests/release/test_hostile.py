"""No value that somebody sends breaks a page: every address of a full installation, with what no form would send.

A change sends one value to each address of the desk and in each parameter that some address reads; a digest decides
which. A trial sends all values to all parameters of all addresses.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from plumbline.vocab.models import AttributeSet
from tests.release import hostile
from tests.release.conftest import As, Release
from tests.release.hostile import Attack
from tests.release.sampling import share_of

pytestmark = [pytest.mark.any_server, pytest.mark.xdist_group("release")]

NAMES = sorted(hostile.VALUES)
ONE_IN = 5
"""The share of the admin's addresses that a change walks, and of the encoded parts. It walks all of the desk."""
ENCODED = ("%", "_0", "999")
"""Parts of addresses whose values break a page before it looks anything up."""


def walked(attack: Attack) -> Iterator[tuple[str, dict[str, str]]]:
    for address, query in [*hostile.of_the_desk(attack.client), *((one, {}) for one in hostile.of_the_admin())]:
        if address not in hostile.LEFT_OUT:
            yield address, query


def test_no_page_breaks_by_a_value_that_no_form_sends(release: Release, as_: As, reader: str) -> None:
    attack = Attack(as_("ada"), NAMES[0])
    for address, query in walked(attack):
        attack.value = NAMES[share_of(address, len(NAMES))]
        if not address.startswith("/admin/") or share_of(address, ONE_IN) == 0:
            attack.on(address, query, sampled=True)
    assert attack.asked > 300
    assert len(attack.met) > 100
    assert not attack.troubles


@pytest.mark.trial
@pytest.mark.parametrize("value", NAMES)
def test_no_value_breaks_any_page(release: Release, as_: As, reader: str, value: str, record_property: Any) -> None:
    attack = Attack(as_("ada"), value)
    for address, query in walked(attack):
        attack.on(address, query)
    record_property("requests", attack.asked)
    assert not attack.troubles


def test_no_part_of_an_address_breaks_a_page(
    release: Release, as_: As, reader: str, request: pytest.FixtureRequest
) -> None:
    one_in = 1 if request.config.getoption("trial") else ONE_IN
    attack = Attack(as_("ada"), NAMES[0])
    most = max(map(len, hostile.IN_ADDRESSES.values()))
    for number in range(most):
        samples = {kind: values[number % len(values)] for kind, values in hostile.IN_ADDRESSES.items()}
        for address in set(hostile.concrete(samples)) - set(hostile.concrete(hostile.PLAIN)):
            encoded = any(part in address for part in ENCODED) and share_of(address, one_in) == 0
            if encoded or share_of(address, most) == number:
                attack.send("get", address, {})
    assert attack.asked > 100
    assert not attack.troubles


@pytest.mark.parametrize("list_", ["association", "measure", "choice", "effect"])
@pytest.mark.parametrize("value", ["x", "1e9", "٣²", "9" * 30, "-1", "1,2"])
def test_the_filter_by_run_takes_only_the_number_of_a_run(release: Release, as_: As, list_: str, value: str) -> None:
    assert as_("ada").get(f"/admin/results/{list_}/", {"run": value}).status_code in (200, 302)


@pytest.mark.parametrize("text", ["[" * 5000, '{"a":' * 5000, '{"a": NaN}', '{"a": 1, "a": 2}', "9" * 5000, "nul\0"])
def test_json_that_no_spec_is_becomes_a_fault_of_the_form(release: Release, as_: As, text: str) -> None:
    answer = as_("ada").post("/admin/audits/plan/add/", {"name": "plan", "spec": text})
    assert answer.status_code == 200
    assert "spec" in answer.context["adminform"].form.errors


@pytest.mark.parametrize("slug", ['{"a": 1}', "a b", "../x", ""])
def test_a_slug_that_is_none_becomes_a_fault_of_the_form(release: Release, as_: As, slug: str) -> None:
    row = AttributeSet.objects.order_by("-pk").first()
    assert row is not None
    answer = as_("ada").post(f"/admin/vocab/attributeset/{row.pk}/change/", {"slug": slug})
    assert answer.status_code == 200
    assert "slug" in answer.context["adminform"].form.errors
