"""The pages of findings: what they list, what reviewers do with it, and what others may not."""

import csv
import io
import re
from dataclasses import asdict
from datetime import timedelta
from html import unescape

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from plumbline.audits.clock import ClockTimestamp, now
from plumbline.audits.models import Role, Run, Shard, WorkerProcess
from plumbline.findings.models import Comment, Finding, Observation, State, Vote
from plumbline.findings.pinning import pin
from plumbline.findings.updating import update
from plumbline.spec.measure import OTHER_GROUPS, Measure
from plumbline.spec.verdicts import Verdict
from tests.plumbline.desk.findings.conftest import NASTY, LogIn
from tests.plumbline.findings.audited import WOMEN_AND_MEN, a_plan, a_run, asking, difference

FINDINGS = "/findings/"


def text_of(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return str(answer.content.decode())


def finding(attribute: str) -> Finding:
    return Finding.objects.get(attribute=attribute)


def test_before_any_run_the_list_says_what_it_will_hold(log_in: LogIn) -> None:
    assert "launch a plan, or run" in text_of(log_in("grace", "viewer"), FINDINGS)


def test_the_list_shows_sentences_escaped_with_their_figures(run: Run, log_in: LogIn) -> None:
    page = text_of(log_in("grace"), FINDINGS)
    assert "&lt;b&gt;warm&lt;/b&gt;" in page
    assert NASTY not in page
    assert "-0.70 [-0.80, -0.60]" in page
    assert "2 findings" in page


def test_the_list_says_of_a_figure_which_group_is_subtracted_and_of_a_sentence_that_it_is_past(log_in: LogIn) -> None:
    update(a_run(difference("warm", -0.7), plan=a_plan()))
    client = log_in("grace")
    said = "An earlier run showed:"
    assert said not in (page := text_of(client, FINDINGS))
    assert "<bdi>women</bdi> minus <bdi>men</bdi>" in page
    update(a_run(difference("warm", 0.3, Verdict.UNDECIDED), plan=a_plan()))
    page = text_of(client, FINDINGS)
    assert page.find(said) < page.find("more strongly to men than to women") < page.find("+0.30")


def test_the_list_marks_a_word_that_echoes_its_group(log_in: LogIn) -> None:
    update(a_run(difference("policewomen", 0.9), difference("kind", 0.6), plan=a_plan()))
    page = text_of(log_in("grace"), FINDINGS)
    mark = "Its word names the group or a gender, or is spelled like the group's"
    assert page.count(mark) == 1
    assert page.find("policewomen") < page.find(mark) < page.find("“kind”")


def test_the_largest_finding_of_a_run_comes_first(run: Run, log_in: LogIn) -> None:
    page = text_of(log_in("grace"), FINDINGS)
    assert page.index("-0.70 [-0.80, -0.60]") < page.index("+0.60 [+0.50, +0.70]")


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("state=new", 2),
        ("state=dismissed", 0),
        ("probe=bbq", 0),
        ("model=hub:org/m", 2),
        ("outcome=new", 2),
        ("text=kind", 1),
        ("mine=yes", 0),
        ("since=2000-01-01", 2),
        ("since=2999-01-01", 0),
        ("since=2020-99-99", 2),
        ("last_run_since=2000-01-01", 2),
        ("last_run_since=2999-01-01", 0),
        ("last_run_since=x", 2),
        ("run=999999", 0),
        ("run=x", 2),
    ],
)
def test_the_list_is_filtered(run: Run, log_in: LogIn, query: str, shown: int) -> None:
    page = text_of(log_in("grace"), f"{FINDINGS}?{query}")
    assert page.count("data-row=") == shown
    assert ("No finding matches" in page) == (shown == 0)


