"""Rates of answers: scores, intervals, differences and their tests."""
