"""Finished runs with the measures that a test gives them, as a summary would leave them."""

from typing import Any

from plumbline.audits.clock import now
from plumbline.audits.models import Phase, Plan, Run
from plumbline.audits.states import RunState, WorkState
from plumbline.findings.models import Observation
from plumbline.results.measure_writing import replace_measures
from plumbline.spec.verdicts import Verdict

WOMEN_AND_MEN = {"group_a": "women", "group_b": "men"}


def a_plan(name: str = "weekly") -> Plan:
    return Plan.objects.get_or_create(name=name, defaults={"spec": {}})[0]


def a_run(*rows: dict[str, Any], plan: Plan | None = None, model: str = "hub:org/m@a", **fields: Any) -> Run:
    """A finished run of the method ILPS, or of the given probe."""
    wanted = {"name": "weekly", "probe": "ilps", "spec": {"probe": "ilps", "groups": "g1"}} | fields
    run = Run.objects.create(model=model, plan=plan, state=RunState.DONE, **wanted)
    Phase.objects.create(
        run=run, position=2, name="summary", sharded=False, queue="cpu", state=WorkState.DONE, done_at=now()
    )
    summarise(run, *rows)
    return run


def summarise(run: Run, *rows: dict[str, Any]) -> None:
    """Write the run's measures again."""
    replace_measures(run.pk, list(rows))
    Phase.objects.filter(run=run, name="summary").update(done_at=now())


def difference(attribute: str, value: float | None, verdict: str = Verdict.PRESENT, **fields: Any) -> dict[str, Any]:
    """A difference of women and men on a word, of the method ILPS."""
    limits = {} if value is None else {"ci_low": value - 0.1, "ci_high": value + 0.1}
    labels = {"statistic": "ilps_difference", **WOMEN_AND_MEN, "category": "traits", "attribute": attribute}
    figures = {"value": value, "verdict": verdict, "q_value": 0.01, "smallest_effect": 0.22}
    return {**labels, **figures, "n": 24, "unit": "kind of sentence", "n_units": 12, **limits, **fields}


def asking(plural: str) -> dict[str, Any]:
    """The spec of a run that asks women in this form."""
    return {
        "name": "weekly",
        "probe": "ilps",
        "model": "hub:org/m@a",
        "prior": {"plural": "people"},
        "groups": {"inline": [{"label": "women", "plural": plural}, {"label": "men", "plural": "men"}]},
        "attributes": {"inline": ["warm"]},
        "templates": {"inline": ["{Group.plural} are {attribute}."]},
    }


def outcomes_of(attribute: str) -> list[str]:
    found = Observation.objects.filter(finding__attribute=attribute).order_by("run_number")
    return list(found.values_list("outcome", flat=True))
