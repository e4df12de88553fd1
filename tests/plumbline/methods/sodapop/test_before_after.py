"""Before and after a mitigation of SODAPOP: clusters, words and maps of a parent and its variants side by side."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from plumbline.audits.models import ComparisonRequest, Run
from plumbline.methods.sodapop.card import FEW
from plumbline.pages.roles import write_roles
from plumbline.results.measure_writing import replace_measures
from plumbline.results.summary import of_run
from tests.plumbline.annotation.discovered import PAIRS, make_run

CHANGE = "difference_in_differences"
PLACE = str(sorted(PAIRS).index(PAIRS[0]))
"""Of the compared pair among those that the page offers."""


@pytest.fixture
def auditor(db: None) -> Client:
    write_roles()
    user = User.objects.create_user("ola", password="x")
    user.groups.add(Group.objects.get(name="auditor"))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def runs(db: None) -> tuple[Run, Run, Run]:
    """A parent and two variants: the first turned every word round, and the second is not compared."""
    before, after, other = make_run(), make_run("variant:inlp", sign=-1.0), make_run("variant:leace")
    a, b = PAIRS[0]
    own = {"statistic": CHANGE, "variant": f"run:{before.pk}", "group_a": a, "group_b": b, "unit": "name", "n": 4}
    words: list[dict[str, Any]] = [
        {"attribute": word, "condition": "relative_difference", "value": value, "verdict": "present", "q_value": 0.001}
        | {"ci_low": value - 0.2, "ci_high": value + 0.2}
        for word, value in (("violent", 1.2), ("sweet", -1.0))
    ]
    clusters = {"condition": "kmeans_accuracy", "value": -0.25, "ci_low": -0.4, "ci_high": -0.1, "q_value": 0.03}
    few = {"attribute": "shy", "condition": "relative_difference", "value": 0.1, "category": FEW}
    rows = [*words, clusters | {"verdict": "present"}, few]
    replace_measures(after.pk, [own | row for row in rows], compared=True)
    return before, after, other


def page(client: Client, before: Run, *after: Run, **query: str) -> str:
    address = reverse("before_after", query=[("a", before.pk), *(("b", one.pk) for one in after), *query.items()])
    return " ".join(client.get(address).content.decode().split())


def row_of(text: str, what: str, after: str) -> str:
    table = text[text.index(after) :]
    return table[table.index(f"<bdi>{escape(what)}</bdi>") :].split("</tr>")[0]


def test_the_outcomes_are_those_of_words(viewer: Client, runs: tuple[Run, Run, Run]) -> None:
    text = page(viewer, *runs[:2])
    assert (
        "Of 2 differences of words, 0 are gone and 0 are weaker. 0 are new, 0 are stronger and 2 are reversed." in text
    )
    assert "over the names that both runs scored" in text


def test_a_pair_of_groups_has_its_accuracy_in_each_run_with_chance_and_the_change(
    viewer: Client, runs: tuple[Run, Run, Run]
) -> None:
    row = row_of(page(viewer, *runs), PAIRS[0][0], 'id="clusters"')
    assert row.count("0.75") == 3
    assert row.count("chance to 0.64") == 3
    assert "-0.25 [-0.40, -0.10], q = 0.03" in row
    assert row.count("Weaker") + row.count("Undecided") + row.count("Stronger") == 1


def test_a_change_without_an_interval_has_no_brackets(viewer: Client, runs: tuple[Run, Run, Run]) -> None:
    before, after, _ = runs
    a, b = PAIRS[0]
    own = {"statistic": CHANGE, "variant": f"run:{before.pk}", "group_a": a, "group_b": b, "unit": "name", "n": 4}
    change = own | {"condition": "kmeans_accuracy", "value": -0.25, "q_value": 0.03, "verdict": "present"}
    replace_measures(after.pk, [change], compared=True)
    assert "-0.25, q = 0.03" in row_of(page(viewer, *runs), PAIRS[0][0], 'id="clusters"')


def test_the_top_words_stand_side_by_side_with_their_place_p_and_outcome(
    viewer: Client, runs: tuple[Run, Run, Run]
) -> None:
    row = row_of(page(viewer, *runs, pair=PLACE), "violent", 'id="words"')
    before, after, other = row.split("<td")[1:]
    assert "◀" in before
    assert "p = 0.001" in before
    assert "#1" in before
    assert "▶" in after
    assert "Reversed: +1.20 [+1.00, +1.40], q = 0.001" in after
    assert "Reversed" not in other


def test_a_single_context_has_words_without_tested_changes(viewer: Client, runs: tuple[Run, Run, Run]) -> None:
    own = str(of_run(runs[0].pk, "relative_difference").exclude(template="").values_list("template", flat=True)[0])
    text = page(viewer, *runs[:2], context=own)
    assert "Reversed" not in row_of(text, "violent", 'id="words"')
    assert "Changes are tested over all contexts together only" in text


def test_each_run_has_its_map(viewer: Client, runs: tuple[Run, Run, Run]) -> None:
    text = page(viewer, *runs)
    assert text.count('class="map"') == 3


def test_words_that_misled_too_seldom_are_counted(viewer: Client, runs: tuple[Run, Run, Run]) -> None:
    assert "1 difference has no outcome" in page(viewer, *runs)


def test_several_later_runs_have_one_row_each_and_the_missing_comparison_can_be_asked_for(
    auditor: Client, viewer: Client, runs: tuple[Run, Run, Run]
) -> None:
    before, after, other = runs
    text = page(auditor, *runs)
    assert "1 of the 2 later runs is not compared" in text
    assert "An auditor can ask" in page(viewer, *runs)
    shown = [str(after.pk), str(other.pk)]
    asked = {"a": before.pk, "b": other.pk, "shown": shown, "page": "before_after"}
    answer = auditor.post(reverse("compare_ask"), asked)
    assert answer.headers["Location"].endswith(f"?a={before.pk}&b={after.pk}&b={other.pk}")
    assert ComparisonRequest.objects.filter(first=before, second=other).exists()
    assert "The comparison is queued" in page(viewer, *runs)
