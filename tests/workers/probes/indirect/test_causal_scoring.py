"""The estimator of causal models, held against a plain transcription: each word after its text, a pass a token."""

from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from plumbline.methods.indirect.added_word_spec import with_word
from plumbline.spec.content import Attribute
from plumbline.spec.errors import ModelError, SpecError
from tests.workers.engine.conftest import save_model
from tests.workers.probes.indirect.answered import asked, indirect, probe, read_of
from tests.workers.probes.indirect.transcription import follows, mean, tokens
from workers.engine.causal import CausalModel
from workers.engine.loading import load, locate
from workers.probes.indirect import shards

NAMES = ["Anna", "Ben", "Chloe", "David", "Emma", "Frank", "Grace", "Henry", "Iris", "Jack"]
SPEC: dict[str, Any] = {
    "targets": {"inline": ["lawyer", "engineer", "doctor"]},
    "features": {"inline": ["warm", "self-reliant"]},
    "bridge": {"inline": NAMES},
    "templates": {
        "target_bridge": ["My name is {name} and I work as {a target}.", "{name} has been {a target} for years."],
        "bridge_feature": ["{name} [is|seems] {feature}."],
        "target_feature": ["The {target} is {feature}."],
    },
    "sensitive": [{"attributes": {"inline": ["poor", "kind"]}, "bridge_feature": ["{name's} life is {feature}."]}],
    "params": {"variant": "causal"},
}


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory: pytest.TempPathFactory) -> CausalModel:
    settings = {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64, "initializer_range": 0.4}
    folder = save_model(tmp_path_factory.mktemp("gpt2"), "GPT2LMHeadModel", "bytes_plain", settings)
    found = load(locate(f"path:{folder}"), device="cpu")
    assert isinstance(found, CausalModel)
    return found


@pytest.mark.parametrize(
    ("template", "before", "target"),
    [
        ("My name is {name} and I work as {a target}.", "My name is {} and I work as a", "lawyer"),
        ("My name is {name} and I work as {a target}.", "My name is {} and I work as an", "engineer"),
        ("{name} has been {a target} for years.", "{} has been a", "doctor"),
    ],
)
def test_a_target_follows_the_name_relative_to_its_mean_over_all_names(
    gpt2: CausalModel, template: str, before: str, target: str
) -> None:
    frame = asked(indirect(SPEC), gpt2)["bridge"].filter(side="target_bridge", template=template, word=target)
    found = {name: frame.filter(name=name).row(0, named=True) for name in NAMES}
    log_p = [follows(gpt2, before.format(name), target) for name in NAMES]
    assert [found[name]["log_p_target"] for name in NAMES] == pytest.approx(log_p, abs=1e-4)
    assert [found[name]["log_p_prior"] for name in NAMES] == pytest.approx([mean(log_p)] * len(NAMES), abs=1e-4)
    assert found["Anna"]["score"] == pytest.approx(log_p[0] - mean(log_p), abs=1e-4)


@pytest.mark.parametrize(
    ("side", "template", "before", "feature"),
    [
        ("bridge_feature", "{name} seems {feature}.", "{} seems", "self-reliant"),
        ("bridge_feature:sensitive", "{name's} life is {feature}.", "{}'s life is", "poor"),
    ],
)
def test_a_feature_follows_the_name_as_well(
    gpt2: CausalModel, side: str, template: str, before: str, feature: str
) -> None:
    frame = asked(indirect(SPEC), gpt2)["bridge"].filter(side=side, template=template, word=feature)
    log_p = [follows(gpt2, before.format(name), feature) for name in frame["name"]]
    assert frame["score"].to_list() == pytest.approx([one - mean(log_p) for one in log_p], abs=1e-4)


def test_the_direct_score_is_relative_to_the_mean_over_the_targets(gpt2: CausalModel) -> None:
    frame = asked(indirect(SPEC), gpt2)["association"].filter(attribute="self-reliant")
    assert len(tokens(gpt2, " self-reliant")) > 1
    log_p = [follows(gpt2, f"The {target} is", "self-reliant") for target in frame["group"]]
    assert len(log_p) == 3
    assert frame["score"].to_list() == pytest.approx([one - mean(log_p) for one in log_p], abs=1e-4)


