"""The channels by which messages leave the platform, each with its counts of waiting and failed messages.

A new channel is one entry of CHANNELS.
"""

from collections.abc import Callable

from plumbline.metrics.figures import Counts, mail_by_state

CHANNELS: dict[str, Callable[[], Counts]] = {"mail": mail_by_state}
