"""Rating lists: people's judgements of groups, one judgement of one person a row."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models

from plumbline.spec.judgements import DEMOGRAPHICS
from plumbline.vocab.fields import WordField
from plumbline.vocab.models.base import Entry, WordList, not_blank
from plumbline.vocab.models.groups import GroupList
from plumbline.vocab.models.recorded import recorded
from plumbline.vocab.models.traits import TraitList
from plumbline.vocab.scale import ScaleField

Names = dict[str, set[str]]
"""Each name that ratings may use for a group, or for a pair ("left - right"), with the other names of the same thing.
"""


@recorded
class RatingList(WordList):
    """Judgements of groups on pairs of opposites: 0 is the left pole, 100 the right one."""

    group_list = WordField(blank=True, max_length=100, help_text="Slug of the group list that the groups must be in")
    trait_list = WordField(blank=True, max_length=100, help_text="Slug of the trait list that the pairs must be in")

    def clean(self) -> None:
        super().clean()
        known_words(self.group_list, self.trait_list)


@recorded
class Rating(Entry):
    """One annotator's rating of one group on one pair, with the annotator's demographics."""

    COLUMNS = ("annotator", "group", "left", "right", "rating", *DEMOGRAPHICS)
    KEY = 4
    CONTENT = ("annotator", "group", "left", "right", "rating")

    word_list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="entries")
    annotator = WordField(help_text="A number or code; no name")
    group = WordField(help_text="Label of the group, or its key in the human judgements")
    left = WordField(help_text="What a rating of 0 says")
    right = WordField(help_text="What a rating of 100 says")
    rating = ScaleField(help_text="0 (left) to 100 (right)")
    gender = WordField(blank=True)
    race = WordField(blank=True)
    age = WordField(blank=True, help_text="In years, or a band such as 25-34")
    education = WordField(blank=True)
    area = WordField(blank=True, help_text="Such as: Urban")

    class Meta(Entry.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["word_list", "annotator", "group", "left", "right"], name="rating_once_in_list"
            ),
            *(not_blank(field, f"rating_{field}_not_blank") for field in ("annotator", "group", "left", "right")),
            models.CheckConstraint(condition=models.Q(rating__gte=0, rating__lte=100), name="rating_on_the_scale"),
        ]

    def words(self) -> tuple[str, ...]:
        """Return what identifies the judgement; a reversed pair is the same pair."""
        one, other = sorted((self.left, self.right))
        return (f"{self.annotator} on {self.group}, {one} - {other}",)

    def demographics(self) -> dict[str, str]:
        """Return the annotator's demographics."""
        return {field: value for field in DEMOGRAPHICS if (value := getattr(self, field))}

    def clean(self) -> None:
        """Raise ValidationError for a conflict with the annotator's other rows, or with the list's own lists."""
        word_list = getattr(self, "word_list", None)
        if not word_list or not word_list.pk:
            return
        every = word_list.entries.exclude(pk=self.pk)
        others = every.filter(annotator=self.annotator)
        if any(other.words() == self.words() for other in others.filter(group=self.group)):
            raise ValidationError(f"{self.words()[0]!r} appears twice in the list; keep one", code="twice")
        about = {"group_list": word_list.group_list, "trait_list": word_list.trait_list}
        named = every.order_by("group", "left", "right").distinct("group", "left", "right")
        if fault := self.conflicts([self], [*others, *named], about)[0]:
            raise ValidationError(fault, code="at odds")

    @classmethod
    def conflicts(cls, new: Sequence[Any], kept: Iterable[Any], about: Mapping[str, Any]) -> list[str]:
        """Return for each new row its conflict with the others and with the lists that `about` names; "" for none.

        Raises ValidationError if `about` names a list that does not exist.
        """
        groups, pairs = known_words(about.get("group_list", ""), about.get("trait_list", ""))
        given: dict[str, dict[str, str]] = defaultdict(dict)
        used: set[str] = set()
        for row in kept:
            given[row.annotator] |= row.demographics()
            used |= {row.group, _pair(row)}
        return [
            _strange(row, groups, pairs)
            or _renamed(row, used, groups, pairs)
            or _contradicted(row, given[row.annotator])
            for row in new
        ]


def known_words(group_list: str, trait_list: str) -> tuple[Names | None, Names | None]:
    """Return the groups and pairs that ratings may name, by label or by key; None if any is allowed.

    Raises ValidationError for a slug that names no list.
    """
    groups = pairs = None
    if group_list:
        rows = _entries(GroupList, group_list, "group_list")
        groups = _names((group.label, group.human_data_key) for group in rows)
    if trait_list:
        found = _entries(TraitList, trait_list, "trait_list")
        pairs = _names((_pair(pair), pair.human_data_key) for pair in found)
    return groups, pairs


def _names(called: Iterable[tuple[str, str]]) -> Names:
    """Return each name, of labels and keys, with the other names of the same thing. A blank key is no name."""
    found: Names = {}
    for label, key in called:
        for name, other in ((label, key), (key, label)):
            if name:
                found.setdefault(name, set()).update({other} - {name, ""})
    return found


def _pair(row: Any) -> str:
    return f"{row.left} - {row.right}"


def _entries(model: type[WordList], slug: str, field: str) -> list[Any]:
    found = model.objects.filter(slug=slug).first()  # type: ignore[attr-defined]
    if found is None:
        raise ValidationError(
            {field: f"names a list that does not exist: {slug!r}; create it first, or leave the field empty"}
        )
    return list(found.rows())


def _strange(row: Rating, groups: Names | None, pairs: Names | None) -> str:
    if groups is not None and row.group not in groups:
        return f"group {row.group!r} is not in the list's group list; correct it or add the group there"
    if pairs is None or _pair(row) in pairs:
        return ""
    if f"{row.right} - {row.left}" in pairs:
        return f"the pair is {row.right} - {row.left} in the list's trait list; turn it round, and the rating with it"
    return f"the pair {_pair(row)} is not in the list's trait list; correct it or add it there"


def _renamed(row: Rating, used: set[str], groups: Names | None, pairs: Names | None) -> str:
    """Return the conflict with the names in earlier rows, and add this row's: two names would be two things."""
    if other := (groups or {}).get(row.group, set()) & used:
        return f"group {row.group!r} is called {min(other)!r} elsewhere in the list; take one name"
    if other := (pairs or {}).get(_pair(row), set()) & used:
        return f"the pair {_pair(row)} is called {min(other)} elsewhere in the list; take one name"
    used |= {row.group, _pair(row)}
    return ""


def _contradicted(row: Rating, given: dict[str, str]) -> str:
    """Return the conflict with the annotator's demographics in earlier rows, and add this row's."""
    for field, value in row.demographics().items():
        if given.setdefault(field, value) != value:
            return f"{field} of annotator {row.annotator!r} is {value!r} here and {given[field]!r} elsewhere; keep one"
    return ""
