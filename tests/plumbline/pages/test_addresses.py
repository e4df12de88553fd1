"""The query of an address: the pages beside one."""

from plumbline.pages.addresses import page_links

FILTERS = {"group": "A & B"}


def test_a_page_in_the_middle_leads_to_the_first_one_and_to_both_next_to_it_with_the_same_filters() -> None:
    assert page_links(FILTERS, [7, 8, 9], more_before=True, more_after=True) == {
        "first": "?group=A+%26+B",
        "before": "?group=A+%26+B&before=7",
        "after": "?group=A+%26+B&after=9",
    }


def test_the_first_page_leads_on_and_the_last_one_back() -> None:
    assert page_links({}, [1, 2], more_before=False, more_after=True) == {"after": "?after=2"}
    assert page_links({}, [3], more_before=True, more_after=False) == {"first": "?", "before": "?before=3"}


def test_a_page_with_nothing_on_it_leads_to_the_first_one_alone() -> None:
    assert page_links(FILTERS, [], more_before=True, more_after=True) == {"first": "?group=A+%26+B"}
    assert page_links(FILTERS, [], more_before=False, more_after=False) == {}
