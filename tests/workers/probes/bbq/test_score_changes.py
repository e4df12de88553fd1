"""The changes of BBQ's scores between two runs, against the scores of both runs."""

from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest

from plumbline.methods.bbq.spec import BbqSpec
from plumbline.spec.banks.bbq_question import Question
from plumbline.spec.measure import Measure
from tests.workers.probes.bbq.made_up import OPTIONS, find, measures, question, records, spec
from workers.probes.bbq.score_changes import measure_changes
from workers.probes.protocol import Audited

RANDOM = np.random.default_rng(2)
TEMPLATES = 24
QUESTIONS = [
    question(str(template), number, polarity, told=told, category="Colour" if template < TEMPLATES / 2 else "Shape")
    for template in range(TEMPLATES)
    for polarity in ("neg", "nonneg")
    for number, told in ((0, ""), (0, OPTIONS[0]), (1, OPTIONS[1]))
]
Chosen = Sequence[int | None]
Logits = list[list[float] | None]


def audited(chosen: Chosen, logits: Logits | None = None) -> Audited[BbqSpec]:
    """A run. Its answers may be several samples of all questions, one after the other."""
    asked = QUESTIONS * (len(chosen) // len(QUESTIONS))
    frame = records(list(zip(asked, chosen, strict=True)), logits)
    bank = {"inline": [one.model_dump(mode="json") for one in QUESTIONS]}
    own = BbqSpec.model_validate(spec().model_dump(mode="json") | {"bank": bank})
    return Audited(own, {}, lambda *_, **__: frame.with_columns(name=pl.lit("")))


def random_answers() -> list[int | None]:
    return [int(one) for one in RANDOM.integers(3, size=len(QUESTIONS))]


def of(changes: Sequence[Measure], statistic: str, category: str = "") -> Measure:
    (found,) = [one for one in changes if (one.condition, one.category) == (statistic, category)]
    return found


@pytest.mark.parametrize(("statistic", "condition"), [("s_amb", "ambig"), ("s_dis", "disambig")])
@pytest.mark.parametrize("category", ["", "Colour", "Shape"])
def test_a_score_changes_by_what_the_runs_differ_in(statistic: str, condition: str, category: str) -> None:
    before, after = random_answers(), random_answers()
    change = of(measure_changes(audited(before), audited(after)), f"{statistic}, {condition}", category)
    own = [measures(zip(QUESTIONS, chosen, strict=True)) for chosen in (before, after)]
    values = [find(one, statistic, condition=condition, category=category).value for one in own]
    assert change.value == pytest.approx((values[1] or 0) - (values[0] or 0))
    assert (change.unit, change.smallest_effect) == ("template", 0.05)
    assert change.n_units == TEMPLATES / (2 if category else 1)


def biased(one: Question) -> int:
    return 0 if one.polarity == "neg" else 1


def test_a_bias_that_a_variant_loses_is_present_as_a_change() -> None:
    mixed = [biased(one) if RANDOM.random() < 0.8 else 2 for one in QUESTIONS]
    assert of(measure_changes(audited(mixed), audited([2] * len(QUESTIONS))), "s_amb, ambig").verdict == "present"


def test_templates_that_all_change_alike_allow_no_test() -> None:
    changes = measure_changes(audited([biased(one) for one in QUESTIONS]), audited([2] * len(QUESTIONS)))
    lost = of(changes, "s_amb, ambig")
    assert (lost.value, lost.p_value, lost.reason) == (-1.0, None, "all units changed alike")


def test_a_score_of_few_templates_has_no_verdict() -> None:
    change = of(measure_changes(audited(random_answers()), audited(random_answers())), "s_amb, ambig", "Colour")
    assert (change.verdict, change.reason) == ("not testable", "a verdict needs 20 units")


def test_an_answer_that_matches_no_option_in_one_run_is_in_no_score() -> None:
    after = random_answers()
    after[0] = None
    assert of(measure_changes(audited(random_answers()), audited(after)), "s_amb, ambig").n == 2 * TEMPLATES - 1


def test_the_share_of_an_item_s_samples_changes_and_no_pair_of_samples() -> None:
    before, samples = random_answers(), [random_answers() for _ in range(3)]
    changes = measure_changes(audited(before), audited([one for some in samples for one in some]))
    each = [measure_changes(audited(before), audited(some)) for some in samples]
    change = of(changes, "s_amb, ambig")
    assert change.value == pytest.approx(np.mean([of(one, "s_amb, ambig").value for one in each]))
    assert change.n == of(each[0], "s_amb, ambig").n == 2 * TEMPLATES


def test_the_paired_preference_changes_by_templates() -> None:
    chosen = random_answers()
    logits = [RANDOM.normal(size=(len(QUESTIONS), 3)).tolist() for _ in range(2)]
    change = of(measure_changes(audited(chosen, logits[0]), audited(chosen, logits[1])), "paired_preference, ambig")
    own = [measures(zip(QUESTIONS, chosen, strict=True), one) for one in logits]
    values = [find(one, "paired_preference", condition="ambig").value for one in own]
    assert change.value == pytest.approx((values[1] or 0) - (values[0] or 0))
    assert change.smallest_effect == 0.22


def test_a_score_without_a_named_person_has_no_change() -> None:
    unknown = audited([2] * len(QUESTIONS))
    assert not [one for one in measure_changes(unknown, unknown) if one.condition == "s_dis, disambig"]
