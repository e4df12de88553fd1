"""manage.py audit: launch, follow, judge, compare, report, pack and verify runs."""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import BaseCommand

from plumbline.audits import life, spending
from plumbline.audits.costs import cost_of
from plumbline.audits.estimated_time import planned_size
from plumbline.audits.life import find
from plumbline.audits.models import Plan
from plumbline.audits.named_plans import plan_named
from plumbline.audits.states import Priority, RunState
from plumbline.findings.gate.reports import WRITERS
from plumbline.findings.gate.rules import read_rules
from plumbline.packing.every_eval_ever.writing import RELATIONSHIPS, Evaluator
from plumbline.results.exports import export
from plumbline.spec.audit import AuditSpec
from plumbline.spec.errors import InputError
from plumbline.spec.several_models import for_models, parse_each
from plumbline.spec.yaml_file import read_yaml
from plumbline.vocab.management.output import record_export
from workers.management import agreement_report, comparison_report, following, gating, hub_files, inline, packs, reports
from workers.management.console import Console
from workers.management.ending import exit_status
from workers.management.faults import status_of
from workers.management.hub_files import EVERY_EVAL_EVER, HUB_FORMATS
from workers.management.launcher import VARIABLE, launcher
from workers.management.packs import pack_arguments


class Command(BaseCommand):
    help = "Audits: launch, follow, resume, compare and export runs."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        run = actions.add_parser("run", help="launch an audit spec or a plan")
        run.add_argument("spec", type=Path, nargs="?", help="a YAML file; or give --plan")
        run.add_argument("--plan", metavar="NAME", help="launch this plan; its runs stand on its page")
        run.add_argument(
            "--model", action="append", help="audit this model instead of the spec's; several: a run for each"
        )
        run.add_argument("--inline", action="store_true", help="execute in this process, without workers")
        run.add_argument("--detach", action="store_true", help="leave it to the workers and return at once")
        run.add_argument(
            "--priority",
            choices=[name.lower() for name in Priority.names],
            default="interactive",
            help="which of the waiting runs the workers take first",
        )
        run.add_argument("--no-reuse", action="store_true", help="query the model again instead of reusing records")
        actions.add_parser("list", help="the latest runs")
        for action, what in (
            ("show", "state, coverage and strongest findings of a run"),
            ("cancel", "stop a run; completed work is kept"),
        ):
            actions.add_parser(action, help=what).add_argument("run", type=int)
        resume = actions.add_parser("resume", help="continue a failed, cancelled or abandoned run")
        resume.add_argument("run", type=int)
        resume.add_argument("--inline", action="store_true", help="execute in this process even if workers are alive")
        resume.add_argument("--budget", metavar="AMOUNT", help="the most that the run may cost from now on, in all")
        again = actions.add_parser("rerun", help="the same audit with today's words; only new items are queried")
        again.add_argument("run", type=int)
        again.add_argument("--inline", action="store_true", help="execute in this process even if workers are alive")
        gate = actions.add_parser("gate", help="judge a run by rules: 0 pass, 1 breach, 3 undecided")
        gate.add_argument("run", type=int, nargs="?", help="a finished run; or give --plan")
        gate.add_argument("--plan", metavar="NAME", help="launch this plan, wait for its run and judge it")
        gate.add_argument("--model", metavar="REF", default="", help="of --plan: the model; default: the plan's first")
        gate.add_argument("--inline", action="store_true", help="of --plan: execute it in this process")
        gate.add_argument("--rules", type=Path, required=True, help="a YAML file (docs/gate.md)")
        gate.add_argument("--format", choices=sorted(WRITERS), default="text")
        gate.add_argument("--out", type=Path, help="write the report to this file; stdout then has the text")
        for launching in (run, again, gate):
            launching.add_argument(
                "--as", dest="person", metavar="USER", help=f"the account that launches; default: {VARIABLE}"
            )
        actions.add_parser("workers", help="the living workers and their current work")
        compare = actions.add_parser("compare", help="two runs, paired item by item")
        compare.add_argument("runs", type=int, nargs=2, metavar="RUN")
        agreement = actions.add_parser("agreement", help="how far the methods agree on a model")
        agreement.add_argument("model", help="the reference of the model")
        out = actions.add_parser("export", help="a table of a run as a file")
        out.add_argument("run", type=int)
        out.add_argument("--table", default="measure")
        out.add_argument(
            "--format",
            default="csv",
            help="csv, jsonl, parquet; figures of the whole run: eval-results, model-card;"
            " figures and items below the folder --out: every-eval-ever",
        )
        out.add_argument("--dataset", default="", metavar="ORG/NAME", help="of eval-results: the benchmark on the Hub")
        out.add_argument("--organization", default="", help="of every-eval-ever: who publishes the evaluation")
        out.add_argument(
            "--relationship",
            choices=RELATIONSHIPS,
            default="other",
            help="of every-eval-ever: of this organisation to the model's developer",
        )
        out.add_argument("--out", type=Path, required=True)
        report = actions.add_parser("report", help="a report on a run, a model or two runs, as HTML or PDF")
        report.add_argument("run", type=int, nargs="?", help="the run; with --against the later one")
        report.add_argument("--model", metavar="REF", help="all finished audits of this model instead of one run")
        report.add_argument("--against", type=int, metavar="RUN", help="compare with this earlier run")
        report.add_argument("--out", type=Path, required=True, help="a file that ends in .html or .pdf")
        report.add_argument("--law", default="", metavar="VERSION", help="an earlier version of the laws and standards")

        pack_arguments(actions)

    def handle(self, *args: Any, **options: Any) -> None:
        action = getattr(self, f"_{options['action'].replace('-', '_')}")
        sys.exit(status_of(lambda: action(options), self.stderr))

    def _run(self, options: dict[str, Any]) -> int:
        data, plan = _asked(options["spec"], options["plan"])
        if options["model"] and isinstance(data, dict):
            data = for_models(data, options["model"])
        specs, by = parse_each(data), launcher(options["person"])
        for told in dict.fromkeys(filter(None, [*map(cost_of, specs), _long(specs), _nameless(by)])):
            self.stderr.write(told)
        return next(filter(None, [self._launched(spec, options, plan, by) for spec in specs]), 0)

    def _launched(self, spec: AuditSpec, options: dict[str, Any], plan: Plan | None, by: User | None) -> int:
        """Launch one model's audit and follow it, unless it is detached. Return its exit status."""
        reuse = not options["no_reuse"]
        if options["inline"]:
            return exit_status(inline.run_inline(spec, Console(), reuse=reuse, plan=plan, by=by))
        priority, detach = Priority[options["priority"].upper()], options["detach"]
        how = {"reuse": reuse, "priority": priority, "detach": detach, "plan": plan, "by": by}
        run = following.run_by_workers(spec, Console(), **how)
        return 0 if detach else exit_status(run)

    def _resume(self, options: dict[str, Any]) -> int:
        """Resume the run by the workers if there are any, else in this process."""
        if options["budget"] is not None:
            spending.allow(find(options["run"]), spending.amount(options["budget"]))
        by_workers = not options["inline"] and following.workers_alive()
        resume = following.resume_by_workers if by_workers else inline.resume_inline
        return exit_status(resume(options["run"], Console()))

    def _rerun(self, options: dict[str, Any]) -> int:
        """Launch the run again by the workers if there are any, else in this process."""
        run = find(options["run"])
        by_workers = not options["inline"] and following.workers_alive()
        rerun = following.rerun_by_workers if by_workers else inline.rerun_inline
        return exit_status(rerun(run, Console(), launcher(options["person"])))

    def _workers(self, _options: dict[str, Any]) -> int:
        return self._print(reports.processes())

    def _list(self, _options: dict[str, Any]) -> int:
        return self._print(reports.latest_runs())

    def _show(self, options: dict[str, Any]) -> int:
        return self._print(reports.about(find(options["run"])))

    def _cancel(self, options: dict[str, Any]) -> int:
        run = find(options["run"])
        if not life.cancel(run.pk):
            raise InputError(f"run {run.pk} is {run.state} already; there is nothing to cancel.")
        return self._print([f"run {run.pk} cancelled; 'audit resume {run.pk}' continues with the remaining work"])

    def _compare(self, options: dict[str, Any]) -> int:
        first, second = (find(run) for run in options["runs"])
        return self._print(comparison_report.comparison(first, second))

    def _agreement(self, options: dict[str, Any]) -> int:
        return self._print(agreement_report.agreement(options["model"]))

    def _export(self, options: dict[str, Any]) -> int:
        run = find(options["run"])
        if options["format"] in HUB_FORMATS:
            return self._print(hub_files.write(run, options["format"], options["dataset"], options["out"]))
        if options["format"] == EVERY_EVAL_EVER:
            evaluator = Evaluator(options["organization"], options["relationship"])
            return self._print(hub_files.write_evaluation(run, evaluator, options["out"]))
        record_export(f"audit export {run.pk} --table {options['table']}", options["out"])
        rows = export(run.pk, options["table"], options["format"], options["out"])
        return self._print([f"{rows} rows of {options['table']} of run {run.pk} written to {options['out']}"])

    def _report(self, options: dict[str, Any]) -> int:
        """Call the platform's command by its name: workers do not import pages."""
        named = {name: options[name] for name in ("run", "model", "against", "out", "law")}
        call_command("report", **named, stdout=self.stdout, stderr=self.stderr)
        return 0

    def _gate(self, options: dict[str, Any]) -> int:
        rules = read_rules(options["rules"])
        if (options["run"] is None) == (options["plan"] is None):
            raise InputError("give the number of a finished run, or --plan NAME, and not both.")
        if options["plan"] is None:
            run = find(options["run"])
        else:
            plan, by = plan_named(options["plan"]), launcher(options["person"])
            run = gating.run_of_plan(plan, options["model"], rules, Console(), by, is_inline=options["inline"])
            if run.state != RunState.DONE:
                return exit_status(run)
        told, status = gating.report(run, rules, options["format"], options["out"])
        return self._print([told]) or status

    def _pack(self, options: dict[str, Any]) -> int:
        return self._print(packs.pack(find(options["run"]), options))

    def _pack_key(self, options: dict[str, Any]) -> int:
        return self._print(packs.new_key(options["out"]))

    def _verify(self, options: dict[str, Any]) -> int:
        # The probes' summaries come with torch, which no other action loads in this process.
        from workers.verification import report
        from workers.verification.verifying import verify

        outcome = verify(options["file"], options["key"])
        return self._print(list(report.lines(outcome, every=options["all"]))) or report.status(outcome)

    def _print(self, lines: list[str]) -> int:
        self.stdout.write("\n".join(lines))
        return 0


def _asked(spec: Path | None, plan: str | None) -> tuple[Any, Plan | None]:
    """Return the data of a file, or those of a named plan and the plan. Raises InputError for both and for neither."""
    if (spec is None) == (plan is None):
        raise InputError("give a YAML file, or --plan NAME, and not both.")
    if spec is not None:
        return read_yaml(spec), None
    found = plan_named(str(plan))
    return found.spec, found


def _nameless(by: User | None) -> str:
    """Return that nobody is named as the launcher, where somebody could be, or ""."""
    if by is not None or not User.objects.exists():
        return ""
    return f"nobody is named as who launches this, so it cannot be signed off; add '--as USER', or set {VARIABLE}."


def _long(specs: Sequence[AuditSpec]) -> str:
    """Return the size of a launch that takes long, or ""."""
    size = planned_size(specs)
    return f"this launch takes long: {size.sentence}" if size.is_long else ""
