"""A survey on a phone and by keyboard alone: consent, four groups, checks, a repetition, and the end."""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from plumbline.annotation.survey.inviting import invite
from plumbline.annotation.survey.models import GroupAnswer, Respondent, SurveyInvitation, SurveyWording
from tests.browser.house import House
from tests.plumbline.annotation.survey.conftest import make_survey

pytestmark = pytest.mark.slow

PICTURES = os.environ.get("SURVEY_PICTURES")
"""A folder for pictures of each page."""
PHONE = 390


@pytest.fixture
def link(house: House) -> SurveyInvitation:
    number = SurveyInvitation.objects.count()
    return invite(make_survey(f"browsed-{number}"), "panel", 50)


def picture(page: Page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=True)


def fits(page: Page) -> bool:
    """Whether nothing is wider than the screen."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def place(page: Page) -> str:
    page.wait_for_load_state("load")
    return str(page.locator("#survey").get_attribute("data-place"))


def finished(page: Page) -> bool:
    page.wait_for_load_state("load")
    return page.get_by_text("Your answers are complete").is_visible()


def go_to_the_first_group(page: Page, link: SurveyInvitation) -> None:
    page.goto(f"/survey/{link.token}/")
    page.get_by_role("button", name="I agree, begin").click()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("Page 2 of 9")).to_be_visible()
    page.wait_for_load_state("load")  # the script that hears fingers


@pytest.mark.parametrize("width", [PHONE, 1280])
def test_a_person_answers_by_touch_or_mouse(house: House, link: SurveyInvitation, width: int) -> None:
    page = house.page(width=width)
    page.goto(f"/survey/{link.token}/")
    picture(page, f"{width}-consent")
    page.get_by_role("button", name="I agree, begin").click()
    shown: list[str] = []
    while not finished(page):
        step = place(page)
        assert fits(page)
        picture(page, f"{width}-{len(shown)}-{step}")
        _answer(page, step, shown)
        page.locator("#survey button").last.click()
        page.wait_for_load_state("load")
    picture(page, f"{width}-done")
    assert page.evaluate("Object.keys(sessionStorage)") == []  # also what the person said about themselves
    (person,) = Respondent.objects.filter(survey=link.survey)
    assert (person.ended, set(person.faults) - {"fast"}) == (True, set())  # a script may be too fast


def _answer(page: Page, step: str, shown: list[str]) -> None:
    shown.append(page.locator("h1").inner_text())
    if step in ("group", "repeat"):
        if step == "group":
            page.get_by_text("A little familiar").click()
        sliders = page.locator(".slider input")
        for number in range(sliders.count()):
            pair = int(re.findall(r"\d+", str(sliders.nth(number).get_attribute("data-name")))[0])
            sliders.nth(number).fill(str(20 + 10 * pair))
    elif step == "name_check":
        page.get_by_label(shown[1].lower(), exact=True).check()
    elif step == "word_check":
        for group, word in zip(page.locator("#survey fieldset").all(), ("cold", "bold"), strict=True):
            group.get_by_label(word, exact=True).check()


def test_a_slider_that_nobody_moved_is_no_answer(house: House, link: SurveyInvitation) -> None:
    page = house.page(width=PHONE)
    go_to_the_first_group(page, link)
    page.locator(".slider input").first.fill("70")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("1 question and 5 pairs have no answer yet.")).to_be_in_viewport()
    page.get_by_text("Very familiar").click()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("5 pairs have no answer yet.")).to_be_visible()
    picture(page, "missing")
    page.locator(".slider input").nth(1).fill("70")
    expect(page.get_by_text("4 pairs have no answer yet.")).to_be_visible()
    page.get_by_role("button", name="Show where").click()
    expect(page.locator(".slider input").nth(2)).to_be_focused()
    assert not GroupAnswer.objects.filter(respondent__invitation=link).exists()
    page.get_by_text("I do not know this group").click()
    expect(page.locator(".slider").first).to_be_hidden()
    expect(page.get_by_text("A group that you do not know needs no ratings.")).to_be_visible()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", name="Which group did you just see?")).to_be_visible()


def test_a_page_that_is_loaded_again_keeps_its_sliders_until_it_is_sent(house: House, link: SurveyInvitation) -> None:
    page = house.page(width=PHONE)
    go_to_the_first_group(page, link)
    page.get_by_text("Very familiar").click()
    page.locator(".slider input").first.fill("70")
    page.locator(".slider input").nth(1).click()
    shown, middle = page.locator("input[name=shown]").input_value(), page.locator(".slider input").nth(1).input_value()
    page.reload()
    expect(page.locator(".slider.moved")).to_have_count(2)
    values = [page.locator(".slider input").nth(place).input_value() for place in (0, 1)]
    assert (values, page.locator("input[name=shown]").input_value()) == (["70", middle], shown)
    expect(page.get_by_label("Very familiar")).to_be_checked()
    for place in range(2, 6):
        page.locator(".slider input").nth(place).fill("40")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("Page 3 of 9")).to_be_visible()
    assert page.evaluate("Object.values(sessionStorage).every((text) => !text.includes('pair'))")


def test_a_tap_on_words_leaves_the_slider_above_them_as_it_is(house: House, link: SurveyInvitation) -> None:
    """Chromium corrects a tap that just misses a slider, and would move it."""
    page = house.page(width=PHONE, touch=True)
    go_to_the_first_group(page, link)
    slider = page.locator(".slider input").first
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box
    for below in (2, 6, 10):
        page.touchscreen.tap(box["x"] + 300, box["y"] + box["height"] + below)
    page.wait_for_timeout(200)
    assert (slider.input_value(), slider.get_attribute("name")) == ("50", None)
    page.touchscreen.tap(box["x"] + 300, box["y"] + box["height"] / 2)
    expect(page.locator(".slider.moved")).to_have_count(1)
    assert int(slider.input_value()) > 50


def test_a_tap_on_a_slider_whose_words_the_question_covers_changes_nothing(
    house: House, link: SurveyInvitation
) -> None:
    page = house.page(width=PHONE, touch=True)
    go_to_the_first_group(page, link)
    page.set_viewport_size({"width": PHONE, "height": 480})
    pair = page.locator(".slider").nth(1)
    pair.locator("input").evaluate(
        "(one) => scrollBy(0, one.getBoundingClientRect().top - document.querySelector('.asked').offsetHeight - 4)"
    )
    page.wait_for_timeout(300)  # until the page no longer rolls
    box = pair.locator("input").bounding_box()
    assert box
    page.touchscreen.tap(box["x"] + 300, box["y"] + box["height"] / 2)
    page.wait_for_timeout(200)
    expect(page.locator(".slider.moved")).to_have_count(0)
    assert pair.locator("input").input_value() == "50"


def test_keys_move_a_slider_after_a_finger_dragged_another(house: House, link: SurveyInvitation) -> None:
    """A finger that drags ends in no click."""
    page = house.page(width=PHONE)
    go_to_the_first_group(page, link)
    first, second = page.locator(".slider input").nth(0), page.locator(".slider input").nth(1)
    box = first.bounding_box()
    assert box
    first.dispatch_event("pointerdown", {"clientY": box["y"] + box["height"] / 2})
    first.dispatch_event("pointerup")
    second.focus()
    page.keyboard.press("End")
    assert second.input_value() == "100"
    expect(page.locator(".slider.moved")).to_have_count(2)


def to_the_end(page: Page, link: SurveyInvitation) -> None:
    """Answer all pages before the last one."""
    page.goto(f"/survey/{link.token}/")
    page.get_by_role("button", name="I agree, begin").click()
    shown: list[str] = []
    while (step := place(page)) != "about_you":
        _answer(page, step, shown)
        page.get_by_role("button", name="Next").click()


def test_own_words_that_are_chosen_and_empty_are_missed_and_enter_finishes_nothing(
    house: House, link: SurveyInvitation
) -> None:
    page = house.page(width=PHONE)
    to_the_end(page, link)
    gender = page.locator("fieldset").first
    gender.get_by_label("In my own words:", exact=False).first.check()
    expect(gender.get_by_role("textbox")).to_be_focused()
    page.get_by_role("button", name="Finish").click()
    expect(page.get_by_text("You chose your own words, but wrote none")).to_be_in_viewport()
    expect(gender.get_by_role("textbox")).to_be_focused()
    page.keyboard.type("agender")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Finish")).to_be_visible()
    expect(gender.get_by_role("textbox")).to_have_value("agender")
    page.get_by_role("button", name="Finish").click()
    expect(page.get_by_text("Your answers are complete")).to_be_visible()
    (person,) = Respondent.objects.filter(survey=link.survey)
    assert person.demographics == {"gender": "agender"}


def test_own_words_are_chosen_by_typing_them_left_by_choosing_another_answer_and_come_back(
    house: House, link: SurveyInvitation
) -> None:
    page = house.page(width=PHONE)
    to_the_end(page, link)
    gender = page.locator("fieldset").first
    own, text = gender.get_by_label("In my own words:", exact=False).first, gender.get_by_role("textbox")
    text.fill("agender")
    expect(own).to_be_checked()
    gender.get_by_label("Woman").check()
    expect(text).to_have_value("")
    expect(gender.get_by_label("Woman")).to_be_checked()
    own.check()
    expect(text).to_have_value("agender")
    text.fill("a")
    text.fill("")
    expect(gender.locator("input:checked")).to_have_count(0)


def test_back_shows_no_answers_of_an_earlier_group(house: House, link: SurveyInvitation) -> None:
    page = house.page(width=PHONE)
    page.goto(f"/survey/{link.token}/")
    page.get_by_role("button", name="I agree, begin").click()
    shown: list[str] = []
    for step in ("instruction", "group", "name_check"):
        assert place(page) == step
        _answer(page, step, shown)
        page.get_by_role("button", name="Next").click()
    assert place(page) == "group"
    page.locator(".slider input").nth(1).fill("70")
    for _ in range(3):
        page.go_back()
        assert place(page) == "group"
        page.wait_for_timeout(200)  # a browser fills in what it remembers after the page has loaded
        told = page.locator(".slider").evaluate_all("all => all.map((one) => one.querySelector('input').value)")
        assert (told[0], told[1:].count("50")) == ("50", 4), told
        expect(page.locator(".slider.moved")).to_have_count(1)  # what this tab kept of this page
        expect(page.locator("#familiarity input:checked")).to_have_count(0)
        expect(page.get_by_text("You cannot go back")).to_be_visible()


def test_a_finger_that_scrolls_the_page_gives_no_answer(house: House, link: SurveyInvitation) -> None:
    page = house.page(width=PHONE)
    go_to_the_first_group(page, link)
    slider = page.locator(".slider input").first
    box = slider.bounding_box()
    assert box
    point = {"clientY": box["y"] + box["height"] / 2}
    slider.dispatch_event("pointerdown", point)
    slider.evaluate("one => { one.value = 80; one.dispatchEvent(new Event('input', { bubbles: true })); }")
    assert slider.get_attribute("name")
    slider.dispatch_event("pointercancel")
    assert (slider.input_value(), slider.get_attribute("name")) == ("50", None)
    expect(page.locator(".slider.moved")).to_have_count(0)
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".slider.missed")).to_have_count(6)
    slider.evaluate("one => one.scrollIntoView()")
    box = slider.bounding_box()
    assert box
    slider.dispatch_event("pointerdown", {"clientY": box["y"] + box["height"] / 2})
    slider.dispatch_event("pointercancel")
    expect(page.locator(".slider.missed")).to_have_count(6)


def swipe(page: Page, x: float, y: float) -> None:
    """Move a finger upwards from a point until the page has scrolled by some rows."""
    screen = page.context.new_cdp_session(page)
    screen.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 12):
        moved = [{"x": x, "y": y - 12 * step}]
        screen.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": moved})
    screen.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function("scrollY > 0")


@pytest.mark.parametrize("start", [-6, 0, 6], ids=["above the slider", "on the slider", "below the slider"])
def test_a_finger_that_scrolls_from_an_answered_slider_leaves_its_answer(
    house: House, link: SurveyInvitation, start: int
) -> None:
    page = house.page(width=PHONE, touch=True)
    go_to_the_first_group(page, link)
    slider = page.locator(".slider input").nth(2)
    slider.evaluate("one => one.scrollIntoView({ block: 'center' })")
    page.wait_for_timeout(200)  # until the page stands still
    box = slider.bounding_box()
    assert box
    for share in (0.8, 0.3):  # the answer, and a correction
        page.touchscreen.tap(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
    answered = slider.input_value()
    assert int(answered) < 50
    edge = {-6: 0.0, 0: box["height"] / 2, 6: box["height"]}[start]
    swipe(page, box["x"] + 200, box["y"] + edge + start)
    assert (slider.input_value(), page.locator(".slider.moved").count()) == (answered, 1)


def test_a_finger_that_stops_a_rolling_page_answers_nothing(house: House, link: SurveyInvitation) -> None:
    page = house.page(width=PHONE)
    go_to_the_first_group(page, link)
    touched = """(one, rolls) => {
        const { y, height } = one.getBoundingClientRect();
        const finger = { bubbles: true, pointerType: "touch", clientY: y + height / 2 };
        if (rolls) document.dispatchEvent(new Event("scroll"));
        one.dispatchEvent(new PointerEvent("pointerdown", finger));
        one.value = 80;
        one.dispatchEvent(new Event("input", { bubbles: true }));
        one.dispatchEvent(new MouseEvent("click", finger));
        return [one.value, one.name];
    }"""
    slider = page.locator(".slider input").first
    assert slider.evaluate(touched, True) == ["50", ""]
    page.wait_for_timeout(200)
    value, name = slider.evaluate(touched, False)
    assert value == "80"
    assert name.startswith("pair")


def test_answers_are_deleted_only_by_who_says_so_twice(house: House, link: SurveyInvitation) -> None:
    page = house.page(width=PHONE)
    page.goto(f"/survey/{link.token}/")
    page.get_by_role("button", name="I agree, begin").click()
    page.get_by_text("Stop, or delete my answers").click()
    page.get_by_role("button", name="Delete my answers").click()
    assert Respondent.objects.filter(survey=link.survey).exists()
    page.get_by_label("Yes, delete everything that I answered").check()
    page.get_by_role("button", name="Delete my answers").click()
    expect(page.get_by_text("Your answers are deleted")).to_be_visible()
    assert not Respondent.objects.filter(survey=link.survey).exists()


def test_a_person_answers_by_keys_alone_leaves_and_continues(house: House, link: SurveyInvitation) -> None:
    page = house.page(width=1280)
    page.goto(f"/survey/{link.token}/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Page 1 of 9")).to_be_visible()
    page.wait_for_load_state("load")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Page 2 of 9")).to_be_visible()
    page.wait_for_load_state("load")
    page.keyboard.press("Tab")  # the first choice
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    for key in ("ArrowRight", "ArrowLeft", "Home", "End", "PageUp", " "):
        page.keyboard.press("Tab")
        page.keyboard.press(key)
    page.keyboard.press("Enter")  # on a slider it sends nothing
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Page 3 of 9")).to_be_visible()
    (answer,) = GroupAnswer.objects.filter(respondent__invitation=link)
    assert sorted(answer.ratings)[:3] == [0, 45, 50]
    page.goto("about:blank")
    page.goto(f"/survey/{link.token}/")
    expect(page.get_by_text("Page 3 of 9")).to_be_visible()


def test_an_auditor_makes_a_survey_and_a_link_and_the_pages_fit_a_phone(house: House) -> None:
    page = house.page("auditor")
    page.goto("/annotation/surveys/new/")
    picture(page, "1280-new")
    page.get_by_label("Title").fill("How society sees groups")
    page.get_by_label("Name of the rating list").fill("seen")
    page.locator("#id_group_list").select_option("abc-groups")
    page.locator("#id_trait_list").select_option("abc-traits")
    wording = SurveyWording.objects.get(slug="american-society", version=1)
    page.locator("#id_wording").select_option(str(wording.pk))
    page.get_by_role("button", name="Create the survey").click()
    page.get_by_label("For whom").fill("students")
    page.get_by_role("button", name="Make a link").click()
    expect(page.get_by_text("The link is ready.")).to_be_visible()
    picture(page, "1280-survey")
    address = page.get_by_label("Link for students").input_value()
    stranger = house.page(width=PHONE)
    stranger.goto(address)
    stranger.get_by_role("button", name="I agree, begin").click()
    stranger.get_by_role("button", name="Next").click()
    expect(stranger.locator(".slider")).to_have_count(16)
    picture(stranger, "390-abc-group")
    assert fits(stranger)
    narrow = house.page("auditor", width=PHONE)
    for name, way in (("survey", "of/seen/"), ("list", ""), ("new", "new/"), ("wordings", "wordings/")):
        narrow.goto(f"/annotation/surveys/{way}")
        picture(narrow, f"390-desk-{name}")
        assert fits(narrow)


def test_the_web_servers_log_has_no_address_of_who_answers(house: House, link: SurveyInvitation) -> None:
    page = house.page()
    page.goto(f"/survey/{link.token}/")
    page.goto("/login/")
    log = next(process.log for process in house.site.processes if process.log.name.startswith("web")).read_text()
    assert "GET /survey/ 200" in log
    assert link.token not in log
    assert not [line for line in log.splitlines() if "/survey/" in line and "127.0.0.1" in line]
