"""What the form shows of a spec, and the changes of the spec that an edited form means.

The values have the names of the form's inputs: `params.k`, `groups:use`, `groups:gender:only`, `groups:inline`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from plumbline.desk.plans.builder.inline_lines import entries_of, line_of
from plumbline.desk.plans.builder.places import ABSENT, OF_LISTS, Change, known_places, place_of, value_at
from plumbline.desk.plans.builder.shapes import ListField, Setting, Shape

Values = dict[str, tuple[str, ...]]
PRIOR_WORDS = ("singular", "plural", "attribute")
NEUTRAL = {"singular": "person", "plural": "people"}
"""What stands in place of a group until somebody writes other words."""
MASK, MEAN, WORDS = "mask", "mean", "words"


def values_of(data: Any, shape: Shape) -> Values:
    """Return the values of all inputs for which the data has something that the form can show."""
    found: Values = {}
    for setting in shape.settings:
        found |= _of_setting(setting, value_at(data, place_of_setting(setting, data, shape)))
    for field in shape.lists:
        found |= _of_list_field(field, value_at(data, place_of(field.key, data, shape)))
    if shape.has_prior:
        found |= _of_prior(value_at(data, ("prior",)))
    if isinstance(model := value_at(data, ("model",)), str):
        found["model"] = (model,)
    return found


def place_of_setting(setting: Setting, data: Any, shape: Shape) -> tuple[str, ...]:
    return setting.path if len(setting.path) > 1 else place_of(setting.key, data, shape)


def only_in_yaml(data: Any, shape: Shape) -> list[str]:
    """Return the keys of the data that the form cannot show. It keeps them."""
    if not isinstance(data, Mapping):
        return []
    shown = values_of(data, shape)
    return [key for key in _keys(data, shape) if not _is_shown(key, data, shape, shown)]


def _keys(data: Mapping[str, Any], shape: Shape) -> Iterator[str]:
    places = known_places(data, shape)
    for key, value in data.items():
        grouped = [place for place in places if place[0] == key and len(place) > 1]
        if key == "params" and isinstance(value, Mapping):
            yield from (f"params.{one}" for one in value)
        elif grouped:
            yield from (".".join((key, one)) for one in value)
        else:
            yield str(key)


def _is_shown(key: str, data: Any, shape: Shape, shown: Values) -> bool:
    if key in {"name", "probe", *shown}:
        return True
    if key == "prior" and shape.has_prior:
        return is_plain_prior(data.get("prior"))
    return any(
        ".".join(place_of(field.key, data, shape)) == key and f"{field.key}:use" in shown for field in shape.lists
    )


def changes(before: Any, posted: Values, shape: Shape) -> list[Change]:
    """Return what a form that was made from `before` changes. A form that nobody edited changes nothing."""
    found = values_of(before, shape)
    return [
        *_changed_model(found, posted),
        *_changed_lists(before, found, posted, shape),
        *_changed_prior(before, found, posted, shape),
        *_changed_settings(before, found, posted, shape),
    ]


def _changed_model(found: Values, posted: Values) -> Iterator[Change]:
    if "model" in posted and _text(posted, "model") != _text(found, "model"):
        yield ("model",), _text(posted, "model") or ABSENT


def _changed_settings(before: Any, found: Values, posted: Values, shape: Shape) -> Iterator[Change]:
    for setting in shape.settings:
        if setting.key in posted and _text(posted, setting.key) != _text(found, setting.key):
            value = parsed(setting, _text(posted, setting.key))
            yield place_of_setting(setting, before, shape), value


def _changed_lists(before: Any, found: Values, posted: Values, shape: Shape) -> Iterator[Change]:
    for field in shape.lists:
        raw = value_at(before, place := place_of(field.key, before, shape))
        old = _sources(raw)
        if f"{field.key}:shown" not in posted or not _can_show(field, old):
            continue
        new = _posted_sources(field, old, found, posted)
        if new != old:
            yield place, (new[0] if len(new) == 1 else new) if new else ABSENT


def _changed_prior(before: Any, found: Values, posted: Values, shape: Shape) -> Iterator[Change]:
    if not shape.has_prior or "prior" not in posted or not is_plain_prior(value_at(before, ("prior",))):
        return
    keys = ("prior", *(f"prior.{one}" for one in PRIOR_WORDS))
    if any(_text(posted, key) != _text(found, key) for key in keys):
        yield ("prior",), _prior(posted)


def _prior(posted: Values) -> Any:
    kind = _text(posted, "prior")
    if kind == MASK:
        return {"mask": "one"}
    if kind == MEAN:
        return {"mean": True}
    words = {one: text for one in PRIOR_WORDS if (text := _text(posted, f"prior.{one}"))}
    return words or dict(NEUTRAL) if kind == WORDS else ABSENT


def is_plain_prior(value: Any) -> bool:
    """Return whether the form can show a prior: none, or one of the three kinds alone."""
    if value is ABSENT or value is None or value in ({"mask": "one"}, {"mean": True}):
        return True
    return (
        isinstance(value, Mapping)
        and set(value) <= set(PRIOR_WORDS)
        and all(isinstance(one, str) and one for one in value.values())
    )


def _of_prior(value: Any) -> Values:
    if not isinstance(value, Mapping) or not is_plain_prior(value):
        return {"prior": ("",)}
    if "mask" in value or "mean" in value:
        return {"prior": (MASK if "mask" in value else MEAN,)}
    return {"prior": (WORDS,), **{f"prior.{key}": (str(one),) for key, one in value.items()}}


def _of_setting(setting: Setting, value: Any) -> Values:
    """Return the value as text, nothing for an absent one or one of another form."""
    if value is ABSENT:
        return {}
    text = _as_text(setting, value)
    return {setting.key: (text,)} if text is not None and parsed(setting, text) == value else {}


def _as_text(setting: Setting, value: Any) -> str | None:
    if setting.kind == "several":
        plain = isinstance(value, list) and all(isinstance(one, str | int) for one in value)
        return ", ".join(map(str, value)) if plain else None
    if isinstance(value, bool):
        return ("yes" if value else "no") if setting.kind == "yes_no" else None
    return str(value) if isinstance(value, str | int | float) else None


def parsed(setting: Setting, text: str) -> Any:
    """Return the value that a text means; ABSENT for none. What is no number stays a text, which the spec refuses."""
    if not text.strip():
        return ABSENT
    if setting.kind == "yes_no":
        return {"yes": True, "no": False}.get(text, text)
    if setting.kind == "several":
        parts = [part.strip() for part in text.split(",") if part.strip()]
        return [_number(part, int) for part in parts] if setting.numbers else parts
    return _number(text, int, float) if setting.kind in ("whole", "number") else text


def _number(text: str, *kinds: type) -> Any:
    for kind in kinds:
        try:
            return kind(text.strip())
        except ValueError:
            continue
    return text


def _text(values: Values, key: str) -> str:
    return values.get(key, ("",))[0].strip()


def _sources(value: Any) -> list[Any]:
    """Return the sources of a field. Some fields also take a bare list of texts."""
    if value is ABSENT or value is None:
        return []
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return [{"inline": value}]
    return list(value) if isinstance(value, list) else [value]


def _slug(source: Mapping[str, Any]) -> str:
    return str(source.get("list") or source.get("bank") or "")


def _of_list_field(field: ListField, value: Any) -> Values:
    """Return the values of a field with lists, or nothing for one that the form cannot show."""
    sources = _sources(value)
    if not _can_show(field, sources):
        return {}
    found: Values = {f"{field.key}:use": tuple(slug for one in sources if (slug := _slug(one)))}
    for one in sources:
        if slug := _slug(one):
            found[f"{field.key}:{slug}:only"] = tuple(one.get("only", ()))
            for option in field.options:
                shown = _of_setting(option, one.get(option.key, ABSENT))
                found |= {f"{field.key}:{slug}:{key}": text for key, text in shown.items()}
        else:
            found[f"{field.key}:inline"] = ("\n".join(str(line_of(field.kind, entry)) for entry in one["inline"]),)
    return found


def _can_show(field: ListField, sources: list[Any]) -> bool:
    if not all(isinstance(one, Mapping) for one in sources):
        return False
    slugs = [_slug(one) for one in sources]
    return len(set(slugs)) == len(slugs) and all(_can_show_one(field, one) for one in sources)


def _can_show_one(field: ListField, source: Mapping[str, Any]) -> bool:
    if "inline" in source:
        words = source["inline"]
        plain = isinstance(words, list) and all(line_of(field.kind, one) for one in words)
        return set(source) == {"inline"} and plain and bool(words)
    options = {option.key: option for option in field.options}
    only = source.get("only", [])
    return (
        len(OF_LISTS & set(source)) == 1
        and isinstance(next(source[key] for key in OF_LISTS & set(source)), str)
        and set(source) <= {*OF_LISTS, *(["only"] if field.has_only else []), *options}
        and isinstance(only, list)
        and all(isinstance(one, str) and _is_line(one) for one in only)
        and all(_of_setting(options[key], value) for key, value in source.items() if key in options)
    )


def _is_line(text: str) -> bool:
    return text == text.strip() and len(text.splitlines()) == 1


def _posted_sources(field: ListField, old: list[Any], found: Values, posted: Values) -> list[Any]:
    """Return the sources that the form means, those that it keeps first and as they were."""
    kept = {_slug(one): one for one in old}
    used = _used(field, found, posted)
    slugs = [*(slug for slug in kept if slug in used), *(slug for slug in used if slug not in kept)]
    sources = [_posted_source(field, slug, kept.get(slug, {field.word: slug}), posted) for slug in slugs if slug]
    lines = [line.strip() for line in "\n".join(posted.get(f"{field.key}:inline", ())).splitlines() if line.strip()]
    own = entries_of(field.kind, lines, kept.get("", {}).get("inline", ()))
    return [*sources, {"inline": own}] if own else sources


def _used(field: ListField, found: Values, posted: Values) -> list[str]:
    """Return the lists that the form uses: the ticked ones, and others of which somebody ticked entries."""
    ticked = list(posted.get(f"{field.key}:use", ()))
    before = found.get(f"{field.key}:use", ())
    start, end = f"{field.key}:", ":only"
    by_entries = [key[len(start) : -len(end)] for key in posted if key.startswith(start) and key.endswith(end)]
    entered = [slug for slug in by_entries if slug not in before and _only(field, slug, posted)]
    return list(dict.fromkeys([*ticked, *entered]))


def _only(field: ListField, slug: str, posted: Values) -> list[str]:
    lines = "\n".join(posted.get(f"{field.key}:{slug}:only", ())).splitlines()
    return list(dict.fromkeys(line.strip() for line in lines if line.strip()))


def _posted_source(field: ListField, slug: str, source: Mapping[str, Any], posted: Values) -> dict[str, Any]:
    changed = dict(source)
    if field.has_only:
        _set(changed, "only", _in_order(_only(field, slug, posted), source.get("only", ())) or ABSENT)
    for option in field.options:
        key = f"{field.key}:{slug}:{option.key}"
        if key in posted:
            _set(changed, option.key, parsed(option, ", ".join(posted[key])))
    return changed


def _in_order(chosen: list[str], before: Any) -> list[str]:
    """Return the chosen entries, those that were there in their old order."""
    return [*(one for one in before if one in chosen), *(one for one in chosen if one not in before)]


def _set(source: dict[str, Any], key: str, value: Any) -> None:
    if value is ABSENT:
        source.pop(key, None)
    else:
        source[key] = value
