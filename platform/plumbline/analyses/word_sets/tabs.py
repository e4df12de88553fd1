"""The page of effect sizes."""

from plumbline.pages.tabs import Tab

TABS = (
    Tab(
        "effects",
        "Effects",
        "run_effects",
        ("effect_size", "combined_effect_size", "ceat"),
        purpose="How strongly two sets of words differ in their links with two groups.",
    ),
)