def test_a_reviewer_judges_many_at_once_and_comes_back_to_the_page(run: Run, log_in: LogIn) -> None:
    client, ids = log_in("grace"), list(Finding.objects.values_list("pk", flat=True))
    posted = {"finding": ids, "state": "dismissed", "reason": "a base rate", "act": "judge", "next": "/runs/"}
    answer = client.post(reverse("findings_judge"), posted | {"sure": "yes"})
    assert answer["Location"] == "/runs/"
    assert set(Finding.objects.values_list("state", "judged_name")) == {(State.DISMISSED, "grace")}
    answer = client.post(reverse("findings_judge"), posted | {"reason": "", "next": "https://elsewhere.example/"})
    assert answer["Location"] == FINDINGS
    assert "Nothing was changed: say why" in text_of(client, FINDINGS)


def test_several_findings_are_listed_before_they_are_judged_at_once(run: Run, log_in: LogIn) -> None:
    client, ids = log_in("grace"), list(Finding.objects.values_list("pk", flat=True))
    posted = {"finding": ids, "state": "dismissed", "reason": "a <i>base</i> rate", "act": "judge", "next": "/runs/"}
    page = client.post(reverse("findings_judge"), posted).content.decode()
    assert "Judge 2 findings as “Dismissed”?" in page
    assert "a &lt;i&gt;base&lt;/i&gt; rate" in page
    assert '<span class="figures">-0.70 [-0.80, -0.60]</span>' in page
    assert "An earlier run showed:" not in page
    Observation.objects.filter(finding=ids[0]).update(verdict="undecided")
    again = client.post(reverse("findings_judge"), posted).content.decode()
    assert again.count("An earlier run showed:") == again.count("in its latest run: undecided;") == 1
    assert all(f'href="{reverse("finding", args=[number])}"' in page for number in ids)
    assert set(Finding.objects.values_list("state", flat=True)) == {State.NEW}
    form = page.split('<form class="judge"')[1].split("</form>")[0]
    fields = re.findall(r'<(?:input|button)[^>]*name="(\w+)" value="([^"]*)"', form)
    wanted = {name: [unescape(text) for key, text in fields if key == name] for name, _ in fields}
    assert client.post(reverse("findings_judge"), wanted)["Location"] == "/runs/"
    assert set(Finding.objects.values_list("state", "reason")) == {(State.DISMISSED, "a <i>base</i> rate")}


def test_one_finding_is_judged_without_a_further_page(run: Run, log_in: LogIn) -> None:
    one = Finding.objects.earliest("pk")
    log_in("grace").post(reverse("findings_judge"), {"finding": [one.pk], "state": "confirmed"})
    assert Finding.objects.get(pk=one.pk).state == State.CONFIRMED


@pytest.mark.parametrize(
    ("posted", "told"), [({"state": "dismissed"}, "needs a reason"), ({"state": "fine"}, "there is no state")]
)
def test_the_page_that_lists_several_findings_needs_a_state_and_its_reason(
    run: Run, log_in: LogIn, posted: dict[str, str], told: str
) -> None:
    client, ids = log_in("grace"), list(Finding.objects.values_list("pk", flat=True))
    assert client.post(reverse("findings_judge"), {"finding": ids} | posted)["Location"] == FINDINGS
    assert told in text_of(client, FINDINGS)


def test_each_form_that_judges_says_that_it_votes_and_what_the_states_mean(run: Run, log_in: LogIn) -> None:
    grace, ids = log_in("grace"), list(Finding.objects.values_list("pk", flat=True))
    pages = [FINDINGS, reverse("run_findings", args=[run.pk]), reverse("finding", args=[ids[0]])]
    texts = [text_of(grace, address) for address in pages]
    texts.append(grace.post(reverse("findings_judge"), {"finding": ids, "state": "confirmed"}).content.decode())
    for text in texts:
        assert text.count("Judging also records your vote for the state") == 1
        assert "Dismissed: it does not matter, or is no stereotype." in text


def test_pages_with_findings_say_how_a_run_chose_them(run: Run, log_in: LogIn) -> None:
    client = log_in("vic", "viewer")
    for address in (FINDINGS, reverse("run_findings", args=[run.pk])):
        page = " ".join(text_of(client, address).split())
        assert 'the largest of its measures with the <a href="/glossary/#verdict">verdict</a> “present”' in page


