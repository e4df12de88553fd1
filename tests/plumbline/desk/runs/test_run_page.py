"""The page of a run: what it found, in words and figures, and whether to trust it."""

import json
import re
from datetime import timedelta
from typing import Any

import pghistory
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from plumbline.audits import life
from plumbline.audits.clock import now
from plumbline.audits.launching import launch_plan
from plumbline.audits.models import Plan, Role, Run, Shard, WorkerState
from plumbline.audits.presence import Presence
from plumbline.audits.states import RunState
from plumbline.findings.updating import update
from plumbline.results.measure_writing import replace_measures
from plumbline.spec.measure import OTHER_GROUPS
from plumbline.vocab.models import Group, GroupList
from tests.plumbline.desk.runs.conftest import MARKED, SPEC, As, Finish, cell, measures
from tests.plumbline.judged import judged


def page(client: Client, name: str, run: Run, **query: str) -> str:
    return client.get(reverse(name, args=[run.pk]), query).content.decode()


def test_the_strongest_findings_are_first_in_a_sentence_with_their_uncertainty(viewer: Client, done: Run) -> None:
    text = page(viewer, "run", done)
    assert "+1.25 [+0.75, +1.75]  n = 12 items, 6 kinds of sentence  q = 0.003" in text
    assert "Of 2 attributes, bundled:none is shown to link 1 more strongly to women than" in text
    assert "On average bundled:none links the words of the attributes more strongly to women than to" in text
    assert "1 word leans more to women than its list does (&quot;kind&quot;)" in text


def test_each_of_the_strongest_findings_has_a_verdict_and_its_two_sentences(viewer: Client, done: Run) -> None:
    text = " ".join(re.sub(r"<[^>]+>", "", page(viewer, "run", done)).split())
    found = text[text.index("1.25 [+0.75, +1.75]") : text.index("The sentences are those")]
    assert "q = 0.003 present" in found
    assert "Women are kind. score +1.00" in found
    assert "Arabs are kind. score +0.50" in found


def test_a_word_whose_sentences_were_not_kept_has_none(viewer: Client, done: Run) -> None:
    replace_measures(done.pk, [{**one, "attribute": "unknown"} for one in measures() if one.get("attribute") == "kind"])
    text = page(viewer, "run", done)
    assert "more strongly to" in text
    assert '<ul class="sentences">' not in text


def test_a_word_that_echoes_a_group_comes_after_all_others_and_says_why(viewer: Client, plan: Plan) -> None:
    words = ("like women", "kind")
    plan.spec = SPEC | {"attributes": {"inline": list(words)}}
    run = launch_plan(plan)
    Run.objects.filter(pk=run.pk).update(state=RunState.DONE)
    own = {"statistic": "ilps_difference", "group_a": "women", "group_b": MARKED, "n": 12, "n_units": 12}
    replace_measures(run.pk, [own | cell(word, value, 0.003) for word, value in zip(words, (1.5, 1.25), strict=True)])
    found, _, table = page(viewer, "run", run).partition("The sentences are those")
    assert (
        "“like women” names a group or a gender, or is spelled like its name, which is no stereotype by itself."
        in table
    )
    assert found.index("kind</bdi>") < found.index("like women</bdi>") < found.index("is made of a word for women")


def test_significant_and_other_differences_are_distinguished(viewer: Client, done: Run) -> None:
    text = page(viewer, "run", done)
    assert text.count('<tr class="pale">') == 1
    assert "Pale rows: not shown to differ" in text
    assert text.count("more strongly to <b>") == 1  # "cold" is no finding


def test_an_undecided_word_whose_interval_leaves_out_zero_has_its_reason(viewer: Client, done: Run) -> None:
    text = " ".join(page(viewer, "run", done).split())
    why = "The interval does not hold zero, but q = 0.20 after the correction for all tests of its family."
    assert f"Undecided: \u201ccold\u201d. {why}" in text


def test_run_again_says_which_words_it_asks(auditor: Client, plan: Plan) -> None:
    groups = GroupList.objects.create(slug="genders", title="Genders")
    for label in ("women", "men"):
        Group.objects.create(word_list=groups, label=label, plural=label)
    plan.spec = SPEC | {"groups": {"list": "genders"}}
    plan.save()
    run = launch_plan(plan)
    Group.objects.filter(label="men").update(plural="males")
    text = " ".join(page(auditor, "run", run).split())
    assert (
        "The figures are about the words at the launch. “Run again” asks the same entries with today's words," in text
    )
    assert "It asks added entries only of the lists that this run takes as a whole." in text


