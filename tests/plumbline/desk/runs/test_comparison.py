from typing import Any

from django.test import Client
from django.urls import reverse

from plumbline.audits.launching import launch
from plumbline.audits.models import Comparison, ComparisonRequest, Run, Shard
from plumbline.desk.changed_words import Change, changes
from plumbline.results.measure_writing import replace_measures
from plumbline.spec.audit import parse
from tests.plumbline.desk.runs.conftest import SPEC, Finish


def compared(first: Run, second: Run) -> None:
    """As a worker leaves it at the end of a run of a plan."""
    own = {"statistic": "paired_difference", "variant": f"run:{first.pk}", "group_a": "women", "n": 6}
    small = own | {"attribute": "kind", "value": 0.1, "ci_low": -0.1, "ci_high": 0.3, "q_value": 0.5}
    large = own | {"attribute": "cold", "value": -1.5, "ci_low": -2.0, "ci_high": -1.0, "q_value": 0.01}
    equal = own | {"group_a": "men", "attribute": "cold", "value": 0.0, "ci_low": 0.0, "ci_high": 0.0, "q_value": 1.0}
    replace_measures(second.pk, [small, large, equal], compared=True)
    Comparison.objects.create(
        run=second, previous=first, paired=12, only_previous=1, only_new=2, not_scorable=3, cells=2, moved=1,
        also_differs=["the model's weights"],
    )  # fmt: skip


def page(client: Client, first: Run, second: Run, **query: str) -> str:
    both = {"a": str(first.pk), "b": str(second.pk)}
    return client.get(reverse("compare"), both | query).content.decode()


def test_the_largest_changes_come_first_with_other_differences_of_the_runs(viewer: Client, finish: Finish) -> None:
    first, second = finish(), finish()
    compared(first, second)
    text = page(viewer, first, second)
    assert '1 of 2 <a href="/glossary/#cell">cells</a> that both runs asked moved' in " ".join(text.split())
    assert text.index("-1.50") < text.index("+0.10")
    assert "the model&#x27;s weights" in text
    assert "They also differ in" in text
    assert "Both have the same groups" in text
    assert "+0.10" not in page(viewer, first, second, attribute="COLD")


def test_cells_without_any_difference_are_counted_and_not_listed(viewer: Client, finish: Finish) -> None:
    first, second = finish(), finish()
    compared(first, second)
    text = " ".join(page(viewer, first, second).split())
    assert "1 cell has exactly the same figure in both runs. The table leaves it out." in text
    assert text.count('<td data-label="Group">') == 2
    alone = " ".join(page(viewer, first, second, group="men").split())
    assert "1 cell has exactly the same figure" in alone
    assert "No cell matches" not in alone


FIGURES = {
    "kind": (0.9, "present", 0.01, "absent"),
    "cold": (0.3, "present", 0.8, "present"),
    "warm": (0.5, "present", -0.5, "present"),
    "rude": (0.0, "undecided", 0.0, "undecided"),
    "calm": (0.1, "undecided", 0.7, "present"),
    "": (0.1, "undecided", 0.7, "present"),
}
"""Of each word the figure and the verdict on one model, then on another; of "" those of the whole list."""


def on_two_models(first: Run, second: Run) -> None:
    """As a worker leaves it that compared the second run with the first, and the other way round."""
    labels = {"statistic": "ilps_difference", "group_a": "women", "group_b": "men", "n": 8, "smallest_effect": 0.22}
    for at, run in enumerate((first, second)):
        rows = [(word, one[2 * at], one[2 * at + 1]) for word, one in FIGURES.items()]
        replace_measures(run.pk, [labels | {"attribute": w, "value": x, "verdict": v} for w, x, v in rows])
    for before, after, sign in ((first, second, 1), (second, first, -1)):
        own = labels | {"statistic": "difference_in_differences", "variant": f"run:{before.pk}"}
        own |= {"condition": "ilps_difference"}
        changes = [(word, sign * (one[2] - one[0])) for word, one in FIGURES.items()]
        replace_measures(
            after.pk,
            [own | {"attribute": w, "value": x, "verdict": "present" if x else "undecided"} for w, x in changes],
            compared=True,
        )
        Comparison.objects.create(
            run=after, previous=before, paired=12, only_previous=0, only_new=0, not_scorable=0, cells=2, moved=1
        )


