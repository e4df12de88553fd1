import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.spec.association import AssociationSpec
from plumbline.spec.audit import FAMILY_COLUMNS, parse
from plumbline.spec.digests import canonical_json
from plumbline.spec.errors import SpecError
from plumbline.spec.several_models import parse_each
from plumbline.spec.verdicts import Scale
from plumbline.spec.yaml_file import read_yaml

STARTER = Path(__file__).parents[3] / "platform" / "plumbline" / "audits" / "starter"

SPEC: dict[str, Any] = {
    "name": "traits",
    "probe": "ilps",
    "model": "path:./some/dir",
    "groups": {"inline": ["women", "men"]},
    "prior": {"singular": "person", "plural": "people"},
    "attributes": {"inline": ["powerful", "powerless"]},
    "templates": {"inline": ["All {group} are {attribute}.", "{Group} should be {attribute}."]},
}

# The example of the design, for a probe that is there, as a person writes it.
WRITTEN = """
name: abc-traits
probe: ilps_chain     # log_probability | ilps | ilps_chain
model: hub:org/name@revision
groups:     {list: abc-groups, only: [women, men]}
prior:      {mask: one}
attributes: {list: abc-traits}
templates:  {list: abc-templates}
seed: 0
params: {variant: released_code}
"""


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in SPEC.items() if name != key}


@pytest.fixture
def written(tmp_path: Path) -> Any:
    def write(content: str | bytes) -> Path:
        path = tmp_path / "spec.yaml"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def test_the_example_of_the_design_parses(written: Any) -> None:
    spec = parse(read_yaml(written(WRITTEN)))
    assert isinstance(spec, AssociationSpec)
    assert spec.groups[0].slug == "abc-groups"
    assert spec.groups[0].only == ("women", "men")
    assert spec.variant == "released_code"


@pytest.mark.parametrize("path", sorted(STARTER.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_starter_spec_parses(path: Path) -> None:
    assert parse(read_yaml(path)).dump()


def test_what_is_not_said_has_its_documented_default() -> None:
    spec = parse(SPEC)
    assert (spec.seed, spec.dtype, spec.families) == (0, "float32", ("statistic",))
    assert isinstance(spec, AssociationSpec)
    assert spec.variant == ""


def test_bf16_is_short_for_bfloat16_and_marked() -> None:
    spec = parse({**SPEC, "dtype": "bf16"})
    assert spec.dtype == "bfloat16"
    assert isinstance(spec, AssociationSpec)
    assert spec.variant == "bfloat16"


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (None, "an audit spec must be a mapping with keys such as name, probe"),
        (["ilps"], "an audit spec must be a mapping"),
        ("ilps", "an audit spec must be a mapping"),
        (without("probe"), "the spec names no probe; the probes are bbq"),
        ({**SPEC, "probe": "ipls"}, "unknown probe 'ipls'; the probes are .*ilps_chain, .*log_probability"),
        ({**SPEC, "probe": ["ilps"]}, r"unknown probe \['ilps'\]; the probes are"),
        ({**SPEC, "probe": False}, "unknown probe False; the probes are"),
        (without("prior"), "spec 'traits': prior: is missing; add it"),
        (without("templates"), "templates: is missing; add it"),
        ({**SPEC, "template": {}}, "template: unknown key; remove it or check its spelling"),
        ({**SPEC, "params": {"level": 0.9, "margin": 1}}, "params.margin: unknown key; remove it"),
        ({**SPEC, "probe": "log_probability"}, "prior: unknown key"),
        (dict([*SPEC.items(), (False, 1)]), "a key must be text; put it in quotes"),
        ({**SPEC, "name": " "}, "name: give the audit a name of printable characters"),
        ({**SPEC, "name": "two\nlines"}, "name: give the audit a name of printable characters"),
        ({**SPEC, "name": ""}, "name: is empty; write something"),
        ({**SPEC, "name": 2026}, "name: must be text; put it in quotes"),
        ({**SPEC, "model": False}, "model: must be text; put it in quotes"),
        ({**SPEC, "model": "bert"}, "'bert' does not name a model: write hub:org/name@revision, path:DIR"),
        ({**SPEC, "model": "path:" + "x" * 500}, "model: String should have at most 500 characters"),
        ({**SPEC, "groups": {"inline": []}}, "groups.0.inline: is empty; give at least one entry"),
        ({**SPEC, "groups": {"inline": ["a", False]}}, "False is not text in YAML; put the word in quotes"),
        (
            {**SPEC, "groups": {"inline": [{"label": False}]}},
            r"inline.0.label: must be text; put it in quotes$",
        ),
        ({**SPEC, "groups": ["women"]}, r"groups: write \{list: NAME\} or \{inline: \[...\]\}, or a list of these"),
        ({**SPEC, "groups": {"list": "abc", "only": "men"}}, r"groups.0.only: must be a list; write \[...\]"),
        ({**SPEC, "params": None}, r"params: must be a mapping; write \{key: value\}"),
        ({**SPEC, "prior": {}}, r"prior: give one of \{mask: one\}, \{singular: person, plural: people\} or"),
        ({**SPEC, "prior": {"mask": "one", "singular": "person"}}, "prior: give one of"),
        ({**SPEC, "prior": {"mask": "two"}}, "prior.mask: Input should be 'one'"),
        ({**SPEC, "families": ["statistic", "colour"]}, "families: 'colour' is not a column of a measure; choose from"),
        ({**SPEC, "families": "statistic"}, "families: must be a list"),
        ({**SPEC, "dtype": "fp16"}, "dtype: Input should be 'float32' or 'bfloat16'"),
        ({**SPEC, "seed": -1}, "seed: Input should be greater than or equal to 0"),
        ({**SPEC, "seed": True}, "seed: Input should be a valid integer"),
        ({**SPEC, "params": {"level": 95}}, "params.level: Input should be less than 1"),
        ({**SPEC, "a": 1, "b": 1, "c": 1, "d": 1, "e": 1}, "a: unknown key.*; c: unknown key.*; and 2 more$"),
    ],
)
def test_a_wrong_spec_is_refused_in_one_line_that_names_the_fault(data: Any, fault: str) -> None:
    with pytest.raises(SpecError, match=fault) as refused:
        parse(data)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("name: a\nprobe: ilps\nname: b\n", "the key 'name' appears twice on line 1 or below"),
        ("prior: {mask: one, mask: two}\n", "the key 'mask' appears twice"),
        ("name: [a\n", "is not valid YAML in UTF-8"),
        ("name: 2026-02-30\n", "is not valid YAML in UTF-8: day is out of range for month"),
        ("name: !!python/object/apply:os.getcwd []\n", "is not valid YAML in UTF-8: could not determine a constructor"),
        (b"name: Ren\xe9e\n", "is not valid YAML in UTF-8"),
        (b"name: a\x00b\n", "is not valid YAML in UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_one_line(written: Any, content: str | bytes, fault: str) -> None:
    with pytest.raises(SpecError, match=fault) as refused:
        read_yaml(written(content))
    assert "spec.yaml" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_file_that_is_not_there_or_a_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"cannot read the spec .*none.yaml: No such file or directory"):
        read_yaml(tmp_path / "none.yaml")
    with pytest.raises(SpecError, match="Is a directory"):
        read_yaml(tmp_path)


