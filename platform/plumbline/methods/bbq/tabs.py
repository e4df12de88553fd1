"""The pages of BBQ."""

from plumbline.pages.tabs import MethodPages, Tab

PAGES = MethodPages(
    (
        Tab("bbq", "Board", "run_bbq"),
        Tab("bbq_labels", "Labels", "run_bbq_labels"),
        Tab("bbq_templates", "Templates", "run_bbq_templates"),
        Tab("bbq_items", "Questions", "run_bbq_items"),
    ),
    items=None,
    unscored="run_bbq_items",
    unscored_query="answer=unmatched",
)
