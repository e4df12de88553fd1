"""Curated lists, and words in them."""

from collections.abc import Iterator

from django.db.models import Model, Q
from django.urls import reverse

from plumbline.desk.search.closeness import closeness
from plumbline.desk.search.hits import MOST_OF_A_KIND, Hit
from plumbline.vocab.kinds import KINDS, Kind
from plumbline.vocab.models import Bank

READ = MOST_OF_A_KIND + 1
TEXTS = {
    "names": ("name",),
    "groups": ("label", "singular", "plural"),
    "traits": ("left", "right"),
    "attributes": ("text", "plural"),
    "templates": ("template",),
}
"""The columns of each kind that hold words. Pairings and ratings name words of other lists."""


def words(text: str) -> list[Hit]:
    """Return the entries that hold the text, the closest to it first, each with its list."""
    found = sorted((one for name in TEXTS for one in _entries(KINDS[name], text)), key=lambda one: one[0])
    return list(dict.fromkeys(hit for _, hit in found))[:READ]


def _entries(kind: Kind, text: str) -> Iterator[tuple[int, Hit]]:
    """Yield the closeness of each entry with its hit."""
    wanted = Q(*((f"{column}__icontains", text) for column in TEXTS[kind.name]), _connector=Q.OR)
    found = kind.entry_model.objects.filter(wanted).annotate(closeness=closeness(text, *TEXTS[kind.name]))
    for one in found.select_related("word_list").order_by("closeness", "word_list", "pk")[:READ]:
        yield one.closeness, Hit(_shown(kind, one), _page(one.word_list), f"{kind.name}: {one.word_list.title}")


def _shown(kind: Kind, entry: Model) -> str:
    values = [getattr(entry, column) for column in TEXTS[kind.name][: 2 if kind.name == "traits" else 1]]
    return " - ".join(value for value in values if value)


def lists(text: str) -> list[Hit]:
    """Return the lists and question banks whose title, slug, description or source holds the text, the closest first.

    A slug or title that is the text comes first, then one that begins with it, then titles that hold it.
    """
    wanted = Q(slug__icontains=text) | Q(title__icontains=text)
    wanted |= Q(description__icontains=text) | Q(source__icontains=text)
    kinds = [(kind.name, kind.list_model) for kind in KINDS.values()] + [("question bank", Bank)]
    close = closeness(text, "slug", "title")
    found = [
        (one.closeness, Hit(one.title or one.slug, _page(one), f"{name}: {one.slug}"))
        for name, model in kinds
        for one in model.objects.filter(wanted).annotate(closeness=close).order_by("closeness", "slug")[:READ]
    ]
    found.sort(key=lambda one: (one[0], text.lower() not in one[1].title.lower(), one[1].title))
    return [hit for _, hit in found][:READ]


def _page(one: Model) -> str:
    return reverse(f"admin:{one._meta.app_label}_{one._meta.model_name}_change", args=[one.pk])
