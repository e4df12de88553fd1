"""The pages of CEAT."""

from plumbline.analyses.alignment.tabs import TABS as ALIGNMENT
from plumbline.analyses.word_sets.tabs import TABS as WORD_SETS
from plumbline.pages.tabs import MethodPages

PAGES = MethodPages((*ALIGNMENT, *WORD_SETS), reading=lambda _run: None)
