"""Items a page at a time."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from plumbline.results.ids import first_id
from plumbline.results.items import Item, Wanted, page, reasons, together, under
from tests.plumbline.results.conftest import CELLS, Load

pytestmark = pytest.mark.django_db


def test_items_carry_their_labels(load: Load) -> None:
    load(1, CELLS, shard=2)
    found = page(1, Wanted(), 50).items
    assert [(one.template, one.group, one.attribute, one.score, one.reason) for one in found] == CELLS
    assert isinstance(found[0], Item)


def test_items_of_one_template_stand_together_if_there_are_not_too_many(load: Load) -> None:
    first, second = "All {group} are {attribute}.", "Most {group} are {attribute}."
    load(1, [(text, group, "warm", 0.5, None) for group in ("women", "men") for text in (first, second)])
    found = together(1, Wanted(), 4)
    assert found is not None
    assert [(one.template, one.group) for one in found] == [
        *((first, "men"), (first, "women")),
        *((second, "men"), (second, "women")),
    ]
    assert together(1, Wanted(), 3) is None


def test_pages_go_by_id_in_both_directions(load: Load) -> None:
    load(1, CELLS)
    load(2, CELLS)
    first = page(1, Wanted(), 2)
    assert [one.id for one in first.items] == [first_id(1, 0), first_id(1, 0) + 1]
    assert (first.more_before, first.more_after) == (False, True)
    last = page(1, Wanted(), 3, after=first.items[-1].id)
    assert (len(last.items), last.more_before, last.more_after) == (3, True, False)
    assert page(1, Wanted(), 2, before=last.items[0].id).items == first.items
    assert page(1, Wanted(), 2, before=last.items[0].id).more_before is False


def test_items_without_a_score_are_read_in_order_by_an_index_of_their_own(load: Load) -> None:
    load(1, [*CELLS, *(("t", "women", f"x{number}", None, "split") for number in range(3))])
    with connection.cursor() as cursor, CaptureQueriesContext(connection) as captured:
        # What the planner would choose for millions of rows, where reading or sorting all of them is dear.
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off")
        found = page(1, Wanted(scorable=False), 2)
    assert [one.scorable for one in found.items] == [False, False]
    assert found.more_after
    asked = next(one["sql"] for one in captured.captured_queries if "NOT results.association.scorable" in one["sql"])
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {asked}")
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "Sort" not in plan, plan


def test_under_a_cell_are_the_items_of_its_groups_and_attribute(load: Load) -> None:
    load(1, CELLS)
    load(2, CELLS)
    assert {one.score for one in under(1, ["women"], "powerless", 50)} == {1.4, 0.8}
    assert len(under(1, ["women", "men"], "powerless", 50)) == 4
    assert len(under(1, ["women", "men"], "powerless", 3)) == 3
    assert under(1, ["nobody"], "powerless", 50) == []


def test_the_reasons_of_a_run_are_its_own(load: Load) -> None:
    load(1, CELLS)
    load(2, [("t", "women", "x", None, "another reason")])
    assert reasons(1) == ["the tokenizer cannot spell it"]
    assert reasons(3) == []
