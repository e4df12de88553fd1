"""The order of hits: a name that is the text, then one that begins with it, then the others."""

from django.db.models import Case, IntegerField, Q, Value, When

IS_TEXT, BEGINS_WITH_IT, HOLDS_IT = range(3)


def holds(column: str, text: str) -> Q:
    """Return the condition that a column holds each word of the text, in any case and order."""
    return Q(*((f"{column}__icontains", word) for word in text.split()))


def closeness(text: str, *columns: str) -> Case:
    """Return an expression of how close the closest of these columns is to the text, in any case."""
    return Case(
        When(_any_of(columns, "iexact", text), then=Value(IS_TEXT)),
        When(_any_of(columns, "istartswith", text), then=Value(BEGINS_WITH_IT)),
        default=Value(HOLDS_IT),
        output_field=IntegerField(),
    )


def _any_of(columns: tuple[str, ...], lookup: str, text: str) -> Q:
    return Q(*((f"{column}__{lookup}", text) for column in columns), _connector=Q.OR)


def closeness_of(text: str, name: str) -> int:
    """Return how close a name is to the text, in any case."""
    wanted, own = text.casefold(), name.casefold()
    return IS_TEXT if own == wanted else BEGINS_WITH_IT if own.startswith(wanted) else HOLDS_IT
