"""The desk's pages of surveys."""

import csv
import io
import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import reverse

from plumbline.annotation.survey import releasing
from plumbline.annotation.survey.inviting import invite
from plumbline.annotation.survey.models import Respondent, Survey, SurveyInvitation, SurveyWording
from plumbline.vocab.models import GroupList, Rating, RatingList, TraitList
from tests.plumbline.annotation.conftest import Person
from tests.plumbline.annotation.survey.conftest import make_survey
from tests.plumbline.annotation.survey.players import PAIRS, Player, answered, steady

pytestmark = pytest.mark.django_db


def text_of(client: Client, name: str, *arguments: str) -> str:
    """The words of a page."""
    response = client.get(reverse(name, args=arguments))
    assert response.status_code == 200, response.status_code
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


@pytest.fixture
def kim(person: Person) -> Client:
    return person("kim", "auditor")


@pytest.fixture
def lists(db: None) -> None:
    groups = GroupList.objects.create(slug="people", title="People")
    for label in ("tall", "short", "bald"):
        groups.entries.create(label=label, plural=f"{label} people")
    traits = TraitList.objects.create(slug="poles", title="Poles")
    for left, right in PAIRS:
        traits.entries.create(left=left, right=right)


def given(**fields: object) -> dict[str, object]:
    lists = {"title": "Views", "slug": "views", "group_list": "people", "trait_list": "poles"}
    numbers = {"groups_each": 2, "repeated": 5, "tolerance": 20, "least_agreement": 0.8}
    wording = SurveyWording.objects.get(slug="american-society").pk
    return {**lists, **numbers, "wording": wording, **fields}


def test_an_auditor_makes_a_survey_with_frozen_groups_and_pairs(kim: Client, lists: None) -> None:
    assert "Groups per person" in text_of(kim, "survey_new")
    kim.post(reverse("survey_make"), given(only="tall\nbald"))
    made = Survey.objects.get()
    GroupList.objects.all().delete()
    assert made.names == {"tall": "tall people", "bald": "bald people"}
    assert made.pairs == [list(pair) for pair in PAIRS]
    assert "2 groups, 2 a person" in text_of(kim, "survey_page", "views")


def test_people_read_who_makes_the_survey_before_they_begin(kim: Client, lists: None) -> None:
    text_of(kim, "survey_new")
    kim.post(reverse("survey_make"), given(contact="<b>Fair</b> Labs\nask@fair.example"))
    link = invite(Survey.objects.get(slug="views"), "panel", 5)
    consent = Client().get(reverse("survey", args=[link.token])).content.decode()
    assert (
        '<b>Who asks:</b> &lt;b&gt;Fair&lt;/b&gt; Labs<br><a href="mailto:ask@fair.example">ask@fair.example</a>'
        in consent
    )
    assert "Ask whoever sent you this link" not in consent


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"only": "tall\ngreen"}, "is no label of the list"),
        ({"only": "tall"}, "at most as many groups per person"),
        ({"repeated": 9}, "at most as many repeated pairs"),
        ({"slug": "taken"}, "There is a rating list"),
        ({"slug": "a b"}, "Enter a valid"),
        ({"groups_each": 6}, "less than or equal to 5"),
        ({"contact": "ask@fair.example"}, "Say who you are and why you ask, too."),
    ],
)
def test_a_faulty_form_says_what_is_wrong(kim: Client, lists: None, wrong: dict[str, object], said: str) -> None:
    RatingList.objects.create(slug="taken", title="Taken")
    text_of(kim, "survey_new")
    assert said in kim.post(reverse("survey_make"), given(**wrong)).content.decode()
    assert not Survey.objects.exists()


def test_the_form_shows_the_labels_and_the_texts_that_it_offers(kim: Client, lists: None) -> None:
    shown = text_of(kim, "survey_new")
    assert f"Labels of {GroupList.objects.get()}" in shown
    assert "tall short bald" in shown
    wording = SurveyWording.objects.get(slug="american-society-most-people")
    assert f"Texts of {wording} {wording.question} {wording.familiarity}" in shown


def test_surveys_are_in_the_navigation_of_who_may_see_them(kim: Client, person: Person) -> None:
    for client in (kim, person("vera", "viewer")):
        page = client.get(reverse("overview")).content.decode()
        assert re.search(rf'<a href="{reverse("survey_list")}"[^>]*>Surveys</a>', page)


def test_the_pages_of_a_survey_can_be_seen_before_anybody_answers(survey: Survey, person: Person) -> None:
    vic = person("vic", "viewer")
    survey.other_wording = SurveyWording.objects.get(slug="american-society-most-people")
    survey.save()
    said = ("You must be at least 18", "not what you believe yourself", "As viewed by", "Prefer not to say")
    for number, text in enumerate(said):
        page = vic.get(reverse("survey_preview", args=["asked"]), {"page": number}).content.decode()
        assert text in page
        assert "nothing is stored" in page
    other = vic.get(reverse("survey_preview", args=["asked"]), {"page": "2", "wording": "other"}).content.decode()
    assert "Where would most people in the United States place tall people" in other
    assert not Respondent.objects.exists()


