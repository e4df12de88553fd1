"""Masked models: scores against a plain transcription, priors, words that cannot be scored."""

from collections.abc import Callable

import polars as pl
import pytest

from plumbline.spec.errors import InputError, SpecError
from tests.workers.probes.cell_scores.transcription import masked_word
from workers.probes.protocol import Model

Score = Callable[..., pl.DataFrame]
WORDS = {"inline": ["poor", "dominant", "science-oriented"]}
PEOPLE = {"singular": "person", "plural": "people"}


def inline(*templates: str) -> dict[str, list[str]]:
    return {"inline": list(templates)}


def women_and_men() -> dict[str, list[dict[str, str]]]:
    return {"inline": [{"label": "women", "plural": "women"}, {"label": "men", "plural": "men"}]}


@pytest.mark.parametrize("probe", ["ilps", "ilps_chain"])
@pytest.mark.parametrize("model_name", ["tiny_bert", "tiny_roberta"])
def test_scores_equal_a_plain_transcription(
    request: pytest.FixtureRequest, score: Score, probe: str, model_name: str
) -> None:
    model: Model = request.getfixturevalue(model_name)
    records = score(
        model,
        probe=probe,
        groups=women_and_men(),
        prior=PEOPLE,
        attributes=WORDS,
        templates=inline("All {group.plural} are {attribute}.", "The {attribute} people are {group.plural}."),
    )
    assert len(records) == 2 * 2 * 3
    for row in records.iter_rows(named=True):
        before, after = row["template"].split("{attribute}")
        for group, column in ((row["group"], "log_p_target"), ("people", "log_p_prior")):
            filled = [part.replace("{group.plural}", group) for part in (before, after)]
            expected = masked_word(
                model.model, model.tokenizer, filled[0], row["attribute"], filled[1], chain=probe == "ilps_chain"
            )
            assert row[column] == pytest.approx(expected, abs=5e-5)
        assert row["score"] == row["log_p_target"] - row["log_p_prior"]


def test_one_mask_is_the_prior_of_a_group_of_any_length(tiny_bert: Model, score: Score) -> None:
    def prior_of(label: str) -> float:
        groups = {"inline": [{"label": label, "plural": label}]}
        templates = inline("All {group.plural} are {attribute}.")
        records = score(
            tiny_bert, probe="ilps", groups=groups, prior={"mask": "one"}, attributes=WORDS, templates=templates
        )
        return float(records["log_p_prior"][0])

    expected = masked_word(tiny_bert.model, tiny_bert.tokenizer, "All [MASK] are ", "poor", ".", chain=False)
    assert prior_of("men") == prior_of("Native Americans") == pytest.approx(expected, abs=1e-5)


def test_the_mean_prior_is_the_mean_probability_over_the_groups(tiny_bert: Model, score: Score) -> None:
    records = score(
        tiny_bert,
        probe="ilps_chain",
        groups=women_and_men(),
        prior={"mean": True},
        attributes=WORDS,
        templates=inline("All {group.plural} are {attribute}."),
    )
    mean = records.group_by("attribute").agg(pl.col("log_p_target").exp().mean().log(), pl.col("log_p_prior").first())
    for _, expected, found in mean.iter_rows():
        assert found == pytest.approx(expected, abs=1e-9)


def test_scores_of_one_attribute_do_not_depend_on_the_prior_when_groups_are_compared(
    tiny_bert: Model, score: Score
) -> None:
    def difference(prior: dict[str, str]) -> list[float]:
        records = score(
            tiny_bert,
            probe="ilps",
            groups=women_and_men(),
            prior=prior,
            attributes=WORDS,
            templates=inline("All {group.plural} are {attribute}."),
        )
        by_group = records.partition_by("group", as_dict=True)
        return [*(by_group["women",]["score"] - by_group["men",]["score"])]

    assert difference(PEOPLE) == pytest.approx(difference({"mask": "one"}), abs=1e-9)


def test_the_prior_of_the_log_probability_masks_one_or_each_subword(tiny_bert: Model, score: Score) -> None:
    def prior_of(masks: str) -> dict[str, float]:
        records = score(
            tiny_bert,
            probe="log_probability",
            groups={"inline": ["he"]},
            attributes=WORDS,
            templates=inline("{group} is {attribute}."),
            params={"prior_masks": masks},
        )
        return dict(records.select("attribute", "log_p_prior").iter_rows())

    one, each = prior_of("one"), prior_of("per_subword")
    assert len(set(one.values())) == 1
    assert one["poor"] == pytest.approx(each["poor"], abs=1e-5)
    assert abs(one["dominant"] - each["dominant"]) > 1e-3


def test_a_word_that_the_tokenizer_cannot_spell_is_named_with_its_template(tiny_bert: Model, score: Score) -> None:
    with pytest.raises(InputError, match=r"All \{group.plural\} are .*'好'.*unknown token"):
        score(
            tiny_bert,
            probe="ilps",
            groups=women_and_men(),
            prior=PEOPLE,
            attributes={"inline": ["poor", "好"]},
            templates=inline("All {group.plural} are {attribute}."),
        )


def test_a_sentence_longer_than_the_model_is_a_record_with_its_reason(tiny_bert: Model, score: Score) -> None:
    long = "All {group.plural} " + "who live here " * 80 + "are {attribute}."
    records = score(
        tiny_bert,
        probe="ilps_chain",
        groups=women_and_men(),
        prior=PEOPLE,
        attributes=WORDS,
        templates=inline(long, "All {group.plural} are {attribute}."),
    )
    unscored = records.filter(~pl.col("scorable"))
    assert set(unscored["template"]) == {long}
    assert set(unscored["reason"]) == {"longer than the model's 160 tokens"}
    assert unscored["score"].null_count() == len(unscored) == 6
    assert records.filter(pl.col("scorable"))["reason"].null_count() == 6


@pytest.mark.parametrize("params", [{"ends": "required"}, {"suffix": True}, {"format": "chat"}])
def test_what_only_causal_models_know_is_refused(tiny_bert: Model, score: Score, params: dict[str, object]) -> None:
    with pytest.raises(SpecError, match="for causal models only"):
        score(
            tiny_bert,
            probe="ilps_chain",
            groups=women_and_men(),
            prior=PEOPLE,
            attributes=WORDS,
            templates=inline("All {group.plural} are {attribute}."),
            params=params,
        )
