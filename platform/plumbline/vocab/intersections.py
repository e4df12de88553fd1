"""Pairs of groups: one group's form before or behind another's, in both orders if the language has both.

Cao et al. 2022, section 5.2, pairs all groups of its Table 3 and leaves out by hand what does not exist or reads
awkwardly. Here curated rules say so, and every pair that is not made is counted under its reason.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.db import transaction

from plumbline.spec.errors import InputError
from plumbline.vocab.content import find
from plumbline.vocab.kinds import KINDS
from plumbline.vocab.locking import lock
from plumbline.vocab.models import Group, GroupList, Pairing
from plumbline.vocab.replacing import Change, fault_of, replace

RULES = "abc-pairings"
MOST_PAIRS = 20_000
NOUN, NO_NOUN = "(noun)", "(no noun)"
"""In a rule: all groups that have a noun of their own (teenager), and those that have none (Asian person)."""

SAME = "a group with itself"
NO_FORM = "the first has no form that stands before another group"
NO_HEAD = "the second has neither singular nor plural"
REPEATED = "the same words as another pair or group"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Two groups, in this order, that make no pair, with the reason."""

    first: str
    second: str
    reason: str


@dataclass(frozen=True, slots=True)
class Pairs:
    """The result of pairing: unsaved entries of a group list, and the pairs that are left out."""

    made: list[Group] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)

    def counts(self) -> dict[str, int]:
        """Return the number of left-out pairs by reason, the most frequent first."""
        return dict(Counter(one.reason for one in self.left_out).most_common())

    def __str__(self) -> str:
        reasons = "; ".join(f"{count:,} {reason}" for reason, count in self.counts().items())
        return f"{len(self.made):,} pairs made, {len(self.left_out):,} left out{': ' + reasons if reasons else ''}"


def pair(first: Sequence[Group], second: Sequence[Group], rules: Iterable[Pairing]) -> Pairs:
    """Return all pairs of a group of each list, in both orders; the same list twice pairs its groups with each other.

    Raises InputError if these are too many.
    """
    orders = list(_orders(first, second))
    if len(orders) > MOST_PAIRS:
        raise InputError(f"these lists make {len(orders):,} pairs, more than {MOST_PAIRS:,}: pair shorter ones.")
    known, taken = _Rules(rules), {form for group in (*first, *second) for form in (group.label, *_forms(group))}
    found = Pairs()
    for one, other in orders:
        made = known.composed(one, other)
        if isinstance(made, Group) and made.label in taken:
            made = REPEATED
        if isinstance(made, str):
            found.left_out.append(LeftOut(one.label, other.label, made))
        else:
            taken.add(made.label)
            found.made.append(made)
    return found


def _orders(first: Sequence[Group], second: Sequence[Group]) -> Iterator[tuple[Group, Group]]:
    """Yield each pair once in each order, the two orders together."""
    seen: set[tuple[str, str]] = set()
    for one in first:
        for other in second:
            for order in ((one, other), (other, one)):
                key = (order[0].label, order[1].label)
                if key not in seen and (one.label != other.label or first is not second):
                    seen.add(key)
                    yield order


class _Rules:
    """Rules by the names that they use. A rule about both groups outranks one about a domain."""

    def __init__(self, rules: Iterable[Pairing]) -> None:
        rules = tuple(rules)
        explicit = {(rule.first, rule.second): rule for rule in reversed(rules)}
        mirrored = {(rule.second, rule.first): rule for rule in reversed(rules) if not rule.in_order}
        # The order that a rule names outranks the other order of an earlier rule.
        self._by_names = mirrored | explicit

    def composed(self, first: Group, second: Group) -> Group | str:
        """Return the pair, or the reason why it is not made."""
        if first.label == second.label:
            return SAME
        rule = self._rule(first, second)
        if rule is not None and rule.reason:
            return rule.reason
        own = (rule.singular, rule.plural) if rule is not None else ("", "")
        forms = own if any(own) else composed_forms(first, second)
        return forms if isinstance(forms, str) else _entry(first, second, *forms)

    def _rule(self, first: Group, second: Group) -> Pairing | None:
        names = [(a, b) for a in _names(first) for b in _names(second)]
        # A label comes first among a group's names, so fewer of the others name the pair more closely.
        names.sort(key=lambda pair: (pair[0] != first.label) + (pair[1] != second.label))
        return next((self._by_names[pair] for pair in names if pair in self._by_names), None)


