"""The curated lists that a field of the form offers, with their words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import CharField, Count, F, Min, OuterRef, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce, Concat
from pydantic import TypeAdapter, ValidationError

from plumbline.desk.plans.builder.places import ABSENT
from plumbline.desk.plans.builder.shapes import ListField, Setting
from plumbline.desk.plans.builder.values import Values, parsed
from plumbline.desk.plans.contents import entry_name
from plumbline.spec.errors import InputError, SpecError
from plumbline.spec.grammar import expand, require
from plumbline.vocab import content
from plumbline.vocab.models import BankItem, TraitList

FIRST_WORDS, FIRST_GROUPS = 12, 100
"""The words of a list that a page shows before somebody chooses it. Groups may be ticked at once."""
BETWEEN = " - "
"""What stands between the poles of a pair."""
MOST_TICKS = 300
"""The longest list whose entries are ticked. Those of longer ones are written, one on a line."""


@dataclass(frozen=True, slots=True)
class Tick:
    """One entry of a list. `text` says what it holds if its label alone does not."""

    label: str
    ticked: bool
    text: str = ""
    is_gone: bool = False
    """Whether the plan names it and the list does not have it."""


@dataclass(frozen=True, slots=True)
class Offered:
    """One list that a field may use."""

    slug: str
    title: str
    count: int
    words: tuple[str, ...]
    used: bool = False
    ticks: tuple[Tick, ...] = ()
    lines: str | None = None
    """The chosen entries of a list that is too long for ticks, one on a line."""
    settings: tuple[tuple[Setting, str, tuple[Tick, ...]], ...] = ()
    """The settings of the list, each with its value and, where the list has them, the values to tick."""
    unit: str = "entries"
    """What `count` counts."""
    missing: bool = False
    """Whether the plan names it and it does not exist."""

    @property
    def more(self) -> int:
        return self.count - len(self.words)

    @property
    def chosen(self) -> int:
        """The number of ticked entries of the list; 0 without `gone`: all of them are asked."""
        return sum(one.ticked and not one.is_gone for one in self.ticks)

    @property
    def gone(self) -> int:
        """The number of entries that the plan names and the list does not have."""
        return sum(one.is_gone for one in self.ticks)


class Lists:
    """The lists of each kind, read once for a page."""

    def __init__(self) -> None:
        self._found: dict[str, list[Offered]] = {}

    def offered(self, field: ListField, values: Values) -> list[Offered]:
        """Return the lists of a field's kind, the used ones first and with their entries.

        A bank is offered if the method can ask its questions, and a list of templates if they have its slots.
        """
        if field.kind not in self._found:
            self._found[field.kind] = sorted(_lists(field.kind), key=lambda one: one.slug)
        known = {one.slug: one for one in self._found[field.kind]}
        used = [slug for slug in values.get(f"{field.key}:use", ()) if slug]
        first = [_used(field, known.get(slug) or Offered(slug, slug, 0, (), missing=True), values) for slug in used]
        others = [one for slug, one in known.items() if slug not in used]
        return [*first, *(_unused(field, one) for one in _fitting(field, others))]


def _lists(kind: str) -> Iterable[Offered]:
    for model in content.LISTS[kind]:
        entries = model._meta.get_field("entries").related_model
        column = "bank" if kind == "banks" else "word_list"
        inside = entries.objects.filter(**{column: OuterRef("pk")}).order_by("position", "id")
        words = ArraySubquery(
            inside.annotate(shown_word=_word(entries)).values("shown_word")[
                : FIRST_GROUPS if kind == "groups" else FIRST_WORDS
            ]
        )
        for one in model.objects.annotate(entry_count=Count("entries")).annotate(first_words=words):
            # Many ratings have the same rater.
            shown = dict.fromkeys(filter(None, one.first_words)) if kind != "ratings" else ()
            yield (
                _of_pairs(one, shown)
                if model is TraitList
                else Offered(one.slug, one.title, one.entry_count, tuple(shown))
            )


def _of_pairs(one: Any, pairs: Iterable[str]) -> Offered:
    """Return a list of pairs as a spec uses it: each pole is an entry."""
    poles = tuple(pole for pair in pairs for pole in pair.split(BETWEEN))
    return Offered(one.slug, one.title, 2 * one.entry_count, poles, unit="adjectives")


def _fitting(field: ListField, lists: list[Offered]) -> list[Offered]:
    if field.slots:
        return [one for one in lists if all(_has_slots(template, field.slots) for template in one.words)]
    if field.kind == "banks":
        fit = _of_this_kind(field, [one.slug for one in lists])
        return [one for one in lists if one.slug in fit]
    return lists


@lru_cache(maxsize=4096)
def _has_slots(grammar: str, bases: tuple[str, ...]) -> bool:
    """Return whether the first sentence that a template stands for has each of these slots once and no other."""
    try:
        require(expand(grammar)[0], bases, "this field")
    except SpecError:
        return False
    return True


def _of_this_kind(field: ListField, slugs: Iterable[str]) -> set[str]:
    """Return those banks whose first question is one that the field takes. Banks hold questions of one form."""
    firsts = BankItem.objects.filter(bank__slug__in=slugs).order_by("bank_id", "position", "id").distinct("bank_id")
    questions = TypeAdapter(field.entries)
    return {one.bank.slug for one in firsts.select_related("bank") if _is_valid(questions, [one.content])}


def _is_valid(kind: TypeAdapter[Any], value: Any) -> bool:
    try:
        kind.validate_python(value, strict=False)
    except ValidationError:
        return False
    return True


def _word(entries: Any) -> Any:
    """Return the expression of what names an entry: its first column, both poles of a pair, or a question's id."""
    if not hasattr(entries, "COLUMNS"):
        return Coalesce(KT("content__id"), Value(""), output_field=CharField())
    keys = entries.COLUMNS[: entries.KEY if entries.KEY == 2 else 1]
    if len(keys) == 1:
        return Cast(F(keys[0]), CharField())
    return Concat(F(keys[0]), Value(BETWEEN), F(keys[1]), output_field=CharField())


