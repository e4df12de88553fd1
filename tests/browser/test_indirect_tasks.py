"""The tasks that the participants of the thesis's study were set (Appendix C), on real scores of the demo model.

For occupations and traits, and for countries and beverages: what is a target tied to, neutral and sensitive words
alike; what is a feature tied to; and which targets, which features, stand together?
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from plumbline.audits.launching import launch
from plumbline.audits.models import Run
from plumbline.methods.indirect.bridge_links import links
from plumbline.methods.indirect.card import SCORE, WITHOUT
from plumbline.results import summary
from plumbline.spec.audit import parse
from tests.browser.bridge_board import WIDE, BridgeBoard
from tests.browser.house import House
from tests.browser.study import COUNTRIES, OCCUPATIONS, SEX
from tests.faults.conftest import pointed_at

pytestmark = pytest.mark.slow


@dataclass
class Task:
    """One of the two biases of the study, with the target and the feature that were set."""

    board: BridgeBoard
    run: Run
    target: str
    feature: str

    @property
    def category(self) -> str:
        return str(self.run.spec["features"][0]["list"])

    def scores(self, **where: str) -> list[tuple[str, str, float]]:
        """(target, feature, score) as the store has them; scorable ones, the highest first."""
        found = summary.of_run(self.run.pk, SCORE).filter(template="", **where).exclude(attribute="")
        rows = found.exclude(value=None).order_by("-value").values_list("group_a", "attribute", "value")
        return list(rows)

    def ranked(self, words: list[str], scores: dict[str, float]) -> None:
        """The words that the page shows stand by these scores, but for what two figures cannot tell apart."""
        shown = [round(scores[word], 2) for word in words]
        assert shown == sorted(shown, reverse=True), words

    def click_target(self) -> None:
        columns = self.headers("columnheader")[1:]
        self.board.click_column(columns.index(self.target))

    def click_feature(self) -> None:
        self.board.click_row(self.headers("rowheader").index(self.feature))

    def headers(self, role: Any) -> list[str]:
        return self.board.page.locator("#table").get_by_role(role).all_inner_texts()


@pytest.fixture(scope="module")
def audited(opened: House, django_db_blocker: object) -> list[Run]:
    """Both audits, made by the installation's own worker."""
    with django_db_blocker.unblock(), pointed_at(opened.site.var):  # type: ignore[attr-defined]
        runs = [opened.site.wait_for_end(launch(parse(spec))) for spec in (OCCUPATIONS, COUNTRIES)]
    assert [run.state for run in runs] == ["done", "done"], [run.error for run in runs]
    return runs


@pytest.fixture(params=[(0, "engineer", "ambitious"), (1, "France", "beer")], ids=["occupations", "countries"])
def task(request: pytest.FixtureRequest, house: House, audited: list[Run]) -> Task:
    number, *words = request.param
    run = audited[number]
    board = BridgeBoard(house.page("viewer", width=WIDE), f"/runs/{run.pk}/indirect/")
    board.open()
    return Task(board, run, *words)


def test_1b_what_a_target_is_tied_to(task: Task) -> None:
    task.click_target()
    expect(task.board.status).to_contain_text(f"sorted by “{task.target}”")
    scores = {feature: score for _, feature, score in task.scores(group_a=task.target, category=task.category)}
    most, least = task.board.told("Highest scores"), task.board.told("Lowest scores")
    assert len(most) == len(least) == 5
    task.ranked([*most, *reversed(least)], scores)
    assert round(scores[most[0]], 2) == round(max(scores.values()), 2)
    assert round(scores[least[0]], 2) == round(min(scores.values()), 2)


def test_1d_what_a_target_is_tied_to_among_sensitive_words(task: Task) -> None:
    page = task.board.page
    page.get_by_role("combobox", name="Features").select_option("gender-words")
    task.board.rows(*SEX)
    task.click_target()
    scores = {word: score for _, word, score in task.scores(group_a=task.target, category="gender-words")}
    expect(task.board.status).to_contain_text(f"sorted by “{task.target}”")
    task.ranked(task.headers("rowheader"), scores)
    task.board.panel.get_by_role("button", name="All as bars").click()
    bars = task.board.bars.get_by_role("img").locator("text").all_text_contents()
    task.ranked([one for one in bars if one in SEX], scores)


