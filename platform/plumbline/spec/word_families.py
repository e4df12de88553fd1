"""Families of words. Near-duplicates, such as the grades of one job title, are not independent observations."""

import re

SHORT = {"MGR": "MANAGER", "COORD": "COORDINATOR", "ADMIN": "ADMINISTRATOR"}
_GRADE = re.compile(r"(?:[IVX]+|\d+|[A-Z]|PT)", re.IGNORECASE)


def family_in_list(text: str, curated: str) -> str:
    """Return the family of a word in lower case: the curator's family, else that of `family_of`."""
    return curated.strip().lower() or family_of(text)


def family_of(text: str) -> str:
    """Return the family of a word or title that its curator gave none, in lower case.

    Numerals, grades and "PT" are dropped. MGR, COORD and ADMIN are written out. "X of Y" belongs to X, every other
    title to its last word: a "SENIOR CIVIL ENGINEER II" is an engineer. Source: METHODS 1a (ours).
    """
    words = re.findall(r"[^\W_]+", re.split(r"\bof\b", text, maxsplit=1, flags=re.IGNORECASE)[0])
    kept = [word for word in words if not _GRADE.fullmatch(word)] or words or [text]
    last: str = kept[-1]
    return SHORT.get(last.upper(), last).lower()
