"""The identity of a finding over runs: the plan, the model without its revision, and the labels of the measure."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from plumbline.audits.models import Run
from plumbline.findings.models.findings import IDENTITY, Finding
from plumbline.spec.digests import digest
from plumbline.spec.errors import SpecError
from plumbline.spec.grammar import FORMS, forms_read
from plumbline.spec.measure import OTHER_GROUPS, Measure
from plumbline.spec.reference import ModelReference
from plumbline.spec.sentences import Words

LABELS = IDENTITY[IDENTITY.index("statistic") :]
"""The labels of a measure that identify a finding."""
NO_WORDS = "none"
"""In place of digests of words, where a run's spec has none of a finding's words."""
DIGITS = 12
"""Of the digest of a form, in hex: enough to tell the words of one finding's runs apart."""
NO_PART_OF_THE_METHOD = frozenset({"name", "model", "seed"})


def series_of(run: Run) -> str:
    """Return what joins runs: their plan. A run without a plan is compared with no other run."""
    return f"plan {run.plan_id}" if run.plan_id else f"run {run.pk}"


def model_of(run: Run) -> str:
    """Return the model without its revision, with the way in which it was asked: `hub:org/name with Self-Debias`."""
    return run.subject.replace(run.model, without_revision(run.model), 1)


def without_revision(reference: str) -> str:
    try:
        return ModelReference.parse(reference).without_revision
    except SpecError:
        return reference


def release_of(run: Run) -> str:
    """Return the model with its revision: the commit, or the digest of its weights; without both as it was launched."""
    known = run.provenance or {}
    revision = str(known.get("revision") or "") or str(known.get("digest") or "")[:12]
    return f"{model_of(run)}@{revision}" if revision else run.subject


def fingerprint_of(run: Run) -> str:
    """Return the digest of how a run measured: method, version, params, and its words by their digests.

    Runs with equal fingerprints differ in the model's answers alone.
    """
    spec = {key: value for key, value in (run.spec or {}).items() if key not in NO_PART_OF_THE_METHOD}
    return digest({"spec": spec, "version": (run.provenance or {}).get("probe_version")})


def asked_words(asked: Words, finding: Finding) -> str:
    """Return in which words a run asked a finding, as `form:digest ...`, or NO_WORDS without any.

    There is a digest for the labels and for each form that a template of the run reads, so that runs are compared by
    the forms that both read. A finding about a group and the others counts all of these, since its figure is a
    difference from their mean. One about a list counts all words of the list.
    """
    groups = [asked.groups.get(label) for label in (finding.group_a, finding.group_b) if label]
    groups += asked.others.values() if finding.group_b == OTHER_GROUPS else ()
    attributes = [asked.attributes.get(finding.attribute)]
    attributes += asked.of_list(finding.category).values() if not finding.attribute else ()
    if not any([*groups, *attributes]):
        return NO_WORDS
    slots = ((asked.slot, groups), ("attribute", attributes))
    forms = {
        f"{slot}.{form}": [getattr(one, form, None) for one in words]
        for slot, words in slots
        for form in ("label", *sorted(_forms_read(asked.templates, slot)))
    }
    return " ".join(f"{form}:{digest(words)[:DIGITS]}" for form, words in forms.items())


@lru_cache(maxsize=64)
def _forms_read(templates: tuple[str, ...], slot: str) -> frozenset[str]:
    return forms_read(templates, slot) if templates else frozenset(FORMS)


@lru_cache(maxsize=4096)
def forms_of(words: str) -> Mapping[str, str]:
    """Return the digests of `asked_words` by form. What an earlier release noted is one digest, without a form."""
    noted = () if words == NO_WORDS else words.split()
    return dict(one.rpartition(":")[::2] for one in noted)


def identity_of(run: Run, labels: Mapping[str, str]) -> dict[str, str]:
    """Return the identifying fields of the finding that a measure with these labels of the run belongs to."""
    of_run = {"series": series_of(run), "model": model_of(run), "probe": run.probe}
    return of_run | {name: labels.get(name, "") for name in LABELS}


def labels_of(measure: Measure) -> dict[str, str]:
    return {name: getattr(measure, name) for name in LABELS}


def digest_of(identity: Mapping[str, Any]) -> str:
    return digest({name: identity[name] for name in IDENTITY})
