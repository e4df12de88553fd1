"""People judge how the parser understood answers in text, on a run of the tests' own endpoint."""

import csv
from collections.abc import Callable
from html import unescape

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.desk.findings import answers_page
from plumbline.findings import judgement_retention
from plumbline.findings.answers.judging import agreement, judge, understood
from plumbline.findings.models import AnswerJudgement
from plumbline.results import answer_samples, replies
from plumbline.results.answer_samples import sample
from plumbline.spec.errors import InputError
from tests.workers.endpoint import Endpoint
from tests.workers.execution.conftest import Silent
from tests.workers.execution.test_bbq_runs import endpoint, questions, ran
from workers.execution import Worker, drive
from workers.management.reports import about

__all__ = ["endpoint"]

pytestmark = pytest.mark.django_db
OPTION, REFUSAL = "B. The <b>Green</b> person", "C'mon, I can't say."

Login = Callable[[str, str], Client]


@pytest.fixture
def run(endpoint: Endpoint) -> Run:
    """Half of its answers name the second option, half refuse."""
    endpoint.answer = lambda text: REFUSAL if "loses" in text else OPTION
    return ran(model=endpoint.reference)


@pytest.fixture
def log_in() -> Login:
    def logged_in(name: str, role: str) -> Client:
        person = User.objects.create(username=name)
        person.groups.add(Group.objects.get(name=role))
        client = Client()
        client.force_login(person)
        return client

    return logged_in


def page(client: Client, run: Run) -> str:
    response = client.get(reverse("run_answers", args=[run.pk]))
    assert response.status_code == 200
    return unescape(response.content.decode())


def say(client: Client, run: Run, said: dict[int, str]) -> str:
    given = {f"said-{record}": words for record, words in said.items()}
    answer = client.post(reverse("run_answers_judge", args=[run.pk]), given, follow=True)
    return unescape(answer.content.decode())


def records(run: Run, kind: str) -> list[int]:
    return [one.record for one in sample(run.pk, 100) if one.answer_class == kind]


def test_the_sample_has_as_many_of_each_class_and_is_the_same_for_everybody(run: Run) -> None:
    first = sample(run.pk, 3)
    assert sorted(one.answer_class for one in first) == ["option"] * 3 + ["refusal"] * 3
    assert first == sample(run.pk, 3)
    assert {one.record for one in first} <= {one.record for one in sample(run.pk, 5)}
    assert len(sample(run.pk, 100)) == len(questions())


def test_a_reviewer_sees_the_parsers_class_only_after_judging(run: Run, log_in: Login) -> None:
    ada = log_in("ada", "reviewer")
    before = page(ada, run)
    assert "32 of 32 answers of the sample wait for you" in before
    assert "What you judged" not in before
    record = records(run, "refusal")[0]
    after = say(ada, run, {record: "option 0"})
    assert "1 answer judged." in after
    assert "a refusal</bdi></b>" in after
    assert AnswerJudgement.objects.get().author_name == "ada"


def test_a_models_text_is_shown_and_never_interpreted(endpoint: Endpoint, log_in: Login) -> None:
    endpoint.answer = lambda _: OPTION
    run = ran(model=endpoint.reference)
    raw = log_in("ada", "reviewer").get(reverse("run_answers", args=[run.pk])).content.decode()
    assert "&lt;b&gt;Green&lt;/b&gt;" in raw
    assert "<b>Green</b>" not in raw


def test_a_correction_keeps_what_was_said_without_the_parsers_class(run: Run, log_in: Login) -> None:
    ada, record = log_in("ada", "reviewer"), records(run, "refusal")[0]
    say(ada, run, {record: "unmatched"})
    say(ada, run, {record: "refusal"})
    one = AnswerJudgement.objects.get()
    assert (one.first_class, one.answer_class) == ("unmatched", "refusal")
    found = {row.kind: (row.judged, row.agree) for row in agreement(run.pk).classes}
    assert found["refusal"] == (1, 0)


