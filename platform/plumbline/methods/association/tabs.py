"""The pages of the probes that score groups with attributes."""

from plumbline.analyses.alignment.tabs import TABS as ALIGNMENT
from plumbline.analyses.intersections.tabs import TABS as INTERSECTIONS
from plumbline.analyses.word_sets.tabs import TABS as WORD_SETS
from plumbline.pages.tabs import MethodPages, Tab

PREFERENCE = Tab("preference", "Preference", "run_preference", ("attribute_preference",))
PAGES = MethodPages((*ALIGNMENT, *INTERSECTIONS, *WORD_SETS, PREFERENCE))