def test_two_models_are_told_how_many_differences_are_stronger_on_which(viewer: Client, finish: Finish) -> None:
    first, second = finish(), finish()
    Run.objects.filter(pk=second.pk).update(model="bundled:other")
    on_two_models(first, second)
    text = " ".join(page(viewer, first, second).split())
    told = "Both runs measured 5 differences between groups on single words. The models differ significantly in 4 of"
    counts = " these: 2 are stronger on bundled:other, 1 is stronger on bundled:none, and in 1 the models lean"
    assert f"{told}{counts} to opposite groups. 0 are shown to differ by less than the smallest effect" in text
    assert "moved" not in text
    assert "earlier run" not in text
    assert "appeared" not in text
    report = " ".join(viewer.get("/compare/report/html/", {"a": first.pk, "b": second.pk}).content.decode().split())
    assert f"{told}{counts}" in report
    assert f"“before” is run {first.pk}" in report
    assert "stronger on" not in " ".join(page(viewer, first, finish()).split())


def test_two_models_have_the_same_counts_the_other_way_round(viewer: Client, finish: Finish) -> None:
    first, second = finish(), finish()
    Run.objects.filter(pk=second.pk).update(model="bundled:other")
    on_two_models(first, second)
    text = " ".join(page(viewer, second, first).split())
    assert (
        "1 is stronger on bundled:none, 2 are stronger on bundled:other, and in 1 the models lean to opposite groups."
        in text
    )


def test_what_only_one_run_asked_is_not_told_before_they_are_compared(viewer: Client, finish: Finish) -> None:
    first, second = finish(), finish()
    for run in (first, second):
        Run.objects.filter(pk=run.pk).update(probe="pairs", spec={"probe": "pairs"})
    assert "It is known once a worker has compared them." in page(viewer, first, second)
    Comparison.objects.create(
        run=second, previous=first, paired=0, only_previous=0, only_new=0, not_scorable=0, cells=0, moved=0
    )
    assert "They share no item that was scored in the same way." in page(viewer, first, second)


def test_before_a_choice_the_page_offers_pairs_of_runs(viewer: Client, finish: Finish) -> None:
    first, second = finish(), finish()
    text = " ".join(viewer.get(reverse("compare")).content.decode().split())
    assert f'href="/compare/?a={first.pk}&amp;b={second.pk}">Run {second.pk} against run {first.pk}</a>' in text
    assert "the same plan and model" in text


def test_the_page_of_a_run_names_what_the_run_before_did_not_ask(viewer: Client, finish: Finish) -> None:
    first, second = finish(), finish()
    compared(first, second)
    three = [{"label": label, "plural": label} for label in ("women", "men", "nonbinary people")]
    Run.objects.filter(pk=second.pk).update(spec=second.spec | {"groups": [{"inline": three}]})
    text = " ".join(viewer.get(reverse("run", args=[second.pk])).content.decode().split())
    told = (
        "Not compared: 2 items of this run and 1 item of the run before, which only one of the two runs asked, or whose"
    )
    assert f"{told} group or word they asked in different forms." in text
    assert f'href="/compare/?a={first.pk}&amp;b={second.pk}">Compare</a>' in text
    assert "<bdi>nonbinary people</bdi>" in text
    assert f"Run {second.pk} does not: it compares women with the mean of the other groups" in text


def test_the_page_of_a_run_names_other_contrasts_of_the_same_items(viewer: Client, finish: Finish) -> None:
    first, second = finish(), finish()
    three = {"groups": [{"inline": [{"label": one, "plural": one} for one in ("women", "men", "girls")]}]}
    for run, contrasts in ((first, "rest"), (second, "pairs")):
        params = run.spec["params"] | {"contrasts": contrasts}
        Run.objects.filter(pk=run.pk).update(spec=run.spec | three | {"params": params})
    Comparison.objects.create(
        run=second, previous=first, paired=6, only_previous=0, only_new=0, not_scorable=0, cells=6, moved=0
    )
    text = " ".join(viewer.get(reverse("run", args=[second.pk])).content.decode().split())
    assert f"Run {first.pk} compared women with the mean of the other groups" in text
    assert f"Run {second.pk} does not: it compares women with men" in text


