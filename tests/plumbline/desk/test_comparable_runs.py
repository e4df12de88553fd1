"""Which pairs of runs the page Compare offers before any run is chosen."""

from plumbline.audits.models import Run
from plumbline.desk.comparable_runs import MOST, likely_pairs


def run(number: int, probe: str = "ilps", plan: int | None = 1, model: str = "one") -> Run:
    return Run(pk=number, probe=probe, plan_id=plan, model=model)


def offered(*runs: Run) -> list[tuple[int | None, int | None, str]]:
    return [(one.later.pk, one.earlier.pk, one.shared) for one in likely_pairs(runs)]


def test_a_run_stands_beside_the_one_before_of_its_plan_and_model() -> None:
    found = offered(run(1), run(2, model="other"), run(3, plan=2), run(4))
    assert found[0] == (4, 1, "the same plan and model")


def test_without_one_it_stands_beside_another_model_of_its_plan_then_of_its_method() -> None:
    assert offered(run(1), run(2, model="other")) == [(2, 1, "the same plan, another model")]
    other = offered(run(1), run(2, plan=None, model="other"))
    assert other == [(2, 1, "the same method, another plan and model")]


def test_runs_of_other_methods_and_lone_runs_are_left_out() -> None:
    assert offered(run(1), run(2, probe="weat"), run(3, plan=2)) == []


def test_of_many_the_latest_are_offered() -> None:
    found = offered(*(run(number) for number in range(1, 30)))
    assert len(found) == MOST
    assert found[0][:2] == (29, 28)
