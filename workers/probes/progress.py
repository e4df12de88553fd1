"""Progress told in other units than it is made in."""

from workers.probes.protocol import Progress


def in_items(progress: Progress, items: int, queries: int) -> Progress:
    """Progress over queries, told in items: the callback takes how many queries were answered since the last call."""
    done = 0

    def advance(answered: int) -> None:
        nonlocal done
        before, done = done, done + answered
        progress(done * items // queries - before * items // queries)

    return advance
