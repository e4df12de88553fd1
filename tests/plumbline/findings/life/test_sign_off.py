"""Who may sign off what, under which conditions, and what a sign-off keeps."""

from datetime import date

import pytest
from django.contrib.auth.models import Group, User
from django.db.models import ProtectedError
from django.test import Client

from plumbline.audits.models import Run
from plumbline.findings import judging
from plumbline.findings.by_method import warnings
from plumbline.findings.models import Condition, Decision, Finding, SignOff, SignOffRule, State, Update
from plumbline.findings.sign_off import conditions
from plumbline.findings.sign_off.baselines import baseline_of, kept_because, signed_off
from plumbline.findings.sign_off.people import ALONE
from plumbline.findings.sign_off.releases import checked_release, releases_of, sign_release
from plumbline.findings.sign_off.rules import rules, store_defaults
from plumbline.findings.sign_off.signing import readiness, sign, standing, withdraw
from plumbline.findings.updating import update
from plumbline.pages.roles import write_roles
from plumbline.spec.errors import InputError
from plumbline.spec.verdicts import Verdict
from tests.plumbline.findings.audited import a_plan, a_run, difference, summarise

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _roles() -> None:
    write_roles()


def person(name: str, role: str = "reviewer") -> User:
    made = User.objects.create_user(name)
    made.groups.set(Group.objects.filter(name=role))
    return made


@pytest.fixture
def ada() -> User:
    return person("ada")


@pytest.fixture
def grace() -> User:
    return person("grace")


def launched_by(who: User | None, value: float = 0.6, verdict: str = Verdict.PRESENT) -> Run:
    run = a_run(difference("warm", value, verdict), plan=a_plan(), created_by=who)
    update(run)
    return run


def judged_by(who: User, state: str = State.CONFIRMED) -> None:
    judging.judge(list(Finding.objects.values_list("pk", flat=True)), who, state, "seen")


def missing(run: Run, who: User) -> list[str]:
    return [one.name for one in readiness(run, who).missing]


def test_a_second_person_signs_a_run_whose_findings_are_judged(ada: User, grace: User) -> None:
    run = launched_by(ada)
    assert missing(run, grace) == [Condition.JUDGED]
    judged_by(ada)
    made = sign(run, grace, "discussed on Monday")
    assert standing(run) == made
    assert (made.signed_name, made.release, made.findings[0]["judged_by"]) == ("grace", "hub:org/m@a", "ada")
    assert all(one["holds"] for one in made.conditions)
    with pytest.raises(InputError, match="signed off already"):
        sign(run, grace)


def test_a_signer_decides_about_the_use_of_the_model_and_says_for_which_use(ada: User, grace: User) -> None:
    run = launched_by(ada)
    judged_by(ada)
    for decision, note, why in (("", "all", "say what you decide"), (Decision.USE, " ", "say for which use")):
        with pytest.raises(InputError, match=why):
            sign(run, grace, note, decision)
    made = sign(run, grace, "for drafts that a person reads", Decision.CONDITIONS)
    assert (made.decided, made.note) == ("May be used on conditions.", "for drafts that a person reads")


def test_a_sign_off_of_an_earlier_release_has_no_decision(ada: User, grace: User) -> None:
    run = launched_by(ada)
    judged_by(ada)
    sign(run, grace)
    SignOff.objects.update(decision="")
    assert SignOff.objects.get().decided == "No decision about its use."


