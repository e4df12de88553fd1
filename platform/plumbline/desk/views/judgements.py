"""The page of a rating list: mean ratings, disagreement and reliability by group and pair."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from plumbline.pages.charts.histogram import BAR, TALL, bars
from plumbline.pages.roles import viewers_only
from plumbline.spec.judgements import LEAST_RATERS, Floats, Judgements, Truths
from plumbline.vocab.distributions import BINS, Distribution, distributions, judgements_in, reliability
from plumbline.vocab.models import RatingList

ORDERS: dict[str, tuple[str, Callable[[Distribution], Any]]] = {
    "list": ("as in the list", lambda one: 0),
    "mean": ("highest mean first", lambda one: -(one.mean if one.mean is not None else -1)),
    "polarisation": ("most polarised first", lambda one: -(one.polarisation if one.polarisation is not None else -1)),
    "n": ("fewest raters first", lambda one: one.n),
}


@require_safe
@viewers_only
def judgements(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one group on all pairs (?group=) or all groups on one pair (?pair=), for all raters or some (?raters=)."""
    if not request.user.has_perm("vocab.view_ratinglist"):
        raise PermissionDenied
    word_list = get_object_or_404(RatingList, slug=slug)
    found = judgements_in(slug)
    context: dict[str, Any] = {
        "word_list": word_list,
        "page": reverse("admin:vocab_ratinglist_change", args=[word_list.pk]),
        "ratings": int((~np.isnan(found.values)).sum()),
        "raters": len(found.annotators),
        "least": LEAST_RATERS,
    }
    if found.groups:
        context |= _chosen(request, found)
    return render(request, "desk/judgements.html", context)


def _chosen(request: HttpRequest, found: Judgements) -> dict[str, Any]:
    pairs = {f"{left} - {right}": (left, right) for left, right in found.pairs}
    parts = dict(found.parts())
    part = request.GET.get("raters", "") if request.GET.get("raters", "") in parts else ""
    pair = request.GET.get("pair", "") if request.GET.get("pair", "") in pairs else ""
    group = "" if pair else request.GET.get("group", found.groups[0])
    group = group if pair or group in found.groups else found.groups[0]
    order = request.GET.get("order", "list") if request.GET.get("order") in ORDERS else "list"
    members = parts.get(part)
    values = found.values if members is None else found.values[members]
    every = distributions(found, members)
    own = [one for one in every if (one.left, one.right) == pairs[pair]] if pair else []
    own = own or [one for one in every if one.group == group]
    return {
        "groups": found.groups,
        "pairs": list(pairs),
        "parts": list(parts),
        "part": part,
        "part_size": _size(members, len(found.annotators)),
        "pair": pair,
        "group": group,
        "order": order,
        "orders": [(key, label) for key, (label, _) in ORDERS.items()],
        "rows": [(one, bars(one.histogram)) for one in sorted(own, key=ORDERS[order][1])],
        "hidden": sum(one.hidden for one in own),
        "reliability": _reliability(found, values, pair, group, list(pairs)),
        "wide": BINS * BAR,
        "tall": TALL,
    }


def _size(members: Truths | None, everybody: int) -> int:
    return everybody if members is None else int(members.sum())


def _reliability(
    found: Judgements, values: Floats, pair: str, group: str, pairs: Sequence[str]
) -> tuple[float | None, float | None]:
    """Return the reliability of the whole list and of the shown part, None if there are too few raters or cells."""
    told = reliability(values)
    shown = told.by_pair[pairs.index(pair)] if pair else told.by_group[found.groups.index(group)]
    overall, own = (None if np.isnan(one) else float(one) for one in (told.overall, shown))
    return overall, own
