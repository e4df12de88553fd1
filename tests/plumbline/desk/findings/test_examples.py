"""The example items of findings: typical ones of the run's own records."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.urls import reverse

from plumbline.audits.models import Plan, Run
from plumbline.desk.findings.examples import examples_of
from plumbline.findings.models import Finding, Observation
from plumbline.findings.pinning import pin
from plumbline.findings.updating import update
from plumbline.results.measure_writing import replace_measures
from tests.plumbline.desk.findings.conftest import LogIn, log_in
from tests.plumbline.findings.audited import a_run, difference
from tests.plumbline.results.conftest import _load

pytestmark = pytest.mark.django_db
__all__ = ["log_in"]
TEMPLATES = ("All {group} are {attribute}.", "Most {group} are {attribute}.", "{group} seem {attribute}.")
SPEC = {
    "name": "weekly",
    "probe": "ilps",
    "model": "bundled:none",
    "prior": {"mask": "one"},
    "groups": {"inline": [{"label": "women"}, {"label": "men"}]},
    "attributes": {"inline": ["warm", "kind"]},
    "templates": {"inline": list(TEMPLATES)},
}


@pytest.fixture
def run() -> Run:
    """A run in which the difference is 0.6 in the second template alone."""
    plan = Plan.objects.create(name="weekly", spec=SPEC)
    rows = (difference("warm", 0.6), difference("kind", 0.1, "undecided"), difference("", 0.55))
    made = a_run(*rows, plan=plan, spec=SPEC, model="bundled:none")
    apart = zip(TEMPLATES, (2.0, 0.6, -0.8), strict=True)
    _load(
        made.pk,
        [
            (template, group, word, 1.0 + (shift if group == "women" else 0.0), None)
            for template, shift in apart
            for word in ("warm", "kind")
            for group in ("women", "men")
        ],
    )
    update(made)
    return made


def texts(finding: Finding) -> list[str]:
    return ["".join(piece.text for piece in one.pieces) for one in examples_of(finding).items]


def test_a_word_is_shown_in_the_template_that_is_nearest_to_its_mean(run: Run) -> None:
    finding = Finding.objects.get(attribute="warm")
    assert texts(finding) == ["Most women are warm.", "Most men are warm."]
    shown = examples_of(finding)
    assert [one.figures for one in shown.items] == ["score +1.60", "score +1.00"]
    query = parse_qs(urlsplit(shown.address).query)
    assert query == {"group": ["women"], "against": ["men"], "attribute": ["warm"]}
    assert shown.how == "the template whose difference is nearest to the value of the finding"


def test_a_list_is_shown_by_its_most_typical_word(run: Run) -> None:
    finding = Finding.objects.get(attribute="")
    assert texts(finding) == ["Most women are warm.", "Most men are warm."]
    assert examples_of(finding).how == (
        "the word of the list whose difference is nearest to that of the list, and of this word the template whose"
        " difference is nearest to the value of the finding"
    )


def test_a_list_rests_on_the_differences_of_all_its_words(run: Run) -> None:
    address = urlsplit(examples_of(Finding.objects.get(attribute="")).address)
    assert address.path == f"/runs/{run.pk}/measures/"
    assert parse_qs(address.query) == {"statistic": ["ilps_difference"], "group": ["women"], "list": ["traits"]}


@pytest.mark.parametrize(
    ("mean", "verdict", "beyond", "told"),
    [
        (0.55, "present", (0.05, "undecided"), "it is not shown to lean more."),
        (0.55, "present", (0.3, "present"), "it is shown to lean more."),
        (0.55, "present", (-0.3, "present"), "it is not shown to lean more."),
        (-0.55, "present", (0.9, "present"), ""),
        (0.1, "undecided", (0.5, "present"), ""),
    ],
)
def test_a_word_of_a_list_that_leans_the_same_way_says_whether_it_leans_more(
    run: Run, log_in: LogIn, mean: float, verdict: str, beyond: tuple[float, str], told: str
) -> None:
    centred = difference("warm", *beyond) | {"statistic": "ilps_difference_centred"}
    replace_measures(run.pk, [difference("warm", 0.6), centred, difference("", mean, verdict)])
    finding = Finding.objects.get(attribute="warm")
    found = examples_of(finding).list_mean
    assert found.endswith(told)
    assert bool(found) is bool(told)
    assert not examples_of(Finding.objects.get(attribute="")).list_mean
    page = log_in("ada", "viewer").get(reverse("finding", args=[finding.pk])).content.decode()
    assert ("lean this way, too: +0.55." in " ".join(page.split())) is bool(told)


def test_a_group_is_shown_beside_the_other_groups_those_nearest_to_their_mean_first() -> None:
    """Women differ from the mean of the others by 0.5 in the second template, where elves are nearest to that mean."""
    scores = {"women": (3.0, 1.5, -2.0), "men": (0.0, 0.0, 0.0), "elves": (0.0, 0.9, 0.0), "orcs": (0.0, 2.1, 0.0)}
    spec = SPEC | {"groups": {"inline": [{"label": group} for group in scores]}}
    plan = Plan.objects.create(name="weekly", spec=spec)
    against = {"group_b": "(other groups)"}
    overall = [difference("", 0.0, "undecided", group_a=group, **against) for group in scores]
    run = a_run(difference("warm", 0.5, **against), *overall, plan=plan, spec=spec, model="bundled:none")
    rows = [
        (template, group, "warm", score, None)
        for group, own in scores.items()
        for template, score in zip(TEMPLATES, own, strict=True)
    ]
    _load(run.pk, rows)
    update(run)
    finding = Finding.objects.get(attribute="warm")
    assert texts(finding) == [f"Most {group} are warm." for group in ("women", "elves", "men", "orcs")]
    assert "compares with the mean of the other groups" in examples_of(finding).how


def test_a_word_of_which_a_part_was_scored_says_so(run: Run, log_in: LogIn) -> None:
    finding = Finding.objects.get(attribute="warm")
    assert not examples_of(finding).limits
    with connection.cursor() as cursor:
        cursor.execute("UPDATE results.association SET n_tokens = 3 WHERE run = %s", [run.pk])
    (limit,) = examples_of(finding).limits
    assert "“warm” has 3 subwords in this model, and only the first one was scored." in limit
    assert not examples_of(Finding.objects.get(attribute="")).limits
    update(Run.objects.get())
    stored = Observation.objects.get(finding=finding).sentence
    assert stored == "bundled:none links the first subword of “warm” more strongly to women than to men."
    page = log_in("ada", "viewer").get(reverse("finding", args=[finding.pk])).content.decode()
    assert "The model finds the first subword of the word about" in " ".join(page.split())
    Finding.objects.update(probe="ilps_chain")
    Run.objects.update(probe="ilps_chain")
    assert not examples_of(Finding.objects.get(attribute="warm")).limits


def test_a_word_that_names_a_group_by_its_meaning_says_so() -> None:
    groups = [{"label": "women", "singular": "woman", "plural": "women"}, {"label": "men", "singular": "man"}]
    words = [{"text": "fireman", "plural": "firemen"}, {"text": "soldier", "plural": "soldiers"}]
    groups[1]["plural"] = "men"
    spec = SPEC | {"groups": {"inline": groups}, "attributes": {"inline": words}}
    plan = Plan.objects.create(name="weekly", spec=spec)
    run = a_run(difference("fireman", -2.0), difference("soldier", -1.0), plan=plan, spec=spec, model="bundled:none")
    update(run)
    (limit,) = examples_of(Finding.objects.get(attribute="fireman")).limits
    assert "“fireman” is made of a word for men." in limit
    assert not examples_of(Finding.objects.get(attribute="soldier")).limits


@pytest.mark.parametrize(
    ("word", "group", "told"),
    [
        ("wealthy", "wealthy people", "“wealthy” and the name of wealthy people share the word “wealthy”."),
        ("egotistic", "autistic people", "“egotistic” and the name of autistic people share the letters “tistic”."),
        ("warm", "wealthy people", ""),
    ],
)
def test_a_word_that_echoes_the_name_of_its_group_says_so(word: str, group: str, told: str) -> None:
    spec = SPEC | {"groups": {"inline": ["men", group]}, "attributes": {"inline": [word]}}
    plan = Plan.objects.create(name="weekly", spec=spec)
    update(a_run(difference(word, 2.0, group_a=group, group_b="men"), plan=plan, spec=spec, model="bundled:none"))
    limits = examples_of(Finding.objects.get(attribute=word)).limits
    assert [limit.startswith(told) for limit in limits] == ([True] if told else [])


def test_a_mean_over_a_list_of_opposites_that_somebody_pins_says_so() -> None:
    poles = [
        {"text": text, "pair": "cold - warm", "pole": pole} for text, pole in (("cold", "left"), ("warm", "right"))
    ]
    spec = SPEC | {"attributes": [{"inline": poles}]}
    plan = Plan.objects.create(name="weekly", spec=spec)
    rows = (difference("warm", 0.6), difference("", 0.5, category=""))
    run = a_run(*rows, plan=plan, spec=spec, model="bundled:none")
    update(run)
    groups = {"group_a": "women", "group_b": "men"}
    pinned = pin(run, {"statistic": "ilps_difference", **groups}, User.objects.create_user("ada"), "to discuss")
    (limit,) = examples_of(Finding.objects.select_related("latest__run").get(pk=pinned.pk)).limits
    assert limit.startswith("The attributes are pairs of opposites, such as cold and warm. So this mean tells to which")
    assert not examples_of(Finding.objects.get(attribute="warm")).limits


def test_a_measure_without_sentences_leads_to_the_measures(run: Run) -> None:
    ada = User.objects.create_user("ada")
    one = pin(run, {"statistic": "scorable_share", "group_a": "women"}, ada, "so few")
    shown = examples_of(Finding.objects.select_related("latest__run").get(pk=one.pk))
    assert not shown.items
    assert shown.address.startswith(f"/runs/{run.pk}/measures/?statistic=scorable_share")


def test_without_its_run_there_is_nothing_to_show(run: Run) -> None:
    run.delete()
    assert examples_of(Finding.objects.get(attribute="warm")).address == ""
