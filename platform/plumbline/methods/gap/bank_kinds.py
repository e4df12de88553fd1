"""Banks of GAP's passages."""

from collections.abc import Mapping

from plumbline.methods.gap import bank_files
from plumbline.vocab.banks.kinds import BankKind

BANK_KINDS: Mapping[str, BankKind] = {"gap": BankKind("GAP: gendered ambiguous pronouns", bank_files.questions)}
