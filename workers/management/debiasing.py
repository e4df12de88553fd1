"""A variant is made and entered: curated lists from the database, files into the model store."""

from collections.abc import Callable
from pathlib import Path

from plumbline.audits import variants
from plumbline.spec.digests import digest
from plumbline.spec.errors import InputError
from plumbline.spec.grammar import expand
from plumbline.spec.variant import Part, VariantCard
from plumbline.vocab.content import frozen
from workers.debiasing.recipe import Recipe
from workers.debiasing.words import GroupWords
from workers.management.console import Console


def debias(
    slug: str,
    reference: str,
    recipe: Recipe,
    words: str,
    corpus: Path,
    *,
    sentences: str = "",
    threads: int = 2,
    console: Console,
) -> VariantCard:
    """Make the variant and enter it. Raises InputError with the remedy; then nothing is left of it."""
    variants.check_new(slug)
    content = frozen("attributes", words)
    lists = [Part(kind="attributes", slug=words, sha256=digest(content))]
    templates, of_templates = _templates(sentences)
    known = GroupWords.of(words, content["entries"])
    # Imported here: torch takes seconds, which nobody who asks for help should wait.
    from workers.debiasing.making import Order, make
    from workers.engine.loading import use_threads

    use_threads(threads)
    order = Order(slug, reference, recipe, known, corpus, templates, [*lists, *of_templates])
    card = make(order, _staged(console))
    console.close()
    variants.enter(card, reference)
    return card


def _templates(slug: str) -> tuple[list[str], list[Part]]:
    if not slug:
        return [], []
    content = frozen("templates", slug)
    texts = [text for entry in content["entries"] for text in expand(entry["template"])]
    if wrong := next((text for text in texts if text.count("{attribute}") != 1 or text.count("{") != 1), None):
        raise InputError(f"the template {wrong!r} of {slug!r} needs the slot {{attribute}} once, and no other slot")
    return texts, [Part(kind="templates", slug=slug, sha256=digest(content))]


def _staged(console: Console) -> Callable[[str, int], Callable[[int], None]]:
    def stage(name: str, total: int) -> Callable[[int], None]:
        console.stage(name, total)
        return console.advance

    return stage
