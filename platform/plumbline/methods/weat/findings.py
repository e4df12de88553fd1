"""Findings of WEAT runs."""

from plumbline.analyses.word_sets.findings import finding_sentence, of_effects
from plumbline.findings.by_method import MethodFindings

FINDINGS = MethodFindings(pages={"run_effects": of_effects}, writers={"effect_size": finding_sentence})
