"""The pages of models under audit show the answer of a check by themselves."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from plumbline.audits.models import ModelUnderAudit
from plumbline.audits.questions import ask_check
from tests.browser.house import House

pytestmark = pytest.mark.slow


def test_the_list_shows_the_answer_and_keeps_the_link_to_a_new_plan(house: House) -> None:
    ModelUnderAudit.objects.filter(reference=house.model).delete()  # other tests share the house, and add it too
    page = house.page("admin")
    with house.paused_worker():
        page.goto(reverse("admin:audits_modelunderaudit_add"))
        page.get_by_label("Reference").fill(house.model)
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.get_by_text("waits for a worker")).to_be_visible()
    expect(page.get_by_role("row").filter(has_text=house.model)).to_contain_text("masked")
    expect(page.get_by_role("link", name="Make a plan that audits it")).to_be_visible()


def test_the_form_shows_the_answer_and_keeps_what_somebody_typed(house: House) -> None:
    model, _ = ModelUnderAudit.objects.get_or_create(reference=house.model)
    page = house.page("admin")
    with house.paused_worker():
        ask_check(model)
        page.goto(reverse("admin:audits_modelunderaudit_change", args=[model.pk]))
        expect(page.get_by_text("waits for a worker")).to_be_visible()
        page.get_by_label("Title").fill("Support chat")
    expect(page.get_by_text("loads", exact=True)).to_be_visible()
    expect(page.get_by_label("Title")).to_have_value("Support chat")
