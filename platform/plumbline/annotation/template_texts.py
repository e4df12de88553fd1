"""What a bank's templates read like today: a digest of all texts of each, by which one that was edited is told."""

from dataclasses import dataclass

from django.db import connection

from plumbline.vocab.models import Bank

Key = tuple[str, str]
"""Category and template; its questions with labels and those with names are one template."""

CONDITIONS = (("ambig", "neg"), ("ambig", "nonneg"), ("disambig", "neg"), ("disambig", "nonneg"))
"""Condition and polarity of the four questions that stand for a template."""

# Ids and numbers of sets are no text: an import under another name, in another order, reads the same. The right answer
# belongs to the texts: with another one, people have agreed with something else. Hex digits sort alike in every locale.
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
    """Conditions, with their polarity, that it has questions of."""

    @property
    def whole(self) -> bool:
        """Whether each of the four conditions can be asked."""
        return self.asked.issuperset(CONDITIONS)


def texts(bank: Bank, category: str = "") -> dict[Key, Texts]:
    """In the bank's order, of one category where it is named. Empty of a bank of another kind than BBQ."""
    if bank.kind != Bank.Kind.BBQ:
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