def _unused(field: ListField, one: Offered) -> Offered:
    if field.kind != "groups" or not field.has_only or one.more:
        return one
    return Offered(one.slug, one.title, one.count, one.words, ticks=tuple(Tick(word, False) for word in one.words))


def _used(field: ListField, one: Offered, values: Values) -> Offered:
    only = values.get(f"{field.key}:{one.slug}:only", ())
    is_long = one.count > MOST_TICKS
    return Offered(
        one.slug,
        one.title,
        one.count,
        one.words,
        used=True,
        ticks=() if is_long or not field.has_only else _ticks(field, one, only),
        lines="\n".join(only) if is_long and field.has_only else None,
        unit=one.unit,
        settings=tuple(
            _setting(option, one, values.get(f"{field.key}:{one.slug}:{option.key}", ("",))) for option in field.options
        ),
        missing=one.missing,
    )


def _setting(option: Setting, one: Offered, given: tuple[str, ...]) -> tuple[Setting, str, tuple[Tick, ...]]:
    text = ", ".join(given)
    if option.key != "categories" or one.missing:
        return option, text, ()
    known, given_names = _categories(one.slug), parsed(option, text)
    chosen = [] if given_names is ABSENT else given_names
    return option, text, tuple(Tick(name, name in chosen) for name in dict.fromkeys([*known, *chosen]))


def _categories(slug: str) -> list[str]:
    """Return the categories of a bank's questions, in its order. Those of GEST are its stereotypes."""
    named = BankItem.objects.filter(bank__slug=slug).annotate(
        name=Coalesce(KT("content__stereotype"), KT("content__category"), output_field=CharField())
    )
    found = named.values("name").annotate(first=Min("position")).order_by("first")
    return [str(name) for name in found.values_list("name", flat=True) if name]


def _ticks(field: ListField, one: Offered, only: tuple[str, ...]) -> tuple[Tick, ...]:
    """Return the entries of a list, and those that the plan names and the list does not have."""
    try:
        entries = content.frozen(field.kind, one.slug)["entries"]
    except InputError:
        entries = []
    found = {_label(entry): _text(entry) for entry in entries}
    known = tuple(Tick(label, label in only, text) for label, text in found.items() if label)
    return known + tuple(Tick(label, True, "not in the list", is_gone=True) for label in only if label not in found)


def _label(entry: Mapping[str, Any]) -> str:
    return entry_name(entry) or str(entry.get("id", ""))


def _text(entry: Mapping[str, Any]) -> str:
    if entry_name(entry):
        return ""
    return " ".join(str(entry[key]) for key in ("context", "question") if key in entry)[:200]