def test_2b_what_a_feature_is_tied_to(task: Task) -> None:
    task.click_feature()
    expect(task.board.status).to_contain_text(f"sorted by “{task.feature}”")
    scores = {target: score for target, _, score in task.scores(attribute=task.feature, category=task.category)}
    task.ranked(task.headers("columnheader")[1:], scores)
    most = task.board.told("Highest scores")
    assert round(scores[most[0]], 2) == round(max(scores.values()), 2)


def test_2d_whether_a_sensitive_attribute_is_behind_what_a_feature_is_tied_to(task: Task) -> None:
    """The task that most participants could not fulfil: target, feature and sensitive word at once."""
    page, board = task.board.page, task.board
    task.click_feature()
    page.get_by_label("Compare with sensitive word").select_option(label="female")
    page.locator("[name=sensitive2]").select_option(label="male")
    expect(page.locator("#three-way")).to_contain_text("“\u2068female\u2069”")
    of_feature = {target: score for target, _, score in task.scores(attribute=task.feature, category=task.category)}
    order = task.headers("columnheader")[1:]
    for word in ("female", "male"):
        known = {target: score for target, _, score in task.scores(attribute=word, category="gender-words")}
        r = np.corrcoef([of_feature[one] for one in order], [known[one] for one in order])[0, 1]
        told = page.locator("#three-way").inner_text().split(f"\u2068{word}\u2069")[1]
        # The page has two figures of each score.
        assert float(told.split("r = ")[1].split()[0].rstrip(".")) == pytest.approx(r, abs=0.03)
    page.get_by_role("combobox", name="Features").select_option("gender-words")
    board.rows("◆ female", "◆ male", *SEX)
    board.columns(*order)


def test_2d_how_much_of_a_tie_a_sensitive_attribute_explains(task: Task) -> None:
    page, board = task.board.page, task.board
    row, column = task.headers("rowheader").index(task.feature), task.headers("columnheader")[1:].index(task.target)
    page.mouse.click(*board.at_cell(row, column))
    expect(board.drawer.get_by_role("heading", level=2)).to_have_text(f"{task.target} × {task.feature}")
    names = links(task.run.pk, task.target, task.feature, task.category)
    expect(board.drawer.locator("circle")).to_have_count(len(names))
    plain = np.corrcoef([one.target for one in names], [one.feature for one in names])[0, 1]
    without = summary.of_run(task.run.pk, WITHOUT).get(group_a=task.target, attribute=task.feature, template="")
    left = board.drawer.locator("ul.left").get_by_role("listitem")
    shown = [float(left.nth(at).locator(".figures").inner_text().split()[0]) for at in (0, 1)]
    assert shown == pytest.approx([plain, without.value], abs=0.006)
    expect(left.nth(1)).to_contain_text("without gender-words")


def test_3_how_the_targets_group(task: Task) -> None:
    task.click_target()
    task.click_target()
    expect(task.board.status).to_contain_text("sorted by likeness to")
    assert task.headers("columnheader")[1] == task.target
    order = task.headers("columnheader")[1:]
    table = {(target, feature): score for target, feature, score in task.scores(category=task.category)}
    features = sorted({feature for _, feature in table})
    lines = {one: np.array([table[one, feature] for feature in features]) for one in order}
    own = lines[task.target]
    likeness = [own @ lines[one] / np.sqrt((own @ own) * (lines[one] @ lines[one])) for one in order]
    assert likeness == pytest.approx(sorted(likeness, reverse=True), abs=0.02)
    assert task.board.told("Most similar targets")[0] == order[1]


def test_4_how_the_features_group(task: Task) -> None:
    task.click_feature()
    task.click_feature()
    expect(task.board.status).to_contain_text("sorted by likeness to")
    assert task.headers("rowheader")[0] == task.feature
    assert task.board.told("Most similar features")[0] == task.headers("rowheader")[1]
    task.board.page.get_by_role("combobox", name="Features").select_option("gender-words")
    expect(task.board.status).to_contain_text(f"likeness to “{task.feature}” (of {task.category})")
