"""Acceptance of candidates: they become lists with history, one for each part, since a list holds a name only once."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from plumbline.methods.bbq.proposals.proposing import Candidate
from plumbline.methods.bbq.proposals.rules import ALONE, FAMILY, GIVEN, JOB, SOURCES, SURNAMES
from plumbline.spec.errors import InputError
from plumbline.vocab.importing import entries_of
from plumbline.vocab.kinds import KINDS
from plumbline.vocab.locking import lock
from plumbline.vocab.proposals.accepting import PRONOUNS
from plumbline.vocab.replacing import Change, replace
from plumbline.vocab.sheet import Row

PROPOSED = "Proposed for BBQ from public tables and accepted by a curator."
PROXIES = " Names are proxies: they say how a name is read, not who bears it."
WOMEN_MEN = {"F": "women", "M": "men", "": "people"}


@dataclass(frozen=True, slots=True)
class Part:
    """The list of one part."""

    ending: str
    """The ending of its slug."""
    title: str
    kind: str = "names"
    counted: str = ""
    """The one source of its frequencies; "" if they come from several."""


PARTS = {
    GIVEN: Part("given", "given names"),
    FAMILY: Part("family", "surnames", counted="US census of 2010: people of that surname"),
    ALONE: Part("alone", "given names that stand alone", counted="US census of 1990: per cent of that sex"),
    JOB: Part("jobs", "jobs by prestige", kind="attributes"),
}


@transaction.atomic
def accept(slug: str, title: str, chosen: Sequence[Candidate]) -> list[Change]:
    """Create SLUG-given, SLUG-family, SLUG-alone and SLUG-jobs, those for which anything is chosen.

    Raises InputError if nothing is chosen, if such a list exists, and for a name twice in one list.
    """
    by_part = {part: [one for one in chosen if one.part == part] for part in PARTS}
    if not any(by_part.values()):
        raise InputError("nothing is chosen; tick what the lists shall have.")
    return [_make(f"{slug}-{PARTS[part].ending}", title or slug, part, some) for part, some in by_part.items() if some]


def _make(slug: str, title: str, part: str, chosen: Sequence[Candidate]) -> Change:
    form = PARTS[part]
    kind = KINDS[form.kind]
    lock(kind, slug=slug)
    if kind.list_model.objects.filter(slug=slug).exists():
        raise InputError(f"there is a list {slug!r} already; choose another name.")
    sources = ", ".join(dict.fromkeys(one.source for one in chosen))
    about = {
        "title": f"{title}: {form.title}",
        "source": f"{sources}, by thresholds after Parrish et al. 2022, appendices A and B",
        "description": PROPOSED + ("" if part == JOB else PROXIES),
        **({"frequency_source": form.counted} if form.counted else {}),
    }
    first = kind.columns[0]
    rows = [Row(place, _cells(one), first) for place, one in enumerate(chosen, start=1)]
    return replace(kind, slug, about, entries_of(kind, rows, about=about))


def _cells(one: Candidate) -> dict[str, str]:
    if one.part == JOB:
        return {"text": one.text, "category": one.group, "note": f"prestige {one.count:g}"}
    return {
        "name": one.text,
        "group": _group(one),
        "race": one.group,
        "gender": one.gender,
        "pronoun": PRONOUNS.get(one.gender, ""),
        "frequency": _frequency(one),
        "note": _note(one),
    }


def _group(one: Candidate) -> str:
    return f"{one.group} families" if one.part == FAMILY else f"{one.group} {WOMEN_MEN[one.gender]}".strip()


def _frequency(one: Candidate) -> str:
    """Return the frequency in the unit of the list; empty if the list has none."""
    if one.part == ALONE and one.share is not None:
        return f"{one.share * 100:.3f}"
    return f"{one.count:.0f}" if one.source == SOURCES[SURNAMES] and one.count is not None else ""


def _note(one: Candidate) -> str:
    told = [one.source]
    if one.share is not None and one.part != ALONE:
        told.append(f"share {one.share:.3f}")
    return ", ".join([*told, *([f"count {one.count:,.0f}"] if one.count is not None else [])])
