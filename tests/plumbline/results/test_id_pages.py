"""Pages by id: forwards and backwards through ten records."""

from collections.abc import Sequence

import pytest

from plumbline.results.id_pages import IdPage, id_page

IDS = range(1, 11)


def page(rows: int, *, after: int | None = None, before: int | None = None) -> IdPage[int]:
    def read(limit: int) -> Sequence[int]:
        if before is not None:
            return [one for one in reversed(IDS) if one < before][:limit]
        return [one for one in IDS if one > (after or 0)][:limit]

    return id_page(read, rows, after=after, before=before)


@pytest.mark.parametrize(
    ("place", "rows", "more_before", "more_after"),
    [
        ({}, [1, 2, 3, 4], False, True),
        ({"after": 4}, [5, 6, 7, 8], True, True),
        ({"after": 6}, [7, 8, 9, 10], True, False),
        ({"before": 7}, [3, 4, 5, 6], True, True),
        ({"before": 5}, [1, 2, 3, 4], False, True),
        ({"after": 10}, [], True, False),
    ],
)
def test_a_page_is_in_order_of_id_and_says_whether_there_are_more(
    place: dict[str, int], rows: list[int], more_before: bool, more_after: bool
) -> None:
    assert page(4, **place) == IdPage(rows, more_before, more_after)
