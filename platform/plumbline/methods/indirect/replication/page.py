"""The page of known biases: do scores through first names agree with direct scores and with published figures?"""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from plumbline.audits.models import Run
from plumbline.audits.questions import ask_padding
from plumbline.audits.states import LIVE
from plumbline.methods.indirect.card import AGREEMENT, CARD, CENTRED, DIRECT, PARTIAL, SCORE, WITHIN
from plumbline.methods.indirect.choices import targets_of
from plumbline.methods.indirect.explorer_page import run_of
from plumbline.methods.indirect.replication import agreement, padding, printed, reading, tables
from plumbline.methods.indirect.replication.gendered import Gendered, gendered, lacking
from plumbline.methods.indirect.replication.ranking import Scores
from plumbline.methods.indirect.words import materials_of
from plumbline.pages.measure_file import measure_file, measure_rows
from plumbline.pages.roles import viewers_only
from plumbline.pages.run_context import run_context
from plumbline.spec.card import Statistic

INDIRECT = {
    SCORE: "as in the thesis",
    WITHIN: "within groups of names (ours)",
    CENTRED: "relative to the mean of all targets (ours)",
    PARTIAL: "partial (ours)",
}
"""The indirect scores that can be ranked."""
STATISTICS: dict[str, Statistic] = {
    one.name: one for one in CARD.statistics if one.name in (*INDIRECT, DIRECT, AGREEMENT)
}
FILES = ("top", "agreement", "lists", "ranks", "target", "padding")
PADDED = ("xl-base", "xl-large")
"""The models for which the thesis prints a comparison of padding texts."""
UNREADABLE = "the words of this run cannot be read: one of its lists does not fit this version of Plumbline"
NO_SCORES = "no target has both a direct and an indirect score with a gender word: see the reasons under Measures"


@require_safe
@viewers_only
def known_biases(request: HttpRequest, number: int) -> HttpResponse:
    run_of(number)
    context = run_context(request, number, "known")
    run: Run = context["run"]
    context |= {"statistics": STATISTICS, "models": printed.MODELS, "source": printed.SOURCE}
    own, missing = _gendered(run)
    chosen = _indirect(request)
    found = reading.scores_of(run, own, chosen) if own and run.state not in LIVE else None
    if own is None or found is None or not found[0].targets:
        return render(request, "indirect/replication/page.html", context | {"missing": missing or NO_SCORES})
    context["causal"] = (run.spec.get("params") or {}).get("variant") == "causal"
    context |= {"own": own, "beside": _printed_model(request), "indirect": INDIRECT, "chosen": chosen}
    context |= _ranked(run, own, found, context["beside"])
    context |= _agreed(run, own, context["beside"])
    context |= _of_target(request, run, own, found)
    context |= _padded(run, context["beside"])
    context["query"] = urlencode({"beside": context["beside"], "score": chosen, "target": context["target"]})
    return render(request, "indirect/replication/page.html", context)


def _gendered(run: Run) -> tuple[Gendered | None, str]:
    """Return the gender words of a run, or what it lacks."""
    materials = materials_of(run)
    if materials is None:
        return None, UNREADABLE
    return gendered(materials), lacking(materials)


def _printed_model(request: HttpRequest) -> str:
    """Return the thesis' model that the address names, or the first."""
    wanted = request.GET.get("beside", "")
    return wanted if wanted in printed.MODELS else printed.MODELS[0]


def _indirect(request: HttpRequest) -> str:
    """Return the indirect score that the address names, or the thesis'."""
    wanted = request.GET.get("score", "")
    return wanted if wanted in INDIRECT else SCORE


def _of_print(own: Gendered, model: str) -> str:
    """Return the thesis' model if it has the same targets, else ""."""
    return model if set(printed.ranked_occupations()) & set(own.targets) else ""


def _ranked(run: Run, own: Gendered, found: tuple[Scores, Scores], model: str) -> dict[str, Any]:
    direct, indirect = found
    neutral = tables.orders(own, *found, neutral=True)
    of_print = _of_print(own, model)
    return {
        "of_print": of_print,
        "scores": {"direct": direct, "indirect": indirect},
        "tops": tables.top_tens(own, *found, of_print),
        "coherent": tables.COHERENT,
        "ranked": tables.ranked(neutral, of_print),
        "neutral": len(neutral["indirect", "female"]),
        "left_out": {
            "words": [word for word in own.words if word not in direct.words],
            "targets": [target for target in own.targets if target not in direct.targets],
        },
    }


