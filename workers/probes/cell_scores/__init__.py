"""Scores of cells, which several methods share: queries to the model, readings of its answers, and measures.

cells (template, group, attribute) -> sentences -> asks (queries of the engine) -> reading of target and prior -> score
An asker defines the queries for a kind of model. A reading defines the numbers taken from the model (log probabilities,
or distances of the last layer) and those stored in a record.
"""
