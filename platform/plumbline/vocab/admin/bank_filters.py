"""Filters of the questions of banks: by question, category, template, condition and flag."""

import json
import re
from collections import Counter
from typing import Any

from django.contrib.admin import SimpleListFilter
from django.db.models import Count, JSONField, QuerySet
from django.db.models.lookups import PostgresOperatorLookup
from django.http import HttpRequest

from plumbline.vocab.models import BankItem

MOST_CHOICES = 40
MOST_KEYS = 100


@JSONField.register_lookup
class AnyAt(PostgresOperatorLookup):
    """A lookup: whether a path of jsonpath leads to anything in the field."""

    lookup_name = "any_at"
    postgres_operator = "@?"
    prepare_rhs = False


class _OfBank(SimpleListFilter):
    """A filter whose choices come from the bank of the page, or from all banks."""

    def _items(self, request: HttpRequest) -> QuerySet[BankItem]:
        bank = request.GET.get("bank__id__exact", "")
        items = BankItem.objects.order_by()
        return items.filter(bank=int(bank)) if bank.isdecimal() and len(bank) < len(str(2**63)) else items


class OfQuestion(_OfBank):
    """A filter by the most frequent questions."""

    title = "question"
    parameter_name = "question"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        asked = self._items(request).filter(content__has_key="question").values_list("content__question")
        counted = asked.annotate(count=Count("pk")).order_by("-count", "content__question")
        return [(text, f"{text} ({count:,})") for text, count in counted[:MOST_CHOICES]]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset if self.value() is None else queryset.filter(content__question=self.value())


class _OfKey(_OfBank):
    """A filter by a key that the items of some kinds have. A bank whose items lack the key has no such filter."""

    key: str

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        held = self._items(request).filter(content__has_key=self.key).values_list(f"content__{self.key}")
        counted = held.annotate(count=Count("pk")).order_by(f"content__{self.key}")
        found = [(str(text), f"{text} ({count:,})") for text, count in counted if isinstance(text, str)]
        return sorted(found, key=lambda choice: natural(choice[0]))[:MOST_KEYS]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset if self.value() is None else queryset.filter(**{f"content__{self.key}": self.value()})


class OfCategory(_OfKey):
    """A filter by category, such as age and religion in BBQ."""

    title = parameter_name = key = "category"


class OfTemplate(_OfKey):
    """A filter by template, shown once a category is chosen: templates of two categories may have one number."""

    title = parameter_name = key = "template"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return super().lookups(request, model_admin) if OfCategory.parameter_name in request.GET else []

    def _items(self, request: HttpRequest) -> QuerySet[BankItem]:
        return super()._items(request).filter(content__category=request.GET.get(OfCategory.parameter_name, ""))


class OfCondition(_OfKey):
    """A filter by condition: ambiguous or disambiguated."""

    title = parameter_name = key = "condition"


def natural(text: str) -> list[tuple[int, str]]:
    """Return a key that sorts 9 before 10."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split("([0-9]+)", text)]


class OfFlag(_OfBank):
    """A filter by kind of flag, the text of a flag before its colon, and by the absence of flags."""

    title = "flag"
    parameter_name = "flag"
    NONE = "none"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        flagged = self._items(request).filter(content__has_key="flags").exclude(content__flags=[])
        flags = flagged.values_list("content__flags", flat=True)
        counts = Counter(kind for some in flags.iterator() for kind in {flag.partition(":")[0] for flag in some})
        kinds = [(kind, f"{kind} ({count:,})") for kind, count in counts.most_common(MOST_CHOICES)]
        return [(self.NONE, "nothing flagged"), *kinds]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        kind = self.value()
        if kind is None:
            return queryset
        if kind == self.NONE:
            return queryset.filter(content__flags=[])
        beginning = json.dumps(kind)  # a string of jsonpath is written as one of JSON
        return queryset.filter(content__any_at=f"$.flags[*] ? (@ starts with {beginning})")
