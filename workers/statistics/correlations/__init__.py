"""Correlations and agreement of ranks: estimates, intervals, changes between two runs, and equivalence."""
