"""Findings of the association probes beyond single words."""

from plumbline.analyses.alignment.findings import WRITERS as ALIGNMENT_WRITERS
from plumbline.analyses.alignment.findings import of_people
from plumbline.analyses.intersections.findings import WRITERS as INTERSECTION_WRITERS
from plumbline.analyses.intersections.findings import of_intersections
from plumbline.analyses.word_sets.findings import finding_sentence, of_effects
from plumbline.findings.by_method import MethodFindings
from plumbline.findings.contrasts import difference_sentence
from plumbline.methods.association.alike_frames import alike_frame_warnings
from plumbline.methods.association.group_lengths import group_length_warnings
from plumbline.methods.association.preference_findings import SHARE, of_preference, preference_sentence

FINDINGS = MethodFindings(
    pages={
        "run_effects": of_effects,
        "run_preference": lambda run: of_preference(run.pk, run.subject),
        "alignment": lambda run: of_people(run.pk, run.subject),
        "run_intersections": lambda run: of_intersections(run.pk, run.subject),
    },
    contrasts=True,
    writers={
        **{f"{score}_difference": difference_sentence for score in ("ilps", "ilps_chain", "set")},
        "log_probability_bias": difference_sentence,
        "effect_size": finding_sentence,
        SHARE: lambda run, one: preference_sentence(run.subject, one),
        **ALIGNMENT_WRITERS,
        **INTERSECTION_WRITERS,
    },
    warnings=lambda run, groups: [*group_length_warnings(run, groups), *alike_frame_warnings(run.pk)],
)
