"""Curated words: lists of each kind with their entries, and the names of question banks."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Path, Router

from plumbline.api import schemas
from plumbline.api.bearer import Bearer
from plumbline.api.paging import Page, Paged, newest_first, page
from plumbline.api.scopes import Scope
from plumbline.vocab.content import LISTS, versions
from plumbline.vocab.kinds import KINDS, Kind
from plumbline.vocab.models import Bank
from plumbline.vocab.models.base import METADATA

router = Router(tags=["words"], auth=Bearer(Scope.READ))
KindName = Literal["names", "groups", "traits", "attributes", "templates", "pairings", "ratings"]
OfKind = Annotated[KindName, Path(description="The kind of list")]
Slug = Annotated[str, Path(max_length=100, pattern=r"^[-a-zA-Z0-9_]+$", description="The slug of the list")]


@router.get("/words", response=list[schemas.WordList], summary="List all word lists, or those of one kind")
def list_word_lists(request: HttpRequest, kind: KindName | None = None) -> Any:
    return [_about(one, found) for one in _kinds(kind) for found in one.list_model.objects.order_by("slug")]


@router.get("/words/{kind}/{slug}", response=schemas.WordListDetail, summary="Get a word list with its version")
def get_word_list(request: HttpRequest, kind: OfKind, slug: Slug) -> Any:
    found = get_object_or_404(KINDS[kind].list_model, slug=slug)
    return {**_about(KINDS[kind], found), "entries": found.entries.count(), "version": _version(KINDS[kind], slug)}


@router.get("/words/{kind}/{slug}/entries", response=Page[schemas.Entry], summary="List the entries of a word list")
def list_entries(request: HttpRequest, kind: OfKind, slug: Slug, paging: Paged) -> Any:
    """Send the entries in the order in which they were added. `position` has their place in the list."""
    entries = get_object_or_404(KINDS[kind].list_model, slug=slug).entries.order_by("pk")

    def read(last: int | None, most: int) -> Iterable[Any]:
        return [_entry(one) for one in (entries if last is None else entries.filter(pk__gt=last))[:most]]

    return page(f"{kind} {slug}", paging, read, lambda row: int(row["id"]))


@router.get("/banks", response=Page[schemas.Bank], summary="List question banks, without their questions")
def list_banks(request: HttpRequest, paging: Paged) -> Any:
    return newest_first("banks", paging, Bank.objects.all())


def _kinds(kind: str | None) -> Iterator[Kind]:
    return (one for one in KINDS.values() if kind in (None, one.name))


def _about(kind: Kind, found: Any) -> dict[str, Any]:
    return {name: getattr(found, name) for name in ("slug", "modified_at", *METADATA)} | {"kind": kind.name}


def _version(kind: Kind, slug: str) -> str:
    """Return the version of a list, under the kind that specs use: trait lists are attributes there."""
    (of_specs,) = (name for name, models in LISTS.items() if kind.list_model in models)
    return versions(of_specs, [slug])[slug]


def _entry(entry: Any) -> dict[str, Any]:
    return {"id": entry.pk, "position": entry.position, **entry.values()}
