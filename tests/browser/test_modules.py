"""The scripts of the pages, function by function: each module is loaded into one blank page, without a server."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Browser, Page, Route

HERE = "http://plumbline.test/"
Call = Callable[..., Any]
CALLED = "async ([address, code, args]) => { const m = await import(address); return eval(code)(...args); }"


@pytest.fixture(scope="module")
def blank(browser: Browser) -> Iterator[Page]:
    """An empty page, whose scripts come from the folders of static files."""
    context = browser.new_context()
    page = context.new_page()
    page.route(f"{HERE}**", _served)
    page.goto(HERE)
    yield page
    context.close()


def _served(route: Route) -> None:
    path = route.request.url.removeprefix(HERE).partition("?")[0]
    if not path:
        return route.fulfill(content_type="text/html", body="<!doctype html><title>blank</title>")
    found = finders.find(path)
    return route.fulfill(path=found, content_type="text/javascript") if found else route.fulfill(status=404)


@pytest.fixture
def call(blank: Page) -> Call:
    """Calls code, which sees the module as `m`, with these values."""
    blank.goto(HERE)
    return lambda module, code, *args: blank.evaluate(CALLED, [f"{HERE}{module}", code, list(args)])


PAYLOAD = {
    "rows": [["nurse", ""], ["judge", ""], ["poet", ""]],
    "columns": [["warm", "traits"], ["cold", "traits"]],
    "dimensions": ["", ""],
    "value": [1.0, -0.5, None, 0.25, 2.0, 0.5],
    "low": [0.5, None, None, 0.1, 1.0, 0.2],
    "high": [1.5, None, None, 0.4, 3.0, 0.8],
    "q": [0.01, 0.2, None, 0.5, 0.001, 0.06],
    "n": [9, 9, 0, 9, 9, 1200],
    "present": [1, 0, None, 0, 1, 0],
    "reason": [0, 0, 1, 0, 0, 0],
    "reasons": ["", "split in two"],
    "domain": 2.0,
    "added": {"features": [], "targets": ["poet"]},
}
GRID = f"m.gridOf({json.dumps(PAYLOAD)})"
VIEW = {"groups": "", "attributes": "", "list": "", "significant": False, "sort": None, "moves": []}


@pytest.mark.parametrize(
    ("view", "dimensions"),
    [
        ({"sort": {"axis": "row", "at": 0, "how": "value"}, "moves": []}, ["Band 1", "Band 1", "Band 2", ""]),
        ({"sort": {"axis": "row", "at": 1, "how": "value"}, "moves": []}, ["", "", "", ""]),
        ({"sort": {"axis": "row", "at": 0, "how": "similarity"}, "moves": []}, ["", "", "", ""]),
        ({"sort": None, "moves": []}, ["", "", "", ""]),
    ],
)
def test_an_order_that_other_sentences_may_change_is_drawn_in_bands(
    call: Call, view: dict[str, Any], dimensions: list[str]
) -> None:
    """The second interval overlaps with the first, the third does not; what is not scorable has no rank."""
    payload = PAYLOAD | {
        "rows": [["nurse", ""], ["judge", ""]],
        "columns": [["a", ""], ["b", ""], ["c", ""], ["d", ""]],
        "dimensions": [""] * 4,
        "value": [1.5, 1.0, -0.5, None] * 2,
        "low": [1.0, 0.8, -1.0, None] * 2,
        "high": [2.0, 1.5, 0.0, None] * 2,
        "unreliable": [True, False],
    }
    code = "(payload, view) => m.inBands(m.gridOf(payload), view, [0, 1, 2, 3]).dimensions"
    assert call("desk/grid_order.js", code, payload, view) == dimensions


@pytest.mark.parametrize(
    ("changes", "rows", "columns"),
    [
        ({}, [0, 1, 2], [0, 1]),
        ({"groups": "PO"}, [2], [0, 1]),
        ({"list": "others"}, [0, 1, 2], []),
        ({"significant": True}, [0, 2], [0]),
        ({"sort": {"axis": "column", "at": 0, "how": "value"}}, [2, 0, 1], [0, 1]),
        ({"sort": {"axis": "row", "at": 2, "how": "value"}}, [0, 1, 2], [0, 1]),
        ({"sort": {"axis": "row", "at": 1, "how": "value"}}, [0, 1, 2], [1, 0]),
        ({"moves": [{"axis": "row", "from": 0, "before": None}]}, [1, 2, 0], [0, 1]),
        ({"moves": [{"axis": "row", "from": 2, "before": 0}]}, [2, 0, 1], [0, 1]),
    ],
)
def test_a_grid_shows_what_the_view_asks_for(
    call: Call, changes: dict[str, Any], rows: list[int], columns: list[int]
) -> None:
    found = call("desk/grid_order.js", f"(view) => m.arranged({GRID}, view)", VIEW | changes)
    assert found == {"rows": rows, "columns": columns}


def test_likeness_is_a_correlation_over_what_both_have(call: Call) -> None:
    likeness = "(a, b) => m.likeness(a, b)"
    assert call("desk/grid_order.js", likeness, [1, 2, 3, None], [2, 4, 6, 9]) == pytest.approx(1)
    assert call("desk/grid_order.js", likeness, [1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert call("desk/grid_order.js", likeness, [1, 2, None], [1, 2, 3]) is None
    assert call("desk/grid_order.js", likeness, [1, 1, 1], [1, 2, 3]) is None


def test_a_third_click_on_a_header_takes_the_sort_back(call: Call) -> None:
    code = "() => { let s = null; return [1, 2, 3].map(() => (s = m.nextSort(s, 'row', 4))?.how ?? null); }"
    assert call("desk/grid_order.js", code) == ["value", "similarity", None]


def test_invisible_characters_are_written_out(call: Call) -> None:
    assert call("desk/grid_order.js", "(text) => m.visible(text)", "a\u200bb") == "a⟨U+200B⟩b"


@pytest.mark.parametrize(
    ("value", "text"), [(0.5, "+0.50"), (-0.012, "-0.012"), (0, "0"), (None, "-"), (12.345, "+12.35"), (1e-14, "0")]
)
def test_figures_are_written_as_the_server_writes_them(call: Call, value: float | None, text: str) -> None:
    assert call("desk/grid_paint.js", "(one) => m.number(one)", value) == text


def test_only_what_lies_between_two_pixels_is_painted(call: Call) -> None:
    assert call("desk/grid_paint.js", "() => m.range(30, 70, 24, 100)") == [1, 3]
    assert call("desk/grid_paint.js", "() => m.range(-5, 9999, 24, 10)") == [0, 10]


def test_the_view_of_the_explorer_comes_back_from_its_address(call: Call) -> None:
    search = "?statistic=s&find=a&significant=1&sort=row-3-value&moves=r5-2.c7-&group=g&attribute=x"
    code = "(search) => [m.readView(search, 'first'), m.writeView(m.readView(search, 'first'))]"
    view, written = call("explorer/view.js", code, search)
    assert view["sort"] == {"axis": "row", "at": 3, "how": "value"}
    assert view["moves"] == [{"axis": "row", "from": 5, "before": 2}, {"axis": "column", "from": 7, "before": None}]
    assert view["cell"] == {"group": "g", "other": "", "attribute": "x"}
    assert call("explorer/view.js", code, written)[0] == view
    assert call("explorer/view.js", code, "?sort=row-x-value&moves=z9")[0] | {"find": ""} == {
        "statistic": "first",
        "find": "",
        "groups": "",
        "attributes": "",
        "list": "",
        "significant": False,
        "sort": None,
        "moves": [],
        "cell": None,
    }


TABLE = f"o.turned(g.gridOf({json.dumps(PAYLOAD)}))"
WITH_ORDER = (
    "const [g, o] = await Promise.all(['desk/grid_order', 'indirect/order'].map((name) => import(`/${name}.js`)));"
)
OWN = {"statistic": "score", "variant": "", "list": "traits"}
BLANK_VIEW: dict[str, Any] = OWN | {
    "find": "",
    "target": "",
    "feature": "",
    "cell_list": "",
    "chart": "",
    "against": "",
    "significant": False,
    "alone": False,
    "sort": None,
    "moves": [],
    "targets": [],
    "features": [],
    "with": [],
    "bars": None,
}


def in_state(body: str) -> str:
    """Code that sees a State `s` with the table above."""
    state = f"const s = new m.State(7, view); s.take([{TABLE}, null, []]); s.arrange();"
    return f"async (view) => {{ {WITH_ORDER} {state} {body} }}"


def sort_of(word: str, how: str = "value", **other: Any) -> dict[str, Any]:
    return {"axis": "row", "word": word, "how": how, "from": {"run": 7, **OWN} | other}


def test_targets_become_columns_and_added_words_say_so(call: Call) -> None:
    code = f"async () => {{ {WITH_ORDER} const t = {TABLE}; return [t.words, t.columnLabels, t.at(1, 2)]; }}"
    words, labels, place = call("indirect/order.js", code)
    assert words == {"row": ["warm", "cold"], "column": ["nurse", "judge", "poet"]}
    assert labels == ["nurse", "judge", "poet (added)"]
    assert place == 5


def test_the_state_knows_which_table_it_shows_and_when_another_one_is_needed(call: Call) -> None:
    code = in_state("const n = s.needs(); s.view.find = 'x'; const same = n === s.needs(); s.view.list = 'y';")
    code = code.removesuffix("}") + "return [s.currentView(), same, n === s.needs()]; }"
    assert call("indirect/state.js", code, BLANK_VIEW) == [{"run": 7, **OWN, "list": "y"}, True, False]


@pytest.mark.parametrize(
    ("changes", "targets", "features"),
    [
        ({}, ["judge", "nurse", "poet"], ["cold", "warm"]),
        ({"sort": sort_of("warm")}, ["poet", "nurse", "judge"], ["cold", "warm"]),
        ({"sort": sort_of("warm", "similarity")}, ["poet", "nurse", "judge"], ["warm", "cold"]),
        ({"targets": ["nurse"], "alone": True}, ["nurse"], ["cold", "warm"]),
        ({"significant": True}, ["nurse", "poet"], ["warm"]),
        ({"moves": [["column", "poet", "judge"]]}, ["poet", "judge", "nurse"], ["cold", "warm"]),
    ],
)
def test_the_indirect_table_is_in_the_order_of_its_view(
    call: Call, changes: dict[str, Any], targets: list[str], features: list[str]
) -> None:
    body = "const of = (axis) => s.shown[`${axis}s`].map((at) => s.wordOf(axis, at)); return [of('column'), of('row')];"
    assert call("indirect/state.js", in_state(body), BLANK_VIEW | changes) == [targets, features]


def test_sorting_keeps_the_current_cell(call: Call) -> None:
    body = "const kept = s.cellAt({ row: 1, column: 2 }); s.view.moves = [['column', 'poet', 'judge']]; s.arrange();"
    body += " const at = s.placeOfCell(kept); s.view.targets = ['nurse']; s.view.alone = true; s.arrange();"
    found = call("indirect/state.js", in_state(f"{body} return [kept, at, s.placeOfCell(kept)];"), BLANK_VIEW)
    assert found == [{"row": "warm", "column": "poet", "at": 1}, {"row": 1, "column": 0}, None]


def test_picking_a_word_twice_gives_it_back(call: Call) -> None:
    body = "Object.assign(s.view, s.picking('row', 'warm')); return [[...s.picked().row], s.picking('row', 'warm')];"
    assert call("indirect/state.js", in_state(body), BLANK_VIEW) == [[0], {"features": []}]


def test_what_is_looked_for_is_found_on_both_axes(call: Call) -> None:
    body = "return s.matches.map(({ axis, at }) => s.wordOf(axis, at));"
    assert call("indirect/state.js", in_state(body), BLANK_VIEW | {"find": "o"}) == ["cold", "poet"]


def test_a_cell_is_reported_with_its_interval_or_with_the_reason_why_it_has_none(call: Call) -> None:
    body = "const w = await import('/indirect/cell_words.js'); return [0, 1, 2].map((column) => "
    body += "w.cellSentence(s, { row: 1, column }));"
    judge, nurse, poet = call("indirect/state.js", in_state(body), BLANK_VIEW)
    assert judge.endswith("not scorable (split in two)")
    assert nurse == "\u2068nurse\u2069 × \u2068warm\u2069: +1.00 [+0.50, +1.50]  n = 9 names  q = 0.01"
    assert "+2.00 [+1.00, +3.00]" in poet


def test_a_sort_of_another_table_says_where_it_is_from(call: Call) -> None:
    body = (
        "const w = await import('/indirect/cell_words.js'); return w.sortedSo(s, { 'other': { title: 'Other: x' } });"
    )
    foreign = sort_of("warm", "similarity", run=3, list="", statistic="other")
    assert call("indirect/state.js", in_state(body), BLANK_VIEW | {"sort": foreign}) == (
        ", sorted by likeness to “warm” (of features by Other of run 3)"
    )
    assert call("indirect/state.js", in_state(body), BLANK_VIEW | {"sort": sort_of("warm")}) == ", sorted by “warm”"


def test_words_are_sorted_by_likeness_to_a_word_of_another_list(call: Call) -> None:
    """Over the targets of both lists in any order: (1, 2) beside nurse and poet is like warm, opposite to cold."""
    code = """() => {
      const of = (features, targets, value) => ({ words: { row: features, column: targets }, rows: features,
        columns: targets, value, at: (row, column) => row * targets.length + column });
      const shown = of(["warm", "cold"], ["nurse", "judge", "poet"], [1, 5, 2, -1, 7, -2]);
      const other = of(["woman"], ["poet", "nurse"], [2, 1]);
      const sort = { axis: "row", word: "woman", how: "similarity" };
      const view = { sort, moves: [], significant: false, alone: false };
      return [[...m.ordering(shown, other, "row", sort).ranks], m.arranged(shown, other, view).rows,
        m.ordering(shown, other, "row", { ...sort, word: "man" })];
    }"""
    ranks, rows, unknown = call("indirect/order.js", code)
    assert dict(ranks) == {"warm": pytest.approx(1), "cold": pytest.approx(-1)}
    assert rows == [0, 1]
    assert unknown is None


def test_extremes_leave_out_the_word_itself_and_what_has_no_value(call: Call) -> None:
    code = "() => m.extremes(new Map([['a', Infinity], ['b', 1], ['c', null], ['d', -1], ['e', 0]]))"
    assert call("indirect/order.js", code) == {"most": [["b", 1], ["e", 0]], "least": [["d", -1]]}


def test_cosine_needs_values_on_both_sides(call: Call) -> None:
    assert call("indirect/order.js", "() => m.cosine([1, 0, null], [2, 0, 5])") == pytest.approx(1)
    assert call("indirect/order.js", "() => m.cosine([0, 0], [1, 2])") is None


def test_the_address_of_the_indirect_page_gives_the_view_back_and_faulty_parts_are_left_out(
    call: Call, blank: Page
) -> None:
    view = BLANK_VIEW | {"sort": sort_of("warm"), "targets": ["poet"], "bars": ["row", "warm"], "alone": True}
    assert call("indirect/view.js", "(view) => { m.writeView(view); return m.readView(); }", view) == view
    blank.goto(f"{HERE}?sort=%7B%22axis%22%3A1%7D&targets=5&with=%5B%5D&moves=x")
    found = blank.evaluate(CALLED, [f"{HERE}indirect/view.js", "() => m.readView()", []])
    assert (found["sort"], found["targets"], found["with"], found["moves"]) == (None, [], [], [])


def test_a_map_fits_its_paper_with_one_scale_and_up_is_up(call: Call) -> None:
    code = "(all) => all.map((one) => m.placed(one, m.fitted(all, 472, 272), m.ALL, 472, 272))"
    (left, low), (right, high) = call("indirect/map_view.js", code, [["a", 0, 0], ["b", 2, 1]])
    assert (left, right) == (36, 436)
    assert low - high == (right - left) / 2


def test_zooming_keeps_what_is_under_the_pointer_and_ends_at_the_whole_map(call: Call) -> None:
    code = "(view, factor) => m.zoomed(view, factor, [300, 50], 400, 200)"
    near = call("indirect/map_view.js", code, {"zoom": 1, "x": 0, "y": 0}, 2)
    assert near == {"zoom": 2, "x": -100, "y": 50}
    assert call("indirect/map_view.js", code, near, 0.1) == {"zoom": 1, "x": 0, "y": 0}
    assert call("indirect/map_view.js", code, near, 1000)["zoom"] == 40


def test_a_pointer_finds_the_nearest_dot_and_an_arrow_the_next_one_on_its_way(call: Call) -> None:
    dots = [[0, 0], [10, 1], [50, 5], [0, 40]]
    assert call("indirect/map_view.js", "(dots) => m.nearest(dots, [9, 0], 14)", dots) == 1
    assert call("indirect/map_view.js", "(dots) => m.nearest(dots, [200, 200], 14)", dots) == -1
    ways = "(dots) => ['ArrowRight', 'ArrowDown', 'ArrowUp'].map((key) => m.onward(dots, 0, key))"
    assert call("indirect/map_view.js", ways, dots) == [1, 3, 0]


def test_a_map_names_its_run_and_parameters(call: Call) -> None:
    found = {"positions": [["a", 0, 0]], "left_out": [["b", "no score"]], "features": 1, "features_left_out": 0}
    code = "(found, added) => m.restsOn(found, added)"
    told = call("indirect/map_words.js", code, found | {"told": "", "explained": [0.5, 0.05]}, ["a", "new"])
    assert told == (
        "1 targets by their scores with 1 feature; without b (no score); added words are only in the table"
        " (new). The axes hold 50% and 5.0% of the variance."
    )


def in_pairs(body: str) -> str:
    """Code that sees the table above as `t`."""
    return f"async (...given) => {{ {WITH_ORDER} const t = {TABLE}; {body} }}"


def test_a_word_is_paired_with_another_or_with_the_mean_of_the_others(call: Call) -> None:
    """The words of the table are compared by hand: `scores` are those of the first target and of the second."""
    code = in_pairs(
        "const of = (at) => g.line(t, 'column', at);"
        " const mean = t.words.column.length > 2 ? m.scoresOf(t, 'column', 0, '') : of(1);"
        " return [m.scoresOf(t, 'column', 0, t.words.column[1]), of(1), mean,"
        " t.words.column.slice(1).map((_, one) => of(one + 1))];"
    )
    other, second, mean, rest = call("indirect/word_pair.js", code)
    assert other == second
    for place, value in enumerate(mean):
        known = [one[place] for one in rest if one[place] is not None]
        assert value == (pytest.approx(sum(known) / len(known)) if known else None)


def test_words_without_both_scores_are_left_out_of_a_pair(call: Call) -> None:
    code = in_pairs("return m.pairOf(t, 'column', 0, t.words.column[1]).every(({ x, y }) => x !== null && y !== null);")
    assert call("indirect/word_pair.js", code)


@pytest.mark.parametrize(("values", "end"), [([0.31, -0.42], 0.5), ([1.0], 1.0), ([-23.0, None], 30.0)])
def test_a_scale_ends_at_a_round_figure(call: Call, values: list[float | None], end: float) -> None:
    assert call("indirect/word_pair.js", "(values) => m.endOf(values)", values) == pytest.approx(end)


def test_the_farthest_words_come_first_and_labels_do_not_overlap(call: Call) -> None:
    entries = [{"label": "a", "x": 0, "y": 0.1}, {"label": "b", "x": 0.5, "y": -0.5}, {"label": "c", "x": 0, "y": -0.2}]
    ordered = call("indirect/word_pair.js", "(entries) => m.farthest(entries).map((one) => one.label)", entries)
    assert ordered == ["b", "c", "a"]
    boxes = [[0, 0, 10, 10], [5, 5, 10, 10], [20, 0, 5, 5]]
    assert call("indirect/word_pair.js", "(boxes) => m.apart(boxes)", boxes) == [True, False, True]
