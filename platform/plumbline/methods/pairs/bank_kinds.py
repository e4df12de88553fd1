"""Banks of pairs: published ones, or a table of your own."""

from collections.abc import Mapping
from pathlib import Path

from plumbline.methods.pairs import files, gest_file, stereoset_file, winobias_file
from plumbline.vocab.banks.kinds import BankKind

FORMATS = {
    "crows": files.crows,
    "gest": gest_file.gest,
    "stereoset": stereoset_file.stereoset,
    "winobias": winobias_file.winobias,
    "winoqueer": files.winoqueer,
    "csv": files.own,
}
STARTER = Path(__file__).with_name("starter")
LABEL = "Pairs: two sentences, one of which a stereotype favours"
BANK_KINDS: Mapping[str, BankKind] = {"pairs": BankKind(LABEL, files.own, starter=STARTER, formats=FORMATS)}
"""A file without a named format is a table of your own."""
