"""Words of several tokens by the chain rule, held against one sentence and one token at a time."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.workers.probes.indirect.answered import asked, indirect
from tests.workers.probes.indirect.transcription import filled, tokens
from tests.workers.tiny import LETTERS
from workers.engine.loading import load, locate
from workers.engine.masked import MaskedModel
from workers.probes.indirect import scoring

NAMES = [*"abcdefgh", "bob", "bo", "rob"]
SPEC: dict[str, Any] = {
    "targets": {"inline": ["women", "cook"]},
    "features": {"inline": ["warm", "warmest", "kind"]},
    "bridge": {"inline": NAMES},
    "templates": {
        "target_bridge": ["{name} is {a target}.", "{name} should be {target}."],
        "bridge_feature": ["[all|most] {name} are {feature}."],
        "target_feature": ["{target} is {feature}."],
    },
}
CHAIN = {"split": "chain"}


@pytest.fixture(scope="module")
def model(tiny_folders: tuple[Path, Path]) -> MaskedModel:
    found = load(locate(f"path:{tiny_folders[0]}"), device="cpu")
    assert isinstance(found, MaskedModel)
    return found


@pytest.mark.parametrize("name", ["c", "bo", "bob", "rob"])
@pytest.mark.parametrize(("masks", "prior"), [("one", 1), ("per_subword", 4)])
def test_a_name_is_filled_in_from_left_to_right_with_the_target_and_in_the_prior(
    model: MaskedModel, name: str, masks: str, prior: int
) -> None:
    frame = asked(indirect(SPEC, params={**CHAIN, "prior_masks": masks}), model)["bridge"]
    row = frame.filter(word="cook", name=name, template="{name} should be {target}.").row(0, named=True)
    assert len(tokens(model, name)) == len(name)
    assert row["log_p_target"] == pytest.approx(filled(model, "* should be cook.", name), abs=1e-5)
    assert row["log_p_prior"] == pytest.approx(filled(model, "* should be cook.", name, "cook", prior), abs=1e-5)
    assert row["score"] == pytest.approx(row["log_p_target"] - row["log_p_prior"])


def test_every_word_has_a_score_where_a_feature_is_several_tokens(model: MaskedModel) -> None:
    frame = asked(indirect(SPEC, params=CHAIN), model)["bridge"].filter(side="bridge_feature")
    assert frame["scorable"].all()
    own = frame.filter(word="warmest", name="rob", template="most {name} are {feature}.")["log_p_target"].item()
    assert own == pytest.approx(filled(model, "most rob are *.", "warmest"), abs=1e-5)


def test_the_direct_score_takes_the_chain_as_well(model: MaskedModel) -> None:
    frame = asked(indirect(SPEC, params=CHAIN), model)["association"]
    row = frame.filter(group="women", attribute="kind").row(0, named=True)
    assert len(tokens(model, "kind")) == 4
    assert row["log_p_target"] == pytest.approx(filled(model, "women is *.", "kind"), abs=1e-5)
    assert row["log_p_prior"] == pytest.approx(filled(model, "women is *.", "kind", "women"), abs=1e-5)


def test_words_of_one_token_have_the_scores_that_they_have_without_it(model: MaskedModel) -> None:
    both = [asked(indirect(SPEC, params=params), model)["bridge"] for params in ({}, CHAIN)]
    alone, chained = (one.filter(one["name"].str.len_chars() == 1) for one in both)
    alone = alone.filter(alone["scorable"])
    found = alone.join(chained, on=["side", "template", "word", "name"])
    assert len(found) == len(alone) > 0
    np.testing.assert_allclose(found["score"], found["score_right"], atol=1e-5)


def test_templates_read_apart_give_the_same(model: MaskedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    together = asked(indirect(SPEC, params=CHAIN), model)["bridge"]
    monkeypatch.setattr(scoring, "READS_AT_ONCE", 1)
    apart = asked(indirect(SPEC, params=CHAIN), model)["bridge"]
    np.testing.assert_allclose(together["score"], apart["score"], atol=1e-5)


def test_what_begins_alike_is_read_once(model: MaskedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [first + second for first in "cd" for second in LETTERS[:6]]
    run: list[int] = []
    real = MaskedModel._states

    def counted(self: MaskedModel, inputs: Any, places: Any) -> Any:
        run.append(len(inputs))
        return real(self, inputs, places)

    monkeypatch.setattr(MaskedModel, "_states", counted)
    model.state_cache.clear()
    only = {"target_bridge": ["{name} is {target}."], "bridge_feature": ["{name} is {feature}."]}
    words = {"targets": {"inline": ["women"]}, "features": {"inline": ["warm"]}, "bridge": {"inline": names}}
    asked(indirect(SPEC, **words, templates=only, params=CHAIN), model)["bridge"]
    # [MASK] [MASK], c [MASK] and d [MASK], with the target and in its prior; for the feature each name, and its prior.
    assert sum(run) == 2 * 3 + len(names) + 1