def test_each_class_counts_as_often_as_it_occurs(run: Run, log_in: Login) -> None:
    ada, eve = log_in("ada", "reviewer"), log_in("eve", "reviewer")
    options, refusals = records(run, "option"), records(run, "refusal")
    say(ada, run, dict.fromkeys(options[:4], "option 1"))
    assert agreement(run.pk).share is None
    assert agreement(run.pk).missing == ["refusal"]
    assert "people judged 4 answers, none yet of: refusal" in about(run)
    say(eve, run, {refusals[0]: "refusal", refusals[1]: "empty", options[0]: "option 1"})
    found = agreement(run.pk)
    assert found.share is not None
    assert found.share.value == pytest.approx(0.5 * 1 + 0.5 * 0.5)
    assert (found.people, found.judged, found.by_several, found.united) == (2, 6, 1, 1)
    assert "75.0%" in page(ada, run)
    assert "people judged 6 answers: 75.0% of all are understood as people do [" in "\n".join(about(run))


def test_the_agreement_of_two_people_beyond_chance_stands_beside_that_with_the_parser(run: Run, log_in: Login) -> None:
    """Options, refusals and one dispute, as first said: alpha = 1 - 2 * 15 / (16^2 - 8^2 - 7^2 - 1)."""
    ada, eve = log_in("ada", "reviewer"), log_in("eve", "reviewer")
    said = dict.fromkeys(records(run, "option")[:4], "option 1") | dict.fromkeys(records(run, "refusal")[:4], "refusal")
    say(ada, run, said)
    assert "alpha" not in page(ada, run)
    disputed = records(run, "refusal")[0]
    say(eve, run, said | {disputed: "empty"})
    say(eve, run, {disputed: "refusal"})
    found = agreement(run.pk).alpha
    assert found is not None
    assert found.value == pytest.approx(1 - 30 / 142)
    assert "(Krippendorff's alpha 0.79, 95% interval:" in " ".join(page(ada, run).split()).replace("&#x27;", "'")


def test_retention_keeps_a_run_with_judged_answers(run: Run, log_in: Login) -> None:
    assert judgement_retention.kept_because(run) == ""
    say(log_in("ada", "reviewer"), run, {records(run, "option")[0]: "option 1"})
    assert judgement_retention.kept_because(run) == "people judged 1 answer of it"


def test_an_answer_that_is_not_kept_cannot_be_judged(run: Run, log_in: Login) -> None:
    ada, record = log_in("ada", "reviewer"), records(run, "option")[0]
    replies.forget(run.pk)
    assert "answers of the sample are not kept any more" in " ".join(page(ada, run).split())
    assert "is not kept any more, so nobody can judge it" in say(ada, run, {record: "option 1"})
    assert not AnswerJudgement.objects.exists()


@pytest.mark.parametrize("said", ["option 3", "option -1", "option", "option ١", "nonsense", "option 1 "])
def test_what_is_no_class_is_refused(said: str) -> None:
    with pytest.raises(InputError, match="no class of answers"):
        understood(said, 3)


def test_a_record_of_another_run_is_refused(run: Run) -> None:
    with pytest.raises(InputError, match="is in no sample of run"):
        judge(run.pk, 10**12, User.objects.create(username="ada"), "empty")


def test_a_form_with_something_else_changes_nothing(run: Run, log_in: Login) -> None:
    ada = log_in("ada", "reviewer")
    answer = ada.post(reverse("run_answers_judge", args=[run.pk]), {"said-x": "empty"}, follow=True)
    assert "something that is no answer" in answer.content.decode()


def test_a_viewer_reads_the_sample_and_cannot_judge(run: Run, log_in: Login) -> None:
    vic = log_in("vic", "viewer")
    told = page(vic, run)
    assert REFUSAL in told
    assert "Class by the parser" in told
    assert "said-" not in told
    assert vic.post(reverse("run_answers_judge", args=[run.pk]), {}).status_code == 403


def test_the_judgements_are_a_file_without_the_texts(run: Run, log_in: Login) -> None:
    ada, record = log_in("ada", "reviewer"), records(run, "refusal")[0]
    say(ada, run, {record: "refusal"})
    text = ada.get(reverse("run_answers_csv", args=[run.pk])).content.decode()
    (row,) = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    assert (row["record"], row["author_name"], row["answer_class"]) == (str(record), "ada", "refusal")
    assert REFUSAL not in text


