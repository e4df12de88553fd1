"""What changed between two specs, in words."""

from collections.abc import Iterator, Mapping
from typing import Any

from plumbline.desk.plans.contents import entry_name, field_title
from plumbline.spec.numbers import counted

LONGEST = 120
"""The longest value in a sentence, in characters."""
MOST_NAMED = 12
"""The most added or removed entries that a sentence names."""
COMPARED = {
    "pairs": "Compares each pair of groups.",
    "rest": "Compares each group with the mean of the others.",
}
"""What a plan compares, by the param `contrasts`."""
BY_DEFAULT = "Compares two groups with each other, or each of more groups with the mean of the others."
NOTHING: tuple[object, ...] = (None, "", [], {}, ())


def spec_changes(old: Any, new: Any) -> list[str]:
    """Return one sentence for each changed field of a spec, in the order of the new spec."""
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return [] if old == new else ["The whole spec changed."]
    return list(_changes(old, new, ""))


def _changes(old: Mapping[str, Any], new: Mapping[str, Any], within: str) -> Iterator[str]:
    for key in dict.fromkeys([*new, *old]):
        before, after = old.get(key), new.get(key)
        title = f"{within}{field_title(key) if not within else key.replace('_', ' ')}"
        if before == after:
            continue
        if key == "params" and not within:
            yield from _of_params(before or {}, after or {})
            continue
        if _are_lists(before) and _are_lists(after):
            yield from _of_lists(title, _by_list(before), _by_list(after))
        elif isinstance(before, Mapping) and isinstance(after, Mapping):
            yield from _changes(before, after, f"{title}: ")
        else:
            yield _of_values(title, before, after)


def _of_params(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Yield the changes of params. Which groups are compared has a sentence of its own."""
    compared = new.get("contrasts")
    if compared != old.get("contrasts"):
        yield COMPARED.get(str(compared), BY_DEFAULT)
    others = [{key: one for key, one in side.items() if key != "contrasts"} for side in (old, new)]
    yield from _changes(others[0], others[1], f"{field_title('params')}: ")


def _are_lists(value: Any) -> bool:
    """Return whether a value names lists of words: `{list: ...}`, `{inline: ...}` or several of them."""
    sources = _sources(value)
    return bool(sources) and all(isinstance(one, Mapping) and {"list", "bank", "inline"} & set(one) for one in sources)


def _sources(value: Any) -> list[Any]:
    return [value] if isinstance(value, Mapping) else list(value) if isinstance(value, list | tuple) else []


def _by_list(value: Any) -> dict[str, Mapping[str, Any]]:
    return {str(one.get("list") or one.get("bank") or ""): one for one in _sources(value)}


def _of_lists(title: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for slug in dict.fromkeys([*new, *old]):
        named = f"the list {slug}" if slug else "entries of the plan itself"
        if slug not in old or slug not in new:
            yield f"{title}: {_whole_or_part(named, 'added' if slug in new else 'removed', {**old, **new}[slug])}."
        elif old[slug] != new[slug]:
            yield from _of_list(f"{title}, {named}", old[slug], new[slug])


def _whole_or_part(named: str, verb: str, source: Mapping[str, Any]) -> str:
    """Return that a list came or went: all of it, or the entries that `only` chooses."""
    only = _entries(source) if source.get("only") else None
    return f"{named} {verb}" if only is None else f"{counted(len(only), 'entry')} of {named} {verb} ({_listed(only)})"


def _of_list(title: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    before, after = _entries(old), _entries(new)
    if before is None or after is None:
        if before != after:
            yield f"{title}: {'all entries' if after is None else _named('only', after)}."
    else:
        added, removed = ([one for one in own if one not in other] for own, other in ((after, before), (before, after)))
        parts = [_named(what, own) for what, own in (("added", added), ("removed", removed)) if own]
        if parts or before != after:
            yield f"{title}: {'; '.join(parts) or 'the order or the forms of the entries changed'}."
        elif old.get("inline") != new.get("inline"):
            yield f"{title}: forms of the entries changed."
    others = [{key: one for key, one in side.items() if key not in ("only", "inline")} for side in (old, new)]
    yield from _changes(others[0], others[1], f"{title}: ")


def _entries(source: Mapping[str, Any]) -> list[str] | None:
    """Return the named entries of one source, or None if it takes a whole list."""
    found = source.get("inline") or source.get("only")
    return [entry_name(one) for one in found] if isinstance(found, list | tuple) else None


def _named(what: str, entries: list[str]) -> str:
    return f"{what} {_listed(entries)}"


def _listed(entries: list[str]) -> str:
    more = f" and {len(entries) - MOST_NAMED:,} more" if len(entries) > MOST_NAMED else ""
    return f"{', '.join(entries[:MOST_NAMED])}{more}"


def _of_values(title: str, before: Any, after: Any) -> str:
    if before in NOTHING:
        return f"{title}: set to {_value(after)}."
    if after in NOTHING:
        return f"{title}: {_value(before)} taken out."
    return f"{title}: changed from {_value(before)} to {_value(after)}."


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        text = ", ".join(f"{key} {_value(one)}" for key, one in value.items())
    elif isinstance(value, list | tuple):
        text = ", ".join(map(_value, value))
    else:
        text = str(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}\u2026"
