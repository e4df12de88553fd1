"""The words of an indirect run without a score, with reasons: names of the bridge, and features."""

from collections.abc import Iterable

from sqlalchemy import select

from plumbline.findings.left_out import LeftOut
from plumbline.methods.indirect.card import BRIDGE_SHARE, SCORE
from plumbline.methods.indirect.materials import TARGET_BRIDGE
from plumbline.results import statements
from plumbline.results.summary import of_run
from plumbline.results.tables import bridge, term
from plumbline.results.terms import known_ids

NO_FEATURE = "no score with any feature"


def left_out(run: int) -> list[LeftOut]:
    """Return words by reason, the most common first, from short slices of the records and measures."""
    shares = of_run(run, BRIDGE_SHARE).filter(value__lt=1).order_by("-category")
    found = []
    for kind, value, n in shares.values_list("category", "value", "n"):
        missing = round((1 - value) * n)
        words = _names(run, missing) if kind == "names" else _features(run)
        found += [LeftOut(kind, reason, some, n) for reason, some in _by_reason(words)]
        if kind == "names" and (more := missing - len({name for name, _ in words})) > 0:
            found.append(LeftOut(kind, NO_FEATURE, (), n, more))
    return found


def _names(run: int, missing: int) -> list[tuple[str, str]]:
    """Return the names without a score with the first target. If that misses some, read all targets."""
    first = of_run(run, SCORE).order_by("pk").values_list("group_a", flat=True).first()
    found = _names_of(run, first)
    return found if len({name for name, _ in found}) >= missing else _names_of(run)


def _names_of(run: int, target: str | None = None) -> list[tuple[str, str]]:
    """Return names and reasons, for one target by an index, or for all targets, which takes seconds in a large run."""
    ids = known_ids([TARGET_BRIDGE, target or ""])
    own = bridge.c.word == ids.get(target, 0) if target else bridge.c.word > 0
    name, reason = term.alias("name"), term.alias("why")
    query = (
        select(name.c.text, reason.c.text)
        .join_from(bridge, name, name.c.id == bridge.c.name)
        .join(reason, reason.c.id == bridge.c.reason)
        .where(bridge.c.run == run, bridge.c.side == ids.get(TARGET_BRIDGE, 0), own, ~bridge.c.scorable)
        .distinct()
        .order_by(name.c.text, reason.c.text)
    )
    return [(one, why) for one, why in statements.rows(query)]


def _features(run: int) -> list[tuple[str, str]]:
    """Return the features without a score. A feature without a score with one target has none with any."""
    without = of_run(run, SCORE).filter(value__isnull=True)
    first = without.order_by("pk").values_list("group_a", flat=True).first()
    return list(without.filter(group_a=first or "").order_by("pk").values_list("attribute", "reason"))


def _by_reason(words: Iterable[tuple[str, str]]) -> list[tuple[str, tuple[str, ...]]]:
    """Group the words by reason. A word counts once, with its first reason."""
    found: dict[str, list[str]] = {}
    for word, reason in dict(reversed(list(words))).items():
        found.setdefault(reason, []).append(word)
    return sorted(((reason, tuple(some[::-1])) for reason, some in found.items()), key=lambda one: -len(one[1]))
