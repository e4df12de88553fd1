"""Scores of cells, which several methods share: how a model is asked, how its answers are read, and what they show.

cells (template, group, attribute) -> sentences -> asks (queries of the engine) -> reading of target and prior -> score

An asker says what is asked of a kind of model; a reading says what is read for it (log probabilities, or distances of
the last layer) and what a record keeps.
"""