def _names(group: Group) -> tuple[str, ...]:
    """Return the names that a rule may use for a group."""
    return (group.label, group.domain, NOUN if has_noun(group) else NO_NOUN)


def has_noun(group: Group) -> bool:
    """Return whether the group has a noun of its own, not "person" or "people" with a word before or behind."""
    return not (group.postfix or group.singular.endswith(" person") or group.plural.endswith(" people"))


def composed_forms(first: Group, second: Group) -> tuple[str, str] | str:
    """Return singular and plural of a pair, "" if the groups lack the form, or the reason why there is neither.

    A postfix follows the first group (teenager with a disability); otherwise a modifier precedes the second.
    """
    if second.postfix:
        return _joined(first.singular, second.postfix), _joined(first.plural, second.postfix_plural or second.postfix)
    if not first.modifier:
        return NO_FORM
    forms = _joined(first.modifier, second.singular), _joined(first.modifier, second.plural)
    return forms if any(forms) else NO_HEAD


def _joined(before: str, behind: str) -> str:
    return f"{before} {behind}" if before and behind else ""


def _forms(group: Group) -> tuple[str, ...]:
    return tuple(form for form in (group.singular, group.plural) if form)


def _entry(first: Group, second: Group, singular: str, plural: str) -> Group | str:
    pronouns = {group.pronoun for group in (first, second)} - {""}
    if not (singular or plural):
        return NO_HEAD
    return Group(
        label=plural or singular,
        singular=singular,
        plural=plural,
        pronoun=pronouns.pop() if len(pronouns) == 1 else "",
        domain=f"{first.domain} x {second.domain}" if first.domain and second.domain else "",
        components=[first.label, second.label],
    )


def propose(slugs: Sequence[str], rules: str = RULES) -> Pairs:
    """Return the pairs of one curated list, or of two, by the rules of that slug ("" for none).

    Raises InputError for a list that does not exist, and for lists of which no pair can be made.
    """
    first, second = _groups(slugs[0]), _groups(slugs[-1])
    found = pair(first, first if len(slugs) == 1 else second, find("pairings", rules).rows() if rules else [])
    if not found.made:
        raise InputError(f"no pair can be made of {' and '.join(slugs)}: {found}; fill the column modifier.")
    return found


def _groups(slug: str) -> list[Group]:
    groups: list[Group] = find("groups", slug).rows()
    if pairs := [group.label for group in groups if group.components]:
        raise InputError(f"{pairs[0]!r} in {slug!r} is a pair itself; pair lists of single groups.")
    return groups


@transaction.atomic
def create(pairs: Pairs, slugs: Sequence[str], into: str, title: str = "") -> Change:
    """Save the pairs as a new list, which records its sources. Raises InputError if the slug is taken."""
    kind = KINDS["groups"]
    lock(kind, slug=into)
    if GroupList.objects.filter(slug=into).exists():
        raise InputError(f"there is a groups list {into!r} already; choose another slug, or delete that list first.")
    try:
        for entry in pairs.made:
            entry.clean_fields(exclude={"word_list", "position"})
    except ValidationError as error:
        raise InputError(f"pair {entry.label!r}: {fault_of(error)}.") from None
    return replace(kind, into, _source_fields(pairs, slugs, title), pairs.made)


def _source_fields(pairs: Pairs, slugs: Sequence[str], title: str) -> dict[str, str]:
    """Return the fields of the new list that record its sources."""
    lists = [find("groups", slug) for slug in dict.fromkeys(slugs)]
    joined = {
        name: "; ".join(dict.fromkeys(getattr(one, name) for one in lists if getattr(one, name)))
        for name in ("source", "licence", "origin")
    }
    return {
        "title": title or f"Pairs of {' and '.join(one.title for one in lists)}"[:200],
        "description": f"Made of {' and '.join(slugs)}. {pairs}.",
        "source": joined["source"][:500],
        "licence": joined["licence"][:500],
        "origin": joined["origin"][:200],
    }
