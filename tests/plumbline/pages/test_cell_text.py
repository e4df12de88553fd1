"""A cell as a line for copying."""

from plumbline.audits.models import Run
from plumbline.pages.cell_text import cell_text
from plumbline.spec.measure import Measure

RUN = Run(pk=7, model="path:./mo\u200bdel")


def test_a_cell_names_its_words_figures_unit_and_run_and_hides_no_character() -> None:
    one = Measure("ilps", "template", 12, 12, 0.5, 0.25, 0.75, q_value=0.003)
    assert cell_text("women × warm", one, "ilps", "natural log", RUN) == (
        "women × warm: +0.50 [+0.25, +0.75]  n = 12 templates  q = 0.003; ilps, natural log;"
        " run 7, path:./mo⟨U+200B⟩del"
    )


def test_a_cell_without_a_value_says_why() -> None:
    one = Measure("ilps", "template", 0, 0, None, reason="split in two")
    assert cell_text("a × b", one, "ilps", "log", RUN).startswith("a × b: not scorable, split in two; ilps, log;")
