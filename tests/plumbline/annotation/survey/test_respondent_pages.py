"""The pages of an invited person."""

import re
import time
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from plumbline.annotation.survey import inviting
from plumbline.annotation.survey.models import GroupAnswer, Respondent, Survey, SurveyInvitation
from plumbline.annotation.survey.respondent_pages import SHOWN
from tests.plumbline.annotation.survey.conftest import make_survey
from tests.plumbline.annotation.survey.players import PAIRS, Player, answers_of, steady

pytestmark = pytest.mark.django_db


def person() -> Respondent:
    return Respondent.objects.get()


def test_nothing_is_stored_before_the_consent(link: SurveyInvitation) -> None:
    page = answers_of(Client(), link)
    assert "I agree, begin" in page.content.decode()
    assert "<p>You must be at least 18 years old.</p>" in page.content.decode()
    assert "How &lt;society&gt; sees groups" in page.content.decode()
    assert not page.cookies.get("survey")
    assert not Respondent.objects.exists()


def test_a_person_answers_all_pages_and_counts(link: SurveyInvitation) -> None:
    player = Player(steady, about={"gender": "own", "gender_own": " agender ", "age": "25-34", "race": ""})
    assert "Your answers are complete" in player.play(link)
    assert len(set(player.seen)) == 4
    assert person().faults == []
    assert person().agreement == 1.0
    assert person().demographics == {"gender": "agender", "age": "25-34"}
    assert [one.ratings for one in GroupAnswer.objects.filter(group=player.seen[0])] == [
        [steady(player.seen[0], place) for place in range(len(PAIRS))]
    ]


def test_an_answer_outside_the_scale_or_missing_is_refused_and_the_page_keeps_the_others(
    link: SurveyInvitation,
) -> None:
    player = Player(steady)
    player.play(link, pages=1)
    address = f"/survey/{link.token}/save/"
    given = {"step": "1", "familiarity": "2", **{f"pair{place}": "70" for place in range(len(PAIRS))}}
    for wrong in ({"pair0": ""}, {"pair0": "101"}, {"pair0": "-1"}, {"pair0": "1.5"}, {"familiarity": "9"}):
        page = player.client.post(address, given | wrong)
        assert "There is no answer yet" in page.content.decode()
        assert 'value="70"' in page.content.decode()
    assert not GroupAnswer.objects.exists()
    assert player.client.post(address, given).status_code == 302
    assert GroupAnswer.objects.count() == 1


def test_a_page_sent_twice_counts_once(link: SurveyInvitation) -> None:
    player = Player(steady)
    player.play(link, pages=1)
    given = {"step": "1", "familiarity": "2", **{f"pair{place}": "70" for place in range(len(PAIRS))}}
    for _ in range(2):
        assert player.client.post(f"/survey/{link.token}/save/", given).status_code == 302
    assert (GroupAnswer.objects.count(), person().step) == (1, 2)


def test_a_group_that_a_person_does_not_know_has_no_ratings_and_no_checks(link: SurveyInvitation) -> None:
    everything = ("tall", "short", "left-handed", "right-handed", "bald", "bearded", "early", "late")
    assert "complete" in Player(steady, unknown=everything).play(link)
    assert person().faults == ["nothing"]
    assert {one.familiarity for one in GroupAnswer.objects.all()} == {0}


def test_the_same_browser_continues_and_another_one_begins(link: SurveyInvitation) -> None:
    player = Player(steady)
    player.play(link, pages=3)
    assert "Page 4 of" in answers_of(player.client, link).content.decode()
    assert "I agree, begin" in answers_of(Client(), link).content.decode()
    assert "complete" in player.play(link)
    assert Respondent.objects.count() == 1
    assert person().faults == []


def test_a_finished_browser_cannot_answer_again_and_nothing_leads_back_to_the_answers(link: SurveyInvitation) -> None:
    player = Player(steady)
    player.play(link)
    assert (person().secret, person().invitation) == (None, None)
    finished = player.client.cookies["survey"].value
    forged = Client()
    forged.cookies["survey"] = "done"
    assert "complete" not in answers_of(forged, link).content.decode()
    forged.cookies["survey"] = finished.replace(str(link.pk), str(link.pk + 1), 1)
    assert "complete" not in answers_of(forged, link).content.decode()
    assert "complete" in answers_of(player.client, link).content.decode()


