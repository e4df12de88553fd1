"""Addresses of the desk."""

from django.urls import path

from plumbline.desk.accounts.invitation_pages import invitation_again, invitation_withdraw, person_invite
from plumbline.desk.accounts.leaving_pages import person_leave, person_leaving
from plumbline.desk.accounts.password_reset import reset_link
from plumbline.desk.accounts.people_page import people
from plumbline.desk.accounts.role_form import person_roles
from plumbline.desk.accounts.second_factor_pages import second_factor_remove
from plumbline.desk.findings.actions import finding_comment, finding_vote, findings_judge
from plumbline.desk.findings.answers_page import run_answers, run_answers_csv, run_answers_judge, run_answers_parse
from plumbline.desk.findings.finding_page import finding_page
from plumbline.desk.findings.list_page import finding_list, findings_csv
from plumbline.desk.findings.pin_page import finding_pin, finding_pin_save
from plumbline.desk.findings.run_findings import run_findings_page
from plumbline.desk.findings.sign_off_actions import release_sign_off, run_sign_off, sign_off_withdraw
from plumbline.desk.guide.page import guide_dismiss, guide_page, guide_restore
from plumbline.desk.plans.builder.pages import plan_edit, plan_new
from plumbline.desk.plans.pages import plan_add_entry, plan_contents
from plumbline.desk.search.page import search_page
from plumbline.desk.views.archiving import model_archive, plan_archive
from plumbline.desk.views.before_after import before_and_after
from plumbline.desk.views.comparison import compare, compare_ask
from plumbline.desk.views.confounds import confounds, confounds_ask, confounds_test
from plumbline.desk.views.dependents import dependents
from plumbline.desk.views.evidence import run_pack
from plumbline.desk.views.glossary import glossary
from plumbline.desk.views.hub_files import run_eval_results, run_model_card
from plumbline.desk.views.inbox import inbox, inbox_count, inbox_mark
from plumbline.desk.views.judgements import judgements
from plumbline.desk.views.measures import run_measures
from plumbline.desk.views.model_check import model_check
from plumbline.desk.views.models import model_list, model_page
from plumbline.desk.views.overview import overview
from plumbline.desk.views.plans import plan_launch, plan_list, plan_page, plan_sensitivity
from plumbline.desk.views.queue import queue_move, queue_page
from plumbline.desk.views.retention import runs_old, runs_old_delete
from plumbline.desk.views.run_actions import run_ask_again, run_cancel, run_follow, run_resume, run_summarise_again
from plumbline.desk.views.runs import run_list, run_page, run_progress, run_provenance

