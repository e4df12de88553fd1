"""JSON that people import or type: what Python's reader takes beside the standard is refused.

Python takes NaN and infinity, which PostgreSQL cannot store, and keeps the last of equal keys, so that a value would
vanish.
"""

import json
import math
from typing import Any

from plumbline.spec.errors import InputError, shown


def load_json(text: str) -> Any:
    """Return the plain data of a JSON text. Raises InputError for a fault of JSON, NaN, infinity and repeated keys."""
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_number, parse_float=_finite)
    except RecursionError:
        raise InputError("it is nested too deeply.") from None
    except InputError:
        raise
    except ValueError as error:
        raise InputError(f"it is no JSON: {error}.") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        double = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise InputError(f"{shown(double)} appears twice in one object; keep one.")
    return found


def _no_number(constant: str) -> Any:
    raise InputError(f"{constant} is no number in JSON; write a finite one, or null where it is not known.")


def _finite(text: str) -> float:
    if not math.isfinite(number := float(text)):
        raise InputError(f"{shown(text)} is too large for a number; write a finite one.")
    return number