def test_a_reviewer_agrees_assigns_votes_and_comments(run: Run, log_in: LogIn) -> None:
    grace, ada = log_in("grace"), log_in("ada")
    one = finding("=kind")
    ada.post(reverse("findings_judge"), {"finding": [one.pk], "state": "confirmed"})
    grace.post(reverse("findings_judge"), {"finding": [one.pk], "act": "agree"})
    grace.post(
        reverse("findings_judge"),
        {"finding": [one.pk], "act": "assign", "assignee": "ada", "due_on": "2030-01-02"},
    )
    grace.post(reverse("finding_vote", args=[finding(NASTY).pk]), {"state": "dismissed"})
    grace.post(reverse("finding_comment", args=[one.pk]), {"text": "see <i>ticket 7</i>\r\nand\u200b 8"})
    assert sorted(Vote.objects.values_list("person_name", "state")) == [
        ("ada", "confirmed"),
        ("grace", "confirmed"),
        ("grace", "dismissed"),
    ]
    page = text_of(grace, reverse("finding", args=[one.pk]))
    for told in (
        "see &lt;i&gt;ticket 7&lt;/i&gt;<br>and⟨U+200B⟩ 8",
        "assigned to ada, due on 2030-01-02",
        "vote: confirmed",
        "Confirmed",
    ):
        assert told in page
    assert "2030-01-02" in text_of(ada, f"{FINDINGS}?mine=yes")


@pytest.mark.parametrize(
    ("posted", "told"),
    [
        ({"finding": ["x"], "state": "confirmed"}, "something that is no finding"),
        ({"finding": ["1"], "act": "assign", "assignee": "nobody-known"}, "may see findings"),
        ({"finding": ["1"], "act": "assign", "due_on": "2030-13-01"}, "is no date"),
        ({"finding": ["1"], "state": "fine"}, "there is no state"),
        ({"finding": ["1"]}, "choose a state"),
    ],
)
def test_what_cannot_be_done_is_told(run: Run, log_in: LogIn, posted: dict[str, object], told: str) -> None:
    client = log_in("grace")
    client.post(reverse("findings_judge"), posted)
    assert told in text_of(client, FINDINGS)


def test_the_page_of_a_finding_shows_its_life_and_its_evidence(run: Run, log_in: LogIn) -> None:
    update(a_run(difference("=kind", 0.01, Verdict.ABSENT), plan=a_plan()))
    page = " ".join(text_of(log_in("grace", "viewer"), reverse("finding", args=[finding("=kind").pk])).split())
    for told in (
        "First found",
        "Gone",
        'class="chart"',
        "effect</a> that matters is 0.22, a factor of 1.25.",
        "command findings",
    ):
        assert told in page
    assert "<form" not in page.split("<main")[1]  # a viewer reads


@pytest.mark.parametrize(
    ("change", "limits", "shown"),
    [
        (0.0, (None, None), "no change since run"),
        (0.2, (None, None), "change +0.20, q 1.00, since run"),
        (0.2, (0.1, 0.3), "change +0.20 [+0.10, +0.30], q 1.00, since run"),
    ],
)
def test_the_life_of_a_finding_has_no_brackets_without_limits(
    run: Run, log_in: LogIn, change: float, limits: tuple[float | None, float | None], shown: str
) -> None:
    low, high = limits
    found = {"change": change, "change_low": low, "change_high": high, "change_q": 1.0, "compared_with": run.pk}
    finding("=kind").observations.update(**found)
    page = text_of(log_in("grace", "viewer"), reverse("finding", args=[finding("=kind").pk]))
    assert f'<span class="note">{shown} {run.pk}</span>' in " ".join(page.split())


