"""Web, scheduler and workers of one machine under one supervisor: `python -m plumbline.supervision up|down|status`.

`supervisord.conf` says what runs. Here it is started, watched until it works, and stopped with all that belongs to it.
"""
