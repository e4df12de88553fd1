"""What a report covers of each point of a law or standard, from the evidence that its runs really have."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plumbline.reports.law.evidence import Held
from plumbline.reports.models import MappingVersion, Status


@dataclass(frozen=True, slots=True)
class Statement:
    """The status of one point, what the report gives to it, and why the status is no better."""

    number: str
    title: str
    status: str
    gives: tuple[str, ...]
    missing: tuple[str, ...]
    lacks: str


@dataclass(frozen=True, slots=True)
class Mapped:
    """The statements on one law or standard."""

    title: str
    issuer: str
    as_of: str
    source: str
    note: str
    statements: tuple[Statement, ...]


def mapped(version: MappingVersion, held: Mapping[str, Held]) -> list[Mapped]:
    """Return the statements by the version's mapping and the evidence of a report."""
    return [_mapped(one, held) for one in version.content["frameworks"]]


def _mapped(one: Mapping[str, Any], held: Mapping[str, Held]) -> Mapped:
    about = {name: one[name] for name in ("title", "issuer", "as_of", "source", "note")}
    return Mapped(**about, statements=tuple(_statement(each, held) for each in one["provisions"]))


def _statement(one: Mapping[str, Any], held: Mapping[str, Held]) -> Statement:
    needed, more = ([held[name] for name in one[key] if name in held] for key in ("needs", "supports"))
    status = status_of(Status(one["at_most"]), needed, more)
    there = [each for each in (*needed, *more) if each.holds] if status != Status.NOT_COVERED else []
    return Statement(
        number=one["number"],
        title=one["title"],
        status=status.label,
        gives=tuple(each.sentence for each in there),
        missing=tuple(dict.fromkeys(each.sentence for each in (*needed, *more) if not each.holds)),
        lacks=one["lacks"],
    )


def status_of(at_most: Status, needed: Sequence[Held], more: Sequence[Held]) -> Status:
    """Return the status: the given one with all evidence, at most partly without some of `more`.

    Without all that is needed the point is not covered, and neither is a point that needs nothing.
    """
    if not needed or not all(one.holds for one in needed):
        return Status.NOT_COVERED
    is_full = all(one.holds for one in more)
    return at_most if is_full or at_most == Status.NOT_COVERED else Status.PARTLY