def test_everybody_who_used_a_link_sees_its_text_at_the_end(survey: Survey) -> None:
    link = inviting.invite(survey, "panel", 5, "Your code is <C0DE>.")
    assert "Your code is &lt;C0DE&gt;." in Player(steady).play(link)


def test_a_person_can_delete_the_answers_before_the_end(link: SurveyInvitation) -> None:
    player = Player(steady)
    player.play(link, pages=4)
    page = player.client.post(f"/survey/{link.token}/withdraw/")
    assert "Your answers are deleted" in page.content.decode()
    assert not Respondent.objects.exists()
    assert not GroupAnswer.objects.exists()
    link.refresh_from_db()
    assert link.used == 0


def test_a_link_is_limited(link: SurveyInvitation) -> None:
    SurveyInvitation.objects.update(limit=1)
    Player(steady).play(link, pages=1)
    assert "Enough people take part" in answers_of(Client(), link).content.decode()
    assert "Enough people take part" in Client().post(f"/survey/{link.token}/begin/").content.decode()
    assert Respondent.objects.count() == 1


def test_only_some_can_begin_in_one_minute(link: SurveyInvitation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inviting, "BEGINS_PER_MINUTE", 3)
    pages = [Client().post(f"/survey/{link.token}/begin/") for _ in range(5)]
    assert [page.status_code for page in pages[:3]] == [302] * 3
    assert Respondent.objects.count() <= 4  # the minute may have ended between
    assert "try again in a minute" in pages[-1].content.decode() or Respondent.objects.count() == 4


@pytest.mark.parametrize("by", ["link", "survey"])
def test_a_closed_link_lets_nobody_begin_and_those_who_began_finish(link: SurveyInvitation, by: str) -> None:
    player = Player(steady)
    player.play(link, pages=2)
    if by == "link":
        SurveyInvitation.objects.update(closed=True)
    else:
        Survey.objects.update(closed=True)
    assert "This survey is closed" in answers_of(Client(), link).content.decode()
    Client().post(f"/survey/{link.token}/begin/")
    assert "complete" in player.play(link)
    assert Respondent.objects.count() == 1


def test_a_revoked_link_leads_nowhere(link: SurveyInvitation) -> None:
    player = Player(steady)
    player.play(link, pages=2)
    SurveyInvitation.objects.update(revoked=True)
    for client in (player.client, Client()):
        assert answers_of(client, link).status_code == 404
        for way in ("begin", "save"):
            assert client.post(f"/survey/{link.token}/{way}/").status_code == 404
    assert "Delete my answers" not in answers_of(Client(), link).content.decode()


def test_who_began_by_a_link_that_is_revoked_can_delete_the_answers(link: SurveyInvitation) -> None:
    player = Player(steady)
    player.play(link, pages=2)
    SurveyInvitation.objects.update(revoked=True)
    assert "Delete my answers" in answers_of(player.client, link).content.decode()
    player.client.post(f"/survey/{link.token}/withdraw/")
    assert not Respondent.objects.exists()


def test_without_a_script_a_pair_that_nobody_rated_has_no_value(link: SurveyInvitation) -> None:
    """A range always sends a value, so it has no name until a script names it. A number field stands in."""
    player = Player(steady)
    player.play(link, pages=1)
    page = answers_of(player.client, link).content.decode()
    assert not re.search(r'<input type="range"[^>]* name="', page)
    assert len(re.findall(r'<noscript>.*?<input type="number"\s+name="pair\d+"', page, re.DOTALL)) == 6


def test_the_secret_of_one_link_opens_no_other(link: SurveyInvitation) -> None:
    other = inviting.invite(make_survey("other"), "panel", 5)
    player = Player(steady)
    player.play(link, pages=2)
    player.client.cookies["survey"]["path"] = "/"
    assert "I agree, begin" in answers_of(player.client, other).content.decode()


def test_forms_need_the_token_against_forgery(link: SurveyInvitation) -> None:
    strict = Client(enforce_csrf_checks=True)
    for way in ("begin", "save", "withdraw"):
        assert strict.post(f"/survey/{link.token}/{way}/").status_code == 403


