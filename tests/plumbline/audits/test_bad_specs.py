"""At least 120 bad specs: each is refused in one short line, before anything is written."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from plumbline.audits.launching import launch
from plumbline.audits.models import Run
from plumbline.spec.audit import parse
from plumbline.spec.errors import InputError
from plumbline.spec.yaml_file import read_yaml

FEWEST = 120
LONGEST = 2000
GOOD: dict[str, Any] = {
    "name": "traits",
    "probe": "ilps",
    "model": "bundled:masked-demo",
    "groups": {"inline": [{"label": "women", "plural": "women"}, {"label": "men", "plural": "men"}]},
    "prior": {"mask": "one"},
    "attributes": {"inline": ["kind"]},
    "templates": {"inline": ["{Group.plural} are {attribute}."]},
}
WRONG_TYPES: list[Any] = [None, [], {}, 7, "a\x00b", "x" * 5000, [[["x"]]], {"list": "../x"}, {"inline": None}]
REFERENCES = ("", "x", "hub:", "path:", "openai:https://u:p@host#m", "hub:a b/c", "bundled:../x", "file:///etc/passwd")
TEMPLATES = (
    "",
    " ",
    "{",
    "}",
    "{}",
    "{group}",
    "{attribute}",
    "{Group.plural} {x}",
    "[All|{attribute}",
    "{0}",
    "x" * 5000,
)
TEXTS = (
    *("", "-", "[", "{", "a: b: c", "\t x", "'", "!!python/object:os.system x", "&a [*a]", "a: &a {b: *a}"),
    *("%YAML 9", "\x00", "? ?", "a: 1\na: 2", "[" * 100_000, "--- 1\n--- 2", "1", "text", "null", "!!binary x"),
    *("{a: .nan}", "a: *b", "- a\nb: c", "a: 1:1:" + "1:" * 60_000 + "1", "@", "`"),
)


def changed(keys: tuple[str, ...], value: Any) -> dict[str, Any]:
    data = deepcopy(GOOD)
    place = data
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    return data


SEEDS: tuple[Any, ...] = ("x", -1, 1.5, 10**30, float("nan"), True, [])
DTYPES: tuple[Any, ...] = ("float8", "", 7, [], "torch.float32")
PARAMS: tuple[Any, ...] = ([], "x", {"x": 1}, {"variant": "\0"}, {"variant": 7})
GROUPS: tuple[Any, ...] = ([], [7], [{}], [{"label": ""}])


def bad_specs() -> Iterator[Any]:
    for key in GOOD:
        yield {other: value for other, value in GOOD.items() if other != key and key != "prior"}
        yield from (changed((key,), value) for value in WRONG_TYPES if (key, value) != ("prior", None))
        yield changed((f"{key}s_",), GOOD[key])
    yield from (changed(("model",), reference) for reference in REFERENCES)
    yield from (changed(("templates", "inline"), [template]) for template in TEMPLATES)
    yield from (changed(("seed",), value) for value in SEEDS)
    yield from (changed(("dtype",), value) for value in DTYPES)
    yield from (changed(("params",), value) for value in PARAMS)
    yield from (changed(("groups", "inline"), value) for value in GROUPS)


def line_of(refuse: Callable[[], Any]) -> str:
    """Return the message of the refusal, or "" for what was taken. Any other exception fails the test."""
    try:
        refuse()
    except InputError as error:
        return str(error)
    return ""


@pytest.mark.django_db
def test_each_bad_spec_is_refused_in_one_line(tmp_path: Path, record_property: Callable[..., None]) -> None:
    assert not line_of(lambda: parse(deepcopy(GOOD)))
    lines = {repr(spec)[:300]: line_of(lambda spec=spec: launch(parse(spec))) for spec in bad_specs()}  # type: ignore[misc]
    for number, text in enumerate(TEXTS):
        file = tmp_path / f"{number}.yaml"
        file.write_text(text)
        lines[repr(text)[:300]] = line_of(lambda file=file: launch(parse(read_yaml(file))))  # type: ignore[misc]
    print(f"{len(lines)} bad specs refused in one line each")  # noqa: T201 -- the count is the figure of docs/security.md
    record_property("specs", len(lines))
    assert [spec for spec, line in lines.items() if not line] == []
    assert [line[:300] for line in lines.values() if "\n" in line or len(line) > LONGEST] == []
    assert len(lines) >= FEWEST
    assert not Run.objects.exists()
