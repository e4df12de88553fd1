"""Verifies an evidence pack: no database, no Django, no model. `python -m workers.verification FILE.zip`."""
