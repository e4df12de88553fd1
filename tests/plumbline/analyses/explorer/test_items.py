"""The page of items: filters in the address, pages by id."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import DjangoAssertNumQueries

from plumbline.analyses.explorer import items_page as view
from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from tests.plumbline.analyses.explorer.conftest import ALL, COLD, MEN, MOST, UNKNOWN, WARM, WOMEN
from tests.plumbline.results.conftest import Load

ROW = re.compile(r"<tr>\s*<td><span")


def page(client: Client, run: Run, query: str | dict[str, str] = "") -> str:
    address = reverse("items", args=[run.pk])
    answer = client.get(address + query) if isinstance(query, str) else client.get(address, query)
    assert answer.status_code == 200
    return answer.content.decode()


def link(text: str, relation: str) -> str:
    (found,) = re.findall(rf'<a rel="{relation}" href="([^"]*)"', text)
    return str(found).replace("&amp;", "&")


@pytest.mark.parametrize(
    ("chosen", "rows"),
    [
        ({}, 10),
        ({"group": WOMEN}, 5),
        ({"group": MEN}, 5),
        ({"group": "MEN"}, 10),
        ({"attribute": WARM, "group": WOMEN}, 2),
        ({"attribute": COLD}, 4),
        ({"template": "most"}, 4),
        ({"scorable": "no"}, 3),
        ({"scorable": "yes"}, 7),
        ({"reason": UNKNOWN}, 3),
        ({"min": "0.5"}, 5),
        ({"min": "0.5", "max": "0.8"}, 3),
        ({"max": "-0.5"}, 1),
        ({"group": "nobody"}, 0),
        ({"template": "nowhere"}, 0),
        ({"reason": "another"}, 0),
        ({"min": "nan", "max": "much", "after": "-1", "scorable": "perhaps"}, 10),
        ({"after": "9" * 40}, 10),
    ],
)
def test_filters_leave_what_they_name(run: Run, viewer: Client, chosen: dict[str, str], rows: int) -> None:
    assert len(ROW.findall(page(viewer, run, chosen))) == rows


def test_an_item_shows_sentence_probabilities_and_the_way_back_to_its_cell(run: Run, viewer: Client) -> None:
    found = page(viewer, run, {"group": MEN, "attribute": COLD})
    assert '<mark class="group"><bdi>&lt;b&gt;men&lt;/b&gt;</bdi></mark> are' in found
    assert "co⟨U+200B⟩ld" in found
    assert 'title="probability 0.011">-4.50</td>' in found
    assert f'{reverse("explorer", args=[run.pk])}?group=%3Cb%3Emen%3C%2Fb%3E&amp;attribute=co%E2%80%8Bld"' in found
    assert f'class="hatched">Not scorable: {UNKNOWN}' in found


def test_pages_follow_one_another_and_back_without_loss(
    run: Run, viewer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(view, "ROWS", 4)
    first = page(viewer, run, {"group": "men"})
    assert 'rel="prev"' not in first
    second = page(viewer, run, link(first, "next"))
    third = page(viewer, run, link(second, "next"))
    assert [len(ROW.findall(one)) for one in (first, second, third)] == [4, 4, 2]
    assert 'rel="next"' not in third
    back = page(viewer, run, link(third, "prev"))
    assert rows_of(back) == rows_of(second)
    assert rows_of(page(viewer, run, link(back, "prev"))) == rows_of(first)
    assert not set(rows_of(first)) & set(rows_of(second))
    assert 'name="group" value="men"' in third


def test_of_one_word_the_groups_of_a_template_stand_side_by_side(run: Run, viewer: Client) -> None:
    one = page(viewer, run, {"attribute": WARM})
    groups = [found for row in rows_of(one) for found in re.findall(r'data-label="Group"><bdi>(.*?)</bdi>', row)]
    assert groups == ["&lt;b&gt;men&lt;/b&gt;", "women"] * 2


def rows_of(text: str) -> list[str]:
    return re.findall(r"<tr>(.*?)</tr>", text, re.DOTALL)[1:]


def test_an_empty_page_says_what_it_will_hold(db: None, viewer: Client, run: Run) -> None:
    waiting = Run.objects.create(name="new", probe="ilps", model="path:x", spec={}, state=RunState.QUEUED)
    assert "as soon as the first shard is done" in page(viewer, waiting)
    assert "No item of this run matches" in page(viewer, run, {"group": "nobody"})


def test_a_run_of_a_method_without_items_is_not_said_to_have_ended_early(viewer: Client) -> None:
    run = Run.objects.create(name="pairs", probe="pairs", model="path:m", spec={"probe": "pairs"}, state=RunState.DONE)
    text = viewer.get(f"/runs/{run.pk}/items/").content.decode()
    assert "The method of this run stores no items of a group and an attribute." in text
    assert "ended before" not in text


def test_a_run_whose_spec_can_no_longer_be_read_shows_its_templates(run: Run, viewer: Client) -> None:
    Run.objects.filter(pk=run.pk).update(spec={"probe": "ilps"})
    found = page(viewer, run)
    assert len(ROW.findall(found)) == 10
    assert ALL in found
    assert MOST in found


def test_the_number_of_queries_does_not_grow_with_the_items(
    load: Load, run: Run, viewer: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    load(run.pk, [(ALL, f"group {number}", WARM, 0.5, None) for number in range(200)], shard=1)
    with django_assert_max_num_queries(14):
        page(viewer, run, {"group": "group", "attribute": WARM, "template": "all", "scorable": "yes", "min": "0"})


def test_of_one_word_each_item_shows_its_difference_and_the_templates_can_be_sorted_by_it(
    run: Run, viewer: Client
) -> None:
    def shown(query: dict[str, str]) -> list[str]:
        return re.findall(r'data-label="Difference"\s*>(.*?)</td>', page(viewer, run, query))

    assert shown({"attribute": WARM}) == ["-2.00", "+2.00", "-1.50", "+1.50"]
    assert shown({"attribute": WARM, "order": "difference"}) == ["-1.50", "+1.50", "-2.00", "+2.00"]
    assert shown({"attribute": COLD}) == ["+0.25", "-0.25", "-", "-"]
    assert shown({"attribute": WARM, "group": WOMEN}) == shown({}) == []


def test_of_two_groups_the_difference_leaves_out_the_others(load: Load, run: Run, viewer: Client) -> None:
    load(run.pk, [(ALL, "nonbinary", WARM, 50.0, None), (MOST, "nonbinary", WARM, 50.0, None)], shard=1)
    both = {"attribute": WARM, "group": WOMEN, "against": MEN}
    found = page(viewer, run, both)
    assert "nonbinary" not in "".join(rows_of(found))
    assert re.findall(r'data-label="Difference"\s*>(.*?)</td>', found) == ["-2.00", "+2.00", "-1.50", "+1.50"]
    assert "minus that of the other group in the same template" in found
    assert 'name="against" value="&lt;b&gt;men&lt;/b&gt;"' in found
    ordered = page(viewer, run, both | {"order": "difference"})
    assert re.findall(r'data-label="Difference"\s*>(.*?)</td>', ordered) == ["-2.00", "+2.00", "-1.50", "+1.50"]