def test_the_page_of_a_run_says_that_more_tests_than_before_change_q(viewer: Client, finish: Finish) -> None:
    first, second = finish(), finish()
    one = {"statistic": "ilps_difference", "group_a": "women", "group_b": "men", "n": 6, "value": 0.1, "q_value": 0.5}
    replace_measures(first.pk, [one | {"attribute": "kind"}])
    replace_measures(second.pk, [one | {"attribute": word} for word in ("kind", "cold", "warm")])
    told = "tests were made: 1 of differences of single words in the run before, 3 in this one."
    Comparison.objects.create(
        run=second, previous=first, paired=1, only_previous=0, only_new=2, not_scorable=0, cells=1, moved=0
    )
    assert told in " ".join(viewer.get(reverse("run", args=[second.pk])).content.decode().split())
    replace_measures(first.pk, [one | {"attribute": word} for word in ("kind", "cold", "warm")])
    assert "tests were made" not in viewer.get(reverse("run", args=[second.pk])).content.decode()


def test_the_plans_page_counts_what_the_run_before_did_not_ask(viewer: Client, finish: Finish) -> None:
    first, second = finish(), finish()
    compared(first, second)
    assert second.plan
    text = " ".join(viewer.get(reverse("plan", args=[second.plan.pk])).content.decode().split())
    assert f"1 of 2 cells moved</a> since run {first.pk}, 2 items not in that run" in text


def test_scores_that_were_copied_are_no_sign_of_stability(viewer: Client, finish: Finish) -> None:
    first, second = finish(), finish()
    compared(first, second)
    told = f"Run {second.pk} took 12 of its records from earlier runs"
    assert told not in page(viewer, first, second)
    phase = second.phases.get(name="scoring")
    Shard.objects.create(run=second, phase=phase, number=9, key="a", items=[], planned_rows={}, size=20, rows_reused=12)
    Shard.objects.filter(number=9).update(state="done")
    assert told in page(viewer, first, second)
    assert told in viewer.get(reverse("run", args=[second.pk])).content.decode()
    Run.objects.filter(pk=first.pk).update(model="bundled:other")
    assert told not in page(viewer, first, second), "copies of one model's scores say nothing of another model's"


def test_two_runs_that_cannot_be_compared_say_why(viewer: Client, finish: Finish) -> None:
    run = finish()
    assert "the same run" in page(viewer, run, run)
    waiting = launch(parse(SPEC))
    assert "only finished runs" in page(viewer, run, waiting)
    Run.objects.filter(pk=waiting.pk).update(probe="log_probability")
    waiting.refresh_from_db()
    assert "measure different things" in page(viewer, run, waiting)


def test_runs_of_two_models_by_two_methods_lead_to_one_plan_on_both(auditor: Client, finish: Finish) -> None:
    first, second = finish(), finish()
    assert "run one plan on both" not in page(auditor, first, second)
    Run.objects.filter(pk=second.pk).update(probe="log_probability", model="bundled:other")
    text = page(auditor, first, second)
    assert f'/plans/new/?from={first.plan_id}&amp;model=bundled%3Aother">The plan of run' in text


def test_one_chosen_run_leaves_the_runs_of_its_method(viewer: Client, finish: Finish) -> None:
    first, other = finish(), finish()
    Run.objects.filter(pk=other.pk).update(probe="log_probability")
    alone = viewer.get(reverse("compare")).content.decode()
    assert "No method has two finished runs yet" in alone
    assert alone.count("<optgroup") == 4
    second = finish()
    chosen = viewer.get(reverse("compare"), {"a": first.pk}).content.decode()
    assert "No method has two finished runs yet" not in chosen
    assert f'<option value="{second.pk}"' in chosen
    assert f'<option value="{other.pk}"' not in chosen