def test_labels_are_shown_literally(viewer: Client, done: Run) -> None:
    for name in ("run", "run_measures", "run_provenance"):
        text = page(viewer, name, done)
        assert "<script>alert" not in text
        assert "traits &amp; &lt;co&gt;" in text
    assert escape(MARKED) in page(viewer, "run", done)


def test_an_invisible_character_is_written_out(viewer: Client, done: Run) -> None:
    Run.objects.update(name="gen\u200bder")
    assert "gen⟨U+200B⟩der" in page(viewer, "run", done)


def test_coverage_says_how_much_could_be_scored_and_why_not_the_rest(viewer: Client, done: Run) -> None:
    text = page(viewer, "run", done)
    assert "50.0%" in text
    assert "25.0%" in text
    assert "comparisons between them use different items" in text
    assert '<td class="hatched"><a href="' in text
    assert "several subwords" in text


def test_another_contrast_can_be_chosen(viewer: Client, done: Run) -> None:
    other = {"statistic": "ilps_difference", "group_a": "men", "group_b": MARKED, "n": 12} | cell("kind", -0.5, 0.3)
    replace_measures(done.pk, [*measures(), other])
    assert "Largest differences: <bdi>women</bdi>" in page(viewer, "run", done)
    assert "Largest differences: <bdi>men</bdi>" in page(viewer, "run", done, a="men", b=MARKED)
    assert "Largest differences: <bdi>women</bdi>" in page(viewer, "run", done, a="nobody", b="")


def test_a_side_with_more_words_than_are_shown_says_so(viewer: Client, done: Run) -> None:
    assert "largest differences (" not in page(viewer, "run", done)
    own = {"statistic": "ilps_difference", "group_a": "men", "group_b": MARKED, "n": 12}
    replace_measures(done.pk, [*measures(), *(own | cell(f"word {place}", 0.5, 0.3) for place in range(11))])
    text = page(viewer, "run", done, a="men", b=MARKED)
    assert text.count("the 10 largest differences (") == 1
    assert "?statistic=ilps_difference" in text


def several_pairs(run: Run) -> str:
    """Give the run two pairs of groups, of which the second has an undecided and a small difference."""
    own = {
        "statistic": "ilps_difference",
        "group_a": "women",
        "group_b": "men",
        "n": 12,
        "n_units": 6,
        "smallest_effect": 0.2,
    }
    other = [own | cell("kind", -0.5, 0.3), own | cell("cold", 0.01, 0.9) | {"verdict": "absent"}]
    mean = own | judged({"value": -0.4, "ci_low": -0.5, "ci_high": -0.3, "q_value": 0.01})
    replace_measures(run.pk, [*measures(), *other, mean])
    return "Of 2 attributes, bundled:none is shown to link none more strongly to women than to men"


def test_each_pair_of_groups_has_a_block_with_its_own_counts_and_mean(viewer: Client, done: Run) -> None:
    counts = several_pairs(done)
    text = " ".join(page(viewer, "run", done).split())
    block = text[text.index("<h3><bdi>Women and men</bdi></h3>") :].partition("</section>")[0]
    assert counts in block
    assert "1 is shown to differ by less than" in block
    assert "1 is undecided." in block
    assert "On average bundled:none links the words of the attributes more strongly to men than to women" in block
    first = text[text.index("The largest differences between groups") : text.index("Women and men")]
    assert f"<h3><bdi>Women and {escape(MARKED)}</bdi></h3>" in first


def test_the_details_of_one_of_several_pairs_say_so_and_lead_to_the_others(viewer: Client, done: Run) -> None:
    assert "about this pair only" not in page(viewer, "run", done)
    assert "<h3><bdi>" not in page(viewer, "run", done)
    several_pairs(done)
    text = " ".join(page(viewer, "run", done).split())
    details = text[text.index('id="strongest"') :]
    assert "are about this pair only. No other pair has more words that are shown to differ." in details
    assert 'href="?a=women&amp;b=men#strongest"><bdi>Women and men</bdi></a>' in details
    assert f"Robustness: <bdi>women</bdi> minus <bdi>{escape(MARKED)}</bdi>" in details
    other = " ".join(page(viewer, "run", done, a="women", b="men").split())
    assert "are about this pair only. Show another pair" in other
    assert "Robustness: <bdi>women</bdi> minus <bdi>men</bdi>" in other


