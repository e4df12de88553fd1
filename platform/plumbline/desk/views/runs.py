"""Pages of runs: the list of all runs, and the summary, progress and provenance of one."""

from collections.abc import Collection
from typing import Any

from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from plumbline.audits import clock
from plumbline.audits.freezing import KIND_OF_FIELD, stored_lists
from plumbline.audits.mail.followers import follows, why_untold
from plumbline.audits.models import ModelUnderAudit, Plan, Run
from plumbline.audits.progress import Progress, progress
from plumbline.audits.staleness import stale_lists
from plumbline.audits.states import LIVE, RunState
from plumbline.desk.against_before import against_before
from plumbline.desk.findings.examples import TypicalSentences
from plumbline.desk.findings.outcome_counts import dismissed_count
from plumbline.desk.findings.run_findings import awaits_findings, sign_off_context
from plumbline.desk.pair_summaries import pair_summaries
from plumbline.findings.by_method import caveat_of, findings_of, run_findings
from plumbline.findings.contrasts import is_present
from plumbline.findings.robustness import bands, robustness_of
from plumbline.findings.sentences import notation
from plumbline.findings.split_words import split_words
from plumbline.findings.undecided import undecided_sentences
from plumbline.findings.word_reasons import words_with_reasons
from plumbline.pages.finding_examples import Example
from plumbline.pages.roles import viewers_only
from plumbline.pages.run_context import run_context
from plumbline.pages.statistic_caveats import limits_of
from plumbline.results import summary
from plumbline.spec.card import Card
from plumbline.spec.measure import Measure
from plumbline.spec.registry import PROBES
from plumbline.vocab.history import author_at

RUNS_PER_PAGE = 25
STRONGEST, ROWS_OF_A_SIDE, CONTRASTS_OPEN, REASONS = 3, 10, 12, 10
MOST_READ = 20
"""Of so many of the largest differences, those with a known other reason come last."""
MODELS_OFFERED = 200


@require_safe
@viewers_only
def run_list(request: HttpRequest) -> HttpResponse:
    chosen = {key: request.GET.get(key, "") for key in ("state", "probe", "model", "text")}
    page = Paginator(_chosen(chosen), RUNS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "stale": stale_lists(page.object_list),
        "chosen": chosen,
        "filtered": any(chosen.values()),
        "states": RunState.choices,
        "probes": sorted(PROBES),
        "models": ModelUnderAudit.objects.values_list("reference", flat=True)[:MODELS_OFFERED],
    }
    return render(request, "desk/runs.html", context)


def _chosen(chosen: dict[str, str]) -> QuerySet[Run]:
    text = chosen["text"].strip()
    exact = {key: chosen[key] for key in ("state", "probe", "model") if chosen[key]}
    runs = Run.objects.top_level().filter(**exact).defer("traceback", "provenance").order_by("-pk")
    if not text:
        return runs
    called = ModelUnderAudit.objects.filter(Q(title__icontains=text) | Q(tags__icontains=text)).values("reference")
    return runs.filter(Q(name__icontains=text) | Q(model__icontains=text) | Q(model__in=called))


@require_safe
@viewers_only
@never_cache
def run_page(request: HttpRequest, number: int) -> HttpResponse:
    context = run_context(request, number, "summary")
    run = context["run"]
    context |= {"progress": progress(run), "now": clock.now(), **against_before(run)}
    context["edits_plan"] = _may_lie_in_its_plan(run, context["progress"]) and request.user.has_perm(
        "audits.change_plan"
    )
    context |= {"findings": run_findings(run)}
    context |= {"notation": notation(run.spec), "caveat": caveat_of(run)}
    if findings_of(run.probe).contrasts:
        difference = context["card"].difference
        context |= {"unit": context["card"].unit_of(difference), **_found(request, run, difference)}
    coverage = summary.coverage(run.pk)
    context |= {"coverage": coverage, "uneven": len({share.value for share in coverage}) > 1}
    context["not_scorable"] = findings_of(run.probe).not_scorable(run.pk, REASONS)
    context["limits"] = limits_of(run, context["card"])
    context["left_out"] = findings_of(run.probe).left_out(run.pk)
    assert isinstance(request.user, User)  # noqa: S101 -- the decorator saw to it
    context |= {"dismissed": dismissed_count(run), **sign_off_context(run, request.user)}
    is_open = context["progress"].scheduler and not context.get("has_all_written", True)
    context["awaits_findings"] = is_open and awaits_findings(run)
    if context["live"]:
        context |= {"follows": follows(run, request.user), "untold": why_untold(request.user)}
    return render(request, "desk/run.html", context)


def _may_lie_in_its_plan(run: Run, found: Progress) -> bool:
    """Return whether a run of a plan failed by its input before any item was asked, as by a setting of the plan."""
    return run.state == RunState.FAILED and run.expected and run.plan_id is not None and not found.stored


