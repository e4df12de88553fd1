"""Web, scheduler and workers of one machine under one supervisor: `python -m plumbline.supervision up|down|status`.

`supervisord.conf` configures the programs. This package starts them, waits until they work, and stops them.
"""
