"""Signing off at the desk, by two people."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.findings.models import Condition, Finding, SignOff, SignOffRule
from plumbline.findings.sign_off.signing import standing
from plumbline.findings.sign_off.waiting import waiting_for
from tests.plumbline.desk.findings.conftest import LogIn
from tests.plumbline.findings.audited import a_run, difference, summarise


def box(client: Client, run: Run) -> str:
    page = client.get(reverse("run_findings", args=[run.pk])).content.decode()
    return str(page.split('class="sign-off"')[1].split("</section>")[0])


def next_step(client: Client, run: Run) -> str:
    page = client.get(reverse("run", args=[run.pk])).content.decode()
    return " ".join(page.split('class="next-step"')[1].split("</section>")[0].split())


def judge_all(client: Client) -> None:
    ids = list(Finding.objects.values_list("pk", flat=True))
    client.post(reverse("findings_judge"), {"finding": ids, "state": "confirmed", "sure": "yes"})


def test_two_people_take_a_run_from_its_findings_to_its_sign_off(run: Run, log_in: LogIn) -> None:
    ada, grace = log_in("ada"), log_in("grace")
    assert "Judge 2 findings." in box(grace, run)
    assert "Sign off run" not in box(grace, run)
    judge_all(ada)
    assert "You launched it. Ask a second person to sign: grace." in box(ada, run)
    assert f"Sign off run {run.pk}" in box(grace, run)
    grace.post(reverse("run_sign_off", args=[run.pk]), {"decision": "use", "note": "fine <b>now</b>"})
    signed = box(ada, run)
    assert "Signed off" in signed
    assert "fine &lt;b&gt;now&lt;/b&gt;" in signed
    made = standing(run)
    assert made is not None
    ada.post(reverse("sign_off_withdraw", args=[made.pk]), {"reason": "a wrong list"})
    assert "withdrawn by <bdi>ada</bdi>" in " ".join(box(grace, run).split())
    assert standing(run) is None


def test_a_decision_that_lacks_its_reason_stays_chosen(run: Run, log_in: LogIn) -> None:
    ada, grace = log_in("ada"), log_in("grace")
    judge_all(ada)
    said = grace.post(reverse("run_sign_off", args=[run.pk]), {"decision": "conditions"}, follow=True)
    assert 'value="conditions" required checked' in " ".join(said.content.decode().split())
    assert standing(run) is None
    typed = {"decision": "use", "note": "<b>" * 2000}
    too_long = grace.post(reverse("run_sign_off", args=[run.pk]), typed, follow=True)
    assert "&lt;b&gt;" in too_long.content.decode()
    assert "<b><b>" not in too_long.content.decode()


def test_a_decision_that_changes_after_the_sign_off_is_told_until_it_is_withdrawn(run: Run, log_in: LogIn) -> None:
    ada, grace = log_in("ada"), log_in("grace")
    judge_all(ada)
    grace.post(reverse("run_sign_off", args=[run.pk]), {"decision": "none"})
    assert "The report can go to others." in next_step(ada, run)
    changed = Finding.objects.order_by("pk")[0]
    ada.post(reverse("findings_judge"), {"finding": [changed.pk], "state": "dismissed", "reason": "a slip"})
    assert "Since then something changed." in next_step(grace, run)
    assert "The report can go to others." not in next_step(grace, run)
    told = box(grace, run)
    assert f"Finding {changed.pk} was confirmed and is dismissed now." in told
    report = grace.get(reverse("run_report_html", args=[run.pk])).content.decode()
    assert f"Since then something changed. Finding {changed.pk} was confirmed and is dismissed now." in report


def test_the_only_person_who_can_sign_is_told_before_judging(run: Run, log_in: LogIn) -> None:
    ada, grace = log_in("ada"), log_in("grace")
    assert "You are the only person who can sign this run off, and no longer if you judge" in next_step(grace, run)
    assert "let ada, who launched it, judge" in next_step(grace, run)
    assert "the only person" not in next_step(ada, run)
    log_in("lin")
    assert "the only person" not in next_step(grace, run)
    judge_all(grace)
    one = Finding.objects.order_by("pk")[:1].get()
    Finding.objects.filter(pk=one.pk).update(judged_by=User.objects.get(username="lin"))
    assert "those who judged them before can sign" in next_step(grace, run)


def test_who_launched_or_judged_cannot_sign_by_a_request_of_their_own(run: Run, log_in: LogIn) -> None:
    ada, grace = log_in("ada"), log_in("grace")
    judge_all(grace)
    for client in (ada, grace):
        client.post(reverse("run_sign_off", args=[run.pk]), {"decision": "none"})
    assert not SignOff.objects.exists()


def test_with_one_account_the_box_says_why_nobody_can_sign(run: Run, log_in: LogIn) -> None:
    ada = log_in("ada")
    judge_all(ada)
    assert "There is only one active account that may sign off" in box(ada, run)


def test_where_nobody_can_sign_an_admin_is_led_to_the_page_that_creates_accounts(run: Run, log_in: LogIn) -> None:
    ada = log_in("ada")
    judge_all(ada)
    link = f'<a href="{reverse("people")}">People and roles</a>'
    for shown in (box(ada, run), next_step(ada, run)):
        assert "An admin creates another one, on the page “People and roles” or by" in shown
        assert link not in shown
    ada = log_in("ada", "admin")
    assert [box(ada, run).count(link), next_step(ada, run).count(link)] == [3, 1]
    assert "<h1>People and roles</h1>" in ada.get(reverse("people")).content.decode()


def test_a_viewer_sees_the_conditions_and_no_button(run: Run, log_in: LogIn) -> None:
    shown = box(log_in("vic", "viewer"), run)
    assert "Every finding of the run is judged." in shown
    assert "Reviewers and admins sign off." in shown
    assert "<form" not in shown


def test_a_release_is_signed_off_on_the_page_of_its_model(run: Run, log_in: LogIn) -> None:
    ada, grace = log_in("ada"), log_in("grace")
    address = f"{reverse('model')}?reference={run.model}"
    assert "Sign off this release" not in grace.get(address).content.decode()
    judge_all(ada)
    grace.post(reverse("run_sign_off", args=[run.pk]), {"decision": "none"})
    assert "Sign off this release" in grace.get(address).content.decode()
    assert "Sign off this release" not in ada.get(address).content.decode()
    grace.post(reverse("release_sign_off"), {"reference": run.model, "release": "no such", "decision": "none"})
    grace.post(reverse("release_sign_off"), {"reference": run.model, "release": run.model, "decision": "none"})
    assert SignOff.objects.filter(is_of_release=True).count() == 1
    assert User.objects.get(username="grace").username in grace.get(address).content.decode()


@pytest.mark.parametrize("role", ["viewer", "curator", "auditor"])
def test_other_roles_may_not_sign(run: Run, log_in: LogIn, role: str) -> None:
    assert log_in("cyd", role).post(reverse("run_sign_off", args=[run.pk]), {"decision": "none"}).status_code == 403


def test_the_run_that_a_sign_off_rests_on_is_drawn_as_the_baseline(run: Run, log_in: LogIn) -> None:
    ada, grace = log_in("ada"), log_in("grace")
    judge_all(ada)
    grace.post(reverse("run_sign_off", args=[run.pk]), {"decision": "none"})
    page = grace.get(reverse("finding", args=[Finding.objects.earliest("pk").pk])).content.decode()
    assert "<b>signed off</b>" in page


def test_the_page_of_a_run_names_the_next_step_until_its_report(run: Run, log_in: LogIn) -> None:
    ada, grace, vic = log_in("ada"), log_in("grace"), log_in("vic", "viewer")
    findings = reverse("run_findings", args=[run.pk])
    for client in (ada, grace, vic):
        assert "Judge 2 findings." in next_step(client, run)
        assert f'href="{findings}#rows">Judge findings' in next_step(client, run)
    judge_all(ada)
    for client in (ada, vic):
        assert "The run waits for the sign-off of a second person: grace." in next_step(client, run)
        assert "href" not in next_step(client, run)
    assert f'href="{findings}#sign-off">Sign off' in next_step(grace, run)
    grace.post(reverse("run_sign_off", args=[run.pk]), {"decision": "none"})
    for client in (ada, vic):
        assert "<b>Signed off</b> by <bdi>grace</bdi>" in next_step(client, run)
        assert reverse("run_report_pdf", args=[run.pk]) in next_step(client, run)
    summarise(run, difference("warm", 0.8), difference("kind", 0.7))
    assert "summarised again after its sign-off" in next_step(ada, run)


def test_the_next_step_says_that_findings_wait_for_a_second_reviewer(run: Run, log_in: LogIn) -> None:
    SignOffRule.objects.filter(condition=Condition.VOTES).update(is_active=True, number=2)
    ada, grace = log_in("ada"), log_in("grace")
    judge_all(ada)
    assert "2 findings wait for the vote of another reviewer." in next_step(grace, run)
    grace.post(
        reverse("findings_judge"), {"finding": list(Finding.objects.values_list("pk", flat=True)), "act": "agree"}
    )
    assert "You can sign this run off." in next_step(grace, run)


def test_the_next_step_says_why_nobody_can_sign(run: Run, log_in: LogIn) -> None:
    ada = log_in("ada")
    judge_all(ada)
    assert "Nobody can sign the run off. There is only one active account" in next_step(ada, run)
    judge_all(log_in("grace"))
    assert "Nobody is left who may sign" in next_step(ada, run)


def test_a_run_that_nobody_can_ever_sign_says_so_before_anybody_judges(run: Run, log_in: LogIn) -> None:
    Run.objects.filter(pk=run.pk).update(created_by=None)
    cannot = "This run cannot be signed off, because it does not say who launched it."
    step = next_step(log_in("ada", "admin"), run)
    assert f"Press “Run again” on this page: the new run names you, and a second person can sign it. {cannot}" in step
    assert "Judge" not in step
    asked = next_step(log_in("grace"), run)
    assert f"Ask an auditor to press “Run again” on this page. A second person can sign the new run. {cannot}" in asked


def test_who_judged_a_run_without_a_launcher_is_not_told_to_ask_a_second_person(run: Run, log_in: LogIn) -> None:
    grace = log_in("grace")
    judge_all(grace)
    Run.objects.filter(pk=run.pk).update(created_by=None)
    shown = box(grace, run)
    assert "You judged 2 of them.<" in shown
    assert shown.count("Ask an auditor to press “Run again”") == 2
    assert "Ask a second person to sign" not in shown


def test_texts_of_decisions_have_a_limit_and_no_character_that_no_text_has(run: Run, log_in: LogIn) -> None:
    judge_all(log_in("grace"))
    ada = log_in("ada")
    ada.post(reverse("run_sign_off", args=[run.pk]), {"decision": "none", "note": "x" * 4001})
    assert not SignOff.objects.exists()
    ada.post(reverse("run_sign_off", args=[run.pk]), {"decision": "none", "note": "a\0"})
    assert not SignOff.objects.exists()
    number = Finding.objects.earliest("pk").pk
    for given in ({"reason": "a\0", "state": "dismissed"}, {"act": "assign", "assignee": "grace\0"}):
        assert ada.post(reverse("findings_judge"), {"finding": number} | given).status_code == 302
    assert not Finding.objects.filter(state="dismissed").exists()


def test_who_may_sign_finds_the_waiting_run_on_the_overview_and_on_the_list_of_findings(
    run: Run, log_in: LogIn
) -> None:
    ada, grace, vic = log_in("ada"), log_in("grace"), log_in("vic", "viewer")

    def shown(client: Client) -> list[bool]:
        pages = (client.get(reverse(name)).content.decode() for name in ("overview", "findings"))
        return ["Waiting for your sign-off" in page for page in pages]

    assert shown(grace) == [False, False]
    judge_all(ada)
    assert [shown(client) for client in (ada, grace, vic)] == [[False, False], [True, True], [False, False]]
    grace.post(reverse("run_sign_off", args=[run.pk]), {"decision": "none"})
    assert shown(grace) == [False, False]


def test_a_run_with_a_later_one_or_judged_by_the_person_does_not_wait(run: Run, log_in: LogIn) -> None:
    grace, joan = log_in("grace"), log_in("joan")
    judge_all(grace)
    assert not waiting_for(User.objects.get(username="grace"))
    assert list(waiting_for(User.objects.get(username="joan"))) == [run]
    a_run(plan=run.plan, created_by=run.created_by)
    assert not waiting_for(User.objects.get(username="joan"))
    assert "Waiting for your sign-off" not in joan.get(reverse("overview")).content.decode()