def test_the_condition_of_what_the_method_promises_quotes_the_warnings_of_the_run(
    ada: User, grace: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sentence(run: Run) -> str:
        return next(one.sentence for one in readiness(run, grace).conditions if one.name == Condition.NO_CONCERN)

    run = launched_by(ada)
    assert sentence(run) == "The run measures what its method promises."
    alike = {"statistic": "alike_frames", "unit": "word", "n": 32, "n_units": 32, "value": 0.97, "condition": "1"}
    summarise(run, difference("warm", 0.6), *({**alike, "template": one} for one in ("a", "b")))
    (warned,) = warnings(run)
    assert sentence(run) == f"The run measures what its method promises. Read its warning first: {warned}"
    monkeypatch.setattr(conditions, "warnings", lambda _run: ["One is long.", "One is short."])
    assert sentence(run).endswith("Read its 2 warnings first: One is long. One is short.")


def test_neither_the_launcher_nor_who_judged_last_may_sign(ada: User, grace: User) -> None:
    run = launched_by(ada)
    judged_by(grace)
    assert missing(run, ada) == ["not launcher"]
    assert missing(run, grace) == ["not judge"]
    with pytest.raises(
        InputError,
        match=r"Somebody other than the signer launched this run: no\. You launched it\. Nobody is left who may sign: ",
    ):
        sign(run, ada)
    assert not SignOff.objects.exists()


def test_with_a_single_account_the_page_says_why_nobody_can_sign(ada: User) -> None:
    run = launched_by(ada)
    judged_by(ada)
    told = [one.remedy for one in readiness(run, ada).missing]
    assert all(ALONE in one for one in told)
    assert len(told) == 2


def sentences(run: Run, who: User) -> list[str]:
    ready = readiness(run, who)
    return [one.sentence for one in (*ready.conditions, *ready.person)]


def test_a_run_without_findings_or_judgements_claims_none(ada: User, grace: User) -> None:
    run = launched_by(ada, 0.01, Verdict.ABSENT)
    assert "The run has no finding to judge." in sentences(run, grace)
    assert "Every finding of the run is judged." not in sentences(run, grace)
    open_run = launched_by(ada)
    assert "Every finding of the run is judged." in sentences(open_run, grace)
    for one in (run, open_run):
        assert "The signer judged no finding of the run." in sentences(one, grace)
    judged_by(ada)
    assert "The last state of each judged finding was set by somebody other than the signer." in sentences(
        open_run, grace
    )


def test_the_condition_on_judgements_says_how_many_present_figures_became_no_finding(ada: User, grace: User) -> None:
    words = [difference(f"word {number}", 1.0 + number / 10) for number in range(12)]
    run = a_run(*words, plan=a_plan(), created_by=ada)
    update(run)
    judged = "Every finding of the run is judged (2 present figures are no findings)."
    assert judged in sentences(run, grace)
    with pytest.raises(InputError, match=r"are no findings\): no\. Judge 10 findings\."):
        sign(run, grace)
    summarise(run, *words[:11])
    update(run)
    assert "Every finding of the run is judged (1 present figure is no finding)." in sentences(run, grace)


def test_a_run_without_a_named_launcher_cannot_be_signed(grace: User, ada: User) -> None:
    run = launched_by(None)
    judged_by(ada)
    assert missing(run, grace) == ["named"]


def test_what_a_run_shows_to_be_gone_needs_no_decision_and_what_is_undecided_does(ada: User, grace: User) -> None:
    launched_by(ada)
    gone = launched_by(ada, 0.01, Verdict.ABSENT)
    assert missing(gone, grace) == []
    undecided = launched_by(ada, 0.2, Verdict.UNDECIDED)
    assert missing(undecided, grace) == [Condition.JUDGED]


def test_votes_for_another_state_stop_a_sign_off(ada: User, grace: User) -> None:
    run = launched_by(ada)
    judged_by(ada)
    judging.vote(Finding.objects.get().pk, grace, State.DISMISSED)
    assert missing(run, grace) == [Condition.NO_DISSENT]


def test_votes_count_against_judged_findings_only_and_the_condition_says_so(ada: User, grace: User) -> None:
    run = launched_by(ada)
    judging.vote(Finding.objects.get().pk, grace, State.DISMISSED)
    assert missing(run, grace) == [Condition.JUDGED]
    assert "No vote contradicts the judgement of its finding." in sentences(run, grace)


def test_an_admin_chooses_the_conditions(ada: User, grace: User) -> None:
    store_defaults()
    run = launched_by(ada)
    judged_by(ada)
    SignOffRule.objects.filter(condition__in=(Condition.VOTES, Condition.OWNED)).update(is_active=True)
    assert missing(run, grace) == [Condition.VOTES, Condition.OWNED]
    ids = list(Finding.objects.values_list("pk", flat=True))
    judging.agree(ids, grace)
    judging.assign(ids, ada, date(2030, 1, 1))
    assert missing(run, grace) == []
    SignOffRule.objects.update(is_active=False)
    assert [one.name for one in readiness(run, grace).conditions] == ["done", "written"]


def test_without_stored_rules_the_defaults_hold() -> None:
    SignOffRule.objects.all().delete()
    active = {one.condition for one in rules() if one.is_active}
    assert active == {Condition.JUDGED, Condition.NO_DISSENT, Condition.NO_CONCERN}


def test_findings_of_an_older_summary_cannot_be_signed(ada: User, grace: User) -> None:
    run = launched_by(ada)
    judged_by(ada)
    summarise(run, difference("warm", 0.6))
    assert missing(run, grace) == ["written"]
    Update.objects.update(error="RuntimeError: no sentence")
    assert "no sentence" in readiness(run, grace).missing[0].remedy


def test_a_run_of_earlier_rules_has_nothing_to_judge_and_cannot_be_signed(ada: User, grace: User) -> None:
    run = launched_by(ada, 0.6, "")
    assert missing(run, grace) == ["verdicts"]


def test_a_signed_off_run_is_the_baseline_until_that_is_withdrawn(ada: User, grace: User) -> None:
    first = launched_by(ada)
    judged_by(ada)
    made = sign(first, grace)
    later, other = launched_by(ada), a_run(plan=a_plan("monthly"))
    assert (baseline_of(later), baseline_of(first), baseline_of(other)) == (first, None, None)
    assert signed_off([first.pk, later.pk]) == {first.pk}
    with pytest.raises(InputError, match="say why"):
        withdraw(made.pk, ada, " ")
    withdraw(made.pk, ada, "the list was wrong")
    assert (baseline_of(later), standing(first)) == (None, None)
    with pytest.raises(InputError, match="withdrawn already"):
        withdraw(made.pk, ada, "again")
    assert sign(first, grace).pk != made.pk


def test_a_run_stays_for_its_sign_off_also_when_it_was_withdrawn(ada: User, grace: User) -> None:
    run = launched_by(ada)
    assert kept_because(run) == ""
    judged_by(ada)
    withdraw(sign(run, grace).pk, grace, "too early")
    assert "signed off by grace" in kept_because(run)
    with pytest.raises(ProtectedError):
        run.delete()


def test_the_admin_says_why_it_does_not_delete_a_signed_run(ada: User, grace: User, admin_client: Client) -> None:
    run = launched_by(ada)
    judged_by(ada)
    sign(run, grace)
    page = f"/admin/audits/run/{run.pk}/delete/"
    assert "a sign-off rests on it" in admin_client.get(page).content.decode()
    admin_client.post(page, {"post": "yes"})
    assert Run.objects.filter(pk=run.pk).exists()


def test_a_release_is_signed_off_when_the_latest_run_of_each_plan_is(ada: User, grace: User) -> None:
    run = launched_by(ada)
    (release,) = releases_of(run.model)
    assert [one.name for one in checked_release(release, grace) if not one.holds] == ["runs"]
    judged_by(ada)
    sign(run, grace)
    made = sign_release(release, grace)
    assert (made.is_of_release, made.release, [one.run_id for one in made.signed_runs.all()]) == (
        True,
        "hub:org/m@a",
        [run.pk],
    )
    with pytest.raises(InputError, match="signed off already"):
        sign_release(release, grace)
    with pytest.raises(InputError, match="Somebody other than the signer launched"):
        sign_release(release, ada)
    assert standing(run) is not None
    assert standing(run) != made
