"""Self-Debias in a spec: what it accepts, how it names its variant, and where it is refused."""

from typing import Any

import pytest

from plumbline.spec.audit import parse
from plumbline.spec.errors import SpecError
from plumbline.spec.self_debias import SelfDebiasing, SelfDebiasSpec

ILPS: dict[str, Any] = {
    "name": "traits",
    "probe": "ilps",
    "model": "path:./some/dir",
    "groups": {"inline": ["women", "men"]},
    "prior": {"singular": "person"},
    "attributes": {"inline": ["kind"]},
    "templates": {"inline": ["{group} are {attribute}."]},
}
PAIRS: dict[str, Any] = {
    "name": "pairs",
    "probe": "pairs",
    "model": "path:./some/dir",
    "bank": {"inline": [{"id": "1", "more": "She cooks.", "less": "He cooks."}]},
}
ONE = {"inline": ["This is unfair: {text}"]}


def spec(data: dict[str, Any], **changes: Any) -> SelfDebiasSpec:
    found = parse({**data, **changes})
    assert isinstance(found, SelfDebiasSpec)
    return found


def asked(**source: Any) -> SelfDebiasing | None:
    return spec(ILPS, self_debias=source).self_debiasing({"s": {"entries": [{"template": "A [b|c]: {text}"}]}})


def test_a_description_is_the_part_before_the_text() -> None:
    assert asked(**ONE) == SelfDebiasing(("This is unfair:",), 50.0)


def test_descriptions_may_be_a_curated_list_with_alternatives_and_another_decay() -> None:
    assert asked(list="unfair", sha256="s", decay=10) == SelfDebiasing(("A b:", "A c:"), 10.0)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("This is unfair.", r"'This is unfair\.' has no place for the text; end it with \{text\}"),
        ("This: {text} is unfair.", r"must be words of its own that end with \{text\}: a causal model"),
        ("{text}", r"must be words of its own that end with \{text\}"),
        ("On {group}: {text}", r"must be words of its own that end with \{text\}"),
        ("This: {the text}", r"has no place for the text"),
    ],
)
def test_a_description_that_does_not_end_with_the_text_is_refused(text: str, fault: str) -> None:
    with pytest.raises(SpecError, match=fault):
        spec(ILPS, self_debias={"inline": [text]}).check({})


def test_a_negative_decay_is_refused() -> None:
    with pytest.raises(SpecError, match="decay"):
        spec(ILPS, self_debias={**ONE, "decay": -1})


@pytest.mark.parametrize("data", [ILPS, PAIRS])
def test_the_variant_names_the_way_of_asking_and_a_plain_spec_stays_as_it_was(data: dict[str, Any]) -> None:
    assert spec(data).variant == ""
    assert "self_debias" not in spec(data).dump()
    assert spec(data, self_debias=ONE).variant == "self_debias"
    assert spec(data, self_debias={**ONE, "decay": 10}).variant == "self_debias decay 10"
    assert spec(data, self_debias=ONE, dtype="bfloat16").variant == "bfloat16, self_debias"


@pytest.mark.parametrize("probe", ["set", "bbq", "sodapop"])
def test_a_probe_without_such_a_distribution_says_which_ones_have_it(probe: str) -> None:
    with pytest.raises(SpecError, match=f"the probe {probe} is not asked so here; .* ilps, ilps_chain, log_prob"):
        parse({**ILPS, "probe": probe, "self_debias": ONE})
