"""How many present figures of a run are findings: by their key, whoever added them and whenever."""

import pytest
from django.contrib.auth.models import User

from plumbline.audits.models import Run
from plumbline.findings.concerning import concerning
from plumbline.findings.identity import LABELS
from plumbline.findings.models import Finding, Observation, State, Update
from plumbline.findings.pinning import pin
from plumbline.findings.present_figures import PresentFigures, present_figures, without_finding
from plumbline.findings.sign_off.signing import readiness
from plumbline.findings.updating import update
from plumbline.spec.verdicts import Verdict
from tests.plumbline.findings.audited import a_plan, a_run, difference

pytestmark = pytest.mark.django_db
WORDS = [difference(f"word {number}", 1.0 + number / 10) for number in range(13)]


def figures(run: Run) -> list[PresentFigures]:
    return present_figures(run, Update.objects.filter(run=run).first())


def left(run: Run) -> int:
    return without_finding(run, Update.objects.filter(run=run).first())


def a_written_run(*rows: dict[str, object], plan: str = "weekly") -> Run:
    run = a_run(*rows, plan=a_plan(plan))
    update(run)
    return run


def test_of_thirteen_present_words_the_ten_clearest_are_findings() -> None:
    run = a_written_run(*WORDS, difference("cold", 0.1, Verdict.UNDECIDED), difference("", 0.5))
    overall, words = figures(run)
    assert (overall.statistic, overall.rows) == ("ilps_difference", "overall")
    assert (overall.present, overall.with_finding) == (1, 1)
    assert (words.rows, words.present, words.with_finding, words.without_finding) == ("words", 13, 10, 3)
    assert left(run) == 3


def test_a_finding_that_a_later_run_added_is_no_longer_a_figure_without_one() -> None:
    first = a_written_run(*WORDS)
    a_written_run(*(one | {"value": 9.0} for one in WORDS[:2]))
    (words,) = figures(first)
    assert (words.present, words.with_finding, words.without_finding) == (13, 12, 1)
    shown = Observation.objects.filter(run_number=first.pk, verdict=Verdict.PRESENT, finding__in=concerning(first))
    assert shown.count() == words.with_finding


def test_the_sign_off_counts_as_the_page_does() -> None:
    first = a_written_run(*WORDS)
    a_written_run(*(one | {"value": 9.0} for one in WORDS[:2]))
    told = [one.sentence for one in readiness(first, User.objects.create(username="ada")).conditions]
    assert any("1 present figure is no finding" in one for one in told)


def test_a_dismissed_finding_is_one() -> None:
    run = a_written_run(*WORDS)
    Finding.objects.update(state=State.DISMISSED)
    assert left(run) == 3


def test_a_pin_counts_if_a_rule_is_about_its_figure() -> None:
    of_prior = difference("word 0", 2.0, variant="prior mean")
    run = a_written_run(*WORDS, of_prior)
    ada = User.objects.create(username="ada")
    for one in (of_prior, WORDS[0]):
        pin(run, {name: str(one.get(name, "")) for name in LABELS}, ada, "odd")
    (words,) = figures(run)
    assert (words.present, words.with_finding) == (13, 11)


def test_findings_of_another_plan_or_model_do_not_count() -> None:
    run = a_written_run(*WORDS)
    other = a_run(*(one | {"value": 9.0} for one in WORDS[:2]), plan=a_plan(), model="hub:org/other")
    update(other)
    a_written_run(*(one | {"value": 9.0} for one in WORDS[:2]), plan="monthly")
    assert left(run) == 3


def test_without_a_present_figure_or_written_findings_nothing_is_counted() -> None:
    assert figures(a_written_run(difference("cold", 0.1, Verdict.UNDECIDED))) == []
    assert figures(a_run(*WORDS, plan=a_plan())) == []
