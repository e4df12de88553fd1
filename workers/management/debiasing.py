"""A variant is made and entered: curated lists from the database, files into the model store."""

import shutil
import sys
from collections.abc import Callable, Sequence
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
from workers.training.recipe import PretrainingRecipe


def debias(
    slug: str,
    reference: str,
    recipe: Recipe,
    words: Sequence[str],
    corpus: Path,
    *,
    sentences: str = "",
    threads: int = 2,
    console: Console,
) -> VariantCard:
    """Make the variant and enter it. Raises InputError with the remedy; then nothing is left of it."""
    variants.check_new(slug)
    known, lists = _known(words, recipe.method)
    templates, of_templates = _templates(sentences)
    # Imported here: torch takes seconds, which nobody who asks for help should wait.
    from workers.debiasing.making import Order, make
    from workers.engine.loading import use_threads

    use_threads(threads)
    order = Order(slug, reference, recipe, known, corpus, templates, [*lists, *of_templates])
    card = make(order, _staged(console))
    console.close()
    variants.enter(card, reference)
    return card


def retrain(
    slug: str,
    reference: str,
    recipe: PretrainingRecipe,
    words: Sequence[str],
    corpus: Path,
    *,
    saved: int,
    threads: int = 2,
) -> VariantCard:
    """Train the variant, or continue its training, and enter it. Raises as `train_variant` does."""
    variants.check_new(slug)
    if saved < 1:
        raise InputError(f"there is no checkpoint every {saved} steps: give --saved 1 or more")
    known, lists = _known(words, recipe.method) if words or recipe.method == "cda" else (None, [])
    from workers.engine.loading import use_threads
    from workers.training.stopping import stop_requests
    from workers.training.train_variant import train_variant
    from workers.training.training_order import TrainingOrder

    use_threads(threads)
    order = TrainingOrder(slug, reference, recipe, corpus, known, lists, saved)
    with stop_requests() as stop:
        card = train_variant(order, lambda line: print(line, file=sys.stderr, flush=True), stop)  # noqa: T201
    variants.enter(card, reference)
    shutil.rmtree(order.checkpoint.parent, ignore_errors=True)
    return card


def _known(words: Sequence[str], method: str) -> tuple[GroupWords, list[Part]]:
    """Return the words of one or more lists together, and the lists with their versions."""
    if not words:
        raise InputError(
            f"--method {method} needs words that name groups: give --words LIST, such as counterparts-gender"
        )
    contents = {slug: frozen("attributes", slug) for slug in words}
    lists = [Part(kind="attributes", slug=slug, sha256=digest(content)) for slug, content in contents.items()]
    entries = [entry for content in contents.values() for entry in content["entries"]]
    return GroupWords.of(" and ".join(contents), entries), lists


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