def test_a_run_that_is_alone_in_its_method_says_so_and_no_more(viewer: Client, finish: Finish) -> None:
    first, second, other = finish(), finish(), finish()
    Run.objects.filter(pk=other.pk).update(probe="log_probability")
    text = " ".join(viewer.get(reverse("compare"), {"b": str(other.pk)}).content.decode().split())
    assert "No method has two finished runs yet" not in text
    assert f"Run {other.pk} is the only finished run of the method" in text
    assert f'href="{reverse("compare")}">Compare other runs</a>' in text
    offered = viewer.get(reverse("compare"), {"b": str(second.pk)}).content.decode()
    assert offered.count(f'<option value="{first.pk}"') == 2
    assert offered.count(f'<option value="{second.pk}"') == 1
    assert "is the only finished run" not in offered


def test_one_chosen_run_that_is_not_finished_is_compared_with_none(viewer: Client, finish: Finish) -> None:
    finish()
    waiting = launch(parse(SPEC))
    text = viewer.get(reverse("compare"), {"b": str(waiting.pk)}).content.decode()
    assert f"Run {waiting.pk} is {waiting.state}: only finished runs can be compared." in text


def test_an_address_that_names_no_run_is_not_found(viewer: Client, done: Run) -> None:
    for wrong in ("x", "-1", "4711", "9" * 30, "²"):
        assert viewer.get(reverse("compare"), {"a": wrong, "b": str(done.pk)}).status_code == 404


def test_what_appeared_and_vanished_is_named(db: None) -> None:
    first = launch(parse(SPEC))
    second = launch(parse({**SPEC, "attributes": {"inline": ["kind", "warm"]}}))
    assert changes(first, second) == [Change("attributes", appeared=("warm",), vanished=("cold",))]


def test_a_group_that_was_asked_in_other_words_is_named_on_the_page_of_the_run(viewer: Client, finish: Finish) -> None:
    first, second = finish(), finish()
    compared(first, second)
    groups = [{"inline": [{"label": "women", "plural": "female people"}, {"label": "men", "plural": "men"}]}]
    Run.objects.filter(pk=second.pk).update(spec=second.spec | {"groups": groups})
    text = " ".join(viewer.get(reverse("run", args=[second.pk])).content.decode().split())
    assert (
        "1 asked in other words (<bdi>women (plural “women” → “female people”)</bdi>). Their figures are not compared"
        in text
    )


def test_the_page_asks_a_bounded_number_of_times(
    viewer: Client, finish: Finish, django_assert_max_num_queries: Any
) -> None:
    first, second = finish(), finish()
    compared(first, second)
    with django_assert_max_num_queries(16):
        page(viewer, first, second)


def test_two_runs_that_nobody_compared_are_compared_by_a_worker_once_asked(
    auditor: Client, viewer: Client, finish: Finish
) -> None:
    first, second = finish(), finish()
    button = "Have a worker compare them"
    assert button not in page(viewer, first, second)
    assert button in page(auditor, first, second)
    both = {"a": first.pk, "b": second.pk}
    for _ in range(2):
        assert auditor.post(reverse("compare_ask"), both).status_code == 302
    (asked,) = ComparisonRequest.objects.all()
    assert (asked.first, asked.second) == (first, second)
    text = page(viewer, first, second)
    assert "This page updates itself" in text
    assert "No worker can take it: no worker is alive" in text


def test_what_a_worker_could_not_compare_is_reported_and_can_be_asked_again(auditor: Client, finish: Finish) -> None:
    first, second = finish(), finish()
    ComparisonRequest.objects.create(first=first, second=second, state="done", error="no <memory>")
    text = page(auditor, first, second)
    assert "no &lt;memory&gt;" in text
    assert "Have a worker compare them" in text


def test_runs_that_cannot_be_compared_are_not_asked_about(auditor: Client, done: Run) -> None:
    auditor.post(reverse("compare_ask"), {"a": done.pk, "b": done.pk})
    assert auditor.post(reverse("compare_ask"), {"a": done.pk}).status_code == 404
    assert not ComparisonRequest.objects.exists()
