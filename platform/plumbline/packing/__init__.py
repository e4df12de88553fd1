"""Packs a finished run as evidence: what is read from the database, in parts of bounded size."""
