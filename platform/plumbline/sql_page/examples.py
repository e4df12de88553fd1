"""Example queries: those of docs/sql.md, which the tests run."""

import re
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.utils.text import slugify

_SECTION = re.compile(
    r"^## (?P<title>[^\n]+)\n+(?P<about>(?:(?!## |```)[^\n]*\n)*?)\n*```sql\n(?P<text>(?:(?!```)[^\n]*\n)*)```",
    re.MULTILINE,
)

_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


@dataclass(frozen=True)
class Example:
    slug: str
    title: str
    about: str
    text: str


@cache
def examples() -> dict[str, Example]:
    """Return the examples by slug, in the document's order, or none if the docs are not installed."""
    document = settings.BASE_DIR / "docs" / "sql.md"
    written = document.read_text() if document.exists() else ""
    found = [
        Example(
            slugify(part["title"]),
            part["title"],
            _plain(part["about"]),
            part["text"].rstrip().rstrip(";"),
        )
        for part in _SECTION.finditer(written)
    ]
    return {example.slug: example for example in found}


def example_with(text: str) -> Example | None:
    """Return the example with this text, or None."""
    return next((one for one in examples().values() if one.text.strip() == text.strip()), None)


def _plain(markdown: str) -> str:
    """Return a paragraph without the marks of code and links."""
    return " ".join(_LINK.sub(r"\1", markdown).replace("`", "").split())
