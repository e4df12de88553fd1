"""The pages of pairs of sentences."""

from plumbline.methods.pairs.figures import STATISTICS
from plumbline.pages.tabs import MethodPages, Tab

PAGES = MethodPages(
    (
        Tab("pairs", "Pairs", "run_pairs", STATISTICS),
        Tab("pair_items", "Sentences", "run_pair_items", STATISTICS),
    ),
    reading=lambda _run: None,
    unscored="run_pair_items",
)
