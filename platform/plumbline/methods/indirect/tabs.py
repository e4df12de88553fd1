"""The pages of the indirect score."""

from django.db.models import Q

from plumbline.methods.indirect.card import AGREEMENT, DIRECT
from plumbline.methods.indirect.replication.printed import GENDERS
from plumbline.pages.tabs import MethodPages, Tab

PAGES = MethodPages(
    (
        Tab(
            "indirect",
            "Bridge explorer",
            "indirect",
            purpose="How strongly the model links each target with each feature: the score is high where it ties both"
            " to the same names.",
        ),
        Tab(
            "known",
            "Known biases",
            "run_known",
            (AGREEMENT,),
            Q(group_b__in=GENDERS),
            purpose="How far the scores repeat biases that earlier studies found.",
        ),
    ),
    own_grid=True,
    items=Tab("items", "Items", "items", (DIRECT,), purpose="Each sentence that was asked, with its scores."),
)
