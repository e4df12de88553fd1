"""The association probes: log_probability, ilps, ilps_chain and set (the sensitivity test).

They ask and score cells as the room `cell_scores` does. Here lie the choice of an asker, the distances of the
sensitivity test, and the measures that these probes alone report.
"""
