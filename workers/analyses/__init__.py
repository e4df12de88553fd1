"""Analyses of scores that several methods share: agreement with people, and pairs of groups."""
