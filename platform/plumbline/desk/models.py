"""Models with the label `review`, imported from the rooms that use them."""

from plumbline.annotation.models import AnnotationItem, AnnotationTask, Answer, Participation
from plumbline.annotation.study.models import Sitting, Study, StudyAnswer
from plumbline.annotation.survey.models import (
    GroupAnswer,
    Respondent,
    Survey,
    SurveyInvitation,
    SurveyRelease,
    SurveyWording,
)
from plumbline.desk.guide.models import GuideDismissal
from plumbline.methods.indirect.beliefs import PriorBelief
from plumbline.sql_page.saved import AskedQuery, SavedQuery

__all__ = [
    "AnnotationItem",
    "AnnotationTask",
    "Answer",
    "AskedQuery",
    "GroupAnswer",
    "GuideDismissal",
    "Participation",
    "PriorBelief",
    "Respondent",
    "SavedQuery",
    "Sitting",
    "Study",
    "StudyAnswer",
    "Survey",
    "SurveyInvitation",
    "SurveyRelease",
    "SurveyWording",
]
