"""Whether an edited plan still compares the groups that it compared, and how it can."""

from typing import Any

from plumbline.audits.freezing import pin
from plumbline.desk.lost_contrasts import Contrasts, contrast_names
from plumbline.desk.plans.builder.places import Change, with_change
from plumbline.spec.association import AssociationSpec
from plumbline.spec.errors import InputError
from plumbline.spec.several_models import parse_each
from plumbline.spec.sources import groups_of

CONTRASTS = ("params", "contrasts")
"""The place of the setting that says which groups are compared."""
EACH_PAIR: Change = (CONTRASTS, "pairs")
MEAN_OF_OTHERS: Change = (CONTRASTS, "rest")


def contrasts_in(data: Any) -> Contrasts:
    """Return the contrasts of plain data, none for a spec that names what its lists do not have."""
    try:
        spec, snapshots = pin(parse_each(data)[0])
        if not isinstance(spec, AssociationSpec):
            return {}
        return contrast_names(spec, groups_of(spec.groups, snapshots))
    except InputError:
        return {}


def ended(before: Contrasts, after: Contrasts) -> Contrasts:
    """Return the contrasts that an edited plan no longer has, none for one that compares nothing."""
    return {pair: name for pair, name in before.items() if pair not in after} if after else {}


def keeping_contrasts(before: Any, after: Any) -> Any:
    """Return the data after an edit, with each pair of groups compared if only that keeps the earlier contrasts."""
    had = contrasts_in(before)
    if not had or not ended(had, contrasts_in(after)):
        return after
    paired = with_change(after, EACH_PAIR)
    return after if ended(had, contrasts_in(paired)) else paired
