"""Findings of the association probes beyond single words."""

from plumbline.analyses.alignment.findings import of_people
from plumbline.analyses.intersections.findings import of_intersections
from plumbline.analyses.word_sets.findings import of_effects
from plumbline.findings.by_method import MethodFindings
from plumbline.methods.association.alike_frames import alike_frame_warnings
from plumbline.methods.association.preference_findings import of_preference

FINDINGS = MethodFindings(
    pages={
        "run_effects": of_effects,
        "run_preference": lambda run: of_preference(run.pk, run.subject),
        "alignment": lambda run: of_people(run.pk, run.subject),
        "run_intersections": lambda run: of_intersections(run.pk, run.subject),
    },
    contrasts=True,
    warnings=lambda run: alike_frame_warnings(run.pk),
)
