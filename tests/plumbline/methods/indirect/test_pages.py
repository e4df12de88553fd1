"""The pages of an indirect run: its sentences, the grid, and the bridge under a cell."""

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.methods.indirect.bridge_links import FEATURE, TARGET, Link, links
from plumbline.methods.indirect.card import BRIDGE_SHARE, CENTRED, DIRECT, SCORE, WITHIN
from plumbline.methods.indirect.choices import choices_of
from plumbline.results.copying import copy_in
from plumbline.results.ids import record_ids
from plumbline.results.tables import bridge
from plumbline.results.terms import ids_of
from tests.plumbline.methods.conftest import MARKED, MakeRun, See, measured
from tests.plumbline.methods.indirect.test_spec import SPEC

NAMES = ["Anna", "Ben", MARKED]
SCORES: dict[str, list[float | None]] = {TARGET: [0.5, -0.25, 1.0], FEATURE: [0.25, -0.5, None]}
MEASURES = [
    measured(SCORE, 0.4, group_a="nurse", attribute="kind", unit="name", n_units=2),
    measured(WITHIN, -0.3, group_a="nurse", attribute="kind", q_value=0.02, verdict="present", unit="name", n_units=2),
    measured(WITHIN, 0.1, group_a="nurse", attribute=MARKED, q_value=0.6, verdict="undecided", unit="name", n_units=2),
    measured(CENTRED, -0.3, group_a="nurse", attribute="kind", unit="name", n_units=2),
    measured(SCORE, None, group_a="nurse", attribute=MARKED, reason="no score with some name", unit="name"),
    measured(BRIDGE_SHARE, 0.5, category="names", n=4, unit="name"),
    measured(BRIDGE_SHARE, 1.0, category="features", n=2, unit="feature"),
]


@pytest.fixture
def run(make_run: MakeRun) -> Run:
    """Two names have both scores; the third cannot be read on the feature's side."""
    made = make_run(SPEC, MEASURES)
    ids = ids_of(["indirect", TARGET, FEATURE, "nurse", "kind", "split", *NAMES])
    scores = [score for side in (TARGET, FEATURE) for score in SCORES[side]]
    rows = len(scores)
    copy_in(
        bridge,
        {
            "id": record_ids(made.pk, 0, rows),
            "run": [made.pk] * rows,
            "probe": [ids["indirect"]] * rows,
            "side": [ids[side] for side in (TARGET, FEATURE) for _ in NAMES],
            "word": [ids[word] for word in ("nurse", "kind") for _ in NAMES],
            "name": [ids[name] for _ in range(2) for name in NAMES],
            "score": scores,
            "name_tokens": [1] * rows,
            "scorable": [score is not None for score in scores],
            "reason": [None if score is not None else ids["split"] for score in scores],
        },
    )
    return made


def drawer(client: Client, run: Run, attribute: str = "kind", statistic: str = SCORE) -> HttpResponse:
    where = {"statistic": statistic, "group": "nurse", "other": "", "attribute": attribute}
    return client.get(reverse("cell", args=[run.pk]), where)  # type: ignore[return-value]


def test_the_bridge_holds_the_names_with_both_scores(run: Run) -> None:
    assert links(run.pk, "nurse", "kind") == [Link("Anna", 0.5, 0.25), Link("Ben", -0.25, -0.5)]
    assert links(run.pk, "nurse", "unheard of") == []
    assert links(run.pk + 1, "nurse", "kind") == []


def test_the_strongest_within_groups_of_names_is_reported(see: See, run: Run) -> None:
    page = see("run", run)
    assert "links with “nurse” tend not to be those that it links with “kind”" in page
    assert "Of 2 correlations of a target with a feature within groups of names, 1 is shown to differ from zero" in page
    assert "2 of 4" in page
    assert "no score with any feature" in page


def test_sentences_of_targets_and_features_have_a_page_where_direct_scores_were_asked(
    see: See, run: Run, make_run: MakeRun
) -> None:
    assert reverse("items", args=[run.pk]) not in see("run", run)
    direct = make_run(SPEC, [*MEASURES, measured(DIRECT, 0.2, group_a="nurse", attribute="kind")])
    assert reverse("items", args=[direct.pk]) in see("run", direct)


def test_the_score_with_a_verdict_is_offered_first_where_names_have_groups(
    viewer: Client, run: Run, make_run: MakeRun
) -> None:
    ungrouped = make_run(
        SPEC, [MEASURES[0], measured(WITHIN, None, group_a="nurse", attribute="kind", reason="no group")]
    )
    offered = {one.pk: [choice.statistic.name for choice in choices_of(one)] for one in (run, ungrouped)}
    assert offered == {run.pk: [WITHIN, SCORE, CENTRED], ungrouped.pk: [SCORE]}
    page = viewer.get(reverse("indirect", args=[run.pk]))
    assert f"statistic={WITHIN}" in page.context["first"]


def test_a_cell_shows_each_name_with_its_direct_scores(viewer: Client, run: Run) -> None:
    page = drawer(viewer, run).content.decode()
    assert "Anna: +0.50, +0.25" in page
    assert "it only describes" in page
    assert page.count("<circle") == 2


def test_a_cell_without_a_score_says_why_and_escapes_its_words(viewer: Client, run: Run) -> None:
    page = drawer(viewer, run, MARKED).content.decode()
    assert "Not scorable: no score with some name" in page
    assert MARKED not in page


def test_the_centred_score_has_a_grid_of_its_own(viewer: Client, run: Run) -> None:
    found = viewer.get(reverse("explorer_data", args=[run.pk]), {"statistic": CENTRED}).json()
    assert found["value"] == [-0.3]


@pytest.mark.parametrize(("feature", "told"), [("kind", "tend not to be"), (MARKED, "It is undecided whether")])
def test_a_cell_says_its_verdict(viewer: Client, run: Run, feature: str, told: str) -> None:
    where = {"statistic": WITHIN, "list": "", "target": "nurse", "feature": feature}
    assert told in viewer.get(reverse("indirect_cell", args=[run.pk]), where).content.decode()
