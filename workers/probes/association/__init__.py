"""The association probes: log_probability, ilps, ilps_chain and set (the sensitivity test).

They query models and score cells with `cell_scores`. This package holds the choice of an asker, the distances of the
sensitivity test, and the measures that only these probes report.
"""
