"""The tests of an association plan: differences on single words and over lists, and preference shares."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import sqrt
from typing import TYPE_CHECKING

from plumbline.spec.content import Attribute, Group
from plumbline.spec.grammar import frame
from plumbline.spec.measure import OTHER_GROUPS
from plumbline.spec.numbers import counted
from plumbline.spec.power.attainable_p import EXACT_UP_TO, of_sign_flips
from plumbline.spec.power.default_spreads import default_components, of_share
from plumbline.spec.power.tests import PlannedTest
from plumbline.spec.verdicts import FEWEST_UNITS, Scale
from plumbline.spec.word_families import family_in_list

if TYPE_CHECKING:
    from plumbline.spec.association import AssociationSpec
    from plumbline.spec.materials import Materials

KIND, FAMILY = "kind of sentence", "word family"


def of_words(spec: "AssociationSpec", materials: "Materials", statistic: str) -> list[PlannedTest]:
    """Plan the tests of the difference of two groups on one word, over kinds of sentence."""
    kinds, contrasts = _kinds(materials), contrast_count(spec, materials.groups)
    if not contrasts:
        return []
    members = _members_by_contrast(spec, contrasts) * _members_by_word(spec, materials)
    return [
        PlannedTest(
            statistic=statistic,
            labels={"attribute": True},
            effect="a difference of {} on one word",
            unit=KIND,
            n_units=kinds,
            members=members,
            alpha=spec.alpha,
            margin=spec.margin(Scale.LOG),
            least_p=of_sign_flips(kinds, spec.params.permutations, members),
            member="difference",
            unanimous=f"all {counted(kinds, KIND)} lean the same way" if kinds <= EXACT_UP_TO else "",
            spread=default_components(spec.model).of_one_word(frames_of_a_kind(materials)),
            flips_signs=True,
        )
    ]


def of_lists(spec: "AssociationSpec", materials: "Materials", statistic: str) -> list[PlannedTest]:
    """Plan the tests of the mean difference over a list, for the list with the fewest testable word families."""
    kinds, contrasts = _kinds(materials), contrast_count(spec, materials.groups)
    families = families_of_list(materials)
    if not contrasts:
        return []
    fewest = min((one for one in families if one >= FEWEST_UNITS), default=max(families))
    error = default_components(spec.model).of_list_mean(fewest, kinds, frames_of_a_kind(materials))
    units = min(fewest, kinds)
    return [
        PlannedTest(
            statistic=statistic,
            labels={"attribute": False},
            effect="a mean difference of {} over a list",
            unit=KIND if units == kinds else FAMILY,
            n_units=units,
            given=f"{counted(fewest, FAMILY)} and {counted(kinds, KIND)}",
            members=_members_by_contrast(spec, contrasts) * (1 if "category" in spec.families else len(families)),
            alpha=spec.alpha,
            margin=spec.margin(Scale.LOG),
            spread=error * sqrt(units),
        )
    ]


def of_shares(spec: "AssociationSpec", materials: "Materials") -> list[PlannedTest]:
    """Plan the tests of preference shares, over word families and kinds of sentence."""
    kinds, families = _kinds(materials), families_of_list(materials)
    fewest = min((one for one in families if one >= FEWEST_UNITS), default=max(families))
    units = min(fewest, kinds)
    return [
        PlannedTest(
            statistic="attribute_preference",
            labels={},
            effect="a share of a list that is {} from one half",
            unit=KIND if units == kinds else FAMILY,
            n_units=units,
            given=f"{counted(fewest, FAMILY)} and {counted(kinds, KIND)}",
            members=1 if "category" in spec.families else len(families),
            alpha=spec.alpha,
            margin=spec.margin(Scale.RATE),
            spread=of_share(fewest, kinds) * sqrt(units),
            largest=0.5,
        )
    ]


def contrasts_of(spec: "AssociationSpec", groups: Sequence[Group]) -> list[tuple[str, str]]:
    """Return the labels of the contrasts: pairs of groups, or each group with the others."""
    if (spec.params.contrasts or ("pairs" if len(groups) == 2 else "rest")) == "pairs":
        return [(a.label, b.label) for a, b in combinations(groups, 2)]
    alone = [one.label for one in groups if spec.params.contrasts or not one.components]
    return [(label, OTHER_GROUPS) for label in alone] if len(alone) > 1 else []


def contrast_count(spec: "AssociationSpec", groups: Sequence[Group]) -> int:
    """Return the number of contrasts."""
    return len(contrasts_of(spec, groups))


def families_of_list(materials: "Materials") -> list[int]:
    """Return the number of word families of each list."""
    found: dict[str, set[str]] = {}
    for attribute, category in zip(materials.attributes, materials.categories, strict=True):
        found.setdefault(category, set()).add(family(attribute))
    return [len(members) for members in found.values()]


def family(attribute: Attribute) -> str:
    """Return the word's family, as in the summary."""
    return family_in_list(attribute.text, attribute.family)


def frames_of_a_kind(materials: "Materials") -> float:
    """Return the harmonic mean of the number of frames per kind of sentence."""
    frames = {(kind, frame(template)) for kind, template in zip(materials.kinds, materials.templates, strict=True)}
    counts = Counter(kind for kind, _ in frames).values()
    return len(counts) / sum(1 / count for count in counts)


def _kinds(materials: "Materials") -> int:
    return len(set(materials.kinds))


def _members_by_contrast(spec: "AssociationSpec", contrasts: int) -> int:
    return 1 if "group_a" in spec.families else contrasts


def _members_by_word(spec: "AssociationSpec", materials: "Materials") -> int:
    if "attribute" in spec.families:
        return 1
    if "category" in spec.families:
        return max(Counter(materials.categories).values())
    return len(materials.attributes)
