"""The words that an indirect run asked about, as far as its spec can still be read."""

import json
from functools import lru_cache
from typing import cast

from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.methods.indirect.materials import FeatureSet, IndirectMaterials, numbered
from plumbline.methods.indirect.spec import IndirectSpec
from plumbline.spec.audit import parse
from plumbline.spec.errors import InputError

Groups = dict[str, str]
"""By word the group that it names, such as "female"; words that name none are left out."""


KEPT = 16
"""Materials that a process keeps: reading hundreds of words anew took a third of a request."""


def materials_of(run: Run) -> IndirectMaterials | None:
    """None where the spec cannot be read any more."""
    try:
        return _materials(json.dumps(run.spec, sort_keys=True))
    except (InputError, KeyError):
        return None


@lru_cache(maxsize=KEPT)
def _materials(spec: str) -> IndirectMaterials:
    """By the spec's own text: what it names by digest never changes."""
    read, snapshots = frozen_spec(Run(spec=json.loads(spec)))
    return cast("IndirectSpec", read).materials(snapshots)


def sensitive_slugs(run: Run) -> list[str]:
    """What the run's sensitive sets are called, also where their words cannot be read any more."""
    if (materials := materials_of(run)) is not None:
        return [own.slug for own in materials.sensitive]
    try:
        spec = cast("IndirectSpec", parse(run.spec))
    except InputError:
        return []
    return list(numbered([own.slug for own in spec.sensitive]))


def set_of(materials: IndirectMaterials, slug: str) -> FeatureSet:
    """The set that asks about a list: a sensitive one of this name, else the neutral one."""
    return next((own for own in materials.sensitive if own.slug == slug), materials.neutral)


def groups_in(materials: IndirectMaterials, slug: str) -> Groups:
    """Of the words of one list."""
    own = set_of(materials, slug)
    words = zip(own.features, own.categories, strict=True)
    return {one.text: one.group for one, category in words if category == slug and one.group}
