"""Whether people have validated a run's templates is said where these stand."""

from typing import Any

from plumbline.annotation.validation import ValidationStatus
from plumbline.methods.bbq.validation_state import validated
from tests.plumbline.annotation.questions import contents, make_bank, make_task, rate
from tests.plumbline.methods.bbq.answered import BBQ, scored
from tests.plumbline.methods.conftest import MakeRun, See

SPEC: dict[str, Any] = BBQ | {"bank": [{"list": "own", "sha256": "0" * 64}]}
MEASURES = [
    scored("s_amb", 0.4, category="Age"),
    scored("s_amb", 0.5, category="Age", template="S1", n_units=1),
    scored("s_amb", 0.3, category="Age", template="S2", n_units=1),
]
WRONG = ("S2", "ambig", "neg")


def test_templates_that_raters_passed_or_failed_say_so(make_run: MakeRun, see: See) -> None:
    task = make_task(make_bank())
    for name in ("ann", "bob"):
        rate(task, name, [WRONG])
    for name in ("cem", "dee", "eve"):
        rate(task, name)
    run = make_run(SPEC, MEASURES)
    assert {name: state.status for name, state in validated(run, "Age").items()} == {
        "S1": ValidationStatus.PASSED,
        "S2": ValidationStatus.FAILED,
    }
    page = see("run_bbq_templates", run, category="Age")
    assert page.index(">S1<") < page.index(">passed<") < page.index(">S2<") < page.index(">failed<")
    assert f"task {task.pk}" in see("run_bbq_template", run, name="S2")
    make_bank(items=[*contents("S1", told="all <i>awake</i>"), *contents("S2")])
    assert "void: edited since" in see("run_bbq_template", run, name="S1")


def test_other_categories_and_banks_that_are_gone_have_no_state(make_run: MakeRun, see: See) -> None:
    bank, run = make_bank(), make_run(SPEC, MEASURES)
    assert {state.status for state in validated(run, "Age").values()} == {ValidationStatus.NONE}
    assert not validated(run, "Religion")
    bank.delete()
    assert "bank not at hand" in see("run_bbq_templates", run, category="Age")
    assert "Validated by people" not in see("run_bbq_template", run, name="S1")


def test_questions_of_the_plan_itself_have_no_state(make_run: MakeRun) -> None:
    assert not validated(make_run(BBQ, MEASURES), "Colour")
