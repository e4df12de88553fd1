"""The measures of an indirect run: does a model tie a target to the same first names as a feature?"""

from collections.abc import Iterator
from dataclasses import replace

from plumbline.methods.indirect.card import BRIDGE_SHARE
from plumbline.methods.indirect.spec import IndirectMaterials, IndirectSpec
from plumbline.spec.measure import Measure
from workers.measures.effect_measures import joined
from workers.measures.judging import judged
from workers.probes.indirect.agreement import agreements
from workers.probes.indirect.bridge import Bridge, bridge_of
from workers.probes.indirect.direct import direct_cells
from workers.probes.indirect.through_names import ThroughNames
from workers.probes.protocol import Read


def summarise(spec: IndirectSpec, materials: IndirectMaterials, read: Read) -> list[Measure]:
    """Through the names, direct, how far both agree, and what could be scored."""
    bridge = bridge_of(materials, read, spec.params.average)
    through, direct = ThroughNames(spec, materials, bridge), direct_cells(spec, materials, read)
    found = [*through.measures(), *_shares(materials, bridge)]
    if direct is not None:
        asked = [place for number in direct.sets for place in through.of_set(number)]
        found += [*direct.cells.measures(materials, asked), *agreements(spec, materials, direct, through)]
    prior = "mean" if spec.causal else ""
    tested = judged(spec, found, family)
    return [replace(one, variant=joined(spec.variant, one.variant), prior=prior) for one in tested]


def family(one: Measure) -> str | None:
    """Each list of features is one; what only describes is in none."""
    return None if one.p_value is None else f"{one.statistic}\x1f{one.category}"


def _shares(materials: IndirectMaterials, bridge: Bridge) -> Iterator[Measure]:
    """How much of the bridge and of the features the correlations rest on."""
    known = int(bridge.known.sum())
    for what, part, whole in (("names", bridge.names, materials.names), ("features", known, materials.features)):
        n = len(whole)
        yield Measure(BRIDGE_SHARE, what.removesuffix("s"), n=n, n_units=n, value=part / n, category=what)