def test_the_cookie_is_of_this_link_and_out_of_reach_of_scripts(link: SurveyInvitation) -> None:
    cookie = Client().post(f"/survey/{link.token}/begin/").cookies["survey"]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == (f"/survey/{link.token}/", True, "Lax")
    assert cookie.value not in str(Respondent.objects.values().get())


def test_words_of_lists_and_of_people_are_escaped(db: None) -> None:
    survey = make_survey("odd", groups=[{"label": f"<b>{n}</b>", "shown": f"<b>{n}</b>"} for n in range(4)])
    link = inviting.invite(survey, "panel", 5)
    client = Client()
    client.post(f"/survey/{link.token}/begin/")
    client.post(f"/survey/{link.token}/save/", {"step": "0"})
    page = answers_of(client, link).content.decode()
    assert "<b>" not in page
    assert "<b>" in unescape(page)


def test_nothing_tells_who_answered(link: SurveyInvitation) -> None:
    """Not the account that is logged in, and no time of day."""
    player = Player(steady)
    player.client.force_login(User.objects.create_user("ada"))
    player.play(link)
    fields = {field.name: field.get_internal_type() for field in Respondent._meta.fields}
    assert not {kind for kind in fields.values() if kind in ("DateTimeField", "GenericIPAddressField")}
    assert not [field for field in Respondent._meta.fields if field.related_model is User]
    assert "ada" not in str(Respondent.objects.values().get())


def test_a_person_who_rushes_does_not_count_and_only_the_duration_is_stored(link: SurveyInvitation) -> None:
    Player(steady, pace=2).play(link)
    assert person().faults == ["fast"]
    assert {one.seconds for one in GroupAnswer.objects.all()} <= {2, 3}


def test_the_time_of_another_page_is_no_time_of_this_one(link: SurveyInvitation) -> None:
    player = Player(steady)
    player.play(link, pages=1)
    given = {"step": "1", "familiarity": "2", **{f"pair{place}": "70" for place in range(len(PAIRS))}}
    earlier = SHOWN.sign(f"0 {int(time.time()) - 500}")
    player.client.post(f"/survey/{link.token}/save/", given | {"shown": earlier})
    assert [one.seconds for one in GroupAnswer.objects.all()] == [0]


def carry_marks(one: Client, other: Client) -> None:
    """Give `other` the cookies that a browser sends to every link; the test client knows no paths."""
    for name in one.cookies:
        if name.startswith("finished-"):
            other.cookies[name] = one.cookies[name].value


def test_a_browser_that_has_finished_answers_by_no_other_link_of_the_survey(
    link: SurveyInvitation, survey: Survey
) -> None:
    player, other, browser = Player(steady), inviting.invite(survey, "students", 5), Client()
    player.play(link)
    carry_marks(player.client, browser)
    assert "This browser has answered this survey" in answers_of(browser, other).content.decode()
    browser.post(f"/survey/{other.token}/begin/")
    other.refresh_from_db()
    assert (Respondent.objects.count(), other.used) == (1, 0)
    assert "complete" in answers_of(player.client, link).content.decode()
    assert "I agree, begin" in answers_of(browser, inviting.invite(make_survey("next"), "all", 5)).content.decode()


def test_two_links_begun_in_one_browser_are_not_both_finished(link: SurveyInvitation, survey: Survey) -> None:
    player, again, other = Player(steady), Player(steady), inviting.invite(survey, "students", 5)
    again.play(other, pages=3)
    player.play(link)
    carry_marks(player.client, again.client)
    assert "Delete these answers" in answers_of(again.client, other).content.decode()
    again.client.post(f"/survey/{other.token}/save/", {"step": "3"})
    assert Respondent.objects.get(invitation=other).step == 3
    again.client.post(f"/survey/{other.token}/withdraw/")
    assert Respondent.objects.count() == 1


def test_the_mark_of_a_finished_survey_is_signed_and_says_nothing_of_the_answers(link: SurveyInvitation) -> None:
    player = Player(steady)
    player.play(link)
    mark = player.client.cookies[f"finished-{link.survey_id}"]
    assert mark.value.split(":")[0] == str(link.survey_id)
    assert (mark["path"], mark["httponly"], mark["samesite"]) == ("/survey/", True, "Lax")
    forger = Client()
    forger.cookies[f"finished-{link.survey_id}"] = f"{link.survey_id}:made-up"
    assert "I agree, begin" in answers_of(forger, link).content.decode()
