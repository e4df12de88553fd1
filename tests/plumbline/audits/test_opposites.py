"""Which lists of a run hold opposites."""

from typing import Any

import pytest

from plumbline.audits.models import Run, Snapshot
from plumbline.audits.opposites import opposites_of

pytestmark = pytest.mark.django_db
TRAITS = [
    {"text": text, "pair": pair, "pole": pole}
    for pair in ("cold - warm", "poor - wealthy")
    for text, pole in zip(pair.split(" - "), ("left", "right"), strict=True)
]
JOBS = [{"text": "nurse", "category": "care"}]


def run_of(*attributes: dict[str, Any]) -> Run:
    for sha256, entries in (("t" * 64, TRAITS), ("j" * 64, JOBS)):
        Snapshot.objects.create(sha256=sha256, content={"entries": entries})
    return Run(spec={"attributes": list(attributes)})


def test_a_list_of_pairs_is_named_with_its_first_pair() -> None:
    run = run_of({"list": "traits", "sha256": "t" * 64}, {"list": "jobs", "sha256": "j" * 64})
    assert opposites_of(run) == {"traits": "cold - warm"}


def test_a_choice_of_words_holds_opposites_if_each_word_has_its_own() -> None:
    run = run_of(
        {"list": "each", "sha256": "t" * 64, "only": ["wealthy", "poor"]},
        {"list": "some", "sha256": "t" * 64, "only": ["cold", "wealthy", "poor"]},
        {"list": "none", "sha256": "t" * 64, "only": ["cold", "poor"]},
    )
    assert opposites_of(run) == {"each": "poor - wealthy"}


def test_words_of_the_plan_itself_are_looked_at_too() -> None:
    assert opposites_of(run_of({"inline": TRAITS})) == {"": "cold - warm"}


def test_a_run_without_attributes_has_none() -> None:
    assert opposites_of(Run(spec={"probe": "bbq"})) == {}
