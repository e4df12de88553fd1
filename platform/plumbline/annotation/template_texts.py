"""The current texts of a bank's templates, as one digest per template, which reveals edits."""

from dataclasses import dataclass

from django.db import connection
from django.db.models import QuerySet

from plumbline.vocab.banks.kinds import bank_kinds
from plumbline.vocab.models import Bank

Key = tuple[str, str]
"""Category and template. Questions with labels and questions with names belong to one template."""

CONDITIONS = (("ambig", "neg"), ("ambig", "nonneg"), ("disambig", "neg"), ("disambig", "nonneg"))
"""Condition and polarity of the four questions of a template."""

# Ids and numbers of sets do not count, so that an import with another name or order has the same digest. The right
# answer counts: people agreed with it. Hexadecimal digits sort alike in every locale.
_DIGESTS = """
WITH told AS (
  SELECT content->>'category' AS category, content->>'template' AS template, position,
         content->>'condition' || ' ' || (content->>'polarity') AS asked,
         encode(sha256(convert_to(jsonb_build_array(content->'condition', content->'polarity', content->'context',
           content->'question', content->'options', content->'gold')::text, 'UTF8')), 'hex') AS digest
  FROM vocab_bankitem WHERE bank_id = %s AND (%s = '' OR content->>'category' = %s)
)
SELECT category, template, encode(sha256(convert_to(string_agg(digest, '' ORDER BY digest), 'UTF8')), 'hex'), count(*),
       array_agg(DISTINCT asked)
FROM told GROUP BY category, template ORDER BY min(position)
"""


@dataclass(frozen=True, slots=True)
class Texts:
    """One template of a bank."""

    digest: str
    items: int
    asked: frozenset[Key]
    """The conditions, with polarity, for which it has questions."""

    @property
    def whole(self) -> bool:
        """Whether it has questions of all four conditions."""
        return self.asked.issuperset(CONDITIONS)


def banks_with_templates() -> QuerySet[Bank]:
    """Return the banks that have a page of templates. Their kinds say so."""
    return Bank.objects.filter(kind__in=_kinds_with_templates())


def _kinds_with_templates() -> list[str]:
    return [name for name, kind in bank_kinds().items() if kind.templates_page]


def texts(bank: Bank, category: str = "") -> dict[Key, Texts]:
    """Return the templates in the bank's order, of one category if given. Empty for a kind without templates."""
    if bank.kind not in _kinds_with_templates():
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_DIGESTS, [bank.pk, category, category])
        return {
            (category, template): Texts(digest, items, frozenset(_condition(one) for one in asked))
            for category, template, digest, items, asked in cursor.fetchall()
        }


def _condition(asked: str) -> Key:
    condition, _, polarity = asked.partition(" ")
    return condition, polarity
