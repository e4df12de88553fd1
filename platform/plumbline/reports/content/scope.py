"""What a run was about: the model, the method, the plan, the words and the people."""

from dataclasses import dataclass

from plumbline.audits.models import Run
from plumbline.findings.identity import release_of
from plumbline.pages.titles import probe_title
from plumbline.reports.content.vocabularies import UsedList, Words, used_lists, used_words
from plumbline.spec.numbers import count

NOT_KNOWN = "not known"


@dataclass(frozen=True, slots=True)
class Scope:
    """The scope of one run in rows of a name and a text, with its words and lists."""

    run: Run
    facts: tuple[tuple[str, str], ...]
    words: tuple[Words, ...]
    lists: tuple[UsedList, ...]

    @property
    def languages(self) -> str:
        return languages(self.lists)

    @property
    def groups(self) -> Words | None:
        return next((one for one in self.words if one.field == "groups"), None)


def scope_of(run: Run) -> Scope:
    words, lists = tuple(used_words(run)), tuple(used_lists(run))
    facts = {
        "Run": f"{run.pk}: {run.name}",
        "State": run.get_state_display(),
        "Model": run.subject,
        "Revision": str((run.provenance or {}).get("revision") or "") or release_of(run),
        "Note on the model": str((run.provenance or {}).get("note") or ""),
        "Method": probe_title(run.probe),
        "Plan": run.plan.name if run.plan else "none: the run was launched from a spec of its own",
        "Languages and places of the words": languages(lists),
        "Launched": f"{run.created_at:%Y-%m-%d %H:%M} UTC",
        "Finished": f"{run.finished_at:%Y-%m-%d %H:%M} UTC" if run.finished_at else "",
        "Launched by": run.created_by.get_username() if run.created_by else NOT_KNOWN,
        "Items": count(run.planned_items) if run.planned_items else "",
    }
    return Scope(run, tuple((name, text) for name, text in facts.items() if text), words, lists)


def languages(lists: tuple[UsedList, ...]) -> str:
    """Return the origins of the lists as their curators wrote them: place, language and year."""
    known = dict.fromkeys(one.origin for one in lists if one.origin)
    return "; ".join(known) if known else NOT_KNOWN