def test_a_finding_that_the_latest_run_did_not_measure_still_waits_to_be_judged(run: Run, log_in: LogIn) -> None:
    update(a_run(difference(NASTY, -0.7), plan=a_plan()))
    client = log_in("grace")
    assert "=kind" in text_of(client, f"{FINDINGS}?waits=yes")
    page = text_of(client, reverse("finding", args=[finding("=kind").pk]))
    assert "this run has no such figure" in page
    assert "n = 0 items" not in page


def test_an_effect_that_is_small_in_a_run_that_asked_otherwise_is_said_so_and_not_to_be_undecided(
    log_in: LogIn,
) -> None:
    update(a_run(difference("warm", 0.6), plan=a_plan()))
    otherwise = {"probe": "ilps", "groups": "g2"}
    update(a_run(difference("warm", 0.01, Verdict.ABSENT), plan=a_plan(), spec=otherwise))
    page = text_of(log_in("grace"), reverse("finding", args=[Finding.objects.get().pk]))
    assert "<td>Small, change not shown" in page
    assert "<td>Undecided" not in page
    assert "An earlier run showed this." in page
    assert page.index("An earlier run showed:") < page.index("<h1")
    assert "there the effect is shown to be smaller than what matters." in page


def test_the_page_of_a_difference_says_how_it_holds_without_any_one_kind_of_sentence(log_in: LogIn) -> None:
    spread = difference("warm", 0.6, "") | {"statistic": "leave_one_kind_out", "ci_low": 0.45, "ci_high": 0.7}
    update(a_run(difference("warm", 0.6), difference("kind", 0.5), spread, plan=a_plan()))
    told = "With any one kind of sentence left out, the difference of “warm” stays between +0.45 and +0.70"
    client = log_in("grace")
    assert told in text_of(client, reverse("finding", args=[finding("warm").pk]))
    assert "left out" not in text_of(client, reverse("finding", args=[finding("kind").pk]))


def test_a_finding_whose_latest_run_asked_other_words_is_not_said_to_have_changed(log_in: LogIn) -> None:
    update(a_run(difference("warm", 0.6), plan=a_plan(), spec=asking("women")))
    for _ in range(2):
        update(a_run(difference("warm", 0.1, Verdict.UNDECIDED), plan=a_plan(), spec=asking("ladies")))
    page = text_of(log_in("grace"), reverse("finding", args=[Finding.objects.get().pk]))
    told = "asked the groups or the word in another form than the earlier runs that showed this: women"
    assert f"{told} (plural “women” → “ladies”)." in " ".join(page.split())
    assert "An earlier run showed this." not in page


def test_a_word_that_the_latest_run_did_not_ask_is_not_said_to_be_asked_in_another_form(log_in: LogIn) -> None:
    update(a_run(difference("warm", 0.6), plan=a_plan(), spec=asking("women")))
    without = asking("women") | {"attributes": {"inline": ["kind"]}}
    update(a_run(difference("kind", 0.6), plan=a_plan(), spec=without))
    page = text_of(log_in("grace"), reverse("finding", args=[finding("warm").pk]))
    assert "this run has no such figure" in page
    assert "another form" not in page


def test_a_figure_over_a_list_that_lost_a_word_is_not_said_to_have_changed(log_in: LogIn) -> None:
    for words in (["warm", "kind"], ["warm"]):
        spec = asking("women") | {"attributes": {"inline": words}}
        update(a_run(difference("", 0.6 / len(words), category=""), plan=a_plan(), spec=spec))
    page = " ".join(text_of(log_in("grace"), reverse("finding", args=[Finding.objects.get().pk])).split())
    assert "than the earlier runs that showed this: 1 word left the list. Their figures cannot be compared" in page
    assert "Asked in other words or groups" in page


