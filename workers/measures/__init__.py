"""Measures from estimates: named numbers, families of tests, q-values and verdicts."""
