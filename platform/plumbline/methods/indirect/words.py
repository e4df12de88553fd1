"""The words of an indirect run, as far as its spec is still valid."""

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
"""The group that a word names, such as "female", by word. Words that name none are absent."""


KEPT = 16
"""The number of cached materials. Parsing hundreds of words took a third of a request."""


def materials_of(run: Run) -> IndirectMaterials | None:
    """Return the words of a run, or None if the spec is no longer valid."""
    try:
        return _materials(json.dumps(run.spec, sort_keys=True))
    except (InputError, KeyError):
        return None


@lru_cache(maxsize=KEPT)
def _materials(spec: str) -> IndirectMaterials:
    """Return the words by the spec's text. The content named by digests never changes."""
    read, snapshots = frozen_spec(Run(spec=json.loads(spec)))
    return cast("IndirectSpec", read).materials(snapshots)


def sensitive_slugs(run: Run) -> list[str]:
    """Return the names of the run's sensitive sets, even if their words can no longer be read."""
    if (materials := materials_of(run)) is not None:
        return [own.slug for own in materials.sensitive]
    try:
        spec = cast("IndirectSpec", parse(run.spec))
    except InputError:
        return []
    return list(numbered([own.slug for own in spec.sensitive]))


def set_of(materials: IndirectMaterials, slug: str) -> FeatureSet:
    """Return the set with this list: the sensitive one of this name, otherwise the neutral one."""
    return next((own for own in materials.sensitive if own.slug == slug), materials.neutral)


def groups_in(materials: IndirectMaterials, slug: str) -> Groups:
    """Return the groups of the words of one list."""
    own = set_of(materials, slug)
    words = zip(own.features, own.categories, strict=True)
    return {one.text: one.group for one, category in words if category == slug and one.group}
