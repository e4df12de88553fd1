"""What a run leaves as findings, and how later runs of its plan go on with them."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from plumbline.audits.models import Plan, Run
from plumbline.findings import pending, updating
from plumbline.findings.models import Finding, Observation, Outcome, State, Update
from plumbline.findings.present_figures import present_figures
from plumbline.findings.selection import selected
from plumbline.findings.updating import update
from plumbline.results.measure_writing import replace_measures
from plumbline.spec.measure import OTHER_GROUPS
from plumbline.spec.verdicts import Verdict
from tests.plumbline.findings.audited import a_plan, a_run, asking, difference, outcomes_of, summarise

pytestmark = pytest.mark.django_db


def test_a_present_difference_becomes_a_finding_with_its_sentence_and_figures() -> None:
    run = a_run(difference("warm", 0.6), difference("cold", 0.4, Verdict.UNDECIDED), plan=a_plan())
    update(run)
    finding = Finding.objects.get()
    assert (finding.state, finding.model, finding.attribute) == (State.NEW, "hub:org/m", "warm")
    latest = finding.latest
    assert latest is not None
    assert latest.sentence == "hub:org/m@a links \u201cwarm\u201d more strongly to women than to men."
    assert (latest.value, latest.ci_low, latest.n_units, latest.outcome) == (0.6, 0.5, 12, Outcome.NEW)


def test_the_mean_over_a_list_is_a_finding_of_its_own() -> None:
    update(a_run(difference("", -0.5), plan=a_plan()))
    latest = Finding.objects.get().latest
    assert latest is not None
    assert latest.sentence == "On average hub:org/m@a links the words of traits more strongly to men than to women."


def test_the_mean_over_words_and_their_opposites_is_no_finding() -> None:
    pair = [{"text": text, "pair": "cold - warm"} for text in ("cold", "warm")]
    spec = {"probe": "ilps", "attributes": [{"inline": pair}]}
    update(a_run(difference("", -0.5, category=""), difference("", -0.5), spec=spec, plan=a_plan()))
    assert [one.category for one in Finding.objects.all()] == ["traits"]


def test_a_run_that_asks_a_group_in_other_words_is_compared_with_none_before_and_changes_no_decision() -> None:
    update(a_run(difference("warm", 0.6), plan=a_plan(), spec=asking("women")))
    Finding.objects.update(state=State.DISMISSED, judged_name="ada")
    for value, verdict in ((-0.9, Verdict.PRESENT), (0.01, Verdict.ABSENT), (0.1, Verdict.UNDECIDED)):
        update(a_run(difference("warm", value, verdict), plan=a_plan(), spec=asking("ladies")))
    update(a_run(difference("warm", 0.6), plan=a_plan(), spec=asking("women")))
    first, *others, last = outcomes_of("warm")
    assert (first, last) == (Outcome.NEW, Outcome.STILL)
    assert others == [Outcome.OTHER_WORDS, Outcome.GONE, Outcome.UNDECIDED]
    assert Finding.objects.get().state == State.DISMISSED


PLURALS = ["{Group.plural} are {attribute}."]
PRONOUNS = [*PLURALS, "The {group.singular} said that {they} could be {attribute}."]


@pytest.mark.parametrize(
    ("before", "after", "outcome"),
    [
        (("she", PLURALS), ("", PLURALS), Outcome.STILL),
        (("", PLURALS), ("she", PRONOUNS), Outcome.STILL),
        (("she", PRONOUNS), ("they", PRONOUNS), Outcome.OTHER_WORDS),
    ],
)
def test_only_a_form_that_the_templates_of_both_runs_read_makes_other_words(
    before: tuple[str, list[str]], after: tuple[str, list[str]], outcome: Outcome
) -> None:
    for pronoun, templates in (before, after):
        women = {"label": "women", "singular": "woman", "plural": "women", "pronoun": pronoun}
        men = {"label": "men", "singular": "man", "plural": "men", "pronoun": "he"}
        spec = {"groups": {"inline": [women, men]}, "templates": {"inline": templates}}
        update(a_run(difference("warm", 0.6), plan=a_plan(), spec=asking("women") | spec))
    assert outcomes_of("warm") == [Outcome.NEW, outcome]


def test_the_words_of_runs_that_an_earlier_release_observed_are_added() -> None:
    update(a_run(difference("warm", 0.6), plan=a_plan(), spec=asking("women")))
    Observation.objects.update(words="")
    update(a_run(difference("warm", 0.9), plan=a_plan(), spec=asking("ladies")))
    assert outcomes_of("warm") == [Outcome.NEW, Outcome.OTHER_WORDS]


def test_a_finding_that_other_words_bring_is_not_new_if_it_was_measured_before() -> None:
    update(a_run(difference("warm", 0.1, Verdict.UNDECIDED), plan=a_plan(), spec=asking("women")))
    update(a_run(difference("warm", 0.9), plan=a_plan(), spec=asking("ladies")))
    assert outcomes_of("warm") == [Outcome.UNDECIDED, Outcome.OTHER_WORDS]


@pytest.mark.parametrize(
    ("groups", "outcome"),
    [
        ([{"label": "women", "plural": "ladies"}, "men", "elves"], Outcome.OTHER_WORDS),
        (["women", "men", "elves", "orcs"], Outcome.OTHER_WORDS),
        (["elves", "men", "women"], Outcome.STILL),
        (["women", "men", "elves", {"label": "old men", "components": ["old people", "men"]}], Outcome.STILL),
    ],
)
def test_a_difference_from_the_other_groups_is_not_compared_where_these_are_others(
    groups: list[Any], outcome: Outcome
) -> None:
    from_mean = difference("warm", -2.1, group_a="elves", group_b=OTHER_GROUPS)
    for asked in (["women", "men", "elves"], groups):
        spec = asking("women") | {"groups": {"inline": asked}}
        update(a_run(from_mean, plan=a_plan(), spec=spec))
    assert outcomes_of("warm") == [Outcome.NEW, outcome]


def test_a_figure_over_a_list_is_not_compared_where_the_list_has_other_words() -> None:
    for words in (["warm", "kind"], ["kind", "warm"], ["warm"]):
        attributes = {"attributes": {"inline": words}}
        rows = (difference("", -0.5, category=""), difference("warm", 0.6, category=""))
        update(a_run(*rows, plan=a_plan(), spec=asking("women") | attributes))
    assert outcomes_of("") == [Outcome.NEW, Outcome.STILL, Outcome.OTHER_WORDS]
    assert outcomes_of("warm") == [Outcome.NEW, Outcome.STILL, Outcome.STILL]


def test_a_summary_that_ends_while_findings_are_written_makes_them_due_again(monkeypatch: pytest.MonkeyPatch) -> None:
    run = a_run(difference("warm", 0.6), plan=a_plan())

    def selected_before_the_summary(run: Run) -> Any:
        found = selected(run)
        summarise(run, difference("cold", 0.7))
        return found

    with monkeypatch.context() as patch:
        patch.setattr(updating, "selected", selected_before_the_summary)
        update(run)
    assert list(pending.due()) == [run]
    pending.write_due()
    assert Finding.objects.filter(attribute="cold").exists()
    assert not pending.due().exists()


def test_writing_the_findings_of_a_run_again_changes_nothing() -> None:
    run = a_run(difference("warm", 0.6), plan=a_plan())
    update(run)
    before = [*Finding.objects.values(), *Observation.objects.values().exclude(pk=0)]
    update(run)
    after = [*Finding.objects.values(), *Observation.objects.values()]
    assert [{**row, "written_at": None} for row in after] == [{**row, "written_at": None} for row in before]


def test_a_new_summary_updates_the_observation_of_its_run() -> None:
    run = a_run(difference("warm", 0.6), plan=a_plan())
    update(run)
    summarise(run, difference("warm", 0.7), difference("kind", 0.3))
    update(run)
    assert sorted(Observation.objects.values_list("finding__attribute", "value")) == [("kind", 0.3), ("warm", 0.7)]


def test_a_later_run_of_the_plan_continues_the_finding_whatever_the_revision_of_the_model() -> None:
    update(a_run(difference("warm", 0.6), plan=a_plan()))
    update(a_run(difference("warm", 0.5), plan=a_plan(), model="hub:org/m@b"))
    assert Finding.objects.count() == 1
    assert outcomes_of("warm") == [Outcome.NEW, Outcome.STILL]


def test_other_plans_models_and_runs_without_a_plan_have_findings_of_their_own() -> None:
    plan = a_plan()
    for run in (
        *(a_run(difference("warm", 0.6), plan=one) for one in (plan, a_plan("monthly"), None, None)),
        a_run(difference("warm", 0.6), plan=plan, model="hub:org/other"),
    ):
        update(run)
    assert Finding.objects.count() == 5


def test_an_effect_is_gone_only_by_an_equivalence_test() -> None:
    plan = a_plan()
    for value, verdict in (
        (0.6, Verdict.PRESENT),
        (0.2, Verdict.UNDECIDED),
        (0.01, Verdict.ABSENT),
        (0.1, Verdict.UNDECIDED),
        (0.6, Verdict.PRESENT),
        (-0.6, Verdict.PRESENT),
    ):
        update(a_run(difference("warm", value, verdict), plan=plan))
    assert outcomes_of("warm") == ["new", "undecided", "gone", "undecided", "back", "reversed"]


@pytest.mark.parametrize(
    ("value", "verdict", "change", "outcome"),
    [
        (0.9, Verdict.PRESENT, Verdict.PRESENT, Outcome.STRONGER),
        (0.3, Verdict.PRESENT, Verdict.PRESENT, Outcome.WEAKER),
        (0.9, Verdict.PRESENT, Verdict.UNDECIDED, Outcome.STILL),
        (0.3, Verdict.UNDECIDED, Verdict.PRESENT, Outcome.WEAKER),
        (0.01, Verdict.ABSENT, Verdict.PRESENT, Outcome.GONE),
        (0.01, Verdict.ABSENT, Verdict.UNDECIDED, Outcome.UNDECIDED),
        (-0.6, Verdict.PRESENT, Verdict.PRESENT, Outcome.REVERSED),
    ],
)
def test_the_test_of_a_change_decides_where_two_runs_were_compared(
    value: float, verdict: Verdict, change: Verdict, outcome: Outcome
) -> None:
    plan = a_plan()
    first = a_run(difference("warm", 0.6), plan=plan)
    second = a_run(difference("warm", value, verdict), plan=plan)
    tested = difference("warm", value - 0.6, change, statistic="difference_in_differences")
    tested |= {"condition": "ilps_difference", "variant": f"run:{first.pk}"}
    replace_measures(second.pk, [tested], compared=True)
    for run in (first, second):
        update(run)
    latest = Finding.objects.get().latest
    assert latest is not None
    assert (latest.outcome, latest.compared_with) == (outcome, first.pk)
    assert latest.change == pytest.approx(value - 0.6)


def test_a_figure_that_other_words_give_does_not_show_that_an_effect_is_gone() -> None:
    plan = a_plan()
    update(a_run(difference("warm", 0.6), plan=plan))
    update(a_run(difference("warm", 0.01, Verdict.ABSENT), plan=plan, spec={"probe": "ilps", "groups": "g2"}))
    assert outcomes_of("warm") == ["new", "undecided"]


def test_a_run_without_the_figure_is_an_observation_too() -> None:
    plan = a_plan()
    update(a_run(difference("warm", 0.6), plan=plan))
    update(a_run(plan=plan))
    assert outcomes_of("warm") == ["new", "not measured"]
    latest = Finding.objects.get().latest
    assert latest is not None
    assert latest.reason == "this run has no such figure"


def test_a_finding_is_looked_up_in_all_runs_of_its_plan_in_whatever_order_they_are_written() -> None:
    plan = a_plan()
    first = a_run(difference("warm", 0.6), difference("cold", 0.1, Verdict.UNDECIDED), plan=plan)
    second = a_run(difference("warm", 0.01, Verdict.ABSENT), difference("cold", 0.6), plan=plan)
    update(second)
    update(first)
    assert outcomes_of("warm") == ["new", "gone"]
    assert outcomes_of("cold") == ["undecided", "new"]
    latest = Finding.objects.get(attribute="warm").latest
    assert latest is not None
    assert latest.run_number == second.pk


def test_a_run_adds_the_clearest_effects_and_counts_the_rest() -> None:
    run = a_run(*(difference(f"word {at:02}", 0.3 + at / 100) for at in range(14)), plan=a_plan())
    update(run)
    counts = {(one["statistic"], one["rows"]): one for one in Update.objects.get(run=run).counts}
    words = counts["ilps_difference", "words"]
    assert (words["present"], words["taken"]) == (14, 10)
    assert sorted(Finding.objects.values_list("attribute", flat=True)) == [f"word {at:02}" for at in range(4, 14)]


def test_a_finding_stays_under_watch_when_it_is_no_longer_among_the_clearest() -> None:
    plan = a_plan()
    update(a_run(difference("warm", 0.3), plan=plan))
    update(a_run(difference("warm", 0.3), *(difference(f"word {at}", 0.5 + at) for at in range(10)), plan=plan))
    assert outcomes_of("warm") == ["new", "still"]
    assert Finding.objects.count() == 11


def test_only_the_primary_definition_becomes_a_finding() -> None:
    rows = [difference("warm", 0.6, variant=variant) for variant in ("", "prior: none", "by frame")]
    update(a_run(*rows, difference("warm", 0.6, template="{group} are {attribute}."), plan=a_plan()))
    assert list(Finding.objects.values_list("variant", "template")) == [("", "")]


def test_measures_of_earlier_rules_have_no_verdict_and_give_no_finding() -> None:
    update(a_run(difference("warm", 0.6, ""), plan=a_plan()))
    assert not Finding.objects.exists()


def test_a_run_with_a_concern_adds_nothing_and_decides_nothing_of_what_was_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plan = a_plan()
    update(a_run(difference("warm", 0.6), plan=plan))
    monkeypatch.setattr(updating, "concerns", lambda _run: ["The model cannot do the task."])
    update(second := a_run(difference("warm", 0.6), difference("kind", 0.9), plan=plan))
    assert (Finding.objects.count(), outcomes_of("warm")) == (1, ["new", "undecided"])
    written = Update.objects.get(run=second)
    (words,) = present_figures(second, written)
    assert (words.present, words.with_finding) == (2, 0)
    assert written.withheld == "The model cannot do the task."


def test_a_finding_outlives_its_run_and_its_plan() -> None:
    plan = a_plan()
    run = a_run(difference("warm", 0.6), plan=plan)
    update(run)
    run.delete()
    Plan.objects.all().delete()
    latest = Finding.objects.get().latest
    assert latest is not None
    assert (latest.run, latest.value, latest.run_number) == (None, 0.6, latest.run_number)


def test_the_database_refuses_a_second_finding_of_the_same_identity_and_any_deletion() -> None:
    update(a_run(difference("warm", 0.6), plan=a_plan()))
    finding = Finding.objects.get()
    finding.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        finding.save()
    with pytest.raises(Exception, match="Cannot delete rows from findings_finding"), transaction.atomic():
        Finding.objects.all().delete()
