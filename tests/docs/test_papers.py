"""docs/papers.md lists every table and figure of the five papers, and each name in it exists."""

import re
from collections.abc import Iterator

import pytest

from tests.docs.papers_table import (
    ADDRESSES,
    DOCS,
    NAMED,
    PAGE,
    PAPERS,
    SECTIONS,
    addresses,
    cells_of,
    is_command,
    known,
    rows,
)

KURITA, CAO, SODAPOP, BBQ, THESIS = PAPERS


def numbered(kind: str, *parts: tuple[str, int, int]) -> set[str]:
    return {f"{kind} {part}{number}" for part, first, last in parts for number in range(first, last + 1)}


PRINTED = {
    KURITA: numbered("Table", ("", 1, 6)),
    CAO: numbered("Table", ("", 1, 6), ("A", 7, 19)) | {"Figure 1", "Figure A2"},
    SODAPOP: numbered("Table", ("", 1, 21)) | numbered("Figure", ("", 1, 13)) | {"Algorithm 1"},
    BBQ: numbered("Table", ("", 1, 4)) | numbered("Figure", ("", 1, 10)),
    THESIS: numbered("Table", ("3.", 1, 8), ("4.", 1, 1), ("A.", 1, 8), ("C.", 1, 2))
    | numbered("Figure", ("2.", 1, 18), ("4.", 1, 12), ("5.", 1, 2))
    | numbered("Algorithm", ("2.", 1, 1), ("3.", 1, 1), ("B.", 1, 12)),
}
"""What the papers print."""
NUMBER = r"(?:[A-Z\d]\.\d+|[A-Z]?\d+)"
LISTED = re.compile(rf"(Table|Figure|Algorithm)s? ({NUMBER}(?:(?:, | to | and ){NUMBER})*)")


def listed(what: str) -> Iterator[str]:
    """The tables, figures and algorithms that a first cell names: "Tables 6, 12, 14 to 20" are nine."""
    for kind, numbers in LISTED.findall(what):
        for part in re.split(", | and ", numbers):
            first, _, last = part.partition(" to ")
            start = re.sub(r"\d+$", "", first)
            ends = [int(one.removeprefix(start)) for one in (first, last or first)]
            yield from (f"{kind} {start}{number}" for number in range(ends[0], ends[1] + 1))


@pytest.mark.parametrize("paper", PRINTED)
def test_every_table_and_figure_of_a_paper_is_listed(paper: str) -> None:
    assert {name for row in rows() if row.paper == paper for name in listed(row.what)} == PRINTED[paper]


def test_every_name_in_the_page_exists() -> None:
    there = known()
    named = {(kind, name) for kind, name in NAMED.findall(PAGE) if kind in (*there, "command")}
    assert len(named) > 100
    gone = {(k, name) for k, name in named if not (is_command(name) if k == "command" else name in there[k])}
    assert gone == set()


def test_no_name_is_of_a_kind_that_nobody_checks() -> None:
    """Models (bundled:masked-demo) and parts of specs (model: path:FILE) are no such names."""
    assert {kind for row in rows() for kind, _ in row.names} <= {*known(), "command", "bundled"}


@pytest.mark.parametrize(
    "words", ["audit compare", "bank import-predictions bbq", "train race", "vocab import ratings"]
)
def test_a_command_is_found_by_its_words(words: str) -> None:
    assert is_command(words)


@pytest.mark.parametrize("words", ["audits", "audit compete", "train racing", "vocab import rate", "names propose all"])
def test_a_command_that_does_not_exist_is_noticed(words: str) -> None:
    assert not is_command(words)


def test_each_row_names_something_of_ours_or_says_why_it_does_not() -> None:
    for row in rows():
        silent = "**missing**: " in row.where or row.where.startswith("Nothing to compute")
        assert row.names or "params:" in row.where or silent, row
        assert row.gives or silent, row


def test_the_addresses_are_those_of_the_pages_and_complete() -> None:
    named = {name for kind, name in NAMED.findall(PAGE) if kind == "page"}
    there = addresses()
    table = {name.removeprefix("`page:").strip("`"): at.strip("`") for name, at in cells_of(SECTIONS[ADDRESSES])}
    assert table == {name: there[name] for name in named}


def test_links_lead_to_headings_and_files() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", PAGE):
        name, _, anchor = target.partition("#")
        text = (DOCS / (name or "papers.md")).read_text(encoding="utf-8")
        assert not anchor or anchor in {slug(title) for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}, target


def slug(title: str) -> str:
    """The anchor that a forge makes of a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
