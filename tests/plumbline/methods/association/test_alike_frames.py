"""Frames that behave as one kind of sentence, told with what to do."""

from dataclasses import asdict

import pytest

from plumbline.methods.association.alike_frames import alike_frame_warnings
from plumbline.results.measure_writing import replace_measures
from plumbline.spec.measure import Measure

pytestmark = pytest.mark.django_db


def of(cluster: str, *templates: str) -> list[Measure]:
    return [
        Measure("alike_frames", "word", 32, 32, 0.974, template=one, condition=cluster, reason="describes")
        for one in templates
    ]


def test_each_cluster_is_reported_with_its_frames_and_the_remedy() -> None:
    found = [*of("1", "a", "b"), *of("2", "c", "d", "e", "f", "g", "h")]
    replace_measures(1, [asdict(one) for one in found])
    first, second = alike_frame_warnings(1)
    assert first == (
        "2 frames behave as one kind of sentence (r = 0.97) but count as 2, so some of the differences that are called"
        " present may be chance. Give them the same variation in their template list: “a”, “b”."
    )
    assert second.endswith("“c”, “d”, “e”, “f” and 2 more.")


def test_a_run_without_such_frames_warns_of_nothing() -> None:
    assert alike_frame_warnings(1) == []
