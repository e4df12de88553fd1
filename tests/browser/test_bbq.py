"""From the board of a BBQ run to a cell, to its questions, to a template, to the same board beside another run's."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from plumbline.audits.launching import launch
from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.spec.audit import parse
from tests.browser.house import House
from tests.plumbline.spec.some_questions import set_of_four

pytestmark = pytest.mark.slow

WIDE = "document.documentElement.scrollWidth"
TEMPLATES = 9
QUESTIONS = [one for number in range(TEMPLATES) for one in set_of_four(str(number), number)]


def spec(name: str, answers: list[dict[str, Any]]) -> dict[str, Any]:
    bank = {"inline": QUESTIONS}
    return {"name": name, "probe": "bbq", "model": f"answers:{name}", "bank": bank, "answers": {"inline": answers}}


def biased(question: dict[str, Any]) -> int:
    return 0 if question["polarity"] == "neg" else 1


@pytest.fixture
def runs(house: House) -> list[Run]:
    """One that always follows the stereotype, with logits and one output that matches nothing; one that never errs."""
    follows = [
        {"id": one["id"], "logits": [2.0 if place == biased(one) else 0.0 for place in range(3)]}
        for one in QUESTIONS[1:]
    ]
    follows.append({"id": QUESTIONS[0]["id"], "output": "perhaps <b>both</b>"})
    right = [{"id": one["id"], "chosen": one["gold"]} for one in QUESTIONS]
    launched = [launch(parse(spec("follows", follows))), launch(parse(spec("right", right)))]
    ended = [house.site.wait_for_end(run) for run in launched]
    assert [run.state for run in ended] == [RunState.DONE] * 2, [run.error for run in ended]
    return ended


def rows_of(page: Page, place: Any) -> list[dict[str, str]]:
    with page.expect_download() as download:
        place.get_by_role("link", name="CSV").click()
    lines = [line for line in Path(download.value.path()).read_text().splitlines() if not line.startswith("#")]
    return list(csv.DictReader(io.StringIO("\n".join(lines))))


def test_a_viewer_walks_from_the_board_down_to_the_questions(house: House, runs: list[Run]) -> None:
    run, other = runs
    page = house.page("viewer")
    page.goto(f"/runs/{run.pk}/")
    expect(
        page.get_by_text("the answers of answers:follows about “Colour” follow the stereotype").first
    ).to_be_visible()
    page.get_by_role("link", name="Board", exact=True).click()
    expect(page.get_by_role("heading", name="Read first")).to_be_visible()
    board = page.get_by_role("region", name="Bias scores by category and context")
    stored = {(one["statistic"], one["category"], one["variant"]): one["value"] for one in rows_of(page, board)}
    assert float(stored["s_amb", "Colour", ""]) == 1.0
    cell = board.get_by_role("row", name="Colour").get_by_role("link", name="▲ +1.00").first
    cell.click()
    expect(page.get_by_text(f"{2 * TEMPLATES} answers like that.")).to_be_visible()
    page.get_by_label("Answer").select_option("unmatched")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_text("No answer: the output 'perhaps <b>both</b>' matches no option")).to_be_visible()
    page.get_by_label("Answer").select_option("biased")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_text("0.79").first).to_be_visible()
    page.get_by_role("link", name="template Colour 0").first.click()
    expect(page.get_by_role("heading", name="Template Colour 0")).to_be_visible()
    page.get_by_role("link", name="Board", exact=True).click()
    page.get_by_role("combobox", name="Definition").select_option("as HELM")
    page.get_by_role("button", name="Show", exact=True).first.click()
    expect(page.get_by_role("region", name="Bias scores by category and context")).to_contain_text("+0.89")
    page.get_by_role("link", name="Compare with other runs").click()
    page.get_by_text("Runs to show").click()
    page.get_by_role("checkbox", name=f"{other.pk}: right").check()
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_role("columnheader", name=f"Run {other.pk}").first).to_be_visible()


@pytest.mark.parametrize("dark", [False, True])
def test_the_pages_fit_a_telephone(house: House, runs: list[Run], dark: bool) -> None:
    page = house.page("viewer", width=390, dark=dark)
    addresses = ("", "labels/", "templates/", "template/?name=Colour 0", "questions/")
    own = [f"/runs/{runs[0].pk}/bbq/{address}" for address in addresses]
    for address in (*own, "/bbq/", f"/bbq/?runs={runs[0].pk},{runs[1].pk}&mean=1"):
        page.goto(address)
        assert page.evaluate(WIDE) <= 390, address
