"""The pages of SODAPOP."""

from plumbline.pages.tabs import MethodPages, Tab

PAGES = MethodPages((Tab("words", "Words", "run_words"), Tab("names", "Names", "run_names")), items=None)
