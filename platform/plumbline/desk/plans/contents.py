"""The lists of a plan: how many of their entries it uses, which, and which it leaves out."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from plumbline.audits.freezing import KIND_OF_FIELD
from plumbline.spec.audit import AuditSpec
from plumbline.spec.content import Entry
from plumbline.spec.errors import InputError
from plumbline.spec.sources import Source
from plumbline.vocab import content

LABELS = ("label", "text", "name", "template")
"""The keys that name an entry of a list."""
OF_EVERY_SOURCE = frozenset(Source.model_fields)
Frozen = Callable[[str, str], Mapping[str, Any]]

ONE = {"entries": "entry", "adjectives": "adjective"}
OF_THE_LIST = "of the list"
MOST_WORDS = 40
MOST_LEFT_OUT = 24
MOST_OFFERED = 500


@dataclass(frozen=True, slots=True)
class PlanList:
    """One list of a plan as the page shows it."""

    field: str
    slug: str
    """Empty for entries that the plan itself holds."""
    words: tuple[str, ...]
    """The entries that the plan uses, as many as a page shows."""
    count: int
    total: int
    left_out: tuple[str, ...] = ()
    """The entries of the list that `only` leaves out."""
    gone: tuple[str, ...] = ()
    """The entries that `only` names and the list does not have."""
    options: str = ""
    unit: str = "entries"
    """What `count` and `total` count."""
    fault: str = ""
    is_restricted: bool = False
    """Whether the plan names the entries, so that it does not ask what is added later."""

    @property
    def title(self) -> str:
        return field_title(self.field)

    @property
    def sentence(self) -> str:
        """The restriction in one sentence."""
        if self.fault:
            return self.fault
        if not self.slug:
            return f"{_counted(self.count, self.unit)} written in the plan itself{self.options}."
        if self.gone:
            has = f"{_counted(self.count, self.unit)} {OF_THE_LIST} {self.slug}{self.options}"
            return f"The plan names {has}, and {_counted(len(self.gone), self.unit)} that it does not have."
        if self.count < self.total:
            return f"Only {self.count:,} of the {self.total:,} {self.unit} {OF_THE_LIST} {self.slug}{self.options}."
        if not self.is_restricted:
            return f"All {_counted(self.total, self.unit)} {OF_THE_LIST} {self.slug}{self.options}."
        named = f"{_counted(self.total, self.unit)} {OF_THE_LIST} {self.slug}{self.options}, named in the plan."
        return f"{named} {self.unit.capitalize()} that are added to the list later are not asked."

    @property
    def around_slug(self) -> tuple[str, str]:
        """The sentence before and after the name of the list, which a page links; ("", "") without one."""
        before, named, after = self.sentence.partition(f"{OF_THE_LIST} {self.slug}")
        return (f"{before}{OF_THE_LIST} ", after) if self.slug and named else ("", "")

    @property
    def more(self) -> int:
        """The number of used entries that the page does not show."""
        return self.count - len(self.words) if self.words else 0

    @property
    def gone_sentence(self) -> str:
        """Return that the plan names entries that the list does not have, so that no launch succeeds, or ""."""
        if not self.gone:
            return ""
        names = ", ".join(self.gone[:MOST_LEFT_OUT])
        more = len(self.gone) - MOST_LEFT_OUT
        named = f"{names} and {more:,} more" if more > 0 else names
        return f"The plan asks {named}, which the list {self.slug} does not have. It cannot be launched."

    @property
    def offered(self) -> tuple[str, ...]:
        """The entries that the page offers to add, the last of the list first: there stand those that are new."""
        return self.left_out[::-1][:MOST_OFFERED]

    @property
    def left_out_names(self) -> str:
        """Return the names that the plan leaves out, as many as a sentence holds."""
        named = self.offered[:MOST_LEFT_OUT]
        more = len(self.left_out) - len(named)
        return ", ".join(named) + (f" and {more:,} more" if more else "")

    @property
    def left_out_sentence(self) -> str:
        """Return that the list has entries that the plan leaves out, or ""."""
        if not self.left_out:
            return ""
        return f"The list {self.slug} has {_counted(len(self.left_out), self.unit)} that this plan leaves out:"


def field_title(field: str) -> str:
    """Return the name of a field of a spec as people read it."""
    return field.replace("_", " ").capitalize()


def entry_name(entry: Any) -> str:
    """Return the word or template of an entry, or "" for the items of a bank, which have an id and no short name."""
    if isinstance(entry, str):
        return entry
    found = entry.model_dump() if isinstance(entry, Entry) else entry
    return "" if "id" in found else next((str(found[key]) for key in LABELS if key in found), "")


def plan_lists(spec: AuditSpec) -> list[PlanList]:
    """Return the lists of a spec in its own order, with today's words."""
    return [_plan_list(field, source) for field, sources in spec.sources().items() for source in sources]


def _plan_list(field: str, source: Source[Any]) -> PlanList:
    if source.slug is None:
        options = _options(source)
        words = tuple(map(entry_name, source.inline or ()))
        return PlanList(field, "", _shown(words), len(words), len(words), options=options)
    return of_curated_list(field, source)


def of_curated_list(field: str, source: Source[Any], frozen: Frozen = content.frozen) -> PlanList:
    """Return what a source that names a curated list takes of it. `frozen` gives the words of the list today."""
    slug = str(source.slug)
    try:
        found = frozen(KIND_OF_FIELD[field], slug)
        chosen = source.chosen(found)
    except InputError as error:
        return PlanList(field, slug, (), 0, 0, fault=str(error))
    return _of_curated(field, source, found, chosen, _options(source))


def _of_curated(
    field: str, source: Source[Any], found: Mapping[str, Any], chosen: Mapping[str, Any], options: str
) -> PlanList:
    slug, total = str(source.slug), len(found["entries"])
    unit = "adjectives" if any("pair" in entry for entry in found["entries"]) else "entries"
    if source.only is None:
        words = list(map(entry_name, chosen["entries"]))
        return PlanList(field, slug, _shown(words), len(words), total, options=options, unit=unit)
    names = list(filter(None, map(entry_name, found["entries"])))
    left_out = tuple(name for name in names if name not in source.only)
    gone = tuple(name for name in source.only if name not in names) if names else ()
    asked = [name for name in source.only if name not in gone]
    return PlanList(field, slug, _shown(asked), len(asked), total, left_out, gone, options, unit, is_restricted=True)


def _options(source: Source[Any]) -> str:
    """Return the other choices of a source, such as ", form: plural", or ""."""
    own = source.model_dump(exclude=set(OF_EVERY_SOURCE), exclude_defaults=True)
    return "".join(f", {key}: {value}" for key, value in own.items())


def _shown(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(filter(None, words))[:MOST_WORDS]


def _counted(count: int, unit: str) -> str:
    return f"1 {ONE[unit]}" if count == 1 else f"{count:,} {unit}"
