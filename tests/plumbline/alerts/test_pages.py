"""The inbox, and the admin's pages of rules and webhooks: what they show, take and refuse, and to whom."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import Group as Role
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from plumbline.alerts.forms import EXAMPLE
from plumbline.alerts.models import Alert, Delivery, Reading, RuleSet, Webhook
from plumbline.alerts.webhooks import delivering, signing
from plumbline.findings.gate.judging import check_statistics
from plumbline.findings.gate.rules import rules_of_text
from plumbline.pages.roles import write_roles
from tests.plumbline.alerts.conftest import Receiver, rules_text
from tests.plumbline.findings.audited import a_run

pytestmark = pytest.mark.django_db

As = Callable[[str], Client]
MARKED = "<b>rule</b>"


@pytest.fixture
def as_role() -> As:
    """A client of a person with a role; "" has none."""
    write_roles()

    def client(role: str) -> Client:
        person = User.objects.create_user(f"a {role}", is_staff=bool(role))
        person.groups.set(Role.objects.filter(name=role))
        made = Client()
        made.force_login(person)
        return made

    return client


def an_alert(rule: str = MARKED, told: str = "breach: women: 0.6") -> Alert:
    run = a_run()
    return Alert.objects.create(run=run, run_number=run.pk, model="hub:m", rules_name="release", rule=rule, told=told)


def page(client: Client, **query: str) -> str:
    answer = client.get(reverse("inbox"), query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_an_empty_inbox_says_what_fills_it_and_who_may_adds_rules(as_role: As) -> None:
    assert "No run has broken a rule" in page(as_role("viewer"))
    assert reverse("admin:alerts_ruleset_add") in page(as_role("auditor"))


def test_an_alert_leads_to_its_run_and_is_escaped(as_role: As) -> None:
    viewer = as_role("viewer")
    alert = an_alert()
    found = page(viewer)
    assert "&lt;b&gt;rule&lt;/b&gt;" in found
    assert MARKED not in found
    assert reverse("run_findings", args=[alert.run_number]) in found
    assert "1 unread" in found


def test_the_empty_field_of_rules_shows_an_example_that_a_method_can_judge(as_role: As) -> None:
    form = as_role("auditor").get(reverse("admin:alerts_ruleset_add")).content.decode()
    assert "statistic: ilps_difference" in form
    check_statistics("ilps", rules_of_text(EXAMPLE))


def test_what_one_person_read_is_unread_for_others(as_role: As) -> None:
    one, other = as_role("viewer"), as_role("reviewer")
    alert = an_alert()
    assert one.post(reverse("inbox_mark"), {"mark": "read", "alert": alert.pk}).status_code == 302
    counts = [client.get(reverse("inbox_count")).content.decode() for client in (one, other)]
    assert counts == ["", "1 unread"]
    assert "You have read all alerts" in page(one, show="unread")
    one.post(reverse("inbox_mark"), {"mark": "unread", "alert": alert.pk})
    assert one.get(reverse("inbox_count")).content == b"1 unread"


def test_all_can_be_marked_at_once(as_role: As) -> None:
    viewer = as_role("viewer")
    for number in range(3):
        an_alert(f"rule {number}")
    viewer.post(reverse("inbox_mark"), {"mark": "all read"})
    assert Reading.objects.count() == 3


def test_a_new_account_has_no_alerts_of_the_time_before(as_role: As) -> None:
    an_alert()
    viewer = as_role("viewer")
    User.objects.update(date_joined=timezone.now())
    assert "No run has broken a rule" in page(viewer)


def test_odd_marks_change_nothing(as_role: As) -> None:
    an_alert()
    answer = as_role("viewer").post(reverse("inbox_mark"), {"mark": "read", "alert": ["x", "-1", "9" * 30, "٣"]})
    assert answer.status_code == 302
    assert not Reading.objects.exists()


def test_who_has_no_role_sees_nothing(as_role: As) -> None:
    nobody = as_role("")
    for name in ("inbox", "inbox_count"):
        assert nobody.get(reverse(name)).status_code == 403
    assert nobody.post(reverse("inbox_mark"), {"mark": "all read"}).status_code == 403


@pytest.mark.parametrize(
    ("role", "rules", "webhooks"),
    [("viewer", 403, 403), ("reviewer", 403, 403), ("curator", 403, 403), ("auditor", 200, 403), ("admin", 200, 200)],
)
def test_auditors_write_rules_and_only_admins_webhooks(as_role: As, role: str, rules: int, webhooks: int) -> None:
    client = as_role(role)
    found = [client.get(reverse(f"admin:alerts_{model}_add")).status_code for model in ("ruleset", "webhook")]
    assert found == [rules, webhooks]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"rules": "rules: ["}, "not valid YAML"),
        ({"rules": "7"}, "must be a mapping"),
        ({"rules": rules_text("wrong", statistic="unheard")}, "has no statistic"),
        ({"rules": rules_text("wrong", smallest_effect=-1)}, "smallest_effect"),
        ({"notify": "no address"}, "is not an e-mail address"),
        ({"probe": "unheard"}, "Select a valid choice"),
    ],
)
def test_wrong_rules_are_refused_with_the_reason(as_role: As, change: dict[str, str], told: str) -> None:
    given = {"name": "release", "probe": "ilps", "is_active": "on", "rules": rules_text("a rule")} | change
    answer = as_role("auditor").post(reverse("admin:alerts_ruleset_add"), given)
    assert answer.status_code == 200
    assert told in answer.content.decode()
    assert not RuleSet.objects.exists()


def test_good_rules_are_kept(as_role: As) -> None:
    given = {"name": "release", "probe": "ilps", "is_active": "on", "rules": rules_text("a rule")}
    assert as_role("auditor").post(reverse("admin:alerts_ruleset_add"), given).status_code == 302
    assert RuleSet.objects.get().rules.strip() == rules_text("a rule").strip()


def test_a_new_webhook_shows_its_secret_once_and_can_be_tested(
    as_role: As, webhook: Webhook, receiver: Receiver
) -> None:
    admin = as_role("admin")
    given = {"name": "second", "url": webhook.url, "is_active": "on"}
    shown = admin.post(reverse("admin:alerts_webhook_add"), given, follow=True).content.decode()
    made = Webhook.objects.get(name="second")
    secret = signing.unseal(made.sealed_secret)
    assert secret in shown
    changelist = reverse("admin:alerts_webhook_changelist")
    assert secret not in admin.get(changelist).content.decode()
    admin.post(changelist, {"action": "test", "_selected_action": [made.pk]})
    assert delivering.deliver_due() == 1
    assert receiver.taken[0][1] == {**receiver.taken[0][1], "event": "test", "webhook": "second"}


def test_a_webhook_to_an_internal_host_is_refused(as_role: As) -> None:
    given = {"name": "inside", "url": "https://127.0.0.1/", "is_active": "on"}
    answer = as_role("admin").post(reverse("admin:alerts_webhook_add"), given)
    assert "an internal address" in answer.content.decode()
    assert not Webhook.objects.exists()


def test_what_was_given_up_can_be_tried_again(as_role: As, webhook: Webhook) -> None:
    one = Delivery.objects.create(webhook=webhook, line="1/test", retry_at=None, attempts=8, error="given up")
    as_role("admin").post(
        reverse("admin:alerts_delivery_changelist"), {"action": "again", "_selected_action": [one.pk]}
    )
    one.refresh_from_db()
    assert (one.attempts, one.error) == (0, "")
    assert one.retry_at is not None