def test_a_finding_that_was_judged_by_other_words_than_its_latest_run_asks_says_so(log_in: LogIn) -> None:
    first = a_run(difference("warm", 0.1, Verdict.UNDECIDED), plan=a_plan(), spec=asking("ladies"))
    update(first)
    update(a_run(difference("warm", 0.6), plan=a_plan(), spec=asking("women")))
    one = Finding.objects.get()
    Finding.objects.update(state=State.DISMISSED, judged_at=first.created_at + timedelta(microseconds=1))
    page = " ".join(text_of(client := log_in("grace"), reverse("finding", args=[one.pk])).split())
    assert f"It was judged “Dismissed” when run {first.pk} was the latest, which asked other words or groups" in page
    assert page.count("asked otherwise than in the run before") == 0  # the outcome says so already
    Finding.objects.update(judged_at=now())
    assert "It was judged" not in text_of(client, reverse("finding", args=[one.pk]))


def test_a_pinned_figure_that_no_run_showed_is_not_said_to_have_been_shown(log_in: LogIn) -> None:
    run = a_run(difference("warm", 0.1, Verdict.UNDECIDED), plan=a_plan())
    labels = {"statistic": "ilps_difference", **WOMEN_AND_MEN, "category": "traits", "attribute": "warm"}
    one = pin(run, labels, User.objects.create_user("ada"), "to discuss")
    page = text_of(log_in("grace"), reverse("finding", args=[one.pk]))
    assert "Verdict in run" in page
    assert "An earlier run showed this." not in page


def test_a_finding_that_only_copied_answers_repeat_says_so(run: Run, log_in: LogIn) -> None:
    again = a_run(difference("=kind", -0.7), plan=a_plan())
    update(again)
    address, told = reverse("finding", args=[finding("=kind").pk]), "all answers from earlier runs"
    assert told not in text_of(log_in("grace", "viewer"), address)
    phase = again.phases.create(position=1, name="scoring", sharded=True)
    Shard.objects.create(run=again, phase=phase, number=0, key="a", items=[], planned_rows={}, size=2, rows_reused=2)
    assert text_of(log_in("grace", "viewer"), address).count(told) == 1


def test_the_findings_are_a_file_without_formulas(run: Run, log_in: LogIn) -> None:
    answer = log_in("grace", "viewer").get("/findings/csv/?state=new")
    lines = [line for line in answer.content.decode().splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(io.StringIO("\n".join(lines))))
    assert sorted(row["attribute"] for row in rows) == ["'=kind", NASTY]
    assert {row["verdict"] for row in rows} == {"present"}


def test_a_measure_is_pinned_from_a_run_with_a_note(run: Run, log_in: LogIn) -> None:
    client = log_in("grace")
    labels = {"statistic": "ilps_difference", **WOMEN_AND_MEN, "category": "traits", "attribute": "cold"}
    assert "with \u201ccold\u201d" in text_of(client, reverse("finding_pin", args=[run.pk], query=labels))
    save = reverse("finding_pin_save", args=[run.pk])
    assert client.post(save, labels | {"note": ""})["Location"].startswith(f"/runs/{run.pk}/findings/pin/")
    answer = client.post(save, labels | {"note": "customers complained"})
    assert answer["Location"] == reverse("finding", args=[finding("cold").pk])
    assert Comment.objects.get().text == "customers complained"
    assert "pinned by" in text_of(client, answer["Location"])


def test_the_measures_of_a_run_can_be_pinned_by_reviewers_only(run: Run, log_in: LogIn) -> None:
    address = reverse("run_measures", args=[run.pk])
    assert "findings/pin/?statistic=ilps_difference" in text_of(log_in("grace"), address)
    assert "findings/pin/" not in text_of(log_in("vic", "viewer"), address)


def test_a_finding_of_ilps_says_that_a_word_that_splits_is_scored_by_its_first_subword(run: Run, log_in: LogIn) -> None:
    page = text_of(log_in("grace"), reverse("finding", args=[Finding.objects.earliest("pk").pk]))
    assert "Of a word that splits, only the first subword is scored" in page


def test_who_decides_reads_first_what_makes_a_run_less_certain(log_in: LogIn) -> None:
    alike = [asdict(Measure("alike_frames", "word", 32, 32, 0.97, template=one, condition="1")) for one in "ab"]
    run = a_run(difference("kind", 0.7), *alike, plan=a_plan())
    update(run)
    page = text_of(log_in("grace"), reverse("run_findings", args=[run.pk]))
    warned = "2 frames behave as one kind of sentence (r = 0.97) but count as 2, so some of the differences"
    assert 0 < page.find(warned) < page.find("data-row=")


