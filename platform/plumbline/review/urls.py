"""The desk's addresses."""

from django.urls import path

from plumbline.review.views import (
    annotating,
    annotation,
    annotation_results,
    explorer,
    models,
    plans,
    run_actions,
    saved_queries,
    sodapop,
    sodapop_questions,
    sql,
)
from plumbline.review.views.alignment import alignment
from plumbline.review.views.cell import cell
from plumbline.review.views.comparison import compare, compare_ask
from plumbline.review.views.confounds import confounds, confounds_ask
from plumbline.review.views.effects import run_effects, run_effects_csv
from plumbline.review.views.intersections import intersections, intersections_csv
from plumbline.review.views.items import items
from plumbline.review.views.judgements import judgements
from plumbline.review.views.measures import run_measures
from plumbline.review.views.overview import overview
from plumbline.review.views.preference import run_preference, run_preference_csv
from plumbline.review.views.profiles import profile, profile_csv, profile_svg
from plumbline.review.views.pronouns import run_passages, run_pronouns, run_pronouns_csv
from plumbline.review.views.rests import rests
from plumbline.review.views.runs import run_list, run_page, run_progress, run_provenance

urlpatterns = [
    path("", overview, name="overview"),
    path("runs/", run_list, name="runs"),
    path("runs/<int:number>/", run_page, name="run"),
    path("runs/<int:number>/progress/", run_progress, name="run_progress"),
    path("runs/<int:number>/measures/", run_measures, name="run_measures"),
    path("runs/<int:number>/provenance/", run_provenance, name="run_provenance"),
    path("runs/<int:number>/cancel/", run_actions.run_cancel, name="run_cancel"),
    path("runs/<int:number>/resume/", run_actions.run_resume, name="run_resume"),
    path("runs/<int:number>/again/", run_actions.run_ask_again, name="run_ask_again"),
    path("models/", models.model_list, name="models"),
    path("models/history/", models.model_page, name="model"),
    path("plans/", plans.plan_list, name="plans"),
    path("plans/<int:number>/", plans.plan_page, name="plan"),
    path("plans/<int:number>/launch/", plans.plan_launch, name="plan_launch"),
    path("compare/", compare, name="compare"),
    path("compare/ask/", compare_ask, name="compare_ask"),
    path("vocabularies/<slug:kind>/<slug:slug>/runs/", rests, name="rests"),
    path("vocabularies/<slug:kind>/<slug:slug>/confounds/", confounds, name="confounds"),
    path("vocabularies/<slug:kind>/<slug:slug>/confounds/ask/", confounds_ask, name="confounds_ask"),
    path("runs/<int:number>/explorer/", explorer.explorer, name="explorer"),
    path("runs/<int:number>/explorer/data/", explorer.explorer_data, name="explorer_data"),
    path("runs/<int:number>/explorer/csv/", explorer.explorer_csv, name="explorer_csv"),
    path("runs/<int:number>/cell/", cell, name="cell"),
    path("runs/<int:number>/items/", items, name="items"),
    path("runs/<int:number>/profile/", profile, name="profile"),
    path("runs/<int:number>/profile/csv/", profile_csv, name="profile_csv"),
    path("runs/<int:number>/profile/svg/", profile_svg, name="profile_svg"),
    path("runs/<int:number>/people/", alignment, name="alignment"),
    path("vocabularies/ratings/<slug:slug>/", judgements, name="judgements"),
    path("runs/<int:number>/intersections/", intersections, name="run_intersections"),
    path("runs/<int:number>/intersections/<slug:table>/csv/", intersections_csv, name="run_intersections_csv"),
    path("runs/<int:number>/effects/", run_effects, name="run_effects"),
    path("runs/<int:number>/effects/<slug:table>/csv/", run_effects_csv, name="run_effects_csv"),
    path("runs/<int:number>/preference/", run_preference, name="run_preference"),
    path("runs/<int:number>/preference/csv/", run_preference_csv, name="run_preference_csv"),
    path("runs/<int:number>/pronouns/", run_pronouns, name="run_pronouns"),
    path("runs/<int:number>/pronouns/passages/", run_passages, name="run_passages"),
    path("runs/<int:number>/pronouns/<slug:table>/csv/", run_pronouns_csv, name="run_pronouns_csv"),
    path("runs/<int:number>/words/", sodapop.words, name="run_words"),
    path("runs/<int:number>/words/csv/", sodapop.words_csv, name="run_words_csv"),
    path("runs/<int:number>/words/compare/", sodapop.words_compared, name="run_words_compared"),
    path("runs/<int:number>/names/", sodapop.names, name="run_names"),
    path("runs/<int:number>/names/csv/", sodapop.names_csv, name="run_names_csv"),
    path("runs/<int:number>/misled/", sodapop_questions.misled, name="run_misled"),
    path("runs/<int:number>/misled/csv/", sodapop_questions.misled_csv, name="run_misled_csv"),
    path("runs/<int:number>/annotation/<slug:kind>/", annotation.annotation_new, name="annotation_new"),
    path("runs/<int:number>/annotation/<slug:kind>/make/", annotation.annotation_make, name="annotation_make"),
    path("annotation/", annotation.annotation_list, name="annotation"),
    path("annotation/<int:number>/", annotation.annotation_task, name="annotation_task"),
    path("annotation/<int:number>/delete/", annotation.annotation_delete, name="annotation_delete"),
    path("annotation/<int:number>/answer/", annotating.annotate, name="annotate"),
    path("annotation/<int:number>/answer/save/", annotating.annotate_save, name="annotate_save"),
    path("annotation/<int:number>/answer/undo/", annotating.annotate_undo, name="annotate_undo"),
    path("annotation/<int:number>/answer/end/", annotating.annotate_end, name="annotate_end"),
    path("annotation/<int:number>/answer/decline/", annotating.annotate_decline, name="annotate_decline"),
    path("annotation/<int:number>/results/", annotation_results.annotation_results, name="annotation_results"),
    path("annotation/<int:number>/results/csv/", annotation_results.annotation_csv, name="annotation_csv"),
    path("sql/", sql.sql, name="sql"),
    path("sql/answer/", sql.sql_answer, name="sql_answer"),
    path("sql/file/", sql.sql_file, name="sql_file"),
    path("sql/cancel/", sql.sql_cancel, name="sql_cancel"),
    path("sql/asked/<int:pk>/", sql.sql_asked, name="sql_asked"),
    path("sql/examples/<slug:slug>/", sql.sql_example, name="sql_example"),
    path("sql/saved/<int:pk>/", sql.sql_saved, name="sql_saved"),
    path("sql/save/", saved_queries.sql_save, name="sql_save"),
    path("sql/saved/<int:pk>/edit/", saved_queries.sql_edit, name="sql_edit"),
    path("sql/saved/<int:pk>/delete/", saved_queries.sql_delete, name="sql_delete"),
]
