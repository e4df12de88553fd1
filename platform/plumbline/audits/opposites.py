"""Lists of opposites in a run. A mean over such a list says little, because each word stands beside its opposite."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from plumbline.audits.models import Run, Snapshot


def opposites_of(run: Run) -> dict[str, str]:
    """Return one pair, such as "powerless - powerful", of each list of the run whose words are all pairs of opposites.

    Words that the plan itself holds have the name "". One query at most.
    """
    # Of old specs, whose attributes are one source, nothing is said.
    sources: list[dict[str, Any]] = [one for one in run.spec.get("attributes") or () if isinstance(one, dict)]
    frozen = _frozen_pairs(source["sha256"] for source in sources if source.get("sha256"))
    found = {}
    for source in sources:
        entries = source.get("inline") or frozen.get(source.get("sha256") or "", [])
        found[source.get("list") or ""] = _first_pair(entries, source)
    return {name: pair for name, pair in found.items() if pair}


def _frozen_pairs(digests: Iterable[str]) -> dict[str, list[dict[str, Any]]]:
    """Return the entries of trait lists alone: other lists may be large, and have no pairs."""
    paired = Snapshot.objects.filter(pk__in=list(digests), content__entries__0__pair__isnull=False)
    return {sha256: content["entries"] for sha256, content in paired.values_list("sha256", "content")}


def _first_pair(entries: Iterable[Mapping[str, Any]], source: Mapping[str, Any]) -> str:
    """Return the first pair if the source asks each word together with its opposite, or ""."""
    only = source.get("only")
    words = Counter(str(entry.get("pair") or "") for entry in entries if not only or entry["text"] in only)
    return next(iter(words), "") if words and set(words.values()) == {2} and "" not in words else ""
