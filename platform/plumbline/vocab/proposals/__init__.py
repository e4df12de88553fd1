"""Proposals of names from a table of births: reading, proportions, thresholds, comparison, acceptance."""
