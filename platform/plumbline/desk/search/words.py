"""Curated lists, and words in them."""

from collections.abc import Iterator

from django.db.models import Model, Q
from django.urls import reverse

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
    """Return the entries that are the text before those that hold it, each with its list."""
    found = [hit for exact in ("iexact", "icontains") for name in TEXTS for hit in _entries(KINDS[name], text, exact)]
    return list(dict.fromkeys(found))[:READ]


def _entries(kind: Kind, text: str, how: str) -> Iterator[Hit]:
    wanted = Q()
    for column in TEXTS[kind.name]:
        wanted |= Q(**{f"{column}__{how}": text})
    for one in kind.entry_model.objects.filter(wanted).select_related("word_list").order_by("word_list", "pk")[:READ]:
        yield Hit(_shown(kind, one), _page(one.word_list), f"{kind.name}: {one.word_list.title}")


def _shown(kind: Kind, entry: Model) -> str:
    values = [getattr(entry, column) for column in TEXTS[kind.name][: 2 if kind.name == "traits" else 1]]
    return " - ".join(value for value in values if value)


def lists(text: str) -> list[Hit]:
    """Return the lists and question banks whose title, slug, description or source holds the text."""
    wanted = Q(slug__icontains=text) | Q(title__icontains=text)
    wanted |= Q(description__icontains=text) | Q(source__icontains=text)
    kinds = [(kind.name, kind.list_model) for kind in KINDS.values()] + [("question bank", Bank)]
    found = [
        Hit(one.title or one.slug, _page(one), f"{name}: {one.slug}")
        for name, model in kinds
        for one in model.objects.filter(wanted).order_by("slug")[:READ]
    ]
    return sorted(found, key=lambda hit: (text.lower() not in hit.title.lower(), hit.title))[:READ]


def _page(one: Model) -> str:
    return reverse(f"admin:{one._meta.app_label}_{one._meta.model_name}_change", args=[one.pk])
