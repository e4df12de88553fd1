"""The content that a run freezes of a curated list, and the list's version: the digest of that content."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from plumbline.spec.digests import digest
from plumbline.spec.errors import InputError
from plumbline.vocab.models import (
    AttributeSet,
    Bank,
    GroupList,
    NameList,
    PairingList,
    RatingList,
    TemplateList,
    TraitList,
    WordList,
)

# The attributes of a spec come from either kind of list; their slugs never collide (AttributeSet.clean).
LISTS: dict[str, tuple[type[Any], ...]] = {
    "groups": (GroupList,),
    "attributes": (AttributeSet, TraitList),
    "templates": (TemplateList,),
    "names": (NameList,),
    "pairings": (PairingList,),
    "ratings": (RatingList,),
    "banks": (Bank,),
}


def frozen(kind: str, slug: str) -> dict[str, Any]:
    """Return the canonical content of a list: plain data, {kind, slug, title, source, origin, entries}.

    Entries have the keys of plumbline.spec.content, and further curated keys if they are filled. A trait list
    gives its adjectives, left and right in turn. Templates are {"template": grammar text}. Notes for curators are
    left out. Raises InputError for an unknown kind, for an unknown slug, naming the nearest ones, and for an empty
    list.
    """
    found = _frozen(kind, find(kind, slug))
    if not found["entries"]:
        raise InputError(f"the {kind} list {slug!r} is empty; add entries in the admin, or with vocab import.")
    return found


def _frozen(kind: str, found: WordList) -> dict[str, Any]:
    return {
        "kind": kind,
        "slug": found.slug,
        "title": found.title,
        "source": found.source,
        "origin": found.origin,
        "entries": [content for entry in found.rows() for content in entry.contents()],
    }


def version(kind: str, slug: str) -> str:
    """Return the SHA-256 of the canonical content.

    A result is stale when its list has another version. Raises as frozen.
    """
    return digest(frozen(kind, slug))


def versions(kind: str, slugs: Iterable[str]) -> dict[str, str]:
    """Return the versions of those lists that exist, by slug; empty for a list without entries."""
    found: dict[str, str] = {}
    for model in LISTS[kind]:
        if missing := set(slugs) - set(found):
            lists = [_frozen(kind, one) for one in model.objects.filter(slug__in=missing)]
            found |= {one["slug"]: digest(one) if one["entries"] else "" for one in lists}
    return found


def find(kind: str, slug: str) -> WordList:
    """Return the list of that slug. Raises InputError for an unknown kind or slug."""
    if kind not in LISTS:
        raise InputError(f"unknown kind of list {kind!r}; the kinds are {', '.join(LISTS)}.")
    for model in LISTS[kind]:
        if found := model.objects.filter(slug=slug).first():
            assert isinstance(found, WordList)  # noqa: S101 -- for the type checker
            return found
    raise InputError(unknown(kind, slug, LISTS[kind]))


def unknown(kind: str, slug: str, models: tuple[type[Any], ...]) -> str:
    """Return the error for an unknown slug, which names similar ones."""
    slugs = [known for model in models for known in model.objects.values_list("slug", flat=True)]
    near = get_close_matches(slug, slugs, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else "check its spelling."
    return f"there is no {kind} list {slug!r}; {hint} `manage.py vocab list` shows all lists."
