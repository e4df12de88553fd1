"""A curator sends tables of own BBQ templates and of names on a telephone, and sees whole what they make."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from plumbline.methods.bbq.bank_kinds import STARTER
from plumbline.vocab.models import Bank, NameList
from tests.browser.house import House

pytestmark = pytest.mark.slow
WIDTH = 390
CLIPPED = """
[...document.querySelectorAll("#result_list tbody td")].filter((one) => one.scrollHeight > one.clientHeight + 1)
  .map((one) => one.textContent.trim().slice(0, 60))
"""


@pytest.fixture
def telephone(house: House) -> Page:
    return house.page("curator", width=WIDTH)


def narrow(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth") <= WIDTH)


def test_a_bank_is_made_of_own_templates_and_its_questions_are_whole(telephone: Page, tmp_path: Path) -> None:
    telephone.goto("/admin/vocab/bank/own/")
    faulty = tmp_path / "faulty.csv"
    faulty.write_text("Q_id,Category,Ambiguous_Context,Disambiguating_Context\n1,Age,One.\n2,Age,{{NAME1}},\n")
    telephone.set_input_files("input[name=templates]", faulty)
    telephone.get_by_role("button", name="Show the questions").click()
    expect(telephone.get_by_role("alert")).to_contain_text("faulty.csv, line 2: 3 cells under a header of 4")
    expect(telephone.get_by_role("alert")).to_contain_text("faulty.csv, line 3:")
    for part, name in (("templates", "templates"), ("labels", "vocabulary"), ("names", "vocabulary_proper_names")):
        telephone.set_input_files(f"input[name={part}]", STARTER / f"{name}.csv")
    telephone.get_by_role("button", name="Show the questions").click()
    expect(telephone.get_by_role("heading", name="528 questions")).to_be_visible()
    assert narrow(telephone)
    telephone.get_by_label("Into a new bank called").fill("browser-bbq")
    telephone.get_by_role("button", name="Make the bank").click()
    expect(telephone.get_by_text("Made the bank browser-bbq of 528 questions.")).to_be_visible()
    bank = Bank.objects.get(slug="browser-bbq")
    telephone.goto(f"/admin/vocab/bankitem/?bank__id__exact={bank.pk}")
    expect(telephone.get_by_text("(right, UNKNOWN)").first).to_be_visible()
    assert narrow(telephone)
    assert telephone.evaluate(CLIPPED) == []


def test_names_are_proposed_by_thresholds_and_accepted(telephone: Page, tmp_path: Path) -> None:
    table = tmp_path / "dist.female.first"
    table.write_text("MARY 2.6 2.6 1\nANNA 1.1 3.7 2\n")
    telephone.goto("/admin/vocab/namelist/bbq/")
    telephone.set_input_files("input[name=women]", table)
    telephone.get_by_role("button", name="Show the candidates").click()
    expect(telephone.get_by_role("heading", name="2 candidates")).to_be_visible()
    telephone.get_by_text("Thresholds: those of the paper").click()
    telephone.get_by_label("Women and men, 1990 census: the first").fill("1")
    assert narrow(telephone)
    telephone.get_by_role("button", name="Propose by these").click()
    expect(telephone.get_by_role("heading", name="1 candidate", exact=True)).to_be_visible()
    telephone.get_by_label("Into a new list called").fill("browser")
    telephone.get_by_role("button", name="Make the lists of what is ticked").click()
    expect(telephone.get_by_text("Made browser-alone: new, 1 entry.")).to_be_visible()
    assert [name.name for name in NameList.objects.get(slug="browser-alone").rows()] == ["Mary"]
