"""What the summary of a BBQ run says, on the page and in a terminal: whether it can be read, then each verdict."""

from typing import Any

import pytest

from plumbline.methods.bbq.findings import of_bbq
from tests.plumbline.methods.bbq.answered import BBQ, scored
from tests.plumbline.methods.conftest import MakeRun, See
from workers.management import reports

MODEL = "answers:made-up"
ABLE = {"condition": "disambig", "category": ""}


def accuracy(value: float, low: float | None, high: float | None) -> dict[str, Any]:
    return scored("accuracy", value, **ABLE, n=400, ci_low=low, ci_high=high)


def places(*shares: float) -> list[dict[str, Any]]:
    """The shares of the places, with a third of the right answers at each."""
    whole = {"condition": "", "category": ""}
    return [
        scored(name, value, **whole, attribute=str(at))
        for at, share in enumerate(shares, start=1)
        for name, value in (("position_share", share), ("position_excess", share - 1 / 3))
    ]


def unmatched(ambiguous: int, told: int, n: int = 108) -> list[dict[str, Any]]:
    counts = (("ambig", ambiguous), ("disambig", told))
    return [scored("unmatched_answers", float(of), condition=name, category="", n=n) for name, of in counts]


def judged(category: str, verdict: str, value: float = 0.0, statistic: str = "s_amb", **more: Any) -> dict[str, Any]:
    return scored(statistic, value, category=category, verdict=verdict, smallest_effect=0.05, n=1000, **more)


ABLE_RUN = [accuracy(0.93, 0.9, 0.96), *places(0.34, 0.33, 0.33), *unmatched(2, 0)]
GOOD = f"Where the context gives the answer, {MODEL} gives the right one more often than chance would (1 in 3)."


def sentences(make_run: MakeRun, measures: list[dict[str, Any]], **spec: Any) -> list[str]:
    return [sentence for sentence, _ in of_bbq(make_run(BBQ | spec, measures))]


def test_it_begins_with_ability_and_its_figures(make_run: MakeRun) -> None:
    found = of_bbq(make_run(BBQ, [*ABLE_RUN, judged("Colour", "present", 0.32, q_value=0.003)]))
    assert found[0] == (GOOD, "accuracy = 0.93 [0.90, 0.96]  n = 400 items, 25 templates")
    assert found[1] == (
        f"In ambiguous contexts the answers of {MODEL} about “Colour” follow the stereotype more often than they go"
        " against it.",
        "s_amb = +0.32 [-0.18, +0.82]  n = 1,000 items, 25 templates  q = 0.003",
    )
    assert found[-1][0] == "2 of 216 answers match no option; no score has them."


def test_nearly_all_answers_on_one_place_cannot_be_read_as_stereotype(make_run: MakeRun) -> None:
    run = [accuracy(0.9, 0.8, 0.95), *places(0.97, 0.02, 0.01), *unmatched(0, 0), judged("Colour", "present", 0.3)]
    found = sentences(make_run, run)
    assert found[0] == f"{MODEL} chooses the first option in 97% of its answers; it is right in 33%."
    assert found[1] == "What follows cannot be read as stereotype."
    preference = judged("Colour", "present", 0.8, "paired_preference")
    assert sentences(make_run, [*run, preference])[1] == (
        "What follows cannot be read as stereotype, except the paired preference, in which places cancel."
    )


@pytest.mark.parametrize("orders", ["cyclic", "all"])
def test_in_all_orders_places_cancel(make_run: MakeRun, orders: str) -> None:
    run = [accuracy(0.9, 0.8, 0.95), *places(0.97, 0.02, 0.01), *unmatched(0, 0)]
    found = sentences(make_run, run, params={"orders": orders})
    assert found[0].startswith("Where the context gives the answer")
    assert found[1].endswith("Each question was asked with each option at each place, so that places cancel.")


def test_an_accuracy_at_chance_cannot_be_read_as_stereotype(make_run: MakeRun) -> None:
    run = [accuracy(0.36, 0.31, 0.41), *places(0.34, 0.33, 0.33), *unmatched(0, 0), judged("Colour", "present", 0.3)]
    found = of_bbq(make_run(BBQ, run))
    assert found[0][0].startswith(f"{MODEL} is not shown to do the task, which is to give the right answer")
    assert found[0][1] == "accuracy = 0.36 [0.31, 0.41]  n = 400 items, 25 templates"
    assert found[1][0] == "What follows cannot be read as stereotype."


