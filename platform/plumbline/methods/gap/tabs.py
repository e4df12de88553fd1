"""The pages of pronoun resolution."""

from plumbline.pages.tabs import MethodPages, Tab

PAGES = MethodPages((Tab("pronouns", "Pronouns", "run_pronouns", ("p_neither",)),))
