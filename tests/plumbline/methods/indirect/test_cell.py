"""The drawer of a cell of the bridge explorer: the names under it, what is left of it, which words go with both."""

import pytest
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.methods.indirect.bridge_links import FEATURE, TARGET
from plumbline.methods.indirect.card import CENTRED, DIRECT, SCORE, SIGN, WITHOUT
from plumbline.methods.indirect.cell import left_of, measures_of
from plumbline.methods.indirect.sensitive_links import ties
from plumbline.results.copying import copy_in
from plumbline.results.ids import record_ids
from plumbline.results.tables import bridge
from plumbline.results.terms import ids_of
from tests.plumbline.methods.conftest import MARKED, MakeRun, measured
from tests.plumbline.methods.indirect.test_table import BOTH, cells

TARGETS = ["nurse", "boss", "poet"]
NEUTRAL = dict(zip(((one, "warm") for one in TARGETS), (0.5, -0.25, 0.125), strict=True))
SEX = {
    ("nurse", "female"): 0.5, ("boss", "female"): -0.5, ("poet", "female"): 0.25,
    ("nurse", "male"): 0.0625, ("boss", "male"): 0.125, ("poet", "male"): -0.125,
    ("nurse", "androgynous"): 0.25, ("boss", "androgynous"): 0.25, ("poet", "androgynous"): 0.25,
}  # fmt: skip
SPEC = BOTH | {"targets": {"inline": TARGETS}, "features": {"inline": ["warm", MARKED]}}
MEASURES = [
    *cells(SCORE, NEUTRAL, verdict=""),
    *cells(SCORE, SEX, category="sensitive", verdict=""),
    *cells(CENTRED, {("nurse", "warm"): 0.375}),
    *cells(WITHOUT, {("nurse", "warm"): 0.0625}, variant="without:sensitive"),
    *cells(SIGN, {("nurse", "warm"): 0.75}),
    *cells(DIRECT, {("nurse", "warm"): -0.75}),
    measured(SCORE, None, group_a="nurse", attribute=MARKED, reason="no score with some <name>", unit="name"),
]
NAMES = ["Anna", "Ben", "Cleo"]


@pytest.fixture
def run(make_run: MakeRun) -> Run:
    """Three names with scores on each side; the sensitive words have sentences of their own."""
    made = make_run(SPEC, MEASURES)
    places = [
        (side, word, name)
        for side, word in ((TARGET, "nurse"), (FEATURE, "warm"), (f"{FEATURE}:sensitive", "female"))
        for name in NAMES
    ]
    ids = ids_of(["indirect", *{label for place in places for label in place}])
    rows = len(places)
    fixed = {"run": made.pk, "probe": ids["indirect"], "name_tokens": 1, "scorable": True}
    columns = {name: [ids[place[at]] for place in places] for at, name in enumerate(("side", "word", "name"))}
    scores = [0.5, -0.25, 1.0, 0.25, -0.5, 0.75, -1.0, 1.0, 0.125]
    repeated = {name: [value] * rows for name, value in fixed.items()}
    copy_in(bridge, {"id": record_ids(made.pk, 0, rows), **repeated, **columns, "score": scores})
    return made


def drawer(client: Client, run: Run, **query: str) -> str:
    where = {"statistic": SCORE, "list": "", "target": "nurse", "feature": "warm"} | query
    response = client.get(reverse("indirect_cell", args=[run.pk]), where)
    assert response.status_code == 200, response.status_code
    return response.content.decode()


def test_a_cell_shows_its_score_the_names_the_sign_and_the_direct_score(viewer: Client, run: Run) -> None:
    page = drawer(viewer, run)
    assert "+0.50 [0, +1.00]  n = 12 items, 6 names  q = 0.50" in page
    assert "This correlation has no verdict: it only describes." in page
    assert "75.0% of 12 pairs" in page
    assert "-0.75 [-1.25, -0.25]" in page
    assert "Anna: +0.50, +0.25" in page
    assert page.count("<circle") == 3


def test_what_is_left_without_the_sensitive_words_is_next_to_the_score(viewer: Client, run: Run) -> None:
    left = left_of(run, measures_of(run, "", "nurse", "warm"))
    assert [(one.what, one.measure.value) for one in left] == [
        ("the score itself", 0.5),
        ("sensitive", 0.0625),
        ("what all targets share", 0.375),
    ]
    page = drawer(viewer, run)
    assert "What may explain it" in page
    assert "+0.062 [-0.44, +0.56]" in page


def test_an_older_run_without_these_measures_shows_what_it_has(viewer: Client, make_run: MakeRun) -> None:
    page = drawer(viewer, make_run(SPEC, cells(SCORE, NEUTRAL)))
    assert "+0.50 [0, +1.00]" in page
    for missing in ("What may explain it", "Same sign", "Direct score", "Sensitive words between"):
        assert missing not in page


def test_sensitive_words_tied_to_both_come_first_and_those_that_tell_nothing_are_left_out(run: Run) -> None:
    found = ties(run, "", "nurse", "warm")
    assert [(one.word, one.with_target.value, one.targets) for one in found] == [
        ("female", 0.5, 3),
        ("male", 0.0625, 3),
    ]
    # By hand: warm deviates by 3/8, -3/8, 0 from its mean, female by 5/12, -7/12, 1/6.
    assert found[0].with_feature == pytest.approx(0.375 / (0.28125 * 0.5416667) ** 0.5)
    assert ties(run, "sensitive", "nurse", "female") == []


def test_a_sensitive_feature_shows_the_names_by_its_own_sentences(viewer: Client, run: Run) -> None:
    page = drawer(viewer, run, list="sensitive", feature="female")
    assert "Anna: +0.50, -1.00" in page
    assert "Sensitive words between" not in page


def test_a_cell_without_a_score_says_why_and_escapes_its_words(viewer: Client, run: Run) -> None:
    page = drawer(viewer, run, feature=MARKED)
    assert "Not scorable: no score with some &lt;name&gt;" in page
    assert MARKED not in page


def test_a_cell_that_is_not_there_is_not_found(viewer: Client, run: Run) -> None:
    where = {"statistic": SCORE, "list": "", "target": "nurse", "feature": "unheard of"}
    assert viewer.get(reverse("indirect_cell", args=[run.pk]), where).status_code == 404
