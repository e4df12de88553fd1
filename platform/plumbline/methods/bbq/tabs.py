"""The pages of BBQ."""

from plumbline.pages.tabs import ANSWERS, MethodPages, Tab

PAGES = MethodPages(
    (
        Tab("bbq", "Board", "run_bbq", purpose="How often the model's answers follow a stereotype, by category."),
        Tab(
            "bbq_labels",
            "Labels",
            "run_bbq_labels",
            purpose="How the answers differ by the group that a question names.",
        ),
        Tab(
            "bbq_templates",
            "Templates",
            "run_bbq_templates",
            purpose="Which templates of questions bring out stereotyped answers.",
        ),
        Tab(
            "bbq_items", "Questions", "run_bbq_items", purpose="Each question that was asked, with the model's answer."
        ),
        ANSWERS,
    ),
    items=None,
    unscored="run_bbq_items",
    unscored_query="answer=unmatched",
)