def test_links_are_made_closed_and_revoked(kim: Client, survey: Survey) -> None:
    kim.post(reverse("survey_invite", args=["asked"]), {"label": "students", "limit": 20, "farewell": "Bye"})
    link = SurveyInvitation.objects.get()
    assert (len(link.token), link.farewell) == (32, "Bye")
    assert "0 of 20" in text_of(kim, "survey_page", "asked")
    assert link.token in kim.get(reverse("survey_page", args=["asked"])).content.decode()
    for state, sent in (("closed", {}), ("open", {}), ("revoked", {"revoke": "1"})):
        kim.post(reverse("survey_link", args=["asked", link.pk]), sent)
        assert f"The link for students is {state}" in text_of(kim, "survey_page", "asked")
    assert link.token not in kim.get(reverse("survey_page", args=["asked"])).content.decode()


def test_only_those_who_may_change_a_survey_see_its_links(link: SurveyInvitation, person: Person) -> None:
    for role, seen in (("viewer", False), ("reviewer", False), ("curator", False), ("auditor", True), ("admin", True)):
        page = person(role, role).get(reverse("survey_page", args=["asked"])).content.decode()
        assert (link.token in page) is seen


def test_the_page_shows_counts_releases_reliability_and_what_waits(
    kim: Client, survey: Survey, link: SurveyInvitation
) -> None:
    answered(link, 12)
    Player(steady, inattentive=("word_check",)).play(link)
    page = text_of(kim, "survey_page", "asked")
    assert "13 people have finished, and the answers of 12 count" in page
    assert "1 named a word that the sliders did not lean to" in page
    assert "Nothing is released yet" in page
    kim.post(reverse("survey_release", args=["asked"]))
    page = text_of(kim, "survey_page", "asked")
    assert "ratings are released" in page
    assert "The rating list asked has 12 raters" in page
    assert "tall 6" in page
    assert "Answers of 0 people wait" in page


def test_a_release_without_enough_raters_says_so(kim: Client, survey: Survey, link: SurveyInvitation) -> None:
    Player(steady).play(link)
    kim.post(reverse("survey_release", args=["asked"]))
    assert "no group has 5 new raters" in text_of(kim, "survey_page", "asked")


def test_the_file_has_released_cells_only(kim: Client, survey: Survey, link: SurveyInvitation, maker: User) -> None:
    answered(link, 10)
    releasing.release(survey, maker)
    answered(link, 4, lambda group, place: 100)
    lines = kim.get(reverse("survey_csv", args=["asked"])).content.decode().splitlines()
    rows = list(csv.DictReader(io.StringIO("\n".join(one for one in lines if not one.startswith("#")))))
    assert len(rows) == 8 * len(PAIRS)
    assert {row["raters"] for row in rows} == {"5"}


def test_the_login_of_the_sql_page_sees_no_answer(survey: Survey, link: SurveyInvitation) -> None:
    """Its views do not mention the tables of surveys, and it may read nothing but views."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT string_agg(definition, ' ') FROM pg_views WHERE schemaname = 'results'")
        (definitions,) = cursor.fetchone()
    tables = [model._meta.db_table for model in (Survey, Respondent, Rating)]
    assert not [table for table in tables if table in definitions]


def test_a_pilot_shows_each_wording_to_half_of_the_people_and_compares_them(kim: Client, maker: User) -> None:
    survey = make_survey("pilot")
    survey.other_wording = SurveyWording.objects.get(slug="american-society-most-people")
    survey.save()
    link = invite(survey, "panel", 500)
    answered(link, 24, steady)
    counts = [Respondent.objects.filter(wording=one).count() for one in survey.wordings]
    assert counts == [12, 12]
    releasing.release(survey, maker)
    assert set(RatingList.objects.values_list("slug", flat=True)) == {"pilot-a", "pilot-b"}
    page = text_of(kim, "survey_page", "pilot")
    assert "The answers to the two wordings do not differ more than by chance" in page


def test_a_wording_is_edited_as_a_new_version(kim: Client, survey: Survey, person: Person) -> None:
    texts = {name: getattr(survey.wording, name) for name in ("consent", "instruction", "familiarity", "question")}
    save = reverse("survey_wording_save")
    kim.post(save, {"slug": "american-society", **texts, "question": "Where are {group}?"})
    kim.post(save, {"slug": "american-society", **texts, "question": "Where are {group}?"})
    versions = SurveyWording.objects.filter(slug="american-society").values_list("version", "question")
    assert sorted(versions) == [(1, survey.wording.question), (2, "Where are {group}?")]
    refused = kim.post(save, {"slug": "american-society", **texts, "question": "Where are they?"})
    assert "{group} is missing" in refused.content.decode()
    assert "american-society , version 2" in text_of(person("vic", "viewer"), "survey_wordings")


def test_a_survey_is_closed_opened_and_deleted_and_its_ratings_stay(
    kim: Client, survey: Survey, link: SurveyInvitation, maker: User
) -> None:
    answered(link, 10)
    releasing.release(survey, maker)
    kim.post(reverse("survey_close", args=["asked"]))
    assert "The survey is closed" in text_of(kim, "survey_page", "asked")
    kim.post(reverse("survey_close", args=["asked"]))
    assert "open again" in text_of(kim, "survey_page", "asked")
    kim.post(reverse("survey_delete", args=["asked"]))
    assert not Survey.objects.exists()
    assert not Respondent.objects.exists()
    assert Rating.objects.count() == 40 * len(PAIRS)