def test_the_table_of_contrasts_counts_what_is_small_and_what_is_undecided(viewer: Client, done: Run) -> None:
    several_pairs(done)
    listed = page(viewer, "run", done).partition("All contrasts</h2>")[2].partition("</section>")[0]
    rows = [re.findall(r'data-label="[^"]+">(\d+)<', row) for row in listed.split("<tr>")[2:]]
    assert rows == [["2", "1", "0", "0", "1", "0"], ["2", "0", "0", "1", "1", "0"]]


def test_of_many_contrasts_those_with_the_most_differences_are_listed_and_the_others_on_demand(
    viewer: Client, done: Run
) -> None:
    own = {"statistic": "ilps_difference", "group_b": "men", "n": 12}
    many = [own | {"group_a": f"group {number:02}"} | cell("kind", 1.0, 0.9) for number in range(20)]
    replace_measures(done.pk, [*many[:19], many[19] | cell("kind", 1.0, 0.001)])

    def listed(**query: str) -> list[str]:
        listed = page(viewer, "run", done, **query).partition("All contrasts</h2>")[2].partition("</section>")[0]
        return re.findall("<bdi>(group ..)</bdi>", listed)

    assert listed() == ["group 19", *(f"group {number:02}" for number in range(11))]
    assert listed(a="group 15", b="men") == [*listed(), "group 15"]
    assert len(listed(contrasts="all")) == 20
    text = page(viewer, "run", done)
    assert "Show 8 more</a>" in text
    assert (text.count("<h3><bdi>"), "has the counts of" in text) == (6, True)
    assert page(viewer, "run", done, a="group 15", b="men").count("<h3><bdi>") == 7
    assert "more</a>" not in page(viewer, "run", done, contrasts="all")


def test_the_limits_are_those_of_the_statistics_that_the_run_has(viewer: Client, done: Run) -> None:
    shown = viewer.get(reverse("run", args=[done.pk]))
    names = {one.name for one in shown.context["limits"]}
    assert names == {"ilps_difference", "ilps_difference_centred", "scorable_share"}
    text = shown.content.decode()
    assert "Limits of this run" in text
    assert "Cao et al. 2022, section 3.1" in text
    assert "no proof of fairness" in text


def test_figures_are_explained_and_limited_once(viewer: Client, done: Run) -> None:
    text = page(viewer, "run", done)
    assert text.count("The figures in brackets are 95% intervals.") == 1
    assert text.count("not what people are. Other sentences") == 1
    assert "<th>Verdict</th>" in text
    Run.objects.filter(pk=done.pk).update(spec=done.spec | {"params": {"level": 0.9}})
    assert "The figures in brackets are 90% intervals." in page(viewer, "run", done)


def test_figures_depend_on_each_other_only_where_each_group_is_compared_with_the_others(
    viewer: Client, done: Run
) -> None:
    assert "sum to zero" not in page(viewer, "run", done)
    own = {"statistic": "ilps_difference", "group_b": OTHER_GROUPS, "n": 12, "n_units": 6}
    means = [own | judged({"group_a": group, "value": 0.1, "q_value": 0.9}) for group in ("women", "men", "adults")]
    replace_measures(done.pk, [*measures(), *means])
    assert page(viewer, "run", done).count("sum to zero") == 1


def test_perplexity_says_nothing_about_people(viewer: Client, db: None) -> None:
    run = Run.objects.create(name="texts", probe="perplexity", model="bundled:none", spec={}, state=RunState.DONE)
    replace_measures(run.pk, [{"statistic": "perplexity", "value": 20.0, "n": 90, "n_units": 9, "unit": "text"}])
    text = page(viewer, "run", run)
    assert "It says nothing about groups of people." in text
    assert "what the model associates" not in text.partition("Limits of this run")[0]


def test_a_cancelled_run_says_how_much_it_asked(viewer: Client, plan: Plan) -> None:
    run = launch_plan(plan)
    life.cancel(run.pk)
    for name in ("run", "run_effects", "run_pronouns", "run_words", "alignment", "profile", "run_measures"):
        text = page(viewer, name, run)
        assert "This run ended before it was summarised, so it has no figures yet. No item was asked." in text, name
        assert "This run has no" not in text


def test_a_run_that_ended_before_any_item_was_asked_claims_no_finished_work(auditor: Client, plan: Plan) -> None:
    run = launch_plan(plan)
    Run.objects.filter(pk=run.pk).update(planned_items=84_800)
    life.cancel(run.pk)
    text = " ".join(page(auditor, "run", run).split())
    assert "<span>0 of 84,800 items</span>" in text
    assert "Finished work is kept" not in text
    assert "“Resume” continues with the run." in text
    assert "Edit the plan" not in text


