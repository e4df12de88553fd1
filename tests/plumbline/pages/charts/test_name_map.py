"""Names on a map keep their distances, and each group has its sign."""

from typing import Any

from plumbline.pages.charts.name_map import MAP, MARGIN, clouds
from plumbline.spec.measure import Measure


def projected(group: str, name: str, axis: str, value: float | None) -> Measure:
    place: dict[str, Any] = {"group_a": group, "attribute": name, "condition": axis}
    return Measure("success_rate_projection", "name", 1, 1, value, reason="" if value is not None else "none", **place)


def test_names_keep_their_distances_on_the_map_and_each_group_has_its_shape() -> None:
    places = {("a", "Ada"): (0.0, 0.0), ("b", "Bo"): (4.0, 2.0), ("a", "Amy"): (2.0, 1.0)}
    measures = [projected(*key, axis, at["xy".index(axis)]) for key, at in places.items() for axis in "xy"]
    one, other = clouds([*measures, projected("a", "lost", "x", 1.0), projected("a", "none", "y", None)])
    assert [(one.group, one.shape), (other.group, other.shape)] == [("a", "circle"), ("b", "square")]
    ada, amy = one.places
    (bo,) = other.places
    assert (ada.x, ada.y, bo.x) == (MARGIN, MAP - MARGIN, MAP - MARGIN)
    assert (bo.x - ada.x, ada.y - bo.y) == (2 * (amy.x - ada.x), 2 * (ada.y - amy.y))