def _found(request: HttpRequest, run: Run, difference: str) -> dict[str, Any]:
    """Return the strongest differences of all contrasts, and one contrast in full: the chosen or the first one."""
    pairs = summary.contrasts(run.pk, difference)
    shown = pairs if request.GET.get("contrasts") == "all" else pairs[:CONTRASTS_OPEN]
    wanted = (request.GET.get("a", ""), request.GET.get("b", ""))
    chosen = [wanted] if wanted in pairs and wanted not in shown else []
    contrasts = summary.counted(run.pk, difference, [*shown, *chosen])
    if not contrasts:
        return {}
    contrast = next((one for one in contrasts if (one.group_a, one.group_b) == wanted), contrasts[0])
    rows = summary.strongest_of_sides(run.pk, difference, contrast, ROWS_OF_A_SIDE)
    sides = (
        (contrast.group_a, [row for row in rows if (row.value or 0) > 0]),
        (contrast.group_b, [row for row in rows if (row.value or 0) < 0]),
    )
    largest = summary.strongest(run.pk, difference, MOST_READ)
    split = split_words(run, [*rows, *largest])
    sentences = TypicalSentences(run)
    return {
        "robustness": robustness_of(run.pk, contrast.group_a, contrast.group_b),
        "strongest": _with_sentences(sentences, largest, split),
        "contrasts": contrasts,
        "more_contrasts": len(pairs) - len(shown),
        "contrast": contrast,
        "pairs": pair_summaries(run, difference, contrasts, contrast),
        "split": {one.attribute: split[one.attribute] for one in rows if one.attribute in split},
        "notes": list(filter(None, [_words_with_reasons(sentences, rows), *undecided_sentences(rows)])),
        "most_rows": ROWS_OF_A_SIDE,
        "differences": difference,
        "has_pale": not all(map(is_present, rows)),
        "sides": [(group, list(zip(bands(own), own, strict=True))) for group, own in sides],
    }


def _with_sentences(
    sentences: TypicalSentences, largest: list[Measure], split: Collection[str]
) -> list[tuple[Measure, list[Example], list[str]]]:
    """Return the first measures with typical sentences, and with what these cannot tell.

    Those with a known other reason, such as that their word echoes the name of a group, come after all others.
    """
    first = sorted(largest, key=lambda one: one.attribute in split or bool(sentences.limits(_pair(one), one.attribute)))
    shown = [(one, sentences.of(_pair(one), one.attribute, one.value or 0.0)) for one in first[:STRONGEST]]
    return [(one, examples, sentences.limits(_pair(one), one.attribute, examples)) for one, examples in shown]


def _words_with_reasons(sentences: TypicalSentences, rows: list[Measure]) -> str:
    """Return the sentence on words that name a group. Of a live run nothing is read: a worker may hold its words."""
    return words_with_reasons(sentences.words, rows) if sentences.run.state == RunState.DONE else ""


def _pair(one: Measure) -> tuple[str, str]:
    return one.group_a, one.group_b


@require_safe
@viewers_only
@never_cache
def run_progress(request: HttpRequest, number: int) -> JsonResponse:
    """Return the progress of a run as JSON with HTML.

    The page asks every two seconds while the run lives or its findings are about to be written, so `live` counts both.
    """
    run = get_object_or_404(Run.objects.defer("spec", "traceback"), pk=number)
    found = progress(run)
    shown = {"run": run, "progress": found, "now": clock.now(), "live": run.state in LIVE}
    phases = ("name", "state", "pieces_done", "pieces", "items_done", "items", "seconds")
    return JsonResponse(
        {
            "state": run.state,
            "live": run.state in LIVE or (found.scheduler and awaits_findings(run)),
            "ended": run.state not in LIVE,
            "phases": [{key: getattr(phase, key) for key in phases} for phase in found.phases],
            "items_done": found.items_done,
            "items": found.items,
            "pace": found.pace,
            "seconds_left": found.seconds_left,
            "workers": [{"name": one.name, "device": one.device, "doing": one.doing} for one in found.workers],
            "waits": found.waits,
            "html": render_to_string("desk/run_progress.html", shown, request),
        }
    )


def _answered(run: Run, card: Card | None) -> list[tuple[str, list[tuple[str, Any]]]]:
    """Return what a run recorded about its models, by phase in order."""
    stages = run.provenance.get("stages") or {"": run.provenance}
    order = card.phases if card else ()
    known = sorted(stages, key=lambda name: order.index(name) if name in order else len(order))
    return [(name, sorted(stages[name].items())) for name in known if stages[name]]


@require_safe
@viewers_only
def run_provenance(request: HttpRequest, number: int) -> HttpResponse:
    context = run_context(request, number, "provenance")
    run = context["run"]
    spec: dict[str, Any] = run.spec
    changed = {(one.kind, one.slug): one.how for one in context["stale"]}
    context["lists"] = [
        (field, source["list"], source["sha256"], changed.get((KIND_OF_FIELD[field], source["list"]), ""))
        for field, source in stored_lists(spec)
    ]
    context["asked"] = [(key, spec[key]) for key in ("seed", "dtype", "prior", "families", "params") if key in spec]
    context["answered"] = _answered(run, context["card"])
    context["wrote"] = author_at(Plan, run.plan_id, "spec", run.created_at) if run.plan_id else None
    return render(request, "desk/run_provenance.html", context)