alphabet = st.characters(exclude_categories=("Cc", "Cs"))
words = st.text(alphabet, min_size=1, max_size=12).filter(lambda text: text.strip() != "")
groups = st.lists(words, min_size=1, max_size=4).map(lambda labels: {"inline": labels})
curated = st.builds(
    lambda slug, only: {"list": slug, **({"only": only} if only else {})}, words, st.lists(words, max_size=3)
)
priors = st.sampled_from(
    [{"mask": "one"}, {"mean": True}, {"singular": "person"}, {"plural": "people", "attribute": "x"}]
)


@given(
    source=st.one_of(groups, curated, st.lists(st.one_of(groups, curated), min_size=1, max_size=3)),
    prior=priors,
    seed=st.integers(0, 2**31 - 1),
    dtype=st.sampled_from(["float32", "bf16", "bfloat16"]),
    families=st.lists(st.sampled_from(FAMILY_COLUMNS), unique=True),
    params=st.fixed_dictionaries({}, optional={"level": st.floats(0.51, 0.99), "contrasts": st.sampled_from(["rest"])}),
)
def test_a_dumped_spec_parses_back_to_itself(source: Any, prior: Any, **rest: Any) -> None:
    spec = parse({**SPEC, "groups": source, "prior": prior, **rest})
    assert parse(spec.dump()) == spec
    assert canonical_json(parse(spec.dump()).dump()) == canonical_json(spec.dump())


def test_the_smallest_effect_is_declared_by_scale() -> None:
    assert parse(SPEC).margin(Scale.LOG) == 0.22
    changed = parse({**SPEC, "smallest_effect": {"log": 0.1}})
    assert (changed.margin(Scale.LOG), changed.margin(Scale.RATE)) == (0.1, 0.05)


@pytest.mark.parametrize("given", [None, {"log": None}, {"log": 0}])
def test_null_switches_the_smallest_effect_off_and_a_dump_keeps_that(given: Any) -> None:
    spec = parse({**SPEC, "smallest_effect": given})
    assert math.isnan(spec.margin(Scale.LOG))
    assert math.isnan(parse(spec.dump()).margin(Scale.LOG))


@pytest.mark.parametrize(
    ("key", "value"), [("alpha", 0), ("alpha", 0.7), ("smallest_effect", {"log": -1}), ("smallest_effect", {"size": 1})]
)
def test_a_level_or_margin_that_is_none_is_refused(key: str, value: Any) -> None:
    with pytest.raises(SpecError, match=key):
        parse({**SPEC, key: value})


def deep(depth: int) -> Any:
    data: Any = []
    for _ in range(depth):
        data = [data]
    return data


@pytest.mark.parametrize("value", [deep(21), deep(5000), {"a": deep(30)}], ids=["21", "5000", "in a mapping"])
def test_data_that_is_nested_too_deeply_is_refused_in_one_line(value: Any) -> None:
    for key in ("params", "probe", "model"):
        with pytest.raises(SpecError, match="nested more than 20 levels deep; write it flat"):
            parse({**SPEC, key: value})


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_the_database_cannot_store_is_refused(number: float) -> None:
    with pytest.raises(SpecError, match=r"smallest_effect\.log: -?(nan|inf) is no number; write a finite one"):
        parse({**SPEC, "smallest_effect": {"log": number}})


@pytest.mark.parametrize("key", ["name", "probe", "model", "x" * 999, "families", "prior", "groups", "templates"])
def test_a_message_repeats_at_most_200_characters_of_the_input(key: str) -> None:
    for text in ("b" * 5001, "b\0" * 2000, "b " * 2501, "'b\" " * 2000):
        for value in (text, [text], {text: text}, {"inline": [text]}, {"inline": [{text: text}]}):
            with pytest.raises(SpecError) as refused:
                parse_each({**SPEC, key: value})
            assert str(refused.value).count("b") < 250
            assert str(refused.value).count("x") < 250
