"""Addresses of annotation."""

from django.urls import include, path

from plumbline.annotation.answer_page import annotate, annotate_decline, annotate_end, annotate_save, annotate_undo
from plumbline.annotation.result_pages import annotation_csv, annotation_results
from plumbline.annotation.task_pages import (
    annotation_delete,
    annotation_list,
    annotation_make,
    annotation_new,
    annotation_task,
)
from plumbline.annotation.validation_pages import bank_templates, validation_make, validation_new

urlpatterns = [
    path("", include("plumbline.annotation.survey.urls")),
    path("", include("plumbline.annotation.study.urls")),
    path("runs/<int:number>/annotation/<slug:kind>/", annotation_new, name="annotation_new"),
    path("runs/<int:number>/annotation/<slug:kind>/make/", annotation_make, name="annotation_make"),
    path("banks/<slug:slug>/templates/", bank_templates, name="bank_templates"),
    path("banks/<slug:slug>/validation/", validation_new, name="validation_new"),
    path("banks/<slug:slug>/validation/make/", validation_make, name="validation_make"),
    path("annotation/", annotation_list, name="annotation"),
    path("annotation/<int:number>/", annotation_task, name="annotation_task"),
    path("annotation/<int:number>/delete/", annotation_delete, name="annotation_delete"),
    path("annotation/<int:number>/answer/", annotate, name="annotate"),
    path("annotation/<int:number>/answer/save/", annotate_save, name="annotate_save"),
    path("annotation/<int:number>/answer/undo/", annotate_undo, name="annotate_undo"),
    path("annotation/<int:number>/answer/end/", annotate_end, name="annotate_end"),
    path("annotation/<int:number>/answer/decline/", annotate_decline, name="annotate_decline"),
    path("annotation/<int:number>/results/", annotation_results, name="annotation_results"),
    path("annotation/<int:number>/results/csv/", annotation_csv, name="annotation_csv"),
]
