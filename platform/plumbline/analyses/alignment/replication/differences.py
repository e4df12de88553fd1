"""What differs between a run and the paper: data, templates, prior and model."""

from dataclasses import dataclass
from typing import Any

from plumbline.analyses.alignment.page import ratings_named_by
from plumbline.analyses.alignment.replication import printed
from plumbline.analyses.alignment.replication.beside import Row
from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.spec.errors import InputError
from plumbline.spec.sources import kinds_of


@dataclass(frozen=True, slots=True)
class Differing:
    """One thing as this run has it, and as the paper had it."""

    what: str
    ours: str
    theirs: str


def differences(run: Run, rows: list[Row], measure: str) -> list[Differing]:
    found = [
        Differing("Model", run.subject, " and ".join(printed.MODELS.values())),
        Differing("Measure", printed.MEASURES.get(run.probe, run.probe), printed.MEASURES[measure]),
        Differing("Ratings", _ratings(run), f"{printed.RATERS} raters a group, who passed the paper's checks"),
        Differing("Groups", _groups(rows), f"{len(rows)} groups"),
    ]
    if measure != "ceat":
        found += [
            Differing("Templates", _templates(run), _printed_templates(measure)),
            Differing("Prior", _prior(run), "a mask in the group's place"),
        ]
    else:
        found.append(Differing("Sentences", "those of the run's corpus", "1,000 sentences a word, Reddit 2014"))
    return found


def _ratings(run: Run) -> str:
    name = ratings_named_by(run.spec)
    if name == "inline":
        return "those of the spec itself"
    return f"the list {name}: the published ratings of 2022 without flagged cells" if name == "abc-ratings" else name


def _groups(rows: list[Row]) -> str:
    own = sum(bool(row.ours) for row in rows)
    missing = [row.group for row in rows if not row.ours]
    return f"{own} of these" + (f", without {', '.join(missing)}" if missing and own else "")


def _templates(run: Run) -> str:
    """Return the number of templates, or the templates themselves if they are few."""
    try:
        spec, snapshots = frozen_spec(run)
        texts = list(kinds_of(spec.templates, snapshots))  # type: ignore[attr-defined] # specs of these probes have it
    except (InputError, KeyError, AttributeError):
        return "not readable"
    return _quoted(texts) if len(texts) <= 2 else f"the mean over {len(texts)} templates"


def _quoted(texts: list[str]) -> str:
    return " and ".join(f"“{text}”" for text in texts)


def _printed_templates(measure: str) -> str:
    chosen = printed.templates(measure)
    own = [f"{printed.MODELS[model]}: {_quoted(texts)}" for model, texts in chosen.items()]
    return f"chosen by a pilot for each model (Table 5). {'. '.join(own)}"


def _prior(run: Run) -> str:
    prior: Any = run.spec.get("prior") or {}
    if "mask" in prior:
        return "a mask in the group's place"
    return " / ".join(str(prior[key]) for key in ("singular", "plural") if key in prior) or "not given"
