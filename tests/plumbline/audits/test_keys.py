from typing import Any

import pytest

from plumbline.audits.keys import DECISIVE, content_key, decisive

FACTS: dict[str, Any] = {
    "engine": "1",
    "probe_version": "1",
    "torch": "2.13.0",
    "transformers": "5.23.0",
    "tokenizers": "0.23.3",
    "digest": "a" * 64,
    "tokenizer_digest": "b" * 64,
    "dtype": "float32",
    "device": "cpu",
    "seed": 0,
    "params": {"suffix": False, "variant": "paper"},
}
INPUTS = {"sentences": ["All women are kind."], "labels": ["women"]}
KEY = content_key("ilps", INPUTS, FACTS)


def test_a_key_is_a_sha_256() -> None:
    assert len(KEY) == 64
    assert int(KEY, 16)


def test_every_decisive_fact_is_among_those_tried_here() -> None:
    assert set(FACTS) == set(DECISIVE)


@pytest.mark.parametrize("fact", FACTS)
def test_each_decisive_fact_changes_the_key(fact: str) -> None:
    assert content_key("ilps", INPUTS, {**FACTS, fact: "other"}) != KEY


def test_answers_of_one_run_alone_have_keys_of_their_own() -> None:
    keys = {content_key("ilps", INPUTS, {**FACTS, **once}) for once in ({}, {"once": "a"}, {"once": "b"})}
    assert len(keys) == 3
    assert KEY in keys
    assert decisive({**FACTS, "once": "a"}) != decisive({**FACTS, "once": "b"})


@pytest.mark.parametrize("fact", FACTS)
def test_no_decisive_fact_may_be_lacking(fact: str) -> None:
    with pytest.raises(KeyError, match=fact):
        content_key("ilps", INPUTS, {name: value for name, value in FACTS.items() if name != fact})


def test_probe_inputs_and_params_change_the_key() -> None:
    others = [
        content_key("ilps_chain", INPUTS, FACTS),
        content_key("ilps", {**INPUTS, "labels": ["Women"]}, FACTS),
        content_key("ilps", {**INPUTS, "sentences": []}, FACTS),
        content_key("ilps", INPUTS, {**FACTS, "params": {"suffix": True, "variant": "paper"}}),
    ]
    assert len({KEY, *others}) == 5


def test_the_order_of_keys_and_what_decides_nothing_leave_it() -> None:
    turned = {**dict(reversed(FACTS.items())), "params": {"variant": "paper", "suffix": False}}
    assert content_key("ilps", dict(reversed(INPUTS.items())), turned) == KEY
    assert content_key("ilps", INPUTS, {**FACTS, "threads": 2, "name": "another"}) == KEY
