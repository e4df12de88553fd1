"""A few lists of the starter data: all of them take seconds to load."""

from plumbline.vocab import seeding
from plumbline.vocab.banks import starter_banks
from plumbline.vocab.importing import entries_of
from plumbline.vocab.kinds import KINDS
from plumbline.vocab.replacing import replace


def load_seeds(*slugs: str) -> None:
    for seed in seeding.seeds():
        if seed.slug in slugs:
            kind = KINDS[seed.kind]
            replace(kind, seed.slug, seed.metadata(), entries_of(kind, seed.rows()))
    if any(seed.slug in slugs for seed in starter_banks.bank_seeds()):
        starter_banks.load()