def test_a_reviewers_file_has_no_answer_that_they_have_not_judged(run: Run, log_in: Login) -> None:
    ada, eve = log_in("ada", "reviewer"), log_in("eve", "reviewer")
    first, second = records(run, "refusal")[:2]
    say(ada, run, {first: "refusal", second: "empty"})
    say(eve, run, {second: "refusal"})
    address = reverse("run_answers_csv", args=[run.pk])
    for client, expected in ((eve, [second, second]), (log_in("vic", "viewer"), [first, second, second])):
        lines = [line for line in client.get(address).content.decode().splitlines() if not line.startswith("#")]
        assert sorted(int(row["record"]) for row in csv.DictReader(lines)) == sorted(expected)


def test_an_answer_outside_every_sample_cannot_be_judged(
    run: Run, log_in: Login, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer_samples, "LARGEST", 3)
    inside = {one.record for one in sample(run.pk, 3)}
    outside = next(one.record for one in sample(run.pk, 100) if one.record not in inside)
    assert "is in no sample of run" in say(log_in("ada", "reviewer"), run, {outside: "empty"})
    assert not AnswerJudgement.objects.exists()


def test_a_note_survives_a_correction_and_is_no_formula_in_the_file(run: Run, log_in: Login) -> None:
    ada, record = log_in("ada", "reviewer"), records(run, "refusal")[0]
    judged_at = reverse("run_answers_judge", args=[run.pk])
    ada.post(judged_at, {f"said-{record}": "empty", f"note-{record}": "=1+1"})
    say(ada, run, {record: "refusal"})
    assert AnswerJudgement.objects.get().note == "=1+1"
    assert ",'=1+1," in ada.get(reverse("run_answers_csv", args=[run.pk])).content.decode()


def test_what_could_be_saved_is_saved_and_told_beside_the_error(run: Run, log_in: Login) -> None:
    first, second = records(run, "option")[:2]
    told = say(log_in("ada", "reviewer"), run, {first: "option 1", second: "nonsense"})
    assert "1 answer judged." in told
    assert "no class of answers" in told
    assert AnswerJudgement.objects.get().record == first


def test_a_run_without_answers_in_text_says_so(log_in: Login) -> None:
    answers = [{"id": one["id"], "chosen": one["gold"]} for one in questions()]
    run = ran(model="answers:somebody", answers={"inline": answers})
    assert "no answers in text" in page(log_in("vic", "viewer"), run)


def test_an_auditor_has_the_kept_answers_parsed_anew(run: Run, log_in: Login, endpoint: Endpoint) -> None:
    assert "Parse the answers anew" not in page(log_in("ada", "reviewer"), run)
    ann, asked = log_in("ann", "auditor"), len(endpoint.asked)
    assert "Parse the answers anew" in " ".join(page(ann, run).split())
    said = ann.post(reverse("run_answers_parse", args=[run.pk]), follow=True).content.decode()
    new = Run.objects.latest("pk")
    assert f"Run {new.pk} parses the answers of run {run.pk} anew. It asks nothing." in said
    assert new.plan is None
    drive(new.pk, Worker("test", Silent()))
    new.refresh_from_db()
    assert new.state == RunState.DONE, new.error
    assert len(endpoint.asked) == asked
    assert len(records(new, "option")) == len(records(run, "option"))


def test_answers_that_are_not_kept_any_more_cannot_be_parsed_anew(run: Run, log_in: Login) -> None:
    replies.forget(run.pk)
    ann = log_in("ann", "auditor")
    assert "Parse the answers anew" not in " ".join(page(ann, run).split())


def test_a_larger_sample_holds_the_smaller_one_and_stays_while_a_person_judges(
    endpoint: Endpoint, log_in: Login, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers_page, "EACH", 3)
    monkeypatch.setattr(answers_page, "SAMPLES", (3, 5))
    endpoint.answer = lambda text: REFUSAL if "loses" in text else OPTION
    run, ada = ran(model=endpoint.reference), log_in("ada", "reviewer")
    assert "6 of 6 answers of the sample wait for you" in (small := page(ada, run))
    assert 'href="?each=5"' in small
    record = sample(run.pk, 3)[0].record
    sent = {f"said-{record}": "empty", "each": "5"}
    larger = unescape(ada.post(reverse("run_answers_judge", args=[run.pk]), sent, follow=True).content.decode())
    assert "9 of 10 answers of the sample wait for you" in larger
    assert 'href="?each=' not in larger
    nonsense = ada.get(reverse("run_answers", args=[run.pk]), {"each": "1e9"}).content.decode()
    assert "5 of 6 answers of the sample wait for you" in nonsense
