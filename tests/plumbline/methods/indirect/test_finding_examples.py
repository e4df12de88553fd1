"""The example names of a finding: typical ones that go the way of the link."""

from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.desk.findings.examples import examples_of
from plumbline.findings.models import Finding
from plumbline.findings.pinning import pin
from plumbline.methods.indirect.bridge_links import Link
from plumbline.methods.indirect.card import SCORE
from plumbline.methods.indirect.finding_examples import typical
from tests.plumbline.methods.indirect.test_cell import drawer
from tests.plumbline.methods.indirect.test_cell import run as run

HIGH = [Link("Anna", 9.0, 9.0), Link("Ben", 2.0, 3.0), Link("Cleo", 3.0, 2.0)]
LOW = [Link("Dora", -9.0, -9.0), Link("Emil", -2.0, -3.0), Link("Fay", -3.0, -2.0)]
AGAINST = [Link("Gil", 1.0, -1.0), Link("Hal", -1.0, 1.0)]


def test_of_the_names_that_go_along_the_middle_ones_are_chosen() -> None:
    assert [one.name for one in typical([*HIGH, *LOW, *AGAINST], is_negative=False)] == ["Cleo", "Fay"]


def test_of_a_negative_link_each_name_is_on_one_side_alone() -> None:
    assert [one.name for one in typical([*HIGH, *LOW, *AGAINST], is_negative=True)] == ["Gil", "Hal"]


def test_without_names_there_is_no_example() -> None:
    assert typical([], is_negative=False) == []


LABELS = {"statistic": SCORE, "group_a": "nurse", "attribute": "warm"}


def test_a_finding_shows_a_name_of_each_side_and_leads_to_its_cell(run: Run) -> None:
    pinned = pin(run, LABELS, User.objects.create_user("ada"), "look at it")
    shown = examples_of(Finding.objects.select_related("latest__run").get(pk=pinned.pk))
    assert [(one.text, one.figures) for one in shown.items] == [
        ("Anna", "with \u201cnurse\u201d +0.50, with \u201cwarm\u201d +0.25"),
        ("Ben", "with \u201cnurse\u201d -0.25, with \u201cwarm\u201d -0.50"),
    ]
    assert shown.address == f"{reverse('indirect', args=[run.pk])}?statistic={SCORE}&list=&target=nurse&feature=warm"


def test_a_drawer_offers_to_pin_its_cell_to_those_who_may_judge(viewer: Client, run: Run) -> None:
    address = reverse("finding_pin", args=[run.pk])
    assert address not in drawer(viewer, run)
    person = User.objects.get(pk=viewer.session["_auth_user_id"])
    person.user_permissions.add(Permission.objects.get(codename="judge_finding"))
    assert f"{address}?statistic={SCORE}&amp;" in drawer(viewer, run)
