"""The pages of pronoun resolution."""

from plumbline.pages.tabs import MethodPages, Tab

PAGES = MethodPages(
    (
        Tab(
            "pronouns",
            "Pronouns",
            "run_pronouns",
            ("p_neither",),
            purpose="How often the model finds the name to which a pronoun refers, by gender.",
        ),
    )
)
