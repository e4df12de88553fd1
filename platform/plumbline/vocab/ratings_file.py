"""Ratings as Cao et al. 2022 publish them: nested JSON, annotator -> group -> "left - right" -> score.

What the annotators told of themselves may lie in a second file, annotator -> {"Gender": ..., "Race": ..., ...}.
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from plumbline.spec.errors import InputError
from plumbline.spec.judgements import DEMOGRAPHICS
from plumbline.vocab.faults import Fault
from plumbline.vocab.sheet import Row, Sheet, check_filled

UNIT = "rating"
BETWEEN = " - "
DIGITS = 2
"""Of published means."""
THEIR_NAMES = {"territory": "area"}
"""Keys of the published file that are called otherwise here; those that are no demographic of ours are left out."""


def is_nested(text: str) -> bool:
    """Whether a JSON text begins as an object: our own form is a list."""
    return text[:1000].lstrip().startswith("{")


def read(text: str, demographics: str = "") -> Sheet:
    """The ratings as rows, numbered in the file's order. A pair that is not "left - right" is a fault.

    Raises InputError for text that is no such JSON, too many ratings or none at all.
    """
    told = _told(demographics) if demographics else {}
    sheet, number = Sheet(), 0
    judgements = _object(_parsed(text, "the ratings"), "the file")
    for annotator, groups in judgements.items():
        for group, pairs in _object(groups, annotator).items():
            for pair, score in _object(pairs, f"{annotator}, {group}").items():
                number += 1
                try:
                    cells = {"annotator": annotator, "group": group, **_poles(pair), "rating": _score(score)}
                except InputError as error:
                    sheet.blame(Fault(number, f"{annotator}, {group}, {pair}: {error}", UNIT))
                else:
                    sheet.add(Row(number, cells | told.get(annotator, {}), UNIT))
    check_filled(sheet)
    sheet.notices += _notices(judgements, told) if demographics else []
    return sheet


class Mean(NamedTuple):
    """A published mean rating, as text and number, and how far rounding alone may take it from the raters' mean."""

    group: str
    pair: str
    text: str
    value: float
    rounding: float


def read_means(text: str) -> list[Mean]:
    """Published means: nested JSON, group -> "left - right" -> mean. Raises InputError for anything else."""
    found = []
    for group, pairs in _object(_parsed(text, "the means"), "the means").items():
        for pair, mean in _object(pairs, group).items():
            try:
                written = _score(mean)
                value = float(written)
            except (InputError, ValueError):
                raise InputError(f"{group}, {pair}: the mean is no number.") from None
            # Tools print two digits and drop a last 0.
            found.append(Mean(group, pair, written, value, 0.5 * 10.0**-DIGITS + 1e-9))
    return found


def _poles(pair: str) -> dict[str, str]:
    left, between, right = pair.partition(BETWEEN)
    if not between or BETWEEN in right:
        raise InputError('the pair is not of the form "left - right"')
    return {"left": left.strip(), "right": right.strip()}


def _score(score: Any) -> str:
    if isinstance(score, bool) or not isinstance(score, str | int | float):
        raise InputError("the score is no number")
    return str(score).strip()


def _told(text: str) -> dict[str, dict[str, str]]:
    people = _object(_parsed(text, "the demographics"), "the demographics file")
    return {annotator: _ours(_object(about, annotator)) for annotator, about in people.items()}


def _ours(about: Mapping[str, Any]) -> dict[str, str]:
    named = {THEIR_NAMES.get(key.lower(), key.lower()): value for key, value in about.items()}
    return {key: str(named[key]).strip() for key in DEMOGRAPHICS if named.get(key) is not None}


def _notices(judgements: Mapping[str, Any], told: Mapping[str, Any]) -> list[str]:
    silent, strangers = len(judgements.keys() - told.keys()), len(told.keys() - judgements.keys())
    return [
        f"Of {len(judgements):,} annotators {silent:,} are not in the demographics file;"
        f" {strangers:,} people of that file rated nothing."
    ] * bool(silent or strangers)


def _parsed(text: str, what: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_once)
    except RecursionError:
        raise InputError(f"{what}: nested too deeply; write annotator -> group -> pair -> score.") from None
    except InputError:
        raise
    except ValueError as error:
        raise InputError(f"{what}: no JSON: {error}; write annotator -> group -> pair -> score.") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """JSON readers let the last of equal keys win, and a rating would vanish."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        double = next(name for name in names if names.count(name) > 1)
        raise InputError(f"{double!r} stands twice in one object; keep it once.")
    return found


def _object(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{where}: is no object; write annotator -> group -> pair -> score.")
    return value