urlpatterns = [
    path("glossary/", glossary, name="glossary"),
    path("guide/", guide_page, name="guide"),
    path("guide/dismiss/", guide_dismiss, name="guide_dismiss"),
    path("guide/restore/", guide_restore, name="guide_restore"),
    path("inbox/", inbox, name="inbox"),
    path("inbox/unread/", inbox_count, name="inbox_count"),
    path("inbox/mark/", inbox_mark, name="inbox_mark"),
    path("search/", search_page, name="search"),
    path("", overview, name="overview"),
    path("runs/", run_list, name="runs"),
    path("runs/old/", runs_old, name="runs_old"),
    path("runs/old/delete/", runs_old_delete, name="runs_old_delete"),
    path("runs/<int:number>/", run_page, name="run"),
    path("runs/<int:number>/progress/", run_progress, name="run_progress"),
    path("runs/<int:number>/measures/", run_measures, name="run_measures"),
    path("runs/<int:number>/provenance/", run_provenance, name="run_provenance"),
    path("runs/<int:number>/cancel/", run_cancel, name="run_cancel"),
    path("runs/<int:number>/follow/", run_follow, name="run_follow"),
    path("runs/<int:number>/resume/", run_resume, name="run_resume"),
    path("runs/<int:number>/again/", run_ask_again, name="run_ask_again"),
    path("runs/<int:number>/summarise/", run_summarise_again, name="run_summarise_again"),
    path("runs/<int:number>/evidence/", run_pack, name="run_pack"),
    path("runs/<int:number>/eval-results/", run_eval_results, name="run_eval_results"),
    path("runs/<int:number>/model-card/", run_model_card, name="run_model_card"),
    path("runs/<int:number>/findings/", run_findings_page, name="run_findings"),
    path("runs/<int:number>/findings/pin/", finding_pin, name="finding_pin"),
    path("runs/<int:number>/findings/pin/save/", finding_pin_save, name="finding_pin_save"),
    path("runs/<int:number>/answers/", run_answers, name="run_answers"),
    path("runs/<int:number>/answers/judge/", run_answers_judge, name="run_answers_judge"),
    path("runs/<int:number>/answers/parse/", run_answers_parse, name="run_answers_parse"),
    path("runs/<int:number>/answers/judged.csv", run_answers_csv, name="run_answers_csv"),
    path("runs/<int:number>/sign-off/", run_sign_off, name="run_sign_off"),
    path("findings/", finding_list, name="findings"),
    path("findings/csv/", findings_csv, name="findings_csv"),
    path("findings/judge/", findings_judge, name="findings_judge"),
    path("findings/<int:number>/", finding_page, name="finding"),
    path("findings/<int:number>/vote/", finding_vote, name="finding_vote"),
    path("findings/<int:number>/comment/", finding_comment, name="finding_comment"),
    path("releases/sign-off/", release_sign_off, name="release_sign_off"),
    path("sign-offs/<int:number>/withdraw/", sign_off_withdraw, name="sign_off_withdraw"),
    path("queue/", queue_page, name="queue"),
    path("queue/<int:number>/move/", queue_move, name="queue_move"),
    path("models/", model_list, name="models"),
    path("models/archive/", model_archive, name="model_archive"),
    path("models/check/", model_check, name="model_check"),
    path("models/history/", model_page, name="model"),
    path("plans/", plan_list, name="plans"),
    path("plans/new/", plan_new, name="plan_new"),
    path("plans/<int:number>/", plan_page, name="plan"),
    path("plans/<int:number>/edit/", plan_edit, name="plan_edit"),
    path("plans/<int:number>/archive/", plan_archive, name="plan_archive"),
    path("plans/<int:number>/sensitivity/", plan_sensitivity, name="plan_sensitivity"),
    path("plans/<int:number>/contents/", plan_contents, name="plan_contents"),
    path("plans/<int:number>/add-entry/", plan_add_entry, name="plan_add_entry"),
    path("plans/<int:number>/launch/", plan_launch, name="plan_launch"),
    path("compare/", compare, name="compare"),
    path("compare/before-after/", before_and_after, name="before_after"),
    path("compare/ask/", compare_ask, name="compare_ask"),
    path("vocabularies/<slug:kind>/<slug:slug>/runs/", dependents, name="dependents"),
    path("vocabularies/<slug:kind>/<slug:slug>/confounds/", confounds, name="confounds"),
    path("vocabularies/<slug:kind>/<slug:slug>/confounds/ask/", confounds_ask, name="confounds_ask"),
    path("vocabularies/<slug:kind>/<slug:slug>/confounds/test/", confounds_test, name="confounds_test"),
    path("people/", people, name="people"),
    path("people/invite/", person_invite, name="person_invite"),
    path("people/invitations/<int:number>/again/", invitation_again, name="invitation_again"),
    path("people/invitations/<int:number>/withdraw/", invitation_withdraw, name="invitation_withdraw"),
    path("people/<int:number>/roles/", person_roles, name="person_roles"),
    path("people/<int:number>/reset-link/", reset_link, name="reset_link"),
    path("people/<int:number>/leaving/", person_leaving, name="person_leaving"),
    path("people/<int:number>/leave/", person_leave, name="person_leave"),
    path("people/<int:number>/second-factor/remove/", second_factor_remove, name="second_factor_remove"),
    path("vocabularies/ratings/<slug:slug>/", judgements, name="judgements"),
]
