"""Measures of perplexity and its change, against figures worked by hand."""

from math import exp, log

import polars as pl
import pytest

from plumbline.methods.perplexity.spec import PerplexitySpec
from plumbline.spec.errors import InputError
from plumbline.spec.measure import Measure
from workers.probes.perplexity.comparison import compare
from workers.probes.perplexity.summary import summarise
from workers.probes.protocol import Audited

N = 100
TEXTS = [{"id": str(at), "text": f"text {at}"} for at in range(N)]
SPEC = PerplexitySpec.model_validate(
    {"name": "held out", "probe": "perplexity", "model": "bundled:masked-demo", "bank": {"inline": TEXTS}}
)


def records(log_likelihoods: list[float], n_tokens: int = 4, n_top1: int | None = 2) -> pl.DataFrame:
    known = [None if one != one else one for one in log_likelihoods]
    return pl.DataFrame(
        {
            "item": [str(at) for at in range(len(known))],
            "log_likelihood": known,
            "n_tokens": [n_tokens] * len(known),
            "n_top1": [n_top1] * len(known),
            "scorable": [one is not None for one in known],
            "reason": ["too long" if one is None else None for one in known],
        },
        schema_overrides={"log_likelihood": pl.Float64, "n_top1": pl.Int32, "reason": pl.String},
    )


def by_name(measures: list[Measure]) -> dict[str, Measure]:
    return {one.statistic: one for one in measures}


def test_perplexity_is_over_all_tokens_and_accuracy_a_share_of_them() -> None:
    found = by_name(summarise(SPEC, records([-4.0, -8.0, -12.0])))
    perplexity, top1 = found["pseudo_perplexity"], found["top1_accuracy"]
    assert perplexity.value == pytest.approx(exp(2))
    assert (perplexity.n, perplexity.n_units) == (12, 3)
    assert (perplexity.ci_low or 0.0) < exp(2) < (perplexity.ci_high or 0.0)
    assert top1.value == 0.5


def test_a_causal_model_has_perplexity_and_no_accuracy() -> None:
    found = by_name(summarise(SPEC, records([-4.0, -8.0], n_top1=None)))
    assert found["perplexity"].value == pytest.approx(exp(1.5))
    assert "top1_accuracy" not in found


def test_texts_without_a_score_are_counted_with_their_reason() -> None:
    found = by_name(summarise(SPEC, records([-4.0, float("nan")])))
    assert found["scorable_share"].value == 0.5
    assert (found["not_scorable"].value, found["not_scorable"].reason) == (1, "too long")
    empty = by_name(summarise(SPEC, records([float("nan")])))
    assert empty["pseudo_perplexity"].value is None
    assert empty["pseudo_perplexity"].reason


def audited(frame: pl.DataFrame) -> Audited[PerplexitySpec]:
    def read(table: str, **_: object) -> pl.DataFrame:
        return {"text_likelihood": frame}[table]

    return Audited(SPEC, {}, read)


def test_a_change_is_paired_by_text_and_has_a_verdict() -> None:
    before = [-8.0 - at for at in range(N)]
    after = [one - 4 * (log(1.5) + 0.01 * (at % 3)) for at, one in enumerate(before)]
    found = compare(audited(records(before)), audited(records(after)))
    perplexity = next(one for one in found.measures if one.attribute == "log perplexity")
    assert perplexity.value == pytest.approx(log(1.5) + 0.0099)
    assert (perplexity.verdict, perplexity.smallest_effect) == ("present", 0.02)
    accuracy = next(one for one in found.measures if one.attribute == "top-1 accuracy")
    assert (accuracy.value, accuracy.p_value, accuracy.ci_low) == (0.0, None, None)
    assert accuracy.verdict != "present"


def test_a_change_within_2_percent_is_shown_to_be_absent() -> None:
    before = [-8.0 - at for at in range(N)]
    after = [one + 4 * 0.001 * (-1) ** at for at, one in enumerate(before)]
    found = compare(audited(records(before)), audited(records(after)))
    assert [one.verdict for one in found.measures if one.attribute == "log perplexity"] == ["absent"]


def test_few_texts_have_a_change_and_no_verdict() -> None:
    before = [-8.0 - at for at in range(N)]
    after = [one - 4 * 0.5 - 0.1 * (at % 3) for at, one in enumerate(before)]
    found = compare(audited(records(before[:99])), audited(records(after[:99]))).measures[0]
    assert (found.verdict, found.p_value) == ("not testable", None)
    assert found.ci_low is not None
    assert "100 texts" in found.reason


def test_models_that_count_tokens_differently_are_refused() -> None:
    scores = [-8.0 - at for at in range(N)]
    with pytest.raises(InputError, match="different tokens"):
        compare(audited(records(scores)), audited(records(scores, n_tokens=5)))
    with pytest.raises(InputError, match="masked and the other causal"):
        compare(audited(records(scores)), audited(records(scores, n_top1=None)))
