"""The form of the builder and the YAML say the same, for every method and every plan that Plumbline brings."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.audits.starter_plans import STARTER
from plumbline.desk.plans.builder.places import ABSENT, place_of, value_at, with_change
from plumbline.desk.plans.builder.shapes import Shape, shape_of
from plumbline.desk.plans.builder.values import Values, changes, only_in_yaml, values_of
from plumbline.desk.plans.builder.yaml_text import loaded, with_changes, yaml_of
from plumbline.spec.audit import parse
from plumbline.spec.errors import SpecError
from plumbline.spec.registry import PROBES

PLANS = sorted([*STARTER.glob("*.yaml"), *(Path(__file__).parents[3] / "release/making/plans").glob("*.yaml")])
WORDS = ("gender-words", "ages", "races")
SPEC = """# What this plan is for.
name: kept
probe: ilps
model: bundled:masked-demo  # the small one
groups: {list: gender, only: [women, men]}
attributes:
  - {list: abc-traits, extra: averaged}
  # and these
  - {inline: [kind, loud]}
prior: {singular: person, plural: people}
templates: {list: plural-frames}
params: {level: 0.9}
"""


def posted(data: Any, shape: Shape, **changed: tuple[str, ...]) -> Values:
    """Return what a browser sends of a form that shows the data, with some inputs edited."""
    shown = values_of(data, shape)
    return shown | {f"{one.key}:shown": ("1",) for one in shape.lists if f"{one.key}:use" in shown} | changed


@pytest.mark.parametrize("probe", sorted(PROBES))
def test_every_method_has_a_form_for_what_it_needs(probe: str) -> None:
    shape = shape_of(probe)
    needed = {key for key, field in PROBES[probe].spec.model_fields.items() if field.is_required()}
    expressed = {one.key for one in shape.lists} | {one.key for one in shape.settings} | {"name", "probe", "model"}
    assert needed <= expressed | ({"prior"} if shape.has_prior else set())


@pytest.mark.parametrize("path", PLANS, ids=[path.stem for path in PLANS])
def test_a_form_that_nobody_edits_changes_no_plan(path: Path) -> None:
    data = loaded(path.read_text(encoding="utf-8"))
    shape = shape_of(data["probe"])
    assert changes(data, posted(data, shape), shape) == []


@pytest.mark.parametrize("path", PLANS, ids=[path.stem for path in PLANS])
def test_a_form_filled_in_from_nothing_gives_the_same_plan_but_for_what_only_the_yaml_holds(path: Path) -> None:
    data = loaded(path.read_text(encoding="utf-8"))
    shape, empty = shape_of(data["probe"]), {"name": data["name"], "probe": data["probe"]}
    filled = values_of(data, shape)
    empty_form = {f"{one.key}:shown": ("1",) for one in shape.lists}
    text = with_changes(yaml_of(empty), changes(empty, empty_form | filled, shape))
    for key in only_in_yaml(data, shape):
        place = tuple(key.split("."))
        text = with_changes(text, [(place, value_at(data, place))])
    assert parse(loaded(text)) == parse(data)


GROUPS = [
    "they",
    {"label": "women", "plural": "women"},
    {"label": "nurses", "singular": "nurse", "plural": "nurses", "components": ["a", "b"]},
]


def with_groups(lines: str) -> Any:
    """Return the groups of a plan with GROUPS after somebody wrote these lines."""
    data, shape = {**loaded(SPEC), "groups": {"inline": GROUPS}}, shape_of("ilps")
    found = changes(data, posted(data, shape, **{"groups:inline": (lines,)}), shape)
    return value_at(loaded(with_changes(yaml_of(data), found)), ("groups", "inline"))


def test_groups_of_the_plan_itself_are_lines_with_their_forms() -> None:
    shown = values_of({**loaded(SPEC), "groups": {"inline": GROUPS}}, shape_of("ilps"))
    assert shown["groups:inline"] == ("they\nwomen | | women\nnurses | nurse | nurses",)
    assert with_groups(shown["groups:inline"][0]) == GROUPS


def test_a_line_with_forms_becomes_a_group_and_other_keys_stay() -> None:
    lines = "nurses| nurse | the nurses\nwomen||women\nnonbinary people | nonbinary person | nonbinary people\nmen"
    assert with_groups(lines) == [
        {"label": "nurses", "singular": "nurse", "plural": "the nurses", "components": ["a", "b"]},
        {"label": "women", "plural": "women"},
        {"label": "nonbinary people", "singular": "nonbinary person", "plural": "nonbinary people"},
        "men",
    ]


def test_a_group_whose_label_has_the_separator_stays_in_the_yaml() -> None:
    data = {**loaded(SPEC), "groups": {"inline": ["a|b"]}}
    assert only_in_yaml(data, shape_of("ilps")) == ["groups"]


@pytest.mark.parametrize("path", PLANS, ids=[path.stem for path in PLANS])
def test_an_edit_leaves_comments_and_all_other_keys_as_they_are(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = with_changes(text, [(("seed",), 11), (("params", "level"), 0.8)])
    wanted = with_change(with_change(loaded(text), (("seed",), 11)), (("params", "level"), 0.8))
    assert loaded(found) == wanted
    assert [line for line in found.splitlines() if line.startswith("#")] == [
        line for line in text.splitlines() if line.startswith("#")
    ]


def test_comments_inside_of_a_plan_survive_an_edit_beside_them() -> None:
    data, shape = loaded(SPEC), shape_of("ilps")
    edited = posted(data, shape, **{"params.level": ("",), "groups:gender:only": ("women", "men", "people")})
    found = with_changes(SPEC, changes(data, edited, shape))
    assert "# the small one" in found
    assert "# and these" in found
    assert "only: [women, men, people]" in found
    assert "params" not in loaded(found)


def test_an_edit_of_a_list_keeps_its_other_options_and_the_order() -> None:
    data, shape = loaded(SPEC), shape_of("ilps")
    edited = posted(data, shape, **{"attributes:use": ("ages", "abc-traits"), "attributes:inline": ("kind\nshy\n",)})
    (change,) = changes(data, edited, shape)
    assert change == (
        ("attributes",),
        [{"list": "abc-traits", "extra": "averaged"}, {"list": "ages"}, {"inline": ["kind", "shy"]}],
    )


def test_ticking_entries_of_a_list_uses_it_with_these_alone() -> None:
    data, shape = loaded(SPEC), shape_of("ilps")
    edited = posted(data, shape, **{"groups:abc-groups:only": ("nurses",)})
    (change,) = changes(data, edited, shape)
    assert change == (("groups",), [data["groups"], {"list": "abc-groups", "only": ["nurses"]}])


def test_a_list_that_is_no_longer_ticked_goes_with_its_entries() -> None:
    data, shape = loaded(SPEC), shape_of("ilps")
    (change,) = changes(data, posted(data, shape, **{"groups:use": ()}), shape)
    assert change == (("groups",), ABSENT)


def test_what_the_form_cannot_show_is_named_and_kept() -> None:
    data = loaded(SPEC) | {"models": ["bundled:smollm2-135m"], "smallest_effect": {"log": 0.1}, "typo": 1}
    data["groups"] = {"inline": [{"label": "women|girls", "plural": "women"}]}
    shape = shape_of("ilps")
    assert only_in_yaml(data, shape) == ["groups", "models", "smallest_effect", "typo"]
    edited = posted(data, shape, seed=("4",))
    assert changes(data, edited, shape) == [(("seed",), 4)]


def test_sets_of_lists_in_a_group_stay_in_it() -> None:
    data = {"probe": "weat", "targets": {"x": {"list": "flowers"}}, "attributes": {"a": {"list": "pleasant"}}}
    shape = shape_of("weat")
    assert place_of("targets_x", data, shape) == ("targets", "x")
    edited = posted(data, shape, **{"targets_y:shown": ("1",), "targets_y:use": ("insects",)})
    assert changes(data, edited, shape) == [(("targets", "y"), {"list": "insects"})]


@pytest.mark.parametrize(
    "word", ["no", "on", "2024", "1e3", "null", "a: b", "# x", "[x]", "'", "Ìyábọ̀", "{group}", "~"]
)
def test_a_word_that_yaml_would_read_as_something_else_stays_the_word(word: str) -> None:
    found = with_changes(SPEC, [(("attributes",), {"inline": [word, "kind"]}), (("params", "neutral"), word)])
    assert loaded(found)["attributes"] == {"inline": [word, "kind"]}
    assert loaded(found)["params"]["neutral"] == word
    assert "# the small one" in found


PLAIN = st.one_of(st.text(max_size=12).filter(str.isprintable), st.integers(), st.booleans())


@given(st.lists(PLAIN, min_size=1, max_size=4), st.sampled_from(["seed", "templates", "new key"]))
def test_any_value_is_written_so_that_it_reads_back(values: list[Any], key: str) -> None:
    found = with_changes(SPEC, [((key,), values)])
    assert loaded(found) == with_change(loaded(SPEC), ((key,), values))


@pytest.mark.parametrize(
    ("text", "fault"),
    [("a: [1", "on line 1"), ("a: b: c", "on line 1"), ("a: 1\na: 2", "twice"), ("a: !!x 1", "line 1")],
)
def test_broken_yaml_is_an_error_of_one_line_that_names_the_place(text: str, fault: str) -> None:
    with pytest.raises(SpecError, match=fault) as caught:
        with_changes(text, [(("seed",), 1)])
    assert "\n" not in str(caught.value)
    with pytest.raises(SpecError, match=fault):
        with_changes(text, [])
