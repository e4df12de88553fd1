"""Items of methods that read something else of a model than log probabilities."""

import pytest
from django.test import Client
from django.urls import reverse
from sqlalchemy import update

from plumbline.audits.models import Run
from plumbline.results import statements
from plumbline.results.tables import association

NAMED, PRIOR = 0.0123, 0.456


@pytest.fixture
def distant(run: Run) -> Run:
    """As a run of SeT; the items of `poor` have distances and no score."""
    Run.objects.filter(pk=run.pk).update(probe="set")
    kept = {"log_p_target": None, "log_p_prior": None, "distance_target": NAMED, "distance_prior": PRIOR}
    statements.run(update(association).where(association.c.run == run.pk).values(**kept))
    return run


def items(client: Client, run: Run) -> str:
    return client.get(reverse("items", args=[run.pk])).content.decode()


def test_items_of_the_sensitivity_test_show_their_distances(distant: Run, viewer: Client) -> None:
    text = items(viewer, distant)
    assert 'data-label="distance (target)">0.012</td>' in text
    assert 'data-label="distance (prior)">0.46</td>' in text
    assert "squared Frobenius norm" in text
    assert "log p" not in text


def test_a_distance_of_the_released_code_is_the_norm_itself(distant: Run, viewer: Client) -> None:
    Run.objects.filter(pk=distant.pk).update(spec=distant.spec | {"params": {"variant": "released_code"}})
    text = items(viewer, distant)
    assert "on top, Frobenius norm" in text


def test_what_is_not_scorable_may_have_distances(distant: Run, viewer: Client) -> None:
    reason = distant_reason(distant)
    text = items(viewer, distant)
    assert f'class="hatched">Not scorable: {reason}</td>' in text
    assert text.count('data-label="distance (target)"') == text.count('<td data-label="Group"')


def distant_reason(run: Run) -> str:
    """Makes one item not scorable, for a reason that is a term already."""
    one = association.c.id == run.pk << 40
    group = statements.rows(association.select().where(one))[0][4]
    statements.run(update(association).where(one).values(scorable=False, score=None, reason=group))
    return "women"


def test_the_drawer_shows_distances_too(distant: Run, viewer: Client) -> None:
    query = {"statistic": "ilps", "group": "women", "attribute": "warm"}
    Run.objects.filter(pk=distant.pk).update(probe="ilps")
    text = viewer.get(reverse("cell", args=[distant.pk]), query).content.decode()
    assert "distance 0.012, prior 0.46" in text


def test_items_of_vectors_show_the_cosine_alone(run: Run, viewer: Client) -> None:
    Run.objects.filter(pk=run.pk).update(probe="weat")
    empty = {"log_p_target": None, "log_p_prior": None}
    statements.run(update(association).where(association.c.run == run.pk).values(**empty))
    text = items(viewer, run)
    assert "Score<br>(cosine)" in text
    assert "log p" not in text
    assert "distance (target)" not in text