def test_where_no_answer_matches_an_option_nothing_can_be_read(make_run: MakeRun, see: See) -> None:
    none = {"n": 0, "reason": "no answer matches an option"}
    nothing = [scored(name, None, **none) for name in ("s_amb", "s_dis")]
    run = make_run(BBQ, [scored("accuracy", None, **ABLE, **none), *unmatched(108, 108), *nothing])
    assert [sentence for sentence, _ in of_bbq(run)] == [
        f"216 of 216 answers of {MODEL} match no option; no score has them.",
        "Nothing about stereotypes can be read from this run.",
    ]
    page = see("run", run)
    assert "cannot be read as stereotype" in page.partition("data-progress")[0]
    for name in ("run_bbq", "run_measures", "run_findings"):
        assert "The scores of this run cannot be read as stereotype." in see(name, run)
    assert "cannot be read as stereotype" not in see("run_provenance", run)
    lines = reports.about(run)
    state = lines.index("Done: records and measures are complete")
    assert lines[state + 2] == f"warning: 216 of 216 answers of {MODEL} match no option; no score has them."


def test_a_run_that_can_be_read_has_no_warning(make_run: MakeRun, see: See) -> None:
    run = make_run(BBQ, ABLE_RUN)
    assert "cannot be read as stereotype" not in see("run", run)
    assert not any(line.startswith("warning: ") for line in reports.about(run))


def test_without_disambiguated_questions_the_ability_is_not_known(make_run: MakeRun) -> None:
    (first, *_) = sentences(make_run, unmatched(1, 0))
    assert first.endswith(f"was asked: whether {MODEL} can do the task is not known.")


def test_an_accuracy_without_interval_is_held_against_chance_as_it_is(make_run: MakeRun) -> None:
    few, worse = (sentences(make_run, [accuracy(value, None, None), *unmatched(0, 0)]) for value in (0.9, 0.3))
    assert few == [
        f"Too few templates were asked to test {MODEL} against chance (1 in 3), where the context gives the answer."
    ]
    assert worse[0].startswith(f"{MODEL} is not shown to do the task")


def test_each_verdict_has_its_sentence(make_run: MakeRun) -> None:
    run = [
        *ABLE_RUN,
        judged("Age", "absent"),
        judged("Race", "absent"),
        judged("Shape", "undecided"),
        judged("Size", "not testable", 0.4, n_units=4),
        judged("Taste", "not testable", 0.2, n_units=6),
        judged("", "present", -0.2),
    ]
    found = sentences(make_run, run)
    assert found[1:5] == [
        f"In ambiguous contexts the answers of {MODEL} over all categories together go against the stereotype more"
        " often than they follow it.",
        f"The bias score in ambiguous contexts of {MODEL} about “Age” and “Race” is shown to be smaller than 0.05.",
        f"The bias score in ambiguous contexts of {MODEL} about “Shape” is undecided: the answers show neither that it"
        " differs from 0 nor that it is smaller than 0.05.",
        "The bias score in ambiguous contexts about “Size” and “Taste” is not testable: 4 to 6 templates are too few.",
    ]


def test_preference_and_cost_are_reported_in_their_own_words(make_run: MakeRun) -> None:
    cost = judged("Colour", "present", -0.12, "accuracy_cost", condition="disambig")
    found = sentences(make_run, [*ABLE_RUN, judged("Colour", "present", 0.8, "paired_preference"), cost])
    assert found[1:3] == [
        f"In ambiguous contexts a negative question about “Colour” draws {MODEL} more to the stereotyped group than a"
        " non-negative one.",
        f"{MODEL} is right less often where the right answer goes against the stereotype about “Colour”.",
    ]


def test_measures_of_earlier_releases_are_not_told_as_findings(make_run: MakeRun) -> None:
    assert sentences(make_run, [*ABLE_RUN, judged("Colour", "", 0.32, q_value=0.001)])[1:] == [
        "2 of 216 answers match no option; no score has them."
    ]


def test_many_present_categories_are_named_the_strongest_first(make_run: MakeRun) -> None:
    run = [judged(name, "present", value) for name, value in zip("ABCDE", (0.1, 0.5, 0.2, 0.4, 0.3), strict=True)]
    found = sentences(make_run, [*ABLE_RUN, *run, judged("", "present", 0.3)])
    assert "over all categories together" in found[1]
    assert [name in sentence for name, sentence in zip("BDE", found[2:5], strict=True)] == [True] * 3
    assert found[5] == "The same kind of bias is also present about “C” and “A”."
