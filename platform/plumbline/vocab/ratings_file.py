"""Ratings as Cao et al. 2022 publish them: nested JSON, annotator -> group -> "left - right" -> score.

Demographics of the annotators may be in a second file, annotator -> {"Gender": ..., "Race": ..., ...}.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from plumbline.spec.errors import InputError
from plumbline.spec.json_text import load_json
from plumbline.spec.judgements import DEMOGRAPHICS
from plumbline.vocab.faults import Fault
from plumbline.vocab.sheet import Row, Sheet, check_filled

UNIT = "rating"
BETWEEN = " - "
DIGITS = 2
"""The number of decimals of published means."""
THEIR_NAMES = {"territory": "area"}
"""Keys of the published file that have another name here. Demographics that we do not store are left out."""


def is_nested(text: str) -> bool:
    """Return whether a JSON text begins as an object. Our own form is a list."""
    return text[:1000].lstrip().startswith("{")


def read(text: str, demographics: str = "") -> Sheet:
    """Return the ratings as rows, numbered in the file's order. A pair that is not "left - right" is a fault.

    Raises InputError for text that is no such JSON, for too many ratings and for none at all.
    """
    told = _demographics_in(demographics) if demographics else {}
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
    """A published mean rating as text and number, and the largest difference that rounding alone can cause."""

    group: str
    pair: str
    text: str
    value: float
    rounding: float


def read_means(text: str) -> list[Mean]:
    """Return published means: nested JSON, group -> "left - right" -> mean. Raises InputError for anything else."""
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


def _demographics_in(text: str) -> dict[str, dict[str, str]]:
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
        return load_json(text)
    except InputError as error:
        raise InputError(f"{what}: {str(error).rstrip('.')}; write annotator -> group -> pair -> score.") from None


def _object(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{where}: is no object; write annotator -> group -> pair -> score.")
    return value
