"""Addresses of surveys. Those below `survey/` are for invited people without an account."""

from django.urls import path

from plumbline.annotation.survey import respondent_pages, survey_pages, wording_pages

ROOM = "annotation/surveys/"

urlpatterns = [
    path("survey/<slug:token>/", respondent_pages.survey, name="survey"),
    path("survey/<slug:token>/begin/", respondent_pages.survey_begin, name="survey_begin"),
    path("survey/<slug:token>/save/", respondent_pages.survey_save, name="survey_save"),
    path("survey/<slug:token>/withdraw/", respondent_pages.survey_withdraw, name="survey_withdraw"),
    path(ROOM, survey_pages.survey_list, name="survey_list"),
    path(f"{ROOM}new/", survey_pages.survey_new, name="survey_new"),
    path(f"{ROOM}make/", survey_pages.survey_make, name="survey_make"),
    path(f"{ROOM}wordings/", wording_pages.wording_list, name="survey_wordings"),
    path(f"{ROOM}wordings/save/", wording_pages.wording_save, name="survey_wording_save"),
    path(f"{ROOM}of/<slug:slug>/", survey_pages.survey_page, name="survey_page"),
    path(f"{ROOM}of/<slug:slug>/preview/", survey_pages.survey_preview, name="survey_preview"),
    path(f"{ROOM}of/<slug:slug>/csv/", survey_pages.survey_csv, name="survey_csv"),
    path(f"{ROOM}of/<slug:slug>/invite/", survey_pages.survey_invite, name="survey_invite"),
    path(f"{ROOM}of/<slug:slug>/links/<int:number>/", survey_pages.survey_link, name="survey_link"),
    path(f"{ROOM}of/<slug:slug>/close/", survey_pages.survey_close, name="survey_close"),
    path(f"{ROOM}of/<slug:slug>/release/", survey_pages.survey_release, name="survey_release"),
    path(f"{ROOM}of/<slug:slug>/delete/", survey_pages.survey_delete, name="survey_delete"),
]