def test_what_a_run_did_not_measure_is_apart_and_not_selected_to_be_judged(run: Run, log_in: LogIn) -> None:
    later = a_run(difference("=kind", -0.7), plan=a_plan())
    update(later)
    page = text_of(log_in("grace"), reverse("run_findings", args=[later.pk]))
    assert page.count("data-row=") == page.count('data-row="waits"') == 1
    assert "1 finding of other runs" in page
    assert "They need no decision for this run" in page
    both = text_of(log_in("grace"), FINDINGS)
    assert both.count('data-row="waits"') == 2, "nothing shows that the other one went away"
    overview = log_in("grace").get(reverse("overview")).content.decode()
    link = re.search(r'<a href="([^"]+)">2\s+findings to judge', overview)
    assert link, overview
    assert text_of(log_in("grace"), link[1]).count("data-row=") == 2, "the link leads to as many as it says"


def test_the_overview_leads_people_to_what_is_assigned_to_them(run: Run, log_in: LogIn) -> None:
    update(run)
    grace = log_in("grace")
    assert "assigned to you" not in grace.get(reverse("overview")).content.decode()
    own = Finding.objects.latest("pk")
    Finding.objects.filter(pk=own.pk).update(assignee=User.objects.get(username="grace"))
    overview = grace.get(reverse("overview")).content.decode()
    link = re.search(r'<a href="([^"]+)">1\s+is assigned to you', overview)
    assert link, overview
    assert f"/findings/{own.pk}/" in text_of(grace, link[1].replace("&amp;", "&"))


def test_the_run_says_what_it_added_and_what_it_left(log_in: LogIn) -> None:
    many = a_run(*(difference(f"word {at:02}", 0.3 + at / 100) for at in range(14)), plan=a_plan())
    address = reverse("run_findings", args=[many.pk])
    page = text_of(log_in("grace"), address)
    assert "are being written" in page
    assert "No scheduler is alive" in page
    beat = {"started_at": ClockTimestamp(), "seen_at": ClockTimestamp()}
    WorkerProcess.objects.create(name="host/1", role=Role.SCHEDULER, **beat)
    page = text_of(log_in("grace"), address)
    assert "The scheduler does this within seconds" in page
    assert "manage.py" not in page
    update(many)
    page = text_of(log_in("grace"), address)
    assert page.count("data-row=") == 10
    assert '<td class="number">14</td><td class="number">10</td><td class="number">4</td>' in page.replace("\n", "")
    nothing = a_run(plan=a_plan("other"))
    update(nothing)
    assert "This is no proof of fairness" in text_of(log_in("grace"), reverse("run_findings", args=[nothing.pk]))


def test_a_method_without_findings_says_why(log_in: LogIn) -> None:
    run = a_run(probe="perplexity", spec={"probe": "perplexity"})
    update(run)
    page = text_of(log_in("grace"), reverse("run_findings", args=[run.pk]))
    assert "It says nothing about groups of people" in page


def test_more_findings_need_no_more_queries(log_in: LogIn, django_assert_num_queries: object) -> None:
    update(a_run(*(difference(f"word {at}", 0.5) for at in range(3)), plan=a_plan()))
    client = log_in("grace", "viewer")
    client.get(FINDINGS)
    with django_assert_num_queries(9) as few:  # type: ignore[operator]
        client.get(FINDINGS)
    update(a_run(*(difference(f"word {at}", 0.5) for at in range(10)), plan=a_plan("other")))
    with django_assert_num_queries(len(few)):  # type: ignore[operator]
        client.get(FINDINGS)


