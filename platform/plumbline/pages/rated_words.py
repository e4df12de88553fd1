"""The attributes of a run that people may have rated, and their dimensions."""

from collections.abc import Sequence

from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.spec.content import Attribute
from plumbline.spec.errors import InputError


def words_in(run: Run) -> Sequence[Attribute]:
    """Return the attributes that a run was launched with, or none if its spec is no longer valid."""
    try:
        spec, snapshots = frozen_spec(run)
        return spec.rated_words(snapshots)[1]
    except InputError:
        return ()


def dimensions_of(run: Run) -> dict[str, str]:
    """Return the dimension of each attribute and pair of opposites that has one."""
    named = [(name, one.dimension) for one in words_in(run) for name in (one.text, one.pair)]
    return {name: dimension for name, dimension in named if name and dimension}
