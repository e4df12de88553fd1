"""The gate on the command line: of a finished run, or of a plan that is launched for it."""

import sys
from contextlib import redirect_stdout
from pathlib import Path

from django.contrib.auth.models import User

from plumbline.audits.models import Plan, Run
from plumbline.findings.gate.judging import check_statistics, judge
from plumbline.findings.gate.reports import STATUS, WRITERS, write_report
from plumbline.findings.gate.rules import Rule
from plumbline.spec.several_models import for_model, parse_each
from workers.management import following, inline
from workers.management.console import Console


def run_of_plan(
    plan: Plan, model: str, rules: list[Rule], console: Console, by: User | None, *, is_inline: bool
) -> Run:
    """Launch the plan with today's words on a model, and follow the run to its end.

    Without a living worker, or with `is_inline`, this process executes it. Raises InputError for a plan or model that
    cannot be launched.
    """
    spec = parse_each(for_model(plan.spec, model) if model else plan.spec)[0]
    check_statistics(spec.probe, rules)
    with redirect_stdout(sys.stderr):  # stdout has the report alone
        if is_inline or not following.workers_alive():
            return inline.run_inline(spec, console, plan=plan, by=by)
        return following.run_by_workers(spec, console, plan=plan, by=by)


def report(run: Run, rules: list[Rule], form: str, out: Path | None) -> tuple[str, int]:
    """Judge a finished run, write the report where it is wanted. Return what to print, and the exit status."""
    found = judge(run, rules)
    told = WRITERS[form](found)
    if out is not None:
        write_report(told, out)
        told = WRITERS["text"](found)
    return told, STATUS[found.outcome]
