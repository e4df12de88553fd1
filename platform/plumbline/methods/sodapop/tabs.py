"""The pages of SODAPOP."""

from plumbline.pages.tabs import ANSWERS, MethodPages, Tab

PAGES = MethodPages(
    (
        Tab(
            "words",
            "Words",
            "run_words",
            purpose="Which words of the distractors make names of a group succeed as answers.",
        ),
        Tab("names", "Names", "run_names", purpose="How names differ in the answers that the model chooses."),
        ANSWERS,
    ),
    items=None,
)
