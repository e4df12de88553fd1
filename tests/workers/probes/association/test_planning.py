"""What planning puts into the content key: everything of the words that decides an answer, and no more."""

from collections.abc import Callable
from typing import Any

import pytest

from plumbline.spec.audit import parse
from plumbline.spec.digests import digest
from workers.probes.association.probe import PROBES
from workers.probes.protocol import Model

SPEC: dict[str, Any] = {
    "name": "test",
    "probe": "ilps",
    "model": "path:./model",
    "groups": {"inline": [{"label": "women", "singular": "woman", "plural": "women"}, {"label": "he"}]},
    "prior": {"singular": "person", "plural": "people"},
    "attributes": {"inline": ["poor", "warm"]},
    "templates": {"inline": ["{Group} {is|are} {attribute}."]},
}
SHE = [{"label": "women", "singular": "woman", "plural": "women"}, {"label": "she", "pronoun": "she"}]


@pytest.fixture
def key(tiny_bert: Model) -> Callable[..., str]:
    def inputs(**changes: Any) -> str:
        spec = parse(
            SPEC | {"groups": {"inline": [SPEC["groups"]["inline"][0], {"label": "he", "pronoun": "he"}]}} | changes
        )
        shards = PROBES[spec.probe].plan(spec, {}, tiny_bert.checkpoint).shards
        return digest([shard.inputs for shard in shards])

    return inputs


@pytest.mark.parametrize(
    "changes",
    [
        {"groups": {"inline": SHE}},
        {"attributes": {"inline": ["poor", "cold"]}},
        {"templates": {"inline": ["{Group} {is|are} so {attribute}."]}},
        {"prior": {"singular": "human", "plural": "people"}},
        {"prior": {"mask": "one"}},
        {"prior": {"mean": True}},
    ],
)
def test_whatever_changes_a_sentence_changes_the_key(key: Callable[..., str], changes: dict[str, Any]) -> None:
    assert key(**changes) != key()


def test_forms_that_no_template_uses_do_not_change_the_key(key: Callable[..., str]) -> None:
    unused = [
        {"label": "women", "singular": "woman", "plural": "women"},
        {"label": "he", "pronoun": "he", "singular": "a man"},
    ]
    assert key(groups={"inline": unused}) == key()


def test_what_serves_the_summary_alone_does_not_change_the_key(key: Callable[..., str]) -> None:
    """Answers that are there already serve for pairs and judgements that are given later."""
    ends = [{"text": "poor", "pole": "left", "pair": "poor - warm"}, {"text": "warm", "pole": "right"}]
    ends[1] |= {"pair": "poor - warm", "dimension": "Agency", "human_data_key": "poor - warm"}
    judged = [{"annotator": "a", "group": "women", "left": "poor", "right": "warm", "rating": 10}]
    assert key(attributes={"inline": ends}, human={"inline": judged}, params={"pilot_annotations": 3}) == key()


def test_masked_log_probabilities_do_not_depend_on_other_words(tiny_bert: Model) -> None:
    def shards(attributes: list[str]) -> list[Any]:
        spec = parse(
            {
                "name": "test",
                "probe": "log_probability",
                "model": "path:./model",
                "groups": {"inline": ["he", "she"]},
                "attributes": {"inline": attributes},
                "templates": {"inline": ["{group} is {attribute}."]},
            }
        )
        return [shard.inputs for shard in PROBES[spec.probe].plan(spec, {}, tiny_bert.checkpoint).shards]

    assert shards(["poor"])[0]["mean over"] is None
