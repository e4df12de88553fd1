"""The association probes: log_probability, ilps, ilps_chain and set (the sensitivity test).

cells (template, group, attribute) -> sentences -> asks (queries of the engine) -> reading of target and prior -> score

An asker says what is asked of a kind of model; a reading says what is read for it (log probabilities, or distances of
the last layer) and what a record keeps.
"""
