"""The questions of a run that an endpoint answered in text, as they were asked."""

from collections.abc import Iterable
from dataclasses import dataclass

from plumbline.audits.models import Run
from plumbline.methods.sodapop.requests import item_of
from plumbline.methods.sodapop.run_words import materials_of
from plumbline.spec.banks.contexts import filled


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    context: str
    question: str


def questions(run: Run, wanted: Iterable[str]) -> dict[str, AskedQuestion]:
    """Return the context and the question of these items, as records name them."""
    contexts, names = materials_of(run)
    asked = {item_of(one.id, name.name): (one, name.name) for one in contexts for name in names}
    cells = {item: item.rpartition(", ")[0] for item in wanted}
    return {
        item: AskedQuestion(*(filled(text, name) for text in (context.context, context.question)))
        for item, cell in cells.items()
        if cell in asked
        for context, name in [asked[cell]]
    }
