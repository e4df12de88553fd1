"""Addresses of studies."""

from django.urls import path

from plumbline.annotation.study import sitting_pages, study_pages

ROOM = "annotation/studies/"
OF = f"{ROOM}<int:number>/"

urlpatterns = [
    path(ROOM, study_pages.study_list, name="study_list"),
    path(f"{ROOM}new/", study_pages.study_new, name="study_new"),
    path(f"{ROOM}make/", study_pages.study_make, name="study_make"),
    path(OF, study_pages.study_page, name="study_page"),
    path(f"{OF}csv/", study_pages.study_csv, name="study_csv"),
    path(f"{OF}close/", study_pages.study_close, name="study_close"),
    path(f"{OF}tidy/", study_pages.study_tidy, name="study_tidy"),
    path(f"{OF}delete/", study_pages.study_delete, name="study_delete"),
    path(f"{OF}sit/", sitting_pages.study_sit, name="study_sit"),
    path(f"{OF}sit/begin/", sitting_pages.study_begin, name="study_begin"),
    path(f"{OF}sit/answer/", sitting_pages.study_answer, name="study_answer"),
    path(f"{OF}sit/withdraw/", sitting_pages.study_withdraw, name="study_withdraw"),
]
