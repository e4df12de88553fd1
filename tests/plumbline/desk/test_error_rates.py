"""The error rates of classifiers on the page of the model that they were made of."""

from typing import Any

import pytest
from django.test import Client

from plumbline.audits.models import ErrorRates
from tests.plumbline.desk.runs.conftest import as_, viewer

__all__ = ["as_", "viewer"]

pytestmark = pytest.mark.django_db
ONE = {"statistic": "false_positive_rate", "group_a": "women", "unit": "kind of template", "n": 96, "n_units": 24}
DIFFERENCE = ONE | {"statistic": "false_positive_rate_difference", "group_b": "men", "verdict": "present"}


def card(classifier: str, value: float, base: str = "variant:calm", **more: Any) -> dict[str, Any]:
    measured = {"value": value, "ci_low": value - 0.1, "ci_high": value + 0.1, "q_value": 0.002}
    return {
        "model": {"reference": classifier, "digest": "d", "base": base},
        "sentences": {"n": 768, "digest": "s"},
        "rates": [ONE | {"value": 0.4, "ci_low": 0.3, "ci_high": 0.5}],
        "differences": [DIFFERENCE | measured],
        **more,
    }


def page_of(viewer: Client, reference: str) -> str:
    page = viewer.get("/models/history/", {"reference": reference})
    assert page.status_code == 200
    return " ".join(page.content.decode().split())


@pytest.mark.parametrize("reference", ["variant:calm", "path:/made/after"])
def test_rates_and_differences_stand_with_the_base_and_with_the_classifier(viewer: Client, reference: str) -> None:
    ErrorRates.keep(card("path:/made/after", 0.25))
    text = page_of(viewer, reference)
    cells = ("false positive rate", "women - men", "+0.25", "[+0.15, +0.35]", "24", "0.002", "present")
    assert "".join(f"<td><bdi>{cell}</bdi></td>" for cell in cells) in text.replace("> <", "><")
    assert "768 sentences" in text
    assert "What changed" not in text


def test_a_change_from_the_parents_classifier_stands_below_with_what_explains_it_otherwise(viewer: Client) -> None:
    before = card("path:/made/before", 0.5)
    change = DIFFERENCE | {"statistic": "false_positive_rate_difference_change", "value": -0.25, "q_value": 0.01}
    ErrorRates.keep(card("path:/made/after", 0.25, before={**before, "not_alike": ["recipe"]}, changes=[change]))
    text = page_of(viewer, "variant:calm")
    assert "What changed from" in text
    assert "path:/made/before" in text
    assert "do not share recipe" in text
    assert "<bdi>-0.25</bdi>" in text


def test_the_latest_measurement_of_a_classifier_stands_alone(viewer: Client) -> None:
    for value in (0.25, 0.125):
        ErrorRates.keep(card("path:/made/after", value))
    text = page_of(viewer, "variant:calm")
    assert "+0.12" in text
    assert "+0.25" not in text


def test_a_model_without_classifiers_has_no_such_part(viewer: Client) -> None:
    ErrorRates.keep(card("path:/made/after", 0.25, base=""))
    assert viewer.get("/models/history/", {"reference": "variant:calm"}).status_code == 404
    assert "Classifiers made of it" in page_of(viewer, "path:/made/after")
