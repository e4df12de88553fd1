"""The pages of groups and of their agreement with people."""

from plumbline.analyses.alignment.statistics import KENDALL_TAU
from plumbline.audits.models import Run
from plumbline.pages.tabs import Tab
from plumbline.spec.registry import PROBES


def _has_groups(run: Run) -> bool:
    """Return whether the run has groups that people can rate."""
    statistics = PROBES[run.probe].card.statistics if run.probe in PROBES else ()
    return "groups" in run.spec and any(one.name == KENDALL_TAU.name for one in statistics)


TABS = (
    Tab("profile", "Groups", "profile", when=_has_groups, purpose="How the model describes one group, trait by trait."),
    Tab(
        "alignment",
        "People",
        "alignment",
        when=_has_groups,
        purpose="How far the model's associations agree with what people say.",
    ),
)
