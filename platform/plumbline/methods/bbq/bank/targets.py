"""The option that names the stereotyped group: a rule on whole strings, since "old" is a part of "nonOld".

The target is the one option, other than UNKNOWN, whose label or group code is a member of the template's list. If
none or both are members, no rule decides, and nothing is guessed.
"""

from collections.abc import Sequence

from plumbline.methods.bbq.bank.lines import UNKNOWN
from plumbline.spec.banks.bbq_question import OPTIONS, Three

SEXES = {"man": "M", "boy": "M", "men": "M", "woman": "F", "girl": "F", "women": "F"}
TRANS = "trans"
ALIASES = {"low SES": "lowSES", "high SES": "highSES"}
"""Groups that the lists spell differently from the codes."""


def target_of(labels: Three, codes: Three, groups: Sequence[str], second: str = "") -> int | None:
    """Return the place of the option that names a member of `groups`; of intersectional items also of `second` (F)."""
    meant = {ALIASES.get(group, group) for group in groups}
    places = [place for place in range(OPTIONS) if codes[place] != UNKNOWN]
    found = [place for place in places if _is_meant(labels[place], codes[place], meant, second)]
    return found[0] if len(found) == 1 else None


def _is_meant(label: str, code: str, meant: set[str], second: str) -> bool:
    if second:
        return race_of(code) in meant and second in code.split("-")[:-1]
    return not meant.isdisjoint(names_of(label, code)) or (_is_trans(code) and any(map(_is_trans, meant)))


def names_of(label: str, code: str) -> set[str]:
    """Return the names that a list may use for the option: label, code, a name's ethnicity without the sex, M or F."""
    ethnicity = code[2:] if code.startswith(("F-", "M-")) else code
    return {label.strip(), code, ethnicity, SEXES.get(label.strip(), code)}


def race_of(code: str) -> str:
    """Return the race of an intersectional code, such as lowSES-F-Black."""
    return code.rpartition("-")[2]


def _is_trans(name: str) -> bool:
    """Return whether the name is a transgender group.

    The published lists spell it in three ways; "nonTrans" is none.
    """
    return name.lower().startswith(TRANS)


def difference(codes: Three, target: int | None, variable: str) -> str:
    """Return what differs in the other person of an intersectional item: race, `variable` (gender or SES), or both."""
    if target is None:
        return ""
    other = next(place for place in range(OPTIONS) if place != target and codes[place] != UNKNOWN)
    race = race_of(codes[other]) != race_of(codes[target])
    second = _second(codes[other], variable) != _second(codes[target], variable)
    return " and ".join(name for name, differs in (("race", race), (variable, second)) if differs)


def _second(code: str, variable: str) -> set[str]:
    known = {"M", "F"} if variable == "gender" else {"lowSES", "highSES"}
    return known & set(code.split("-"))
