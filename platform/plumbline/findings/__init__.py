"""Findings: sentences that say what the measures of a run mean. The figures themselves are in `results`."""