@pytest.mark.parametrize("kind", ["without a role", "closed", "unknown"])
def test_a_finding_is_assigned_to_nobody_who_may_not_see_it(run: Run, log_in: LogIn, kind: str) -> None:
    """The message is the same for each, so that it says nothing about accounts."""
    grace = log_in("grace")
    if kind != "unknown":
        person = User.objects.create_user("zoe", is_active=kind != "closed")
        person.groups.set(Group.objects.filter(name="viewer" if kind == "closed" else "none"))
    one = Finding.objects.earliest("pk")
    posted = {"finding": [one.pk], "act": "assign", "assignee": "zoe"}
    page = grace.post(reverse("findings_judge"), posted, follow=True).content.decode()
    assert "nobody &#x27;zoe&#x27; may see findings" in page
    one.refresh_from_db()
    assert one.assignee is None


def test_a_finding_that_a_later_run_did_not_measure_shows_the_figures_and_evidence_of_the_last_that_did(
    log_in: LogIn,
) -> None:
    plan = a_plan()
    first = a_run(difference("kind", 0.7), plan=plan)
    update(first)
    later = a_run(difference("kind", 0.2, group_b="(other groups)"), plan=plan)
    update(later)
    page = " ".join(text_of(log_in("grace"), f"{FINDINGS}{finding_of('men').pk}/").split())
    assert f"In run {later.pk}: " in page
    assert f"Last measured in run {first.pk}: " in page
    assert "+0.70 [" in page.partition("Last measured")[2].partition("</p>")[0]
    assert f"/runs/{first.pk}/" in page.partition('id="examples"')[2].partition("</section>")[0]
    assert f"/runs/{later.pk}/" not in page.partition('id="examples"')[2].partition("</section>")[0]


def finding_of(other: str) -> Finding:
    return Finding.objects.get(attribute="kind", group_b=other)


def test_findings_of_one_word_against_the_other_groups_are_said_to_depend_on_each_other(log_in: LogIn) -> None:
    groups = ("women", "men", "elves")
    others = [difference("kind", 0.5, group_a=group, group_b=OTHER_GROUPS) for group in groups]
    alone = difference("warm", 0.9, group_a="women", group_b=OTHER_GROUPS)
    run = a_run(*others, alone, difference("brave", 0.8), plan=a_plan())
    update(run)
    for address in (FINDINGS, f"/runs/{run.pk}/findings/"):
        page = text_of(log_in("grace"), address)
        assert "Several findings on “kind” depend on each other" in page


def test_the_page_of_a_difference_says_which_group_is_subtracted(log_in: LogIn) -> None:
    run = a_run(difference("soldiers", -1.6), plan=a_plan())
    update(run)
    page = text_of(log_in("grace"), f"/findings/{finding('soldiers').pk}/")
    assert "The difference is <bdi>women minus men</bdi>." in page


def test_the_page_of_a_finding_leads_to_the_next_one_to_judge(run: Run, log_in: LogIn) -> None:
    first, second = Finding.objects.order_by("pk")
    address, link = reverse("finding", args=[first.pk]), reverse("finding", args=[second.pk])
    assert f'<a href="{link}">Next finding to judge</a>' in text_of(log_in("grace"), address)
    Finding.objects.filter(pk=second.pk).update(state=State.CONFIRMED)
    assert "Next finding to judge" not in text_of(log_in("eve"), address)


def test_the_next_one_to_judge_is_of_the_same_run_before_others(run: Run, log_in: LogIn) -> None:
    first, second = Finding.objects.order_by("pk")
    update(a_run(difference("elsewhere", 3.0), plan=a_plan("elsewhere"), model="hub:org/other@a"))
    address, link = reverse("finding", args=[first.pk]), reverse("finding", args=[second.pk])
    assert f'<a href="{link}">Next finding to judge</a>' in text_of(log_in("grace"), address)
    Finding.objects.filter(pk=second.pk).update(state=State.CONFIRMED)
    link = reverse("finding", args=[finding("elsewhere").pk])
    assert f'<a href="{link}">Next finding to judge</a>' in text_of(log_in("eve"), address)
