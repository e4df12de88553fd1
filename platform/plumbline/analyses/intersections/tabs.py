"""The page of pairs of groups."""

from plumbline.pages.tabs import Tab

TABS = (
    Tab(
        "intersections",
        "Intersections",
        "run_intersections",
        ("identity_order", "domain_dominance", "emergent_trait"),
        purpose="How the model associates pairs of groups, compared with each group alone.",
    ),
)
