"""Measures of an indirect run: does a model link a target with the same first names as a feature?"""

from collections.abc import Iterator
from dataclasses import replace

from plumbline.methods.indirect.card import BRIDGE_SHARE
from plumbline.methods.indirect.spec import IndirectMaterials, IndirectSpec
from plumbline.spec.measure import Measure, join_variants
from workers.measures.judging import judged
from workers.probes.indirect.agreement import agreements
from workers.probes.indirect.bridge import Bridge, bridge_of
from workers.probes.indirect.direct import direct_cells
from workers.probes.indirect.through_names import ThroughNames
from workers.probes.protocol import Read


def summarise(spec: IndirectSpec, materials: IndirectMaterials, read: Read) -> list[Measure]:
    """Return the measures through names, the direct ones, their agreement, and the scorable shares."""
    bridge = bridge_of(materials, read, spec.params.average)
    through, direct = ThroughNames(spec, materials, bridge), direct_cells(spec, materials, read)
    found = [*through.measures(), *_shares(materials, bridge)]
    if direct is not None:
        asked = [place for number in direct.sets for place in through.of_set(number)]
        found += [*direct.cells.measures(materials, asked), *agreements(spec, materials, direct, through)]
    prior = "mean" if spec.causal else ""
    tested = judged(spec, found, family)
    return [replace(one, variant=join_variants(spec.variant, one.variant), prior=prior) for one in tested]


def family(one: Measure) -> str | None:
    """Return the family of a measure: its list of features; None for a measure without a test."""
    return None if one.p_value is None else f"{one.statistic}\x1f{one.category}"


def _shares(materials: IndirectMaterials, bridge: Bridge) -> Iterator[Measure]:
    """Yield the shares of names and features that the correlations use."""
    known = int(bridge.known.sum())
    for what, part, whole in (("names", bridge.names, materials.names), ("features", known, materials.features)):
        n = len(whole)
        yield Measure(BRIDGE_SHARE, what.removesuffix("s"), n=n, n_units=n, value=part / n, category=what)
