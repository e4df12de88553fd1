"""The pages of pairs of sentences."""

from plumbline.methods.pairs.figures import STATISTICS
from plumbline.pages.tabs import MethodPages, Tab

PAGES = MethodPages(
    (
        Tab(
            "pairs",
            "Pairs",
            "run_pairs",
            STATISTICS,
            purpose="How often the model prefers the stereotyped sentence of a pair.",
        ),
        Tab(
            "pair_items",
            "Sentences",
            "run_pair_items",
            STATISTICS,
            purpose="Each pair of sentences, and which one the model prefers.",
        ),
    ),
    reading=lambda _run: None,
    unscored="run_pair_items",
)
