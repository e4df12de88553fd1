"""How long a test waits for what must happen. A deadline ends a test that hangs; a slow machine is no fault."""

PATIENCE = 900.0
"""Seconds, for processes and their states."""

PAGE_PATIENCE = 240_000
"""Milliseconds, for what a page shows."""
