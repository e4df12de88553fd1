"""What a mitigation costs, on the page of before and after."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from plumbline.audits.launching import launch_plan
from plumbline.audits.models import Plan, Run
from plumbline.audits.states import RunState
from plumbline.results.measure_writing import replace_measures
from tests.plumbline.desk.runs.conftest import Finish

TEXTS = {"inline": [{"id": "1", "text": "The river is long."}]}
CHANGE = {"statistic": "paired_difference", "unit": "text", "n": 90, "n_units": 12, "smallest_effect": 0.02}


def perplexity_run(model: str, texts: dict[str, Any] = TEXTS) -> Run:
    spec = {"name": f"cost {model}", "probe": "perplexity", "model": model, "bank": texts}
    run = launch_plan(Plan.objects.create(name=f"cost {Plan.objects.count()}", spec=spec))
    Run.objects.filter(pk=run.pk).update(state=RunState.DONE)
    return run


def page(client: Client, first: Run, second: Run) -> str:
    response = client.get(reverse("before_after"), {"a": str(first.pk), "b": str(second.pk)})
    return " ".join(response.content.decode().split())


@pytest.fixture
def pair(finish: Finish) -> tuple[Run, Run]:
    """Runs of one plan on a model and on its variant."""
    first, second = finish(), finish()
    Run.objects.filter(pk=second.pk).update(model="variant:fair")
    return first, Run.objects.get(pk=second.pk)


def test_without_runs_that_measure_it_the_page_says_which_to_make(viewer: Client, pair: tuple[Run, Run]) -> None:
    text = page(viewer, *pair)
    assert "Nothing is known of what the change costs" in text
    assert "Perplexity of held-out texts" in text
    assert "Stereotypes in question answering" in text


def test_the_sentences_follow_the_verdicts(viewer: Client, pair: tuple[Run, Run]) -> None:
    first, second = (perplexity_run(run.model) for run in pair)
    assert "The runs are not compared yet" in page(viewer, *pair)
    own = CHANGE | {"variant": f"run:{first.pk}"}
    rows = [
        own | {"attribute": "log perplexity", "value": 0.5, "ci_low": 0.4, "ci_high": 0.6, "verdict": "present"},
        own | {"attribute": "top-1 accuracy", "value": 0.001, "ci_low": -0.01, "ci_high": 0.012, "verdict": "absent"},
    ]
    replace_measures(second.pk, rows, compared=True)
    text = page(viewer, *pair)
    assert "Perplexity is higher in the later run: 1.649 times that before [1.492, 1.822]." in text
    assert (
        "Top-1 accuracy on masked tokens is shown to change by less than 2 percentage points: +0.1 [-1.0, +1.2]" in text
    )
    assert "Compare them" not in page(viewer, first, second)


def test_runs_of_other_texts_are_not_held_against_each_other(viewer: Client, pair: tuple[Run, Run]) -> None:
    perplexity_run(pair[0].model)
    perplexity_run(pair[1].model, {"inline": [{"id": "1", "text": "Another text."}]})
    assert "Nothing is known of what the change costs" in page(viewer, *pair)
