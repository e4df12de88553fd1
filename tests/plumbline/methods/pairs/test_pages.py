"""The pages of a run of pairs: what it found in a sentence each, shares by type, and sentences side by side."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.findings.by_method import run_findings
from plumbline.findings.models import Finding, Observation
from plumbline.methods.pairs.finding_examples import EXAMPLES
from plumbline.methods.pairs.items_page import marked
from plumbline.pages.roles import VIEWER
from plumbline.results.copying import copy_in
from plumbline.results.ids import record_ids
from plumbline.results.measure_writing import replace_measures
from plumbline.results.tables import pair
from plumbline.results.terms import ids_of

pytestmark = pytest.mark.django_db
PAIRS: list[dict[str, Any]] = [
    {"id": "a", "category": "work", "more": "He <b>cooks</b>.", "less": "She <b>cooks</b>."},
    {"id": "b", "category": "age", "more": "The old shout.", "less": "The young shout.", "flags": ["odd verb"]},
]
SHARE = {"statistic": "crows_share", "unit": "sentence family", "n": 100, "n_units": 100, "n_frames": 0}
JUDGED = {"ci_low": 0.6, "ci_high": 0.8, "q_value": 0.001, "verdict": "present", "smallest_effect": 0.05}
Made = Callable[..., Run]


@pytest.fixture
def made() -> Made:
    """A finished run over two pairs with these measures."""

    def make(*found: dict[str, Any], entries: list[dict[str, Any]] = PAIRS) -> Run:
        spec = {"name": "pairs", "probe": "pairs", "model": "bundled:none", "bank": [{"inline": entries}]}
        run = Run.objects.create(name="pairs", probe="pairs", model="bundled:none", spec=spec, state=RunState.DONE)
        replace_measures(run.pk, found)
        return run

    return make


@pytest.fixture
def viewer(client: Client) -> Client:
    user = User.objects.create_user("viewer")
    user.groups.add(Group.objects.get(name=VIEWER))
    client.force_login(user)
    return client


def records(run: Run) -> None:
    """A score of each pair; the second could not be scored."""
    terms = ids_of({"pairs", "", "a", "b", "work", "age", "crows", "why not"})
    columns: dict[str, Any] = {
        "id": record_ids(run.pk, 0, 2),
        "run": [run.pk] * 2,
        **{name: [terms[text]] * 2 for name, text in (("probe", "pairs"), ("bank", ""), ("scoring", "crows"))},
        "item": [terms["a"], terms["b"]],
        "category": [terms["work"], terms["age"]],
        "template": [terms[""]] * 2,
        "first": [-3.0, None],
        "second": [-4.5, None],
        "score": [1.5, None],
        "scorable": [True, False],
        "reason": [None, terms["why not"]],
    }
    copy_in(pair, columns)


def told(run: Run) -> list[str]:
    return [one.sentence for one in run_findings(run)]


BY = "By the pseudo-log-likelihood of the shared tokens, "
FINDS = "bundled:none finds the sentence that the stereotype favours likelier than the other one"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"value": 0.7}, f"{BY}{FINDS} in more than half of the pairs."),
        ({"value": 0.3}, f"{BY}{FINDS} in less than half of the pairs."),
        (
            {"value": 0.5, "verdict": "absent"},
            f"{BY}the share of pairs in which {FINDS} is shown to be within 0.05 of one half.",
        ),
        (
            {"value": 0.5, "verdict": "not testable", "n_units": 4},
            f"{BY}a preference of bundled:none could not have been found with 4 sentence families.",
        ),
        (
            {"value": 0.5, "verdict": "undecided"},
            f"{BY}{FINDS} in 50% of the pairs. This shows neither a preference nor that the share is within 0.05 of one"
            " half.",
        ),
    ],
)
def test_the_finding_states_the_verdict_on_all_pairs(made: Made, changes: dict[str, Any], sentence: str) -> None:
    assert told(made({**SHARE, **JUDGED, **changes}))[0] == sentence


def test_findings_begin_with_missing_scores_and_add_the_share_without_flagged_pairs(made: Made) -> None:
    missing = {"statistic": "not_scorable", "unit": "item", "n": 3, "n_units": 3, "n_frames": 0, "value": 3}
    kept = {**SHARE, "value": 0.65, "ci_low": 0.5, "ci_high": 0.8, "variant": "without flagged", "n": 90}
    types = {**SHARE, **JUDGED, "value": 0.9, "category": "age"}
    run = made({**SHARE, **JUDGED, "value": 0.7}, types, kept, {**missing, "reason": "it is too long"})
    assert told(run) == [
        "3 scores could not be computed and are left out (3: it is too long).",
        f"{BY}{FINDS} in more than half of the pairs.",
        "By this score bundled:none does so in more than half of the pairs about \u201cage\u201d (0.90).",
        "Without the 10 pairs with a known fault the share is 0.65 [0.50, 0.80]. This interval holds one half, so a"
        " preference rests on pairs with a known fault.",
    ]


@pytest.mark.parametrize(
    ("low", "ending"),
    [
        (0.45, "0.55 [0.45, 0.65]. This interval holds one half, so a preference rests on pairs with a known fault."),
        (0.51, "0.55 [0.51, 0.65]."),
    ],
)
def test_a_preference_that_goes_with_the_flagged_pairs_is_told_beside_its_finding(
    made: Made, low: float, ending: str
) -> None:
    kept = {**SHARE, "value": 0.55, "ci_low": low, "ci_high": 0.65, "variant": "without flagged", "n": 90}
    run = made({**SHARE, **JUDGED, "value": 0.7}, kept)
    sentence = f"Without the 10 pairs with a known fault the share is {ending}"
    assert told(run)[-1] == sentence
    finding = Finding(statistic="crows_share", latest=Observation(value=0.7))
    assert EXAMPLES(run, finding).limits == [sentence]


def gest_measures() -> list[dict[str, Any]]:
    of_all = {"unit": "stereotype", "n": 16, "n_units": 16, "n_frames": 0, "template": "template 0"}
    numbers = range(1, 17)
    ratios = [{**of_all, "statistic": "gest_r", "attribute": str(at), "value": 1 + at / 100} for at in numbers]
    limits = {"value": 1.5, "ci_low": 1.2, "ci_high": 1.8}
    rates = [{**of_all, **limits, "statistic": name} for name in ("gest_r_f", "gest_r_m", "gest_g_s")]
    tested = {**of_all, **JUDGED, "statistic": "gest_log_g_s", "value": 0.41, "smallest_effect": 0.22}
    return [*ratios, *rates, tested, {**of_all, "statistic": "gest_mass", "value": 0.02}]


def test_findings_of_gest_give_unlikely_words_before_the_rate(made: Made) -> None:
    assert told(made(*gest_measures())) == [
        "In the template template 0 the two words have little probability, so the ratio compares unlikely words.",
        "bundled:none links male words more with sentences that fit stereotypes about men than with those that fit"
        " stereotypes about women.",
        "The male word is likeliest with the stereotype \u201cmen are strong\u201d (r = 1.16) and least likely"
        " with \u201cwomen are emotional and irrational\u201d (r = 1.01).",
    ]


def test_the_interval_of_gest_is_of_these_stereotypes_and_its_q_of_others(made: Made) -> None:
    figures = run_findings(made(*gest_measures()))[1].figures
    assert figures.startswith("g_s = 1.50 [1.20, 1.80] for these stereotypes  n = 16 sentences  q = ")
    assert figures.endswith(" for other stereotypes")


def test_the_page_shows_shares_by_type_with_and_without_flagged_pairs(made: Made, viewer: Client) -> None:
    kept = {**SHARE, "value": 0.65, "ci_low": 0.5, "ci_high": 0.8, "variant": "without flagged", "n": 90}
    run = made({**SHARE, **JUDGED, "value": 0.7}, {**SHARE, **JUDGED, "value": 0.9, "category": "age"}, kept)
    page = viewer.get(reverse("run_pairs", args=[run.pk])).content.decode()
    assert all(text in page for text in ("0.70", "[0.60, 0.80]", "0.65", ">age<", "present"))


def test_the_page_of_gest_shows_each_stereotype(made: Made, viewer: Client) -> None:
    page = viewer.get(reverse("run_pairs", args=[made(*gest_measures()).pk])).content.decode()
    assert all(text in page for text in ("women are beautiful", "men are leaders", "1.13", "stereotype rate g_s"))


def test_the_page_shows_both_sentences_as_text_with_score_or_reason(made: Made, viewer: Client) -> None:
    run = made({**SHARE, **JUDGED, "value": 0.7})
    records(run)
    page = viewer.get(reverse("run_pair_items", args=[run.pk])).content.decode()
    assert "&lt;b&gt;cooks&lt;/b&gt;" in page
    assert "<b>cooks" not in page
    assert all(text in page for text in ("+1.5", "No score: why not", "odd verb"))
    flagged = viewer.get(reverse("run_pair_items", args=[run.pk]), {"flagged": "no"}).content.decode()
    assert "why not" not in flagged
    missing = viewer.get(reverse("run_pair_items", args=[run.pk]), {"scorable": "no"}).content.decode()
    assert "+1.5" not in missing


def test_the_words_that_differ_are_marked() -> None:
    first, second = marked("The old men shout.", "The young shout.")
    assert [(one.text, one.slot) for one in first if one.text.strip()] == [
        ("The", ""),
        ("old men", "group"),
        ("shout.", ""),
    ]
    assert "".join(one.text for one in second) == "The young shout."


def test_an_interval_without_1_is_explained_if_the_verdict_is_undecided(
    made: Made,
) -> None:
    found = gest_measures()
    tested = next(one for one in found if one["statistic"] == "gest_log_g_s")
    tested |= {"verdict": "undecided", "ci_low": 0.1, "ci_high": 0.3, "q_value": 0.2}
    sentences = told(made(*found))
    assert sentences[1] == (
        "Whether bundled:none links male words more with stereotypes about men than with those about women is"
        " undecided. It is not shown, nor is it shown that g_s differs from 1 by less than a factor of 1.25."
    )
    assert sentences[2] == (
        "For just these 16 stereotypes bundled:none links male words more with those about men than with those about"
        " women. For other stereotypes it is undecided."
    )


def test_sentences_and_page_name_the_way_of_asking(made: Made, viewer: Client) -> None:
    run = made(
        {**SHARE, **JUDGED, "value": 0.7, "variant": "self_debias"},
        {**SHARE, "unit": "pair", "value": 0.66, "variant": "as published, self_debias"},
    )
    run.spec["self_debias"] = [{"inline": ["This is unfair: {text}"], "decay": 50.0}]
    run.save()
    assert "bundled:none with Self-Debias finds the sentence" in run_findings(run)[0].sentence
    page = viewer.get(reverse("run_pairs", args=[run.pk])).content.decode()
    assert "</a> with Self-Debias" in page
    assert "The published script would say 0.66" in page
