"""The pages of WEAT."""

from plumbline.analyses.word_sets.tabs import TABS as WORD_SETS
from plumbline.pages.tabs import MethodPages

PAGES = MethodPages(WORD_SETS, reading=lambda _run: None)