def _agreed(run: Run, own: Gendered, model: str) -> dict[str, Any]:
    theirs = printed.gender_agreement(model) if _of_print(own, model) else {}
    runs = reading.of_model(run)
    matrix = agreement.matrix(runs, printed.agreement(model))
    return {
        "agreed": agreement.of_genders(reading.agreements(run), own.slug, own.words, theirs),
        "matrix": matrix,
        "lists": [(one, runs[one][0] if one in runs else 0) for one in next(iter(matrix.values()), {})],
        "own_list": targets_of(run),
    }


def _of_target(request: HttpRequest, run: Run, own: Gendered, found: tuple[Scores, Scores]) -> dict[str, Any]:
    """Return Table 4.1 for one target: the one in the address, or beer, or the one with the largest difference."""
    wanted = request.GET.get("target", "")
    default = "beer" if "beer" in own.targets else tables.parted_most(tables.orders(own, *found))
    target = wanted if wanted in own.targets else default
    scores = reading.of_target(run, own.slug, target, _indirect(request))
    theirs = printed.beer() if target == "beer" else {}
    rows = [(word, own.words[word], scores.get(word, {}), theirs.get(word, {})) for word in own.words]
    return {"target": target, "target_rows": rows, "target_printed": bool(theirs)}


def _padded(run: Run, model: str) -> dict[str, Any]:
    texts = reading.padded(run)
    beside = model if model in PADDED else PADDED[0]
    theirs = printed.padding(beside)
    features = dict.fromkeys(feature for feature, _, _ in theirs)
    pairs = list(dict.fromkeys(pair for _, _, pair in theirs))
    return {
        "texts": texts,
        **padding.state([one.run for one in texts]),
        "levels": padding.LEVELS,
        "padded_model": beside,
        "padded_pairs": pairs,
        "padded_printed": [
            (feature, level, [theirs[feature, level, pair] for pair in pairs])
            for feature in features
            for level in map(str, padding.LEVELS)
        ],
    }


@require_POST
@viewers_only
def known_ask(request: HttpRequest, number: int) -> HttpResponse:
    """Ask a worker to compare the padding texts. Viewers of the run may do so: it asks no model and is stored."""
    runs = [one.run for one in reading.padded(run_of(number))]
    if len(runs) < 2:
        raise Http404("No other run has another padding text.")
    assert isinstance(request.user, User)  # noqa: S101 -- nobody else may see the run
    ask_padding(runs, request.user)
    return redirect(reverse("run_known", args=[number], query=request.GET, fragment="padding"))


@require_safe
@viewers_only
def known_csv(request: HttpRequest, number: int, table: str) -> HttpResponse:
    """Return one complete table of the page as a file. Raises Http404 for an unknown table."""
    run = run_of(number)
    if table not in FILES:
        raise Http404(f"No such table. Choose from {', '.join(FILES)}.")
    own, missing = _gendered(run)
    if own is None:
        raise Http404(f"There is nothing for this table: {missing}.")
    return measure_file(run, f"known-{table}", _rows(request, run, own, table), list(STATISTICS.values()))


def _rows(request: HttpRequest, run: Run, own: Gendered, table: str) -> Sequence[Mapping[str, Any]]:
    if table == "agreement":
        return measure_rows([one for one in reading.agreements(run) if one.category == own.slug])
    if table == "lists":
        every = reading.of_model(run).items()
        return [{"targets": targets, "run": pk, **row} for targets, (pk, own) in every for row in measure_rows(own)]
    if table == "padding":
        return [_differing_row(one) for one in padding.answer([one.run for one in reading.padded(run)])]
    found = reading.scores_of(run, own, _indirect(request))
    if table == "target":
        rows = _of_target(request, run, own, found)["target_rows"]
        return [row for _, _, scores, _ in rows for row in measure_rows(list(scores.values()))]
    neutral = tables.orders(own, *found, neutral=True)
    named = {"direct": DIRECT, "indirect": _indirect(request)}
    if table == "ranks":
        model = _of_print(own, _printed_model(request))
        return tables.file_of_ranks(tables.every_ranked(neutral, model), model, named)
    return tables.file_of_orders(own, tables.orders(own, *found), neutral, named)


def _differing_row(one: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "features": one["features"],
        "text": one["pair"][0],
        "other_text": one["pair"][1],
        "test": "paired" if one["paired"] else "unpaired",
        "targets": one["targets"],
        "words": one["words"],
        **{f"p_below_{level}": share for level, share in zip(padding.LEVELS, one["by_p"], strict=True)},
        **{f"q_below_{level}": share for level, share in zip(padding.LEVELS, one["by_q"], strict=True)},
        "largest_difference": one["largest"],
    }
