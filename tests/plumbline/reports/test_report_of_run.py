"""The report on one run: what it says of findings, decisions, figures and words, and of runs without any."""

import re
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from django.contrib.auth.models import User

from plumbline.audits.models import Plan, Run
from plumbline.audits.states import RunState
from plumbline.findings.judging import judge
from plumbline.findings.models import Decision, Finding, Observation, Outcome, State
from plumbline.findings.sign_off.signing import sign
from plumbline.reports.content import findings, summary
from plumbline.reports.content.run_part import RunPart
from plumbline.vocab.models import AttributeSet
from tests.plumbline.findings.audited import difference
from tests.plumbline.reports.conftest import HOSTILE, ROWS, a_finished_run, report_on, text_of

pytestmark = pytest.mark.django_db
VOID = {"meta", "line", "circle", "polyline"}


class Structure(HTMLParser):
    """The order of headings, the tags that open, and the addresses that a page names."""

    def __init__(self) -> None:
        super().__init__()
        self.levels: list[int] = []
        self.tags: set[str] = set()
        self.addresses: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if re.fullmatch(r"h\d", tag):
            self.levels.append(int(tag[1]))
        self.addresses += [value or "" for name, value in attributes if name in ("src", "href", "xlink:href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def structure_of(page: str) -> Structure:
    found = Structure()
    found.feed(page)
    return found


def test_a_report_on_a_demonstration_begins_with_that(run: Run) -> None:
    told = "A small model for demonstration: draw no conclusions about other models from it."
    assert told not in text_of(report_on(run))
    Run.objects.filter(pk=run.pk).update(model="bundled:masked-demo")
    run.refresh_from_db()
    assert told in text_of(report_on(run)).partition("What was asked")[0]


def test_the_first_page_says_what_was_asked_found_and_decided(run: Run) -> None:
    text = text_of(report_on(run))
    first = text[: text.index("Contents")]
    assert f"audited bundled:none on {run.created_at:%Y-%m-%d}, launched by ada." in first
    assert f"Groups: women, men, {HOSTILE}." in first
    assert "Difference between groups, of single words: 3 figures, of which 2 shown to differ from no effect" in first
    assert "Difference between groups, of lists or of the whole run: 2 figures, of which 1 shown to differ" in first
    assert "bundled:none links “warm” more strongly to women than to men. +0.60 [+0.50, +0.70]" in first
    assert "New 3. No sign-off stands: nobody has decided about the use of the model by this run." in first
    assert "of the group with the fewest 50.0%" in first
    assert "no legal advice" in first


def first_findings(run: Run) -> str:
    """The sentences of findings on the first page, with what follows them."""
    text = text_of(report_on(run))
    return text[text.index("What was found") : text.index("What people decided")]


def test_the_first_page_leaves_dismissed_findings_out_and_says_how_many_there_are(run: Run, ada: User) -> None:
    assert first_findings(run).count("Not judged yet.") == 3
    assert "dismissed" not in first_findings(run)
    warm = Finding.objects.filter(attribute="warm")
    judge([warm.get(group_b="men").pk], ada, State.DISMISSED, "a base rate")
    judge([warm.get(group_b=HOSTILE).pk], ada, State.CONFIRMED)
    first = first_findings(run)
    assert "links “warm” more strongly to women than to men" not in first
    assert f"links “warm” more strongly to women than to {HOSTILE}" in first
    assert first.count("Not judged yet.") == 1
    assert "People dismissed 1 finding, which is not listed here. The reason stands under “Findings”" in first


def test_the_first_page_shows_sentences_that_were_asked_and_what_a_figure_means(run: Run) -> None:
    text = text_of(report_on(run))
    asked = text[text.index("What was asked") : text.index("What was found")]
    assert f"Two of the sentences: “All women are warm.” and “All {HOSTILE} are warm.”" in asked
    assert "About 1.8 times as likely with women as with men." in first_findings(run)


def test_a_report_names_all_words_that_were_asked_and_counts_those_that_were_not(plan: Plan, ada: User) -> None:
    jobs = AttributeSet.objects.create(slug="jobs", title="Jobs")
    names = [f"job {place:02}" for place in range(20)]
    for place, name in enumerate(names, 1):
        jobs.entries.create(position=place, text=name)
    asked = a_finished_run(*ROWS, plan=plan, by=ada, attributes={"list": "jobs", "only": names[:15]})
    text = text_of(report_on(asked))
    assert "The lists hold 5 attributes that the run did not ask." in text[: text.index("What was found")]
    assert "15 entries from jobs, without 5 that the list has and the run did not ask: job 00;" in text
    assert "and 3 more, named under “Words and sentences”" in text
    nearly = a_finished_run(*ROWS, plan=plan, by=ada, attributes={"list": "jobs", "only": names[:19]})
    assert "The lists hold 1 attribute that the run did not ask." in text_of(report_on(nearly))
    assert f"All attributes that were asked : {'; '.join(names[:15])}." in text


def test_the_first_page_begins_with_what_people_confirmed_then_with_the_largest(
    run: Run, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(summary, "MOST_FINDINGS", 1)
    words = Finding.objects.exclude(attribute="").order_by("latest__value")
    smallest, largest = words.first(), words.last()
    assert smallest is not None
    assert largest is not None
    Observation.objects.filter(finding=largest).update(value=2.5)
    assert "+2.50" in first_findings(run)
    judge([smallest.pk], ada, State.CONFIRMED)
    assert "+2.50" not in first_findings(run)
    assert str(smallest) in first_findings(run)


def test_the_first_page_says_that_means_over_opposites_are_not_counted(run: Run) -> None:
    told = "Not counted: the means over the words of the plan itself. Their words are pairs of opposites"
    assert told not in first_findings(run)
    run.spec["attributes"] = [{"inline": [{"text": word, "pair": "cold - warm"} for word in ("cold", "warm")]}]
    assert told in first_findings(run)


def test_the_first_page_says_how_many_present_findings_it_leaves_to_later_pages(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "What is present:" in first_findings(run)
    monkeypatch.setattr(summary, "MOST_FINDINGS", 2)
    assert "2 of the 3 findings that are present and not dismissed. Those that people confirmed" in first_findings(run)


def test_a_run_whose_findings_are_all_dismissed_has_no_first_sentences(run: Run, ada: User) -> None:
    judge(list(Finding.objects.values_list("pk", flat=True)), ada, State.DISMISSED, "a base rate")
    first = first_findings(run)
    assert "What is present:" not in first
    assert "People dismissed 3 findings, which are not listed here. The reasons stand under “Findings”" in first


def test_decisions_are_about_what_the_run_shows(run: Run) -> None:
    Observation.objects.filter(finding=Finding.objects.earliest("pk")).update(outcome=Outcome.NOT_MEASURED)
    assert "Findings by state: New 2." in text_of(report_on(run))


def test_a_finding_that_this_run_leaves_undecided_is_told_as_one_of_an_earlier_run(run: Run, ada: User) -> None:
    first = Finding.objects.earliest("pk")
    Observation.objects.filter(finding=first).update(verdict="undecided", outcome=Outcome.UNDECIDED)
    judge([first.pk], ada, State.CONFIRMED, "")
    text = text_of(report_on(run))
    assert f"Finding {first.pk}: An earlier run showed: " in text
    assert text.count("An earlier run showed: ") == 1
    assert "1 of these was found by earlier runs: this run shows neither that they are there nor" in text
    Observation.objects.filter(finding=first).update(verdict="", outcome=Outcome.NOT_MEASURED)
    Finding.objects.filter(pk=first.pk).update(state=State.NEW)
    assert "This run asks for no judgement: it shows that it is gone, or did not measure it." in text_of(report_on(run))


def test_hostile_labels_are_text_everywhere_and_nothing_is_loaded(run: Run) -> None:
    page = report_on(run)
    assert HOSTILE not in page
    assert "&lt;script&gt;" in page
    found = structure_of(page)
    assert not {"script", "img", "link", "iframe", "object", "form"} & found.tags
    assert all(address.startswith("#") for address in found.addresses)
    assert "url(" not in page
    assert "@import" not in page


def test_headings_descend_one_level_at_a_time_and_tables_have_header_cells(run: Run) -> None:
    page = report_on(run)
    levels = structure_of(page).levels
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert '<html lang="en">' in page
    for table in re.findall(r"<table>.*?</table>", page, flags=re.DOTALL):
        assert "<caption>" in table
        assert '<th scope="col"' in table
        assert '<th scope="row"' in table
    for chart in re.findall(r"<svg.*?</svg>", page, flags=re.DOTALL):
        assert re.search(r"<title>.+</title>", chart)


def test_a_finding_has_its_figures_decision_votes_and_two_example_sentences(run: Run, ada: User) -> None:
    one = Finding.objects.get(attribute="warm", group_b="men")
    judge([one.pk], ada, State.DISMISSED, "a base <b>rate</b>")
    page = report_on(run)
    text = text_of(page)
    part = text[text.index(f"Finding {one.pk}:") :]
    assert "links “warm” more strongly to women than to men." in part
    assert "+0.60 [+0.50, +0.70] n = 24 items, 12 kinds of sentence q = 0.01 (natural log) · verdict: present" in part
    assert "Decision: Dismissed, by ada on" in part
    assert "Reason: a base <b>rate</b>. Votes: 1 for dismissed." in part
    assert page.count("<blockquote") >= 2
    assert "All <mark>women</mark> are <mark>warm</mark>." in page


def test_a_word_that_echoes_a_group_is_marked_and_comes_after_all_others(plan: Plan) -> None:
    rows = difference("like women", 0.9), difference("warm", 0.6)
    run = a_finished_run(*rows, plan=plan, attributes={"inline": ["warm", "like women"]})
    reason = "“like women” and the name of women share the word “women”."
    first = first_findings(run)
    assert 0 < first.index("links “warm”") < first.index("links “like women”") < first.index(reason)
    details = text_of(report_on(run)).partition("Findings ")[2]
    assert reason in details[details.index("links “like women” more strongly to women than to men. +0.90") :]
    assert (
        "“like women” names a group or a gender, or is spelled like its name, which is no stereotype by itself."
        in details
    )


def test_whole_figures_have_intervals_verdicts_and_a_chart_with_its_text(run: Run) -> None:
    page = report_on(run)
    text = text_of(page)
    assert f"women minus {HOSTILE}, traits +0.10 [0, +0.20]" in text
    assert "The one farthest from zero is women minus men, traits: +0.55 [+0.45, +0.65]." in page
    assert "Not scored, and why: 1 item: too long." in text


def test_the_method_has_formula_source_and_the_caveats_of_statistics_that_are_there(run: Run) -> None:
    text = text_of(report_on(run))
    methods = text[text.index("Methods: what each figure means Only") :]
    assert "Formula:" in methods
    assert "Source: " in methods
    assert "Scorable share" in methods
    assert "Precision at 3" not in methods


def test_what_is_present_and_no_finding_is_counted(plan: Plan, ada: User) -> None:
    words = [difference(f"word {number}", 1.0 + number / 10) for number in range(13)]
    told = "3 more figures of this run are present and no finding: a run adds only the largest of a kind, beside those"
    told += " that earlier runs of its plan added. Nobody is asked to judge them."
    assert told in text_of(report_on(a_finished_run(*words, plan=plan, by=ada)))
    assert "and no finding" not in text_of(report_on(a_finished_run(*words[:10], plan=plan, by=ada)))


def test_present_findings_and_present_figures_without_one_add_up(plan: Plan, ada: User) -> None:
    """A later run added two findings that the first run shows as well."""
    words = [difference(f"word {number}", 1.0 + number / 10) for number in range(13)]
    first = a_finished_run(*words, plan=plan, by=ada)
    a_finished_run(*(one | {"value": 9.0} for one in words[:2]), plan=plan, by=ada)
    part = RunPart(first)
    assert (len(part.present), part.beyond_findings) == (12, 1)


def test_a_sign_off_is_shown_with_its_conditions(run: Run, ada: User) -> None:
    grace, lin = (User.objects.create_superuser(name) for name in ("grace", "lin"))
    judge(list(Finding.objects.values_list("pk", flat=True)), grace, State.CONFIRMED)
    sign(run, lin, "for <i>drafts</i> alone", Decision.CONDITIONS)
    text = text_of(report_on(run))
    assert "Decided by grace. Signed off by lin on" in text
    assert "The signer's decision: May be used on conditions. In the signer's words: “for <i>drafts</i> alone”" in text
    assert "Every finding of the run is judged. yes" in text


@pytest.mark.parametrize("state", [RunState.CANCELLED, RunState.FAILED, RunState.QUEUED])
def test_a_run_without_results_says_so_first_and_claims_nothing(plan: object, state: RunState) -> None:
    made = a_finished_run()
    Run.objects.filter(pk=made.pk).update(state=state, error="the model <b>broke</b>", expected=True)
    made.refresh_from_db()
    text = text_of(report_on(made))
    assert f"Read first: Run {made.pk} is {state}. It has no results" in text
    assert "Reason: the model <b>broke</b>" in text
    assert "Nothing: the run is not finished." in text
    assert "Figures of the whole run" not in text
    assert "no proof" not in text[text.index("Findings Without results") : text.index("Words and sentences: s")]


def test_a_finished_run_without_measures_has_an_empty_but_whole_report(db: None) -> None:
    text = text_of(report_on(a_finished_run()))
    untested = "Nothing could be tested: the run has no figure with a test."
    assert f"{untested} This is no proof that the model is free of stereotypes." in text
    assert f"{untested} So the run has no findings. That is no proof that the model is free of stereotypes." in text
    assert "who launched it is not known" in text
    assert "There are no findings to decide about." in text


def test_a_run_whose_findings_are_all_undecided_is_told_as_no_proof(db: None) -> None:
    text = text_of(report_on(a_finished_run(difference("warm", 0.1, "undecided", q_value=0.5))))
    assert "No finding is present. This is no proof that the model is free of stereotypes." in text


def test_a_finding_of_an_earlier_run_that_is_undecided_now_is_listed_and_not_called_present(
    run: Run, plan: Plan
) -> None:
    later = a_finished_run(difference("warm", 0.2, "undecided", q_value=0.4), plan=plan)
    text = text_of(report_on(later))
    assert "No finding is present." in text
    assert "What is present:" not in text
    assert "verdict: undecided · compared with the run before: undecided" in text


def test_a_report_tells_what_it_leaves_out(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings, "MOST", 2)
    text = text_of(report_on(run))
    assert "1 more finding of this run is not listed here" in text
    assert "Not in this report: 1 finding of the run." in text


def test_a_long_report_lists_what_people_judged_then_the_largest(
    run: Run, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first page tells of dismissed and of the largest findings, so none of these may be left out."""
    monkeypatch.setattr(findings, "MOST", 2)
    mean, small, large = Finding.objects.order_by("pk")
    Observation.objects.filter(finding=large).update(value=2.5)
    assert [one.finding for one in RunPart(run).findings] == [mean, large]
    judge([small.pk], ada, State.DISMISSED, "a base rate")
    assert [one.finding for one in RunPart(run).findings] == [mean, small]


def test_a_method_that_is_gone_still_has_its_scope_and_figures(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(probe="gone")
    run.refresh_from_db()
    text = text_of(report_on(run))
    assert "No method of these runs is registered any more." in text
    assert "launched by ada" in text
