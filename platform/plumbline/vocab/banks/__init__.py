"""Importing question banks: one module per kind, and what they have in common."""
