"""The desk's addresses, as its resolver lists them, with the values that the data give them."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.urls import URLPattern, URLResolver, get_resolver

from plumbline.accounts.models import Invitation
from plumbline.annotation.models import AnnotationTask, Kind
from plumbline.annotation.study.models import Study
from plumbline.annotation.survey.models import Survey, SurveyInvitation
from plumbline.api.models import Token
from plumbline.audits.models import AddedWord, Plan, Run
from plumbline.desk.models import AskedQuery, SavedQuery
from plumbline.findings.models import Finding, SignOff
from plumbline.sql_page.examples import examples
from plumbline.vocab.kinds import KINDS
from plumbline.vocab.models import Bank, RatingList
from tests.release.walking import PDF

OF_A_RUN = "runs/<int:number>/"
Values = Iterable[dict[str, Any]]


class Address(NamedTuple):
    """A named pattern of the resolver: `runs/<int:number>/items/`."""

    name: str
    route: str
    parameters: frozenset[str]


def all_addresses() -> list[Address]:
    """Those of the desk and of every room that brings pages; not of the admin, of logging in, or of PDFs."""
    rooms = (one for one in get_resolver().url_patterns if isinstance(one, URLResolver) and one.namespace is None)
    patterns = [one for room in rooms for one in _patterns(room) if not str(one.name).endswith(PDF)]
    return [Address(str(one.name), str(one.pattern), frozenset(one.pattern.converters)) for one in patterns]


def _patterns(room: URLResolver) -> Iterator[URLPattern]:
    for one in room.url_patterns:
        if isinstance(one, URLResolver):
            yield from _patterns(one)
        else:
            yield one


def of_one_run() -> list[str]:
    """The names of those that take a run's number and nothing else."""
    return [one.name for one in all_addresses() if one.route.startswith(OF_A_RUN) and one.parameters == {"number"}]


def _numbers(rows: Any) -> Values:
    return ({"number": number} for number in rows.values_list("pk", flat=True))


def _lists() -> Iterator[dict[str, Any]]:
    """Every list of a run's spec and one more of each kind would be many; the first three of a kind are enough."""
    for kind in KINDS.values():
        for slug in kind.list_model._default_manager.order_by("-pk").values_list("slug", flat=True)[:3]:
            yield {"kind": kind.name, "slug": slug}


VALUES: dict[str, Callable[[], Values]] = {
    "runs/<int:number>/indirect/words/<int:word>/": lambda: (
        {"number": one.run_id, "word": one.pk} for one in AddedWord.objects.all()
    ),
    "runs/<int:number>/annotation/<slug:kind>/": lambda: (
        {"number": run, "kind": kind} for run in Run.objects.values_list("pk", flat=True) for kind in Kind.values
    ),
    OF_A_RUN: lambda: _numbers(Run.objects),
    "findings/<int:number>/": lambda: _numbers(Finding.objects),
    "queue/<int:number>/": lambda: _numbers(Run.objects),
    "sign-offs/<int:number>/": lambda: _numbers(SignOff.objects),
    "plans/<int:number>/": lambda: _numbers(Plan.objects),
    "survey/<slug:token>/": lambda: ({"token": one.token} for one in SurveyInvitation.objects.all()),
    "annotation/surveys/of/<slug:slug>/": lambda: ({"slug": one.slug} for one in Survey.objects.all()),
    "annotation/studies/<int:number>/": lambda: _numbers(Study.objects),
    "annotation/<int:number>/": lambda: _numbers(AnnotationTask.objects),
    "vocabularies/ratings/<slug:slug>/": lambda: ({"slug": one.slug} for one in RatingList.objects.all()),
    "vocabularies/<slug:kind>/<slug:slug>/": _lists,
    "banks/<slug:slug>/": lambda: ({"slug": one.slug} for one in Bank.objects.all()),
    "api/tokens/<int:number>/": lambda: _numbers(Token.objects),
    "people/invitations/<int:number>/": lambda: _numbers(Invitation.objects),
    "people/<int:number>/": lambda: _numbers(User.objects),
    "sql/saved/<int:pk>/": lambda: ({"pk": one.pk} for one in SavedQuery.objects.all()),
    "sql/asked/<int:pk>/": lambda: ({"pk": one.pk} for one in AskedQuery.objects.all()),
    "sql/examples/<slug:slug>/": lambda: ({"slug": slug} for slug in examples()),
    "": lambda: [{}],
}
"""What the parameters of an address may be, by how its route begins; the first that fits decides.

An address with further parameters (which table of a run, for example) is found by the links that lead to it.
"""


def values_of(address: Address) -> list[dict[str, Any]] | None:
    """The parameters to ask an address with; None if only links tell them."""
    begin = next(begin for begin in VALUES if address.route.startswith(begin))
    found = list(VALUES[begin]())
    return None if found and set(found[0]) != address.parameters else found
