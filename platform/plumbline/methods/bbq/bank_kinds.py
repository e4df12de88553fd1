"""Banks of BBQ: the published examples, or questions from templates."""

from collections.abc import Mapping
from pathlib import Path

from plumbline.methods.bbq.bank import generated, published_examples
from plumbline.vocab.banks.kinds import BankKind

STARTER = Path(__file__).with_name("starter")
COLUMNS = ("__str__", "version_of", "condition", "question", "text", "options", "flags")

BANK_KINDS: Mapping[str, BankKind] = {
    "bbq": BankKind(
        label="BBQ: questions about two people, one of whom a stereotype is about",
        read=published_examples.questions,
        read_categories=published_examples.questions,
        generate=generated.questions,
        starter=STARTER,
        item_columns=COLUMNS,
        templates_page="bank_templates",
    )
}
