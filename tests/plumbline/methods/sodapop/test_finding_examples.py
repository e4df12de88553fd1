"""The example questions of a finding: a typical name of each group, in a context where both were asked."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from plumbline.desk.findings.examples import examples_of
from plumbline.findings.models import Finding
from plumbline.findings.pinning import pin
from plumbline.methods.sodapop.error_drilldown import Cell
from plumbline.methods.sodapop.finding_examples import typical_pair
from tests.plumbline.annotation.discovered import MEN, WOMEN, make_run


def cell(context: str, group: str, name: str, chosen: int, shown: int = 10) -> Cell:
    return Cell(context, group, name, shown, chosen, 1.0)


def test_neither_the_strongest_context_nor_the_strongest_name_is_chosen() -> None:
    strong = [cell("strong", "a", "Ann", 9), cell("strong", "b", "Bob", 0)]
    weak = [cell("weak", "a", "Ann", 1), cell("weak", "b", "Bob", 1)]
    middle = [
        *(cell("middle", "a", name, chosen) for name, chosen in (("Ann", 8), ("Amy", 4), ("Ada", 3))),
        cell("middle", "b", "Bob", 1),
    ]
    pair = typical_pair([*strong, *weak, *middle], "a", "b")
    assert [(one.context, one.name) for one in pair] == [("middle", "Amy"), ("middle", "Bob")]


def test_a_context_that_lacks_a_group_shows_nothing() -> None:
    assert typical_pair([cell("party", "a", "Ann", 3), cell("work", "b", "Bob", 3)], "a", "b") == []
    assert typical_pair([cell("party", "a", "Ann", 0, shown=0), cell("party", "b", "Bob", 3)], "a", "b") == []


@pytest.mark.django_db
def test_a_word_is_shown_with_its_questions_and_leads_to_all_of_them() -> None:
    run = make_run()
    labels = {"statistic": "relative_difference", "group_a": WOMEN, "group_b": MEN, "attribute": "violent"}
    pinned = pin(run, labels, User.objects.create_user("ada"), "look at it")
    shown = examples_of(Finding.objects.select_related("latest__run").get(pk=pinned.pk))
    assert shown.address == f"{reverse('run_misled', args=[run.pk])}?word=violent"
    first, second = shown.items
    asked = "Amanda came late. How would you describe Amanda?"
    assert first.text == f"{asked} \u2014 a lively guest, a violent guest (chosen), Amanda the sweet"
    assert first.figures == f"{WOMEN}: \u201cviolent\u201d misled in 1 of 1 question about Amanda"
    assert second.text.startswith("Adam came late.")
