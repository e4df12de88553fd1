"""The pages of BBQ."""

from plumbline.pages.tabs import MethodPages, Tab
from plumbline.spec.answers.classes import BY_CLASS

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
        Tab(
            "bbq_answers",
            "Answers",
            "run_bbq_answers",
            statistics=(BY_CLASS,),
            purpose="Whether the parser understood answers in text as people do.",
        ),
    ),
    items=None,
    unscored="run_bbq_items",
    unscored_query="answer=unmatched",
)