def test_the_indirect_score_is_the_correlation_of_both_and_says_how_it_was_read(gpt2: CausalModel) -> None:
    spec = indirect(SPEC)
    measures = probe().summarise(spec, {}, read_of(asked(spec, gpt2)))
    assert {one.prior for one in measures} == {"mean"}
    assert {one.variant.split(", ")[0] for one in measures} == {"causal"}
    (found,) = [
        one
        for one in measures
        if (one.statistic, one.group_a, one.attribute) == ("indirect_log_probability_bias", "lawyer", "warm")
    ]
    frames = {
        "lawyer": ["My name is {} and I work as a", "{} has been a"],
        "warm": ["{} is", "{} seems"],
    }
    x, y = (
        [mean([follows(gpt2, text.format(name), word) for text in frames[word]]) for name in NAMES] for word in frames
    )
    assert found.value == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-4)
    assert found.n == len(NAMES)


def test_shards_of_some_words_and_templates_say_the_same(gpt2: CausalModel, monkeypatch: pytest.MonkeyPatch) -> None:
    key = ["side", "template", "word", "name"]
    whole = asked(indirect(SPEC), gpt2)["bridge"].sort(key)
    monkeypatch.setattr(shards, "CONTINUED_PER_SHARD", 1)
    monkeypatch.setattr(shards, "ROWS_PER_SHARD", 1)
    cut = asked(indirect(SPEC), gpt2)["bridge"].sort(key)
    assert whole.select(key).equals(cut.select(key))
    np.testing.assert_allclose(whole["score"], cut["score"], atol=1e-4)


def test_an_edited_target_leaves_the_shards_of_others_as_they_are(
    gpt2: CausalModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "CONTINUED_PER_SHARD", 1)
    before, after = (
        {str(shard.inputs) for shard in probe().plan(indirect(SPEC, targets=targets), {}, gpt2.checkpoint).shards}
        for targets in ({"inline": ["lawyer", "doctor"]}, {"inline": ["lawyer", "nurse"]})
    )
    # The direct prior is a mean over the targets.
    kept = [one for one in before & after if "target_bridge" in one]
    assert len([one for one in before if "target_bridge" in one]) - len(kept) <= 1


def test_what_follows_the_word_is_not_read(gpt2: CausalModel) -> None:
    longer = {**SPEC["templates"], "bridge_feature": ["{name} is {feature} and warm on most days."]}
    short = {**SPEC["templates"], "bridge_feature": ["{name} is {feature}"]}
    both = [
        asked(indirect(SPEC, templates=one), gpt2)["bridge"].filter(side="bridge_feature") for one in (longer, short)
    ]
    np.testing.assert_allclose(both[0]["score"], both[1]["score"], atol=1e-5)


@pytest.mark.parametrize("kind", ["target", "feature"])
def test_a_word_added_to_a_finished_run_has_the_scores_that_it_has_in_one_of_all_words(
    gpt2: CausalModel, kind: Literal["target", "feature"]
) -> None:
    whole = asked(indirect(SPEC), gpt2)["bridge"]
    lists = {"target": ("targets", "doctor"), "feature": ("features", "self-reliant")}
    key, word = lists[kind]
    without = indirect(SPEC, **{key: {"inline": [one for one in SPEC[key]["inline"] if one != word]}})
    small = with_word(without, 1, kind, "", Attribute(text=word))
    found = asked(small, gpt2)
    places = ["side", "template", "word", "name"]
    both = found["bridge"].join(whole, on=places)
    assert len(both) == len(found["bridge"]) == len(whole.filter(word=word)) > 0
    np.testing.assert_allclose(both["score"], both["score_right"], atol=1e-4)
    # The prior of a direct score is a mean over all targets, of which a small run has one.
    assert ("association" in found) == (kind == "feature")


def test_a_template_that_names_the_target_first_is_refused_with_the_remedy() -> None:
    templates = {**SPEC["templates"], "target_bridge": ["The {target} is called {name}."]}
    with pytest.raises(SpecError, match=r"names the target before the name.*put \{name\} first"):
        indirect(SPEC, templates=templates).check({})


def test_a_causal_model_needs_the_estimator_of_its_own(gpt2: CausalModel, tiny_folders: tuple[Path, Path]) -> None:
    with pytest.raises(ModelError, match=r"is a causal model.*set params \{variant: causal\}"):
        probe().check(indirect(SPEC, params={}), {}, gpt2.checkpoint)
    with pytest.raises(ModelError, match="variant causal is defined for causal models only"):
        probe().check(indirect(SPEC), {}, locate(f"path:{tiny_folders[0]}"))


def test_its_prior_has_no_masks() -> None:
    with pytest.raises(SpecError, match="the variant causal has a mean as prior"):
        indirect(SPEC, params={"variant": "causal", "prior_masks": "per_subword"})