def test_a_run_that_failed_by_its_input_leads_to_its_plan(auditor: Client, viewer: Client, plan: Plan) -> None:
    run = launch_plan(plan)
    life.fail(run.pk, "the template names the attribute first", expected=True)
    text = " ".join(page(auditor, "run", run).split())
    assert f'href="{reverse("plan_edit", args=[plan.pk])}">Edit the plan</a>' in text
    assert "If the plan causes it, edit the plan and launch it." in text
    assert "Finished work is kept" not in text
    assert "dit the plan" not in page(viewer, "run", run)
    plan.delete()
    assert "dit the plan" not in page(auditor, "run", run)


def test_a_run_that_failed_after_items_were_asked_keeps_them(auditor: Client, plan: Plan) -> None:
    run = launch_plan(plan)
    phase = run.phases.get(name="scoring")
    Shard.objects.create(run=run, phase=phase, number=9, key="a", items=[], planned_rows={}, size=20, state="done")
    life.fail(run.pk, "out of memory", expected=True)
    text = " ".join(page(auditor, "run", run).split())
    assert "Finished work is kept: “Resume” continues with the rest." in text
    assert "dit the plan" not in text


def test_a_run_that_failed_says_what_to_do_and_folds_the_technical_part(auditor: Client, plan: Plan) -> None:
    run = launch_plan(plan)
    life.fail(run.pk, "KeyError: <x>", expected=False, traceback="Traceback <y>")
    text = page(auditor, "run", run)
    assert "error of Plumbline" in text
    assert "Resume run" in text
    assert text.index("<summary>Technical part</summary>") < text.index("KeyError: &lt;x&gt;")
    assert "Traceback &lt;y&gt;" in text


def test_a_fault_of_the_input_is_reported_in_its_own_words(viewer: Client, plan: Plan) -> None:
    run = launch_plan(plan)
    life.fail(run.pk, "the model folder does not exist: check the path", expected=True)
    text = page(viewer, "run", run)
    assert "check the path" in text
    assert "Technical part" not in text
    assert "Resume run" not in text  # a viewer may not


def test_the_page_asks_on_until_the_scheduler_wrote_the_findings_of_a_done_run(viewer: Client, done: Run) -> None:
    def asks() -> bool:
        return bool(viewer.get(reverse("run_progress", args=[done.pk])).json()["live"])

    assert not asks()
    assert 'data-live="no"' in page(viewer, "run", done)
    Presence("far:1:2", Role.SCHEDULER).tell()
    assert asks()
    assert 'data-live="yes"' in page(viewer, "run", done)
    update(done)
    assert not asks()
    assert 'data-live="no"' in page(viewer, "run", done)


def test_progress_says_how_far_it_is_and_why_nobody_works(viewer: Client, plan: Plan) -> None:
    run = launch_plan(plan)
    found: dict[str, Any] = json.loads(viewer.get(reverse("run_progress", args=[run.pk])).content)
    assert (found["state"], found["live"]) == ("planning", True)
    assert [phase["name"] for phase in found["phases"]] == ["planning", "scoring", "summary", "comparison"]
    assert found["waits"].startswith("no worker is alive")
    assert "No worker executes this run" in found["html"]
    assert 'data-live="yes"' in page(viewer, "run", run)
    life.cancel(run.pk)
    assert not viewer.get(reverse("run_progress", args=[run.pk])).json()["live"]


def test_a_phase_is_called_by_what_happens_to_it(viewer: Client, plan: Plan) -> None:
    run = launch_plan(plan)
    assert "<td>waits for a worker</td>" in shown_progress(viewer, run)
    worker = Presence("far:1:2", Role.WORKER)
    worker.says(state=WorkerState.WORKING, run_id=run.pk, doing="planning")
    worker.tell()
    assert "<td>at work</td>" in shown_progress(viewer, run)
    life.cancel(run.pk)
    assert "<td>stopped</td>" in shown_progress(viewer, run)


def shown_progress(client: Client, run: Run) -> str:
    """The part of the page that shows the progress, with each space once and without space beside markup."""
    found = str(client.get(reverse("run_progress", args=[run.pk])).json()["html"])
    return re.sub(r"\s*(</?td>)\s*", r"\1", found)


