"""The change of the accuracy on disambiguated items between two runs, against figures worked by hand."""

import polars as pl
import pytest

from plumbline.methods.bbq.spec import BbqSpec
from plumbline.spec.banks.bbq_question import Question
from tests.workers.probes.bbq.made_up import OPTIONS, question, records, spec
from workers.probes.bbq.comparison import compare
from workers.probes.protocol import Audited, Changes

TEMPLATES = 20
QUESTIONS = [
    question(str(template), number, told=OPTIONS[number]) for template in range(TEMPLATES) for number in (0, 1)
]
AMBIGUOUS = [question(str(template)) for template in range(TEMPLATES)]


def named(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(name=pl.lit(""))


def audited(answers: list[tuple[Question, int | None]]) -> Audited[BbqSpec]:
    frame = named(records(answers))

    def read(table: str, **_: object) -> pl.DataFrame:
        return {"choice": frame}[table]

    return Audited(spec(), {}, read)


def compared(before: list[int | None], after: list[int | None]) -> Changes:
    return compare(
        audited(list(zip(QUESTIONS, before, strict=True))),
        audited(list(zip(QUESTIONS, after, strict=True))),
    )


def right(wrong: int = 0) -> list[int | None]:
    """Answers of which the first `wrong` templates' first one is wrong."""
    golds: list[int | None] = [one.gold for one in QUESTIONS]
    return [2 if at % 2 == 0 and at // 2 < wrong else gold for at, gold in enumerate(golds)]


def test_lost_answers_are_a_cost_with_templates_as_units() -> None:
    (found,) = compared(right(), right(wrong=12)).measures
    assert found.value == pytest.approx(-12 / 40)
    assert (found.n, found.n_units, found.unit) == (40, TEMPLATES, "template")
    assert (found.verdict, found.smallest_effect) == ("present", 0.02)


def test_an_answer_that_matches_no_option_is_wrong() -> None:
    (found,) = compared(right(), [None, *right()[1:]]).measures
    assert found.value == pytest.approx(-1 / 40)


def test_the_same_answers_have_no_test_and_no_verdict_of_a_change() -> None:
    (found,) = compared(right(), right()).measures
    assert (found.value, found.p_value, found.ci_low) == (0.0, None, None)
    assert found.reason
    assert found.verdict not in ("present", "absent")


def test_samples_of_an_item_are_one_item_whose_share_changes() -> None:
    """Of three samples of each question the second run loses one in every template's first question."""
    first = audited(list(zip(QUESTIONS, right(), strict=True)))
    second = audited([pair for wrong in (0, 0, 20) for pair in zip(QUESTIONS, right(wrong), strict=True)])
    (found,) = compare(first, second).measures
    assert found.value == pytest.approx(-20 / 40 / 3)
    assert (found.n, found.n_units) == (40, TEMPLATES)
    both = compare(second, second)
    assert (both.paired, both.measures[0].value) == (40, 0.0)


def test_ambiguous_items_and_those_of_one_run_count_nowhere() -> None:
    ambiguous: list[tuple[Question, int | None]] = [(one, one.gold) for one in AMBIGUOUS]
    first = audited([*zip(QUESTIONS, right(), strict=True), *ambiguous])
    second = audited([*zip(QUESTIONS[:10], right(wrong=2)[:10], strict=True)])
    found = compare(first, second)
    assert (found.only_first, found.only_second) == (30, 0)
    assert [(one.n, one.verdict) for one in found.measures] == [(10, "not testable")]
    assert "20 templates" in found.measures[0].reason
