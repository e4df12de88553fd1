"""Conversion of progress between units."""

from workers.probes.protocol import Progress


def in_items(progress: Progress, items: int, queries: int) -> Progress:
    """Return a progress callback for queries that reports items: it takes the number of queries since its last call."""
    done = 0

    def advance(answered: int) -> None:
        nonlocal done
        before, done = done, done + answered
        progress(done * items // queries - before * items // queries)

    return advance