def test_provenance_holds_seed_and_the_whole_spec(viewer: Client, done: Run) -> None:
    text = page(viewer, "run_provenance", done)
    assert "<dt>seed</dt><dd><bdi>0</bdi></dd>" in text
    assert "{Group.plural} are {attribute}." in text


def test_provenance_names_who_had_written_the_plan_when_the_run_was_launched(
    viewer: Client, plan: Plan, finish: Finish
) -> None:
    with pghistory.context(user=User.objects.create(username="ada").pk, username="ada"):
        plan.spec = {**SPEC, "seed": 7}
        plan.save()
    run = finish()
    with pghistory.context(username="bo"):
        Plan.objects.filter(pk=plan.pk).update(description="another")
    assert "The spec of the plan was written by <bdi>ada</bdi>" in page(viewer, "run_provenance", run)
    Run.objects.filter(pk=run.pk).update(created_at=now() - timedelta(days=1))
    assert "was written by" not in page(viewer, "run_provenance", run)


def test_the_pages_ask_the_database_a_bounded_number_of_times(
    viewer: Client, done: Run, django_assert_max_num_queries: Any
) -> None:
    for name, most in {"run": 51, "run_progress": 10, "run_measures": 15, "run_provenance": 10}.items():
        with django_assert_max_num_queries(most):
            assert viewer.get(reverse(name, args=[done.pk])).status_code == 200


def test_more_groups_and_attributes_need_no_more_queries(
    viewer: Client, done: Run, django_assert_num_queries: Any, django_assert_max_num_queries: Any
) -> None:
    some = [{"statistic": "ilps_difference", "group_a": "g", "group_b": "women", "n": 3} | cell("w", 1, 0.01)] * 3
    replace_measures(done.pk, [*measures(), *some])
    with django_assert_max_num_queries(57) as few:
        page(viewer, "run", done)
    rows = [
        {"statistic": "ilps_difference", "group_a": f"g{group}", "group_b": "women", "n": 3} | cell(f"w{word}", 1, 0.01)
        for group in range(20)
        for word in range(20)
    ]
    replace_measures(done.pk, [*measures(), *rows])
    with django_assert_num_queries(len(few)):
        page(viewer, "run", done)


def test_a_run_of_earlier_rules_says_so_and_offers_to_be_summarised_again(as_: As, done: Run) -> None:
    auditor = as_("auditor")
    assert "earlier rules" not in page(auditor, "run", done)
    replace_measures(done.pk, [row | {"verdict": ""} for row in measures()])
    text = page(auditor, "run", done)
    assert "Summarised under earlier rules" in text
    assert "have no verdict" in text
    assert reverse("run_summarise_again", args=[done.pk]) in text
    assert auditor.post(reverse("run_summarise_again", args=[done.pk])).status_code == 302
    done.refresh_from_db()
    assert done.state == RunState.QUEUED


def test_a_run_without_figures_of_robustness_offers_to_get_them(as_: As, done: Run) -> None:
    text = page(as_("auditor"), "run", done)
    assert "This run has no figures of robustness. \u201cSummarise again\u201d computes them" in text
    assert ">Band<" not in text


def test_a_ranking_that_is_not_reliable_is_drawn_as_bands_and_says_why(viewer: Client, done: Run) -> None:
    labels = {"group_a": "women", "group_b": MARKED, "n": 12, "n_units": 8}
    reliability = {"statistic": "split_half_reliability", "condition": "ilps_difference", "value": 0.4} | labels
    component = {"statistic": "difference_variance_component", "condition": "word", "value": 0.09} | labels
    replace_measures(done.pk, [*measures(), reliability, component])
    text = page(viewer, "run", done)
    assert text.count('<td class="number" data-label="Band">1</td>') == 2
    assert "the split-half reliability of the order is 0.40, below 0.7" in text
    assert "Other sentences may order the words differently: split-half reliability 0.40 over 8 kinds" in text
    assert '<td>word</td><td class="number" data-label="Standard deviation">0.30</td>' in text
    replace_measures(done.pk, [*measures(), {**reliability, "value": 0.9}, component])
    assert ">Band<" not in page(viewer, "run", done)


def test_without_a_pale_row_no_note_explains_it(viewer: Client, done: Run) -> None:
    replace_measures(done.pk, [one for one in measures() if one.get("verdict") == "present"])
    text = page(viewer, "run", done)
    assert "Largest differences" in text
    assert '<tr class="pale">' not in text
    assert "Pale rows" not in text
