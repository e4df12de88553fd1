"""Families of words: near-duplicates such as the grades of one job title are no independent observations."""

import re

SHORT = {"MGR": "MANAGER", "COORD": "COORDINATOR", "ADMIN": "ADMINISTRATOR"}
_GRADE = re.compile(r"(?:[IVX]+|\d+|[A-Z]|PT)", re.IGNORECASE)


def family_in_list(text: str, curated: str) -> str:
    """The family of a word, in lower case: as its curator names it, else `family_of`."""
    return curated.strip().lower() or family_of(text)


def family_of(text: str) -> str:
    """The family of a word or title where its curator names none, in lower case.

    Numerals, grades and "PT" fall away; MGR, COORD and ADMIN are written out; "X of Y" is an X, everything else what
    its last word says: a "SENIOR CIVIL ENGINEER II" is an engineer. Source: METHODS 1a (ours).
    """
    words = re.findall(r"[^\W_]+", re.split(r"\bof\b", text, maxsplit=1, flags=re.IGNORECASE)[0])
    kept = [word for word in words if not _GRADE.fullmatch(word)] or words or [text]
    last: str = kept[-1]
    return SHORT.get(last.upper(), last).lower()
