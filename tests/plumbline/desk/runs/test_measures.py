from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.results.measure_writing import replace_measures
from tests.plumbline.desk.runs.conftest import MARKED, measures


def rows(client: Client, run: Run, **query: str) -> list[tuple[str, float | None]]:
    found = client.get(reverse("run_measures", args=[run.pk]), query).context["rows"]
    return [(one.attribute, one.value) for one in found]


def test_the_differences_come_first_the_largest_on_top(viewer: Client, done: Run) -> None:
    assert rows(viewer, done) == [("kind", 1.25), ("cold", -0.75), ("", 0.25)]


def test_they_are_chosen_and_sorted_by_the_address(viewer: Client, done: Run) -> None:
    assert rows(viewer, done, statistic="ilps_difference_centred") == [("kind", 1.5)]
    assert rows(viewer, done, attribute="COL") == [("cold", -0.75)]
    assert rows(viewer, done, group=MARKED, order="attribute") == [("", 0.25), ("cold", -0.75), ("kind", 1.25)]
    assert rows(viewer, done, group="nobody") == []


def test_the_words_of_one_list_are_chosen_by_its_name(viewer: Client, done: Run) -> None:
    difference = {"statistic": "ilps_difference", "group_a": MARKED, "n": 2}
    one, other = ({"attribute": word, "category": name, "value": 1.0} for word, name in (("a", "jobs"), ("b", "jobs2")))
    replace_measures(done.pk, [difference | one, difference | other])
    assert rows(viewer, done, list="jobs") == [("a", 1.0)]
    text = viewer.get(reverse("run_measures", args=[done.pk]), {"list": "none"}).content.decode()
    assert 'name="list" value="none"' in text
    assert "Show all" in text


def test_nonsense_in_the_address_is_the_default(viewer: Client, done: Run) -> None:
    assert rows(viewer, done, statistic="x; --", order="pk", page="-1") == rows(viewer, done)


def test_what_is_not_scorable_is_a_state_and_no_zero(viewer: Client, done: Run) -> None:
    nothing = {"statistic": "ilps_difference", "attribute": "odd", "n": 0, "reason": "no scorable item"}
    replace_measures(done.pk, [*measures(), nothing])
    assert rows(viewer, done)[-1] == ("odd", None)
    text = viewer.get(reverse("run_measures", args=[done.pk])).content.decode()
    assert '<td class="hatched" colspan="2">Not scorable: no scorable item</td>' in text


def test_the_unit_is_in_the_heading(viewer: Client, done: Run) -> None:
    text = viewer.get(reverse("run_measures", args=[done.pk]), {"statistic": "scorable_share"}).content.decode()
    assert "Value (fraction)" in text


def test_why_items_are_not_scorable_is_a_statistic_with_its_reasons(viewer: Client, done: Run) -> None:
    counts = {"statistic": "not_scorable", "value": 2, "n": 2, "reason": "several subwords"}
    replace_measures(done.pk, [*measures(), counts, counts | {"group_a": "women"}])
    text = viewer.get(reverse("run_measures", args=[done.pk]), {"statistic": "not_scorable"}).content.decode()
    assert "2 measures of “Not scorable”" in text
    assert text.count('<span class="faint">several subwords</span>') == 2
