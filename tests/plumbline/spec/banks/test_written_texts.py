"""Inline texts of a spec have the limits of the pages for words, before anything expands or searches them."""

import random
import time
from typing import Any

import pytest

from plumbline.spec.audit import parse
from plumbline.spec.errors import SpecError
from plumbline.spec.several_models import parse_each

SPEC: dict[str, Any] = {
    "name": "traits",
    "probe": "ilps",
    "model": "bundled:masked-demo",
    "groups": {"inline": ["women", "men"]},
    "prior": {"singular": "person", "plural": "people"},
    "attributes": {"inline": ["powerful", "powerless"]},
    "templates": {"inline": ["All {group} are {attribute}."]},
}
NOISE = "".join(random.Random(0).choices("abcdefghijklmnopqrstuvwxyz {}", k=400_000))  # noqa: S311 -- noise
TEMPLATE = "All {group} are {attribute}"
ATTACKS: dict[str, dict[str, Any]] = {
    "400 kB in a template": {"templates": {"inline": [TEMPLATE + NOISE]}},
    "20,000 brackets": {"templates": {"inline": [TEMPLATE + "[" * 20_000]}},
    "20,000 alternatives": {"templates": {"inline": [TEMPLATE + "[a|b]" * 20_000]}},
    "20,000 literal brackets": {"templates": {"inline": [TEMPLATE + "[[" * 20_000]}},
    "20,000 braces": {"templates": {"inline": [TEMPLATE + "{" * 20_000]}},
    "20,000 slots": {"templates": {"inline": [TEMPLATE + "{attribute}" * 20_000]}},
    "100,000 spaces": {"templates": {"inline": [TEMPLATE + " " * 100_000]}},
    "100,000 spaces after a determiner": {"templates": {"inline": ["the" + " " * 100_000 + TEMPLATE]}},
    "a template of 1,001 characters": {"templates": {"inline": [TEMPLATE + "." * (1001 - len(TEMPLATE))]}},
    "spaces in a group": {"groups": {"inline": ["women" + " " * 100_000, "men"]}},
    "a group of 201 characters": {"groups": {"inline": ["w" * 201, "men"]}},
    "a plural of 201 characters": {"groups": {"inline": [{"label": "women", "plural": "w" * 201}, "men"]}},
    "an attribute of 201 characters": {"attributes": {"inline": ["a" * 201]}},
    "words beside an attribute": {"attributes": {"inline": [{"text": "a", "extra": ["b" * 201]}]}},
    "an invisible character": {"groups": {"inline": ["wo\u200bmen", "men"]}},
    "an unusual space": {"templates": {"inline": ["All\u00a0{group} are {attribute}."]}},
    "a long neutral word": {"prior": {"singular": "p" * 100_000}},
    "a long slug": {"groups": {"list": "g" * 100_000}},
    "a long choice": {"groups": {"list": "g", "only": ["g" * 100_000]}},
    "a long prompt": {"params": {"chat_prompt": " " * 100_000}},
    "a long key": {"k" * 100_000: 1},
    "100,000 entries": {"groups": {"inline": ["a"] * 100_000}},
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_text_that_the_pages_refuse_is_refused_at_once(attack: str) -> None:
    begin = time.process_time()
    with pytest.raises(SpecError, match=r"characters|invisible|unusual space|entries") as refused:
        parse_each(SPEC | ATTACKS[attack])
    assert time.process_time() - begin < 2
    assert len(str(refused.value)) < 500


def test_texts_at_the_limits_are_taken() -> None:
    template = TEMPLATE + "." * (1000 - len(TEMPLATE))
    assert parse_each(SPEC | {"templates": {"inline": [template]}, "groups": {"inline": ["w" * 200, "men"]}})


def test_a_stored_run_with_longer_texts_stays_readable() -> None:
    assert parse(SPEC | {"templates": {"inline": [TEMPLATE + "." * 2000]}})


@pytest.mark.parametrize("many", ["[a|b]" * 9_000, "[" + "|" * 1_000 + "]"])
def test_alternatives_are_counted_before_they_are_combined(many: str) -> None:
    spec = parse(SPEC | {"templates": {"inline": [TEMPLATE + many]}})
    with pytest.raises(SpecError, match=r"stands for .* sentences; at most 1000"):
        spec.check({})
