"""The bridge explorer under keys, pointer and address; expected orders are computed here, from the seeded scores."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import expect

from tests.browser.bridge_board import WIDE, BridgeBoard
from tests.browser.bridged import (
    ARABIC,
    FEATURES,
    MARKUP,
    MISSING,
    MISSING_WHY,
    NAME,
    NAMES,
    NEUTRAL,
    OF_SEX,
    SENSITIVE_LIST,
    SEX,
    TARGETS,
    make_run,
)
from tests.browser.house import House
from tests.browser.test_grid import _saved, _texts
from tests.browser.test_narrow import BEYOND, WIDTH
from tests.faults.conftest import pointed_at

pytestmark = pytest.mark.slow

ALL = "7 of 7 targets × 11 of 11 features"
SCRIPT = "<script>x</script>"
TARGETS_BY_ALPHABET = [MARKUP, "boss", "dancer", "engineer", "nurse", "poet", ARABIC]
FEATURES_BY_ALPHABET = [
    SCRIPT, "ambitious", "bold", "calm", "cold", "gentle", "lazy", "loud", "odd", "smart", "warm"
]  # fmt: skip
NURSE = TARGETS_BY_ALPHABET.index("nurse")
WARM = FEATURES_BY_ALPHABET.index("warm")
OTHER_TARGETS = ["nurse", "France", "Japan"]

KNOWN = NEUTRAL.copy()
KNOWN[TARGETS.index(MISSING[0]), FEATURES.index(MISSING[1])] = np.nan
"""Shape (targets, features)."""


def by_value(words: Sequence[str], values: Iterable[float]) -> list[str]:
    """The highest first; what has none last; equal ones by the alphabet."""
    alphabet = [*TARGETS_BY_ALPHABET, *FEATURES_BY_ALPHABET]
    known = dict(zip(words, values, strict=True))
    return sorted(words, key=lambda one: (np.inf if np.isnan(known[one]) else -known[one], alphabet.index(one)))


def of_target(word: str) -> NDArray[np.float64]:
    found: NDArray[np.float64] = KNOWN[TARGETS.index(word)]
    return found


def of_feature(word: str) -> NDArray[np.float64]:
    found: NDArray[np.float64] = KNOWN[:, FEATURES.index(word)]
    return found


def by_likeness(words: Sequence[str], lines: NDArray[np.float64], word: str) -> list[str]:
    """By the cosine to one of them, itself first."""
    own = lines[words.index(word)]
    return by_value(words, [np.inf if other == word else cosine(own, lines[at]) for at, other in enumerate(words)])


def cosine(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    both = np.isfinite(one) & np.isfinite(other)
    return float(one[both] @ other[both] / np.sqrt((one[both] ** 2).sum() * (other[both] ** 2).sum()))


@pytest.fixture(scope="module")
def runs(opened: House, django_db_blocker: object) -> dict[str, int]:
    """The run that the tests look at; the same targets by another model; and other targets."""
    with django_db_blocker.unblock(), pointed_at(opened.site.var):  # type: ignore[attr-defined]
        return {
            "one": make_run("path:./one").pk,
            "two": make_run("path:./two", seed=11).pk,
            "others": make_run("path:./one", targets=OTHER_TARGETS, seed=13).pk,
        }


@pytest.fixture(scope="module")
def session(opened: House, runs: dict[str, int]) -> Iterator[BridgeBoard]:
    page = opened.page("viewer", width=WIDE)
    yield BridgeBoard(page, f"/runs/{runs['one']}/indirect/")
    page.context.close()


@pytest.fixture
def board(session: BridgeBoard, opened: House) -> Iterator[BridgeBoard]:
    """The browser must not have complained of anything."""
    yield session
    complaints, opened.complaints = opened.complaints, []
    assert not complaints


def test_targets_are_in_columns_and_features_in_rows_by_the_alphabet(board: BridgeBoard) -> None:
    board.open(shown=ALL)
    board.columns(*TARGETS_BY_ALPHABET)
    board.rows(*FEATURES_BY_ALPHABET)
    expect(board.panel).to_be_hidden()


def test_words_of_sex_alternate(board: BridgeBoard) -> None:
    page = board.open(shown=ALL)
    page.get_by_role("combobox", name="Features").select_option(SENSITIVE_LIST)
    board.rows(*SEX)


def test_a_click_on_a_target_sorts_the_features_and_names_the_most_and_the_least(board: BridgeBoard) -> None:
    board.open(shown=ALL)
    board.click_column(NURSE)
    expect(board.status).to_have_text(f"{ALL}, sorted by “nurse”")
    expected = by_value(FEATURES, of_target("nurse"))
    board.rows(*expected)
    board.columns(*TARGETS_BY_ALPHABET)
    assert board.told("Highest scores") == expected[:5]
    assert board.told("Lowest scores") == expected[:-6:-1]
    expect(board.panel.get_by_role("list")).to_have_count(2)


def test_a_second_click_orders_the_targets_by_likeness_and_names_the_most_and_the_least_similar(
    board: BridgeBoard,
) -> None:
    board.open(shown=ALL)
    board.click_column(NURSE)
    expect(board.status).to_have_text(f"{ALL}, sorted by “nurse”")
    board.click_column(NURSE)
    expect(board.status).to_have_text(f"{ALL}, sorted by likeness to “nurse”")
    expected = by_likeness(TARGETS, KNOWN, "nurse")
    board.columns(*expected)
    board.rows(*by_value(FEATURES, of_target("nurse")))
    assert board.told("Most similar targets") == expected[1:4]
    assert board.told("Least similar targets") == expected[:3:-1]
    told = board.panel.get_by_role("list", name="Most similar targets").locator(".figures").first
    likest = cosine(of_target("nurse"), of_target(expected[1]))
    expect(told).to_have_text(f" cosine {likest:+.2f}")


def test_a_third_click_resets(board: BridgeBoard) -> None:
    page = board.open(shown=ALL)
    board.click_column(NURSE)
    board.click_column(NURSE)
    expect(board.status).to_have_text(f"{ALL}, sorted by likeness to “nurse”")
    board.click_column(0)
    expect(board.status).to_have_text(ALL)
    board.columns(*TARGETS_BY_ALPHABET)
    board.rows(*FEATURES_BY_ALPHABET)
    expect(board.panel).to_be_hidden()
    assert "sort" not in page.url


def test_a_feature_sorts_the_targets_and_then_the_features(board: BridgeBoard) -> None:
    board.open(shown=ALL)
    board.click_row(WARM)
    board.columns(*by_value(TARGETS, of_feature("warm")))
    board.rows(*FEATURES_BY_ALPHABET)
    board.click_row(WARM)
    expected = by_likeness(FEATURES, KNOWN.T, "warm")
    board.rows(*expected)
    assert board.told("Most similar features") == expected[1:6]
    assert board.told("Least similar features") == expected[:5:-1]


def test_another_header_begins_again(board: BridgeBoard) -> None:
    board.open(shown=ALL)
    board.click_column(NURSE)
    board.click_column(TARGETS_BY_ALPHABET.index("boss"))
    expect(board.status).to_have_text(f"{ALL}, sorted by “boss”")
    board.click_column(NURSE)
    expect(board.status).to_have_text(f"{ALL}, sorted by “nurse”")
    board.columns(*TARGETS_BY_ALPHABET)


def test_another_list_of_features_keeps_the_order_of_the_targets(board: BridgeBoard) -> None:
    page = board.open(shown=ALL)
    board.click_row(WARM)
    page.get_by_role("combobox", name="Features").select_option(SENSITIVE_LIST)
    expect(board.status).to_have_text("7 of 7 targets × 4 of 4 features, sorted by “warm” (of features)")
    board.columns(*by_value(TARGETS, of_feature("warm")))
    board.rows(*SEX)
    page.get_by_role("combobox", name="Features").select_option("")
    expect(board.status).to_have_text(f"{ALL}, sorted by “warm”")


def test_a_header_of_another_list_begins_again(board: BridgeBoard) -> None:
    page = board.open(shown=ALL)
    board.click_row(WARM)
    page.get_by_role("combobox", name="Features").select_option(SENSITIVE_LIST)
    board.rows(*SEX)
    board.click_row(0)
    expect(board.status).to_have_text("7 of 7 targets × 4 of 4 features, sorted by “male”")
    board.columns(*by_value(TARGETS, OF_SEX[:, 0]))


def test_another_statistic_keeps_the_order(board: BridgeBoard) -> None:
    page = board.open(shown=ALL)
    board.click_column(NURSE)
    page.get_by_role("combobox", name="Statistic").select_option("direct_log_probability_bias")
    expect(board.status).to_contain_text("sorted by “nurse” (by Indirect log probability bias score)")
    board.rows(*by_value(FEATURES, of_target("nurse")))
    expect(page.locator("#most")).to_contain_text("natural log")


def test_another_model_keeps_the_order(board: BridgeBoard, runs: dict[str, int]) -> None:
    page = board.open(shown=ALL)
    board.click_column(NURSE)
    board.click_column(NURSE)
    expect(board.status).to_contain_text("likeness")
    page.get_by_role("combobox", name="Model").select_option(label=f"path:./two (run {runs['two']})")
    page.wait_for_url(f"**/runs/{runs['two']}/indirect/**")
    expect(board.status).to_have_text(f"{ALL}, sorted by likeness to “nurse” (of run {runs['one']})")
    page.get_by_role("button", name="As a table").click()
    board.rows(*by_value(FEATURES, of_target("nurse")))
    board.columns(*by_likeness(TARGETS, KNOWN, "nurse"))


def test_another_set_of_targets_keeps_the_order_of_the_features(board: BridgeBoard, runs: dict[str, int]) -> None:
    page = board.open(shown=ALL)
    board.click_column(TARGETS_BY_ALPHABET.index("boss"))
    page.get_by_role("combobox", name="Targets").select_option(
        label=f"nurse, France, Japan (path:./one, run {runs['others']})"
    )
    page.wait_for_url(f"**/runs/{runs['others']}/indirect/**")
    expect(board.status).to_have_text(f"3 of 3 targets × 11 of 11 features, sorted by “boss” (of run {runs['one']})")
    page.get_by_role("button", name="As a table").click()
    board.rows(*by_value(FEATURES, of_target("boss")))
    board.columns("France", "Japan", "nurse")


def test_a_dragged_header_takes_its_column_along(board: BridgeBoard) -> None:
    page = board.open(shown=ALL)
    page.mouse.move(*board.at_column(1))
    page.mouse.down()
    page.mouse.move(*board.at_column(3))
    page.mouse.move(*board.at_column(4.4))
    page.mouse.up()
    moved = [MARKUP, "dancer", "engineer", "nurse", "boss", "poet", ARABIC]
    board.columns(*moved)
    board.open("?" + urlsplit(page.url).query, shown=ALL)
    board.columns(*moved)
    page.get_by_role("button", name="Reset").click()
    board.columns(*TARGETS_BY_ALPHABET)


def test_a_dragged_row_stays_where_it_was_put_and_keys_move_it_too(board: BridgeBoard) -> None:
    page = board.open(shown=ALL)
    page.mouse.move(*board.at_row(WARM))
    page.mouse.down()
    page.mouse.move(*board.at_row(3))
    page.mouse.move(*board.at_row(-0.4))
    page.mouse.up()
    board.rows("warm", *[one for one in FEATURES_BY_ALPHABET if one != "warm"])
    board.grid.focus()
    page.keyboard.press("Home")
    page.keyboard.press("Alt+ArrowDown")
    board.rows(SCRIPT, "warm", *[one for one in FEATURES_BY_ALPHABET if one not in {"warm", SCRIPT}])


def test_what_is_picked_can_be_compared_alone(board: BridgeBoard) -> None:
    page = board.open(shown=ALL)
    board.click_column(NURSE, "Control")
    board.click_column(TARGETS_BY_ALPHABET.index("boss"), "Shift")
    page.get_by_label("Pick to compare").fill("Warm")
    page.get_by_label("Pick to compare").press("Enter")
    page.get_by_label("Only what is picked").check()
    expect(board.status).to_have_text("2 of 7 targets × 1 of 11 features")
    board.columns("boss", "nurse")
    board.rows("warm")
    page.get_by_role("button", name="Remove the target boss").click()
    board.columns("nurse")
    query = parse_qs(urlsplit(page.url).query)
    assert (query["targets"], query["features"], query["alone"]) == (['["nurse"]'], ['["warm"]'], ["1"])
    page.get_by_role("button", name="Give all back").click()
    expect(board.status).to_have_text(ALL)


def test_a_click_on_a_cell_shows_the_names_between_its_words(board: BridgeBoard) -> None:
    page = board.open(shown=ALL)
    page.mouse.click(*board.at_cell(WARM, NURSE))
    value = float(of_target("nurse")[FEATURES.index("warm")])
    figures = f"{value:+.2f} [{value - 0.2:+.2f}, {value + 0.2:+.2f}]  n = 30 names  q = 0.01"
    expect(board.here).to_have_text(f"\u2068nurse\u2069 × \u2068warm\u2069: {figures}")
    expect(board.drawer.get_by_role("heading", level=2)).to_have_text("nurse × warm")
    expect(board.drawer.locator("#figures")).to_contain_text(figures)
    expect(board.drawer.locator("circle")).to_have_count(len(NAMES))
    expect(board.drawer.locator("svg.scatter title").first).to_contain_text("Anlin: ")
    expect(board.drawer).to_contain_text("the name, given the target")
    expect(board.drawer).to_contain_text("the feature, given the name")


def test_a_cell_shows_how_much_a_sensitive_attribute_explains(board: BridgeBoard) -> None:
    page = board.open(shown=ALL)
    page.mouse.click(*board.at_cell(WARM, NURSE))
    left = board.drawer.locator("ul.left").get_by_role("listitem")
    value = float(of_target("nurse")[FEATURES.index("warm")])
    expect(left.first).to_contain_text(f"the score itself {value:+.2f} [")
    expect(left.nth(1)).to_contain_text(f"without {SENSITIVE_LIST} {value / 4:+.2f} [")
    expect(board.drawer.get_by_role("heading", name="Sensitive words between the two")).to_be_visible()


def test_a_cell_without_a_score_says_why(board: BridgeBoard) -> None:
    page = board.open(shown=ALL)
    page.mouse.click(*board.at_cell(FEATURES_BY_ALPHABET.index(MISSING[1]), TARGETS_BY_ALPHABET.index(MISSING[0])))
    expect(board.here).to_contain_text(f"not scorable ({MISSING_WHY})")
    expect(board.drawer.locator(".hatched").first).to_have_text(f"Not scorable: {MISSING_WHY}")


def test_a_target_has_all_its_features_as_bars(board: BridgeBoard) -> None:
    page = board.open(shown=ALL)
    board.click_column(NURSE)
    board.panel.get_by_role("button", name="All as bars").click()
    expect(board.bars).to_be_in_viewport()
    picture = board.bars.get_by_role("img")
    first = by_value(FEATURES, of_target("nurse"))[0]
    expect(picture).to_have_attribute("aria-label", _starting(f"nurse: all features, highest first: {first} "))
    labels = picture.locator("text").all_text_contents()
    assert [one for one in labels if one in FEATURES] == by_value(FEATURES, of_target("nurse"))
    drawn = _texts(_saved(page, "Bars (SVG)"))
    assert drawn[0] == "nurse: all features"
    assert _saved(page, "Bars (PNG)").read_bytes().startswith(b"\x89PNG\r\n")
    board.open("?" + urlsplit(page.url).query)
    expect(board.bars.get_by_role("img")).to_be_visible()
    page.get_by_role("button", name="Close the bars").click()
    expect(board.bars).to_be_hidden()
    assert "bars" not in page.url


def test_a_target_is_set_against_the_mean_of_the_others_and_against_another(board: BridgeBoard) -> None:
    page = board.open(shown=ALL)
    board.click_column(NURSE)
    board.panel.get_by_role("button", name="All as bars").click()
    board.bars.get_by_label("Drawn as").select_option("Scatter")
    others = np.nanmean(np.delete(KNOWN, TARGETS.index("nurse"), axis=0), axis=0)
    expect(board.bars.get_by_role("img")).to_have_attribute("aria-label", _farthest(of_target("nurse"), others))
    board.bars.get_by_role("combobox", name="Against").select_option("boss")
    both = _farthest(of_target("nurse"), of_target("boss"))
    expect(board.bars.get_by_role("img")).to_have_attribute("aria-label", both)
    r = np.corrcoef(of_target("nurse"), of_target("boss"))[0, 1]
    expect(board.bars.get_by_role("img")).to_have_attribute("aria-label", re.compile(f"r = [+-]{abs(r):.2f} over 11"))
    drawn = _texts(_saved(page, "Scatter (SVG)"))
    assert {"nurse: all features", "boss →", "↑ nurse"} <= set(drawn)
    board.open("?" + urlsplit(page.url).query)
    expect(board.bars.get_by_role("img")).to_have_attribute("aria-label", both)


def test_all_features_of_a_target_lie_on_parallel_strips_with_those_of_picked_targets(board: BridgeBoard) -> None:
    board.open('?bars=["column","nurse"]&chart=strips&targets=["poet","boss"]', shown=ALL)
    picture = board.bars.get_by_role("img")
    labels = picture.locator("text").all_text_contents()
    strips = [one for one in labels if one in (*TARGETS, "mean of the other targets")]
    assert strips == ["nurse", "mean of the other targets", "poet", "boss"]
    # A dot for each score: eleven features on four strips, without the one that poet lacks.
    assert picture.locator("path[fill]:not([fill=none])").count() == 4 * len(FEATURES) - 1
    board.bars.get_by_role("combobox", name="Against").select_option("poet")
    labels = picture.locator("text").all_text_contents()
    assert [one for one in labels if one in TARGETS] == ["nurse", "poet", "boss"]


def test_two_picked_targets_are_set_against_each_other(board: BridgeBoard) -> None:
    page = board.open('?targets=["nurse"]', shown=ALL)
    button = page.get_by_role("button", name="Set against each other")
    expect(button).to_be_hidden()
    page.get_by_label("Pick to compare").fill("boss")
    page.get_by_label("Pick to compare").press("Enter")
    button.click()
    both = _farthest(of_target("nurse"), of_target("boss"))
    expect(board.bars.get_by_role("img")).to_have_attribute("aria-label", both)


def _farthest(own: NDArray[np.float64], others: NDArray[np.float64]) -> re.Pattern[str]:
    """The feature with the largest difference is named first, with both scores."""
    first = int(np.nanargmax(np.abs(own - others)))
    figures = [f"{value:+.2f}" for value in (own[first], others[first])]
    return re.compile(re.escape(f"Farthest apart: {FEATURES[first]} ({figures[0]} against {figures[1]})"))


def _starting(text: str) -> re.Pattern[str]:
    return re.compile("^" + re.escape(text))


def test_a_sensitive_word_is_next_to_and_the_way_it_goes_is_reported(board: BridgeBoard) -> None:
    page = board.open(shown=ALL)
    page.get_by_label("Compare with sensitive word").select_option(label="female")
    board.rows("◆ female", *FEATURES_BY_ALPHABET)
    board.click_row(WARM)
    expected = float(np.corrcoef(of_feature("warm"), OF_SEX[:, 1])[0, 1])
    expect(page.locator("#three-way")).to_contain_text(f"r = {expected:+.2f}")
    page.mouse.click(*board.at_cell(-1, 0))
    expect(board.drawer.get_by_role("heading", level=2)).to_have_text(
        f"{by_value(TARGETS, of_feature('warm'))[0]} × female"
    )


def test_a_sensitive_word_beside_sorts_the_targets(board: BridgeBoard) -> None:
    page = board.open(shown=ALL)
    page.get_by_label("Compare with sensitive word").select_option(label="female")
    board.rows("◆ female", *FEATURES_BY_ALPHABET)
    board.click_row(-1)
    expect(board.status).to_have_text(f"{ALL}, sorted by “female” (of {SENSITIVE_LIST})")
    board.columns(*by_value(TARGETS, OF_SEX[:, 1]))


def test_a_sensitive_word_without_values_of_the_statistic_says_so(board: BridgeBoard) -> None:
    page = board.open(shown=ALL)
    page.get_by_label("Compare with sensitive word").select_option(label="female")
    board.rows("◆ female", *FEATURES_BY_ALPHABET)
    page.get_by_role("combobox", name="Statistic").select_option("direct_log_probability_bias")
    expect(page.locator("#three-way")).to_have_text("“\u2068female\u2069” has no values of this statistic.")
    board.rows(*FEATURES_BY_ALPHABET)


def test_a_sensitive_set_is_taken_out_and_put_back(board: BridgeBoard) -> None:
    page = board.open(shown=ALL)
    button = page.get_by_role("button", name="Take sensitive out")
    expect(button).to_be_hidden()
    page.get_by_label("Compare with sensitive word").select_option(label="female")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    statistic = page.get_by_role("combobox", name="Statistic")
    expect(statistic).to_have_value("indirect_log_probability_bias_without without:sensitive")
    board.grid.focus()
    page.keyboard.press("Home")
    for _ in range(NURSE):
        page.keyboard.press("ArrowRight")
    quarter = float(of_target("nurse")[FEATURES.index(SCRIPT)]) / 4
    expect(board.here).to_contain_text(f"\u2069: {quarter:+.2g} [")
    board.rows("◆ female", *FEATURES_BY_ALPHABET)
    button.click()
    expect(statistic).to_have_value("indirect_log_probability_bias")


def test_keys_do_all_that_the_pointer_does(board: BridgeBoard) -> None:
    page = board.open(shown=ALL)
    board.grid.focus()
    page.keyboard.press("Home")
    for _ in range(NURSE):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("s")
    board.rows(*by_value(FEATURES, of_target("nurse")))
    page.keyboard.press("s")
    board.columns(*by_likeness(TARGETS, KNOWN, "nurse"))
    page.keyboard.press("x")
    page.keyboard.press("Shift+X")
    page.keyboard.press("a")
    expect(board.status).to_contain_text("1 of 7 targets × 1 of 11 features")
    page.keyboard.press("a")
    page.keyboard.press("b")
    expect(board.bars.get_by_role("img")).to_be_visible()
    page.keyboard.press("Enter")
    expect(board.drawer).to_be_focused()
    page.keyboard.press("Escape")
    expect(board.drawer).to_be_hidden()
    expect(board.grid).to_be_focused()
    page.keyboard.press("Shift+S")
    expect(board.status).to_contain_text(f"sorted by “{SCRIPT}”")


def test_a_slash_finds_and_a_tick_leaves_what_is_beyond_chance(board: BridgeBoard) -> None:
    page = board.open(shown=ALL)
    page.keyboard.press("/")
    page.keyboard.type("nur")
    expect(board.here).to_have_text("nurse")
    page.keyboard.press("Escape")
    expect(board.grid).to_be_focused()
    page.keyboard.press("s")
    expect(board.status).to_contain_text("sorted by “nurse”")
    strong = (np.abs(KNOWN) >= 0.4) & np.isfinite(KNOWN)
    page.get_by_label("Only with an effect that is present").check()
    expect(board.status).to_contain_text(
        f"{int(strong.any(axis=1).sum())} of 7 targets × {int(strong.any(axis=0).sum())} of 11 features"
    )


def test_the_address_holds_the_whole_view(board: BridgeBoard) -> None:
    page = board.open(shown=ALL)
    page.get_by_label("Compare with sensitive word").select_option(label="female")
    board.rows("◆ female", *FEATURES_BY_ALPHABET)
    board.click_column(NURSE)
    board.click_column(NURSE)
    board.columns(*(order := by_likeness(TARGETS, KNOWN, "nurse")))
    page.get_by_label("Pick to compare").fill("cold")
    page.get_by_label("Pick to compare").press("Enter")
    rows = by_value(FEATURES, of_target("nurse"))
    page.mouse.click(*board.at_cell(2, 1))
    expect(board.drawer.get_by_role("heading", level=2)).to_have_text(f"{order[1]} × {rows[2]}")
    board.open("?" + urlsplit(page.url).query, shown=f"{ALL}, sorted by likeness to “nurse”")
    board.columns(*order)
    board.rows("◆ female", *rows)
    assert board.told("Most similar targets") == order[1:4]
    expect(board.drawer.get_by_role("heading", level=2)).to_have_text(f"{order[1]} × {rows[2]}")
    expect(page.get_by_role("button", name="Remove the feature cold")).to_be_visible()
    expect(page.get_by_label("Compare with sensitive word")).to_have_value('["sensitive","female"]')


def test_files_carry_what_is_shown_and_what_it_is(board: BridgeBoard) -> None:
    page = board.open(shown=ALL)
    page.get_by_label("Compare with sensitive word").select_option(label="female")
    board.rows("◆ female", *FEATURES_BY_ALPHABET)
    board.click_column(NURSE)
    drawn = _texts(_saved(page, "Picture (SVG)"))
    assert [one for one in drawn if one in FEATURES] == by_value(FEATURES, of_target("nurse"))
    assert "◆ female" in drawn
    told = " ".join(drawn)
    for part in (NAME, "sorted by “nurse”", "path:./one", "2026-02-03", "n = 30 names a cell", "Pearson's r"):
        assert part in told
    assert _saved(page, "Picture (PNG)").read_bytes().startswith(b"\x89PNG\r\n")
    with page.expect_download() as asked:
        page.get_by_role("link", name="All cells (CSV)").click()
    lines = list(csv.reader(io.StringIO(Path(asked.value.path()).read_text(encoding="utf-8"))))
    found = {(line[0], line[2]): line[4] for line in lines if len(line) > 4}
    assert float(found["nurse", "warm"]) == of_target("nurse")[FEATURES.index("warm")]


def test_the_file_is_that_of_the_list_and_the_statistic_shown(board: BridgeBoard) -> None:
    page = board.open(shown=ALL)
    page.get_by_role("combobox", name="Features").select_option(SENSITIVE_LIST)
    board.rows(*SEX)
    with page.expect_download() as asked:
        page.get_by_role("link", name="All cells (CSV)").click()
    text = Path(asked.value.path()).read_text(encoding="utf-8")
    assert f"# list,{SENSITIVE_LIST}" in text
    assert "woman" in text


def test_other_parts_of_the_page_choose_a_word_or_a_cell(board: BridgeBoard) -> None:
    page = board.open(shown=ALL)
    choose = "(detail) => document.getElementById('indirect').dispatchEvent(new CustomEvent('choose', { detail }))"
    page.evaluate(choose, {"target": "poet"})
    expect(board.bars.get_by_role("img")).to_have_attribute("aria-label", _starting("poet: all features"))
    page.evaluate(choose, {"target": "poet", "feature": "warm"})
    expect(board.drawer.get_by_role("heading", level=2)).to_have_text("poet × warm")
    page.evaluate(choose, {"target": "nobody"})
    expect(board.drawer.get_by_role("heading", level=2)).to_have_text("poet × warm")


def test_what_the_server_cannot_give_is_said(board: BridgeBoard) -> None:
    page = board.page
    page.route("**/indirect/data/**", lambda route: route.fulfill(status=404))
    page.goto(board.address, wait_until="load")
    expect(board.status).to_have_text("The table could not be read: the server says 404. Reload the page to try again.")
    page.unroute_all()


def test_strange_addresses_show_the_plain_table(board: BridgeBoard) -> None:
    board.open('?sort={"axis":"up"}&moves=[1]&with=7&bars=x&targets=["nobody"]&alone=1&list=none&statistic=none')
    board.columns(*TARGETS_BY_ALPHABET)
    board.rows(*FEATURES_BY_ALPHABET)


def test_labels_are_shown_literally_everywhere(board: BridgeBoard) -> None:
    page = board.open(shown=ALL)
    page.mouse.click(*board.at_cell(0, 0))
    expect(board.drawer.get_by_role("heading", level=2)).to_have_text(f"{MARKUP} × {SCRIPT}")
    expect(board.drawer.locator("script, b")).to_have_count(0)
    board.click_column(0)
    expect(board.panel.get_by_role("heading", level=2)).to_have_text(f"{MARKUP} target")
    expect(board.panel.locator("script, b")).to_have_count(0)
    board.panel.get_by_role("button", name="Pick to compare").click()
    expect(page.locator("#picks .chip bdi")).to_have_text(MARKUP)


@pytest.mark.parametrize("query", ["", '?with=[["sensitive","female"]]&bars=["column","nurse"]&targets=["nurse"]'])
def test_nothing_reaches_beyond_a_telephone(house: House, runs: dict[str, int], query: str) -> None:
    page = house.page("viewer", width=WIDTH, dark=True)
    page.goto(f"/runs/{runs['one']}/indirect/{query}", wait_until="load")
    expect(page.locator("#indirect")).to_have_attribute("data-state", "shown")
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH
    # Bars scroll sideways in a box of their own.
    assert page.evaluate(BEYOND.replace(".scroller", ".scroller, .figure")) == []


def test_a_cell_covers_a_telephone_as_a_sheet_that_closes(house: House, runs: dict[str, int]) -> None:
    page = house.page("viewer", width=WIDTH)
    page.goto(f"/runs/{runs['one']}/indirect/?target=nurse&feature=warm", wait_until="load")
    sheet = page.get_by_role("complementary", name="The cell")
    expect(sheet).to_be_focused()
    expect(sheet.get_by_role("heading", level=2)).to_have_text("nurse × warm")
    sheet.get_by_role("button", name="Close").click()
    expect(sheet).to_be_hidden()
    expect(page.locator("#grid")).to_be_focused()
