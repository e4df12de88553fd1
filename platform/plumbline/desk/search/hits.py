"""What a search finds: hits, in groups of one kind."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User

MOST_OF_A_KIND = 6
SHORTEST, LONGEST = 2, 200


@dataclass(frozen=True, slots=True)
class Hit:
    """One place. `note` says what else tells it from others of the same title."""

    title: str
    address: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """One kind of place: who may see it, and how it is found.

    `find` returns at most MOST_OF_A_KIND + 1 hits, the best first: one more says that there are others.
    """

    name: str
    permission: str
    find: Callable[[str], Sequence[Hit]]
    everything: Callable[[str], str] = lambda text: ""
    """The address of the page with all hits of this kind, "" if there is none."""


@dataclass(frozen=True, slots=True)
class Found:
    """The hits of one kind that are shown, and where the others are."""

    name: str
    hits: Sequence[Hit]
    has_more: bool
    everything: str


def search(text: str, sources: Sequence[Source], user: User | AnonymousUser) -> list[Found]:
    """Return the hits by kind that the person may see; none for a text that is too short."""
    if not SHORTEST <= len(text) <= LONGEST and not is_number(text):
        return []
    allowed = (source for source in sources if user.has_perm(source.permission))
    found = ((source, source.find(text)) for source in allowed)
    return [
        Found(source.name, hits[:MOST_OF_A_KIND], len(hits) > MOST_OF_A_KIND, source.everything(text))
        for source, hits in found
        if hits
    ]


def number_in(text: str) -> str:
    """Return the text without what people write before the number of a run: `#12`, `run 12`."""
    return text.casefold().removeprefix("run ").strip().removeprefix("#")


def is_number(text: str) -> bool:
    """Return whether the text is a number of a run, such as 12, #12 or run 12."""
    digits = number_in(text)
    return digits.isascii() and digits.isdecimal() and len(digits) < 10
