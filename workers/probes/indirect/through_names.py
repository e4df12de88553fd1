"""Scores through names, and their remainders after adjustment."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from plumbline.methods.indirect.card import CENTRED, PARTIAL, SCORE, SIGN, WITHIN, WITHOUT, WITHOUT_VARIANT
from plumbline.methods.indirect.spec import IndirectMaterials, IndirectSpec
from plumbline.spec.measure import Measure
from workers.measures.judging import smallest_effect
from workers.probes.indirect.bridge import Bridge
from workers.probes.indirect.cells import Cells, over_all
from workers.statistics.correlations.bridge_correlations import correlations, design_of, indicators, within_margin_p
from workers.statistics.name_groups import Drawn, draw_names, numbered_groups
from workers.statistics.permutation_tests.within_group_correlations import draws_needed, permute_names
from workers.statistics.principal_components import leading_components
from workers.statistics.sign_stability import sign_stability
from workers.statistics.units import Floats, Positions

TOO_FEW = "too few names, or scores that do not vary"
ONE_TARGET = "one target alone: there is no mean over others to take out"
NOT_WITHIN = "too few names with a group, or scores that do not vary within the groups"
NOT_LEFT = "too few names, or nothing is left that varies"
ONE_PAIR = "one template on each side: its sign is that of the score"
NO_SIGN = "the score has no sign"
FEW_NAMES = "too few names: each component that is taken out needs twenty"
MOST_COMPONENTS, NAMES_A_COMPONENT = 10, 20


class ThroughNames:
    """The tables of one run over the names."""

    def __init__(self, spec: IndirectSpec, materials: IndirectMaterials, bridge: Bridge) -> None:
        self.spec, self.materials, self.bridge = spec, materials, bridge
        self.places = np.flatnonzero(bridge.known)
        self.x, self.y = bridge.targets, bridge.features[:, self.places]
        self.groups = numbered_groups(bridge.groups)
        self.drawn = self._draw(self.groups)
        self.score = (
            self._described(SCORE, self.x) if any(bridge.groups) else self._tested(SCORE, np.arange(len(self.x)))
        )

    def measures(self) -> Iterator[Measure]:
        """Yield for each target and feature: score, within groups, centred, partial, sign, and without each set."""
        every = range(len(self.materials.features))
        yield from self.score.measures(self.materials, every)
        if any(self.bridge.groups):
            yield from self._tested(WITHIN, _of_groups(self.bridge)).measures(self.materials, every)
        yield from self._centred().measures(self.materials, every)
        yield from self._described(PARTIAL, self.x, _alike(self.bridge)).measures(self.materials, every)
        yield from self._signs().measures(self.materials, every)
        for number in range(1, len(self.materials.sets)):
            yield from self._without(number).measures(self.materials, self.of_set(0))

    def _centred(self) -> Cells:
        centred = self.x - self.x.mean(axis=1, keepdims=True) if self.x.size else self.x
        found = self._described(CENTRED, centred)
        return found if self.x.shape[1] > 1 else replace(found, undefined=self._undefined(ONE_TARGET))

    def of_set(self, number: int) -> range:
        """Return the places of a set's features among those of all sets."""
        sizes = [len(own.features) for own in self.materials.sets]
        return range(sum(sizes[:number]), sum(sizes[: number + 1]))

    def _draw(self, groups: Positions, *, whole_groups: bool = False) -> Drawn:
        params = self.spec.params
        return draw_names(
            groups,
            whole_groups=whole_groups,
            seed=self.spec.seed,
            resamples=params.resamples,
            level=params.level,
        )

    def _described(self, statistic: str, x: Floats, controls: Floats | None = None, variant: str = "") -> Cells:
        """Return correlations with an interval over the names and no test."""
        found = correlations(x, self.y, self.drawn, None if controls is None else design_of(controls))
        why = self._undefined(TOO_FEW if controls is None else NOT_LEFT)
        value, low, high = (self._over_all(one) for one in (found.value, found.low, found.high))
        drawn = self.drawn
        return Cells(statistic, drawn.unit, self._names, value, why, low, high, variant=variant, n_units=drawn.units)

    def _tested(self, statistic: str, names: Positions) -> Cells:
        """Return correlations of scores centred on the groups of these names, with a test.

        If all names are one group, the scores are not centred. Groups are drawn whole. If names were also drawn within
        them, an interval without any variation between groups would be half as wide again as necessary, and would cover
        0.99 (METHODS 1a has that rule for all names).
        """
        groups = np.unique(self.groups[names], return_inverse=True)[1]
        x, y, drawn = self.x[names], self.y[names], self._draw(groups, whole_groups=True)
        found = correlations(x, y, drawn, indicators(groups))
        test = permute_names(x, y, groups, seed=self.spec.seed, draws=self._permutations(len(x)))
        margin = smallest_effect(self.spec, statistic)
        return Cells(
            statistic,
            drawn.unit,
            [len(x)] * len(self.materials.features),
            undefined=self._undefined(NOT_WITHIN if statistic == WITHIN else TOO_FEW),
            n_units=drawn.units,
            value=self._over_all(found.value),
            low=self._over_all(found.low),
            high=self._over_all(found.high),
            p_value=self._over_all(np.where(np.isnan(found.value), np.nan, test.p_value)),
            equivalence_p=self._over_all(within_margin_p(found, margin, drawn.units)),
            least_p=self._over_all(np.full(found.value.shape, test.least_p)),
        )

    def _permutations(self, names: int) -> int:
        targets, lists = self.x.shape[1], Counter(self.materials.categories[place] for place in self.places)
        family = targets * max(lists.values(), default=0)
        return draws_needed(names, targets * len(self.places), family, self.spec.params.permutations)

    @property
    def _names(self) -> list[int]:
        return [self.bridge.names] * len(self.materials.features)

    def _over_all(self, found: Floats) -> Floats:
        return over_all(found, self.places, len(self.materials.features))

    def _undefined(self, otherwise: str) -> list[str]:
        return [reason or otherwise for reason in self.bridge.reasons]

    def _without(self, number: int) -> Cells:
        """Return the score that remains among names with equal values of a sensitive attribute."""
        slug = self.materials.sets[number].slug
        own = self.bridge.features[:, self._known(number)]
        most = min(MOST_COMPONENTS, self.bridge.names // NAMES_A_COMPONENT)
        if own.size and most:
            controls = leading_components(own, most=most)
            return self._described(WITHOUT, self.x, controls, f"{WITHOUT_VARIANT}{slug}")
        nothing = np.full(self.score.value.shape, np.nan)
        why = f"no word of {slug} has a score with each name" if most else FEW_NAMES
        return Cells(WITHOUT, "name", self._names, nothing, self._undefined(why), variant=f"{WITHOUT_VARIANT}{slug}")

    def _known(self, number: int) -> Positions:
        """Return the places of a set's features that have a score."""
        return self.places[np.isin(self.places, self.of_set(number))]

    def _signs(self) -> Cells:
        """Return the share of template pairs with the score's sign. Each set has its own templates."""
        shares, features = np.full(self.score.value.shape, np.nan), len(self.materials.features)
        pairs, why = [0] * features, [""] * features
        x = self.bridge.target_singles
        for number, singles in enumerate(self.bridge.feature_singles):
            known, own, count = self._known(number), self.of_set(number), len(x) * len(singles)
            pairs[own.start : own.stop] = [count] * len(own)
            why[own.start : own.stop] = [NO_SIGN if count > 1 else ONE_PAIR] * len(own)
            if known.size and count > 1:
                shares[:, known] = sign_stability(x, singles[:, :, known - own.start], self.score.value[:, known])
        told = [reason or otherwise for reason, otherwise in zip(self.bridge.reasons, why, strict=True)]
        return Cells(SIGN, "pair of templates", pairs, shares, told)


def _of_groups(bridge: Bridge) -> Positions:
    """Return the names of groups with at least two names; the others cannot be centred."""
    sizes = Counter(bridge.groups)
    return np.flatnonzero([bool(group) and sizes[group] > 1 for group in bridge.groups])


def _alike(bridge: Bridge) -> Floats:
    """Return the names' log priors and numbers of subwords, without constant columns."""
    controls = np.column_stack([bridge.log_priors, bridge.name_tokens])
    return np.asarray(controls[:, np.ptp(controls, axis=0) > 0] if bridge.names else controls[:, :0])
