"""Pairs of sentences: which one a model finds likelier, and GEST's ratio of a male and a female word."""
