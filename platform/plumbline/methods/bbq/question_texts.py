"""The questions of a run as it froze them: those of one page, never the whole bank."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.db import connection
from pydantic import ValidationError

from plumbline.audits.models import Run
from plumbline.spec.banks.bbq_question import NAMES_SUFFIX, Question

_OF_SNAPSHOT = """
    SELECT entry FROM audits_snapshot, jsonb_array_elements(content -> 'entries') AS entry
    WHERE sha256 = ANY(%s) AND entry ->> 'id' = ANY(%s)
"""
_OF_TEMPLATE = """
    SELECT entry FROM audits_snapshot, jsonb_array_elements(content -> 'entries') AS entry
    WHERE sha256 = ANY(%s) AND entry ->> 'category' = %s AND entry ->> 'template' = %s
"""
_IDS = """
    SELECT entry ->> 'id' FROM audits_snapshot, jsonb_array_elements(content -> 'entries') AS entry
    WHERE sha256 = ANY(%(sha256)s) AND (%(category)s = '' OR entry ->> 'category' = %(category)s)
    AND (%(value)s = '' OR entry ->> 'value' = %(value)s) AND (%(differs)s = '' OR entry ->> 'differs' = %(differs)s)
    AND (%(code)s = '' OR entry -> 'codes' ->> (entry ->> 'target')::int = %(code)s)
    AND (NOT %(flagged)s OR jsonb_array_length(entry -> 'flags') > 0)
"""


def questions(run: Run, wanted: Iterable[str]) -> dict[str, Question]:
    """Return the questions of these ids that are stored."""
    ids = set(wanted)
    found = [entry for entry in _inline(run) if entry.get("id") in ids]
    if frozen := _digests(run):
        with connection.cursor() as cursor:
            cursor.execute(_OF_SNAPSHOT, [frozen, list(ids)])
            found += [_plain(entry) for (entry,) in cursor.fetchall()]
    read = (_question(entry) for entry in found)
    return {one.id: one for one in read if one}


def ids_like(run: Run, about: Mapping[str, Any]) -> frozenset[str]:
    """Return the ids of the questions with this `value`, `differs`, `code` of the target; `flagged`: with flags.

    An empty argument filters nothing. `category` is the published one: names and labels are one there.
    """
    asked = {"category": "", "value": "", "differs": "", "code": "", "flagged": False, **about}
    read = (_question(entry) for entry in _inline(run))
    found = {one.id for one in read if one and _is_like(one, asked)}
    if frozen := _digests(run):
        with connection.cursor() as cursor:
            cursor.execute(_IDS, {"sha256": frozen, **asked})
            found |= {name for (name,) in cursor.fetchall()}
    return frozenset(found)


def examples(run: Run, category: str, template: str) -> dict[tuple[str, str], Question]:
    """Return the first question of each condition and polarity of a template, as records name it."""
    name = template.removeprefix(f"{category} ")
    found = [entry for entry in _inline(run) if entry.get("template") == name]
    if frozen := _digests(run):
        with connection.cursor() as cursor:
            cursor.execute(_OF_TEMPLATE, [frozen, category.removesuffix(NAMES_SUFFIX), name])
            found += [_plain(entry) for (entry,) in cursor.fetchall()]
    own = [one for one in map(_question, found) if one and one.cluster == template]
    return {(one.condition, one.polarity): one for one in reversed(own)}


def _is_like(one: Question, asked: Mapping[str, Any]) -> bool:
    code = "" if one.target is None else one.codes[one.target]
    told = {"category": one.category, "value": one.value, "differs": one.differs, "code": code}
    return all(asked[name] in ("", own) for name, own in told.items()) and (not asked["flagged"] or bool(one.flags))


def _sources(run: Run) -> list[Mapping[str, Any]]:
    found = run.spec.get("bank") or []
    return [one for one in (found if isinstance(found, list) else [found]) if isinstance(one, Mapping)]


def _digests(run: Run) -> list[str]:
    return [one["sha256"] for one in _sources(run) if one.get("sha256")]


def _inline(run: Run) -> list[Mapping[str, Any]]:
    return [entry for one in _sources(run) for entry in one.get("inline") or []]


def _plain(entry: Any) -> Any:
    """Return the value. psycopg decodes jsonb by itself, Django's cursors return it as text."""
    return json.loads(entry) if isinstance(entry, str) else entry


def _question(entry: Any) -> Question | None:
    """Return the question; None for one that this version cannot parse."""
    try:
        return Question.model_validate({"target": None, **entry})
    except (ValidationError, TypeError):
        return None
