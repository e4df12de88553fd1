"""Findings: sentences on what the measures of a run mean, and the findings that people judge and sign off.

The figures themselves are in `results`. `updating` writes the findings of a run, `judging` and `pinning` what people
decide, and `sign_off` holds conditions, signatures and baselines.
"""
