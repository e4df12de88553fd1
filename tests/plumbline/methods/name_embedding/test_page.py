"""The page of embeddings of names: accuracies beside those of spelling, the published ones, and the map."""

import csv
import io
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.methods.name_embedding.spec import CONFOUNDS
from tests.plumbline.methods.conftest import PREFERENCE, MakeRun, See

SPEC: dict[str, Any] = {
    "name": "names",
    "probe": "name_embedding",
    "model": "bundled:none",
    "names": {
        "inline": [
            {"name": f"{gender}{number}", "group": f"<b>{gender}</b>", "gender": gender}
            for gender in "FM"
            for number in range(4)
        ]
    },
    "contexts": {"inline": [{"id": "c", "context": "{name} waited.", "question": "Why?", "answer": "x"}]},
}
RANGE = "95 in 100 of the splits: 0.750 to 0.950"


def accuracy(value: float, condition: str, variant: str = "", reason: str = RANGE) -> dict[str, Any]:
    own = {"statistic": "classifier_accuracy", "condition": condition, "variant": variant, "value": value}
    return own | {"category": "gender", "n": 8, "n_units": 100, "unit": "split", "reason": reason}


def place(name: str, axis: str, value: float | None) -> dict[str, Any]:
    own = {"statistic": "name_projection", "group_a": f"<b>{name[0]}</b>", "attribute": name, "condition": axis}
    return own | {"value": value, "n": 1, "n_units": 8, "unit": "name", "reason": "" if value is not None else "lost"}


MEASURES = [
    accuracy(0.99, "train"),
    accuracy(0.8765, "test"),
    accuracy(0.7, "train", CONFOUNDS),
    accuracy(0.61, "test", CONFOUNDS),
    accuracy(0.5, "chance", reason="always the commonest of 2; by lot 0.500"),
    accuracy(0.2665, "test", reason="95 in 100 of the splits: 0.100 to 0.400")
    | {"statistic": "accuracy_beyond_confounds"},
    *(place(f"{gender}{number}", axis, float(number)) for gender in "FM" for number in range(3) for axis in "xy"),
    *(place("M3", axis, None) for axis in "xy"),
]


@pytest.fixture
def run(make_run: MakeRun) -> Run:
    return make_run(SPEC, MEASURES)


def test_accuracies_are_beside_those_of_spelling_and_the_published_ones(run: Run, see: See) -> None:
    row = see("run_name_embeddings", run).partition("<tbody>")[2].partition("</tr>")[0]
    for figure in ("0.99", "<b>0.88</b>", RANGE, "0.61", "+0.27", "0.50", "0.86", "by lot 0.50"):
        assert figure in row, row
    assert row.index("0.88") < row.index("0.61") < row.index("+0.27") < row.index("0.86")


def test_each_name_with_a_place_is_on_the_map_with_the_sign_of_its_group(run: Run, see: See) -> None:
    text = see("run_name_embeddings", run)
    drawing = text.partition('<svg class="map"')[2].partition("</svg>")[0]
    assert [drawing.count(f"<title>{gender}{number}</title>") for gender in "FM" for number in range(4)] == [
        *(1, 1, 1, 0),
        *(1, 1, 1, 0),
    ]
    assert "&lt;b&gt;F&lt;/b&gt;" in text
    assert "<b>F</b>" not in text


def test_a_run_without_a_map_says_why(make_run: MakeRun, see: See) -> None:
    text = see("run_name_embeddings", make_run(SPEC, MEASURES[:6]))
    assert "No map: fewer than four names could be embedded" in text


def test_another_methods_run_has_no_such_page(make_run: MakeRun, see: See) -> None:
    assert "This run has no embeddings of names." in see("run_name_embeddings", make_run(PREFERENCE, []))


def test_the_file_has_accuracies_and_positions(run: Run, viewer: Client) -> None:
    text = viewer.get(reverse("run_name_embeddings_csv", args=[run.pk])).content.decode()
    rows = list(csv.DictReader(line for line in io.StringIO(text) if not line.startswith("#")))
    assert [row["statistic"] for row in rows].count("name_projection") == 14
    assert {row["value"] for row in rows if row["condition"] == "train"} == {"0.99", "0.7"}
