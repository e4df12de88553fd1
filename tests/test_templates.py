"""Templates: their lines are short, they can be read, and one method's do not use another's."""

import re
from pathlib import Path

import pytest
from django.template import engines

from plumbline.spec.registry import FOLDERS

ROOT = Path(__file__).parents[1]
MOST_COLUMNS = 120
FOLDERS_OF_TEMPLATES = sorted({*ROOT.glob("templates"), *ROOT.glob("platform/plumbline/**/templates")})
TEMPLATES = [
    (folder, path)
    for folder in FOLDERS_OF_TEMPLATES
    for path in sorted(folder.rglob("*"))
    if path.suffix in {".html", ".svg", ".txt"}
]
METHODS = ROOT / "platform/plumbline/methods"
NAMES = sorted({folders.platform.rpartition(".")[2] for folders in FOLDERS.values()})
NAMED = re.compile(r"""["'`(]([\w./-]+)["'`)]""")
"""What stands in quotes, or in a style's `url()`."""


def test_no_line_of_a_template_is_longer_than_the_code_may_be() -> None:
    long = [
        f"{path.relative_to(ROOT)}:{number}: {len(line)} columns"
        for _, path in TEMPLATES
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > MOST_COLUMNS
    ]
    assert not long, "\n".join(long)


def test_no_tag_of_a_template_spans_two_lines() -> None:
    """Django takes such a tag for text and shows it."""
    broken = [
        f"{path.relative_to(ROOT)}: {tag.strip()}"
        for _, path in TEMPLATES
        for tag in re.findall(r"\{\{[^}\n]*\n|\{%[^%\n]*\n", path.read_text())
    ]
    assert not broken, "\n".join(broken)


def test_every_template_can_be_read() -> None:
    engine = engines["django"]
    for folder, path in TEMPLATES:
        engine.get_template(str(path.relative_to(folder)))


@pytest.mark.parametrize("method", NAMES)
def test_no_page_of_a_method_uses_a_template_a_style_or_a_script_of_another_one(method: str) -> None:
    others = tuple(f"{name}/" for name in NAMES if name != method)
    files = [path for path in (METHODS / method).rglob("*") if path.suffix in {".py", ".html", ".svg", ".js", ".css"}]
    used = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in files
        for name in NAMED.findall(path.read_text())
        if name.removeprefix("../").startswith(others)
    }
    assert files
    assert not used
