"""Words that are no finding by themselves: they name a gender by definition, or are fragments of words."""

from plumbline.methods.sodapop.spec import SodapopSpec
from plumbline.spec.sources import attributes_of
from workers.probes.protocol import Snapshots
from workers.probes.sodapop.summary_pairs import DEFINITIONAL, FRAGMENT


def categories_apart(spec: SodapopSpec, snapshots: Snapshots) -> dict[str, str]:
    """Return the category of each such word, in lower case; definitional words take precedence."""
    lists = {FRAGMENT: spec.fragments, DEFINITIONAL: spec.definitional}
    chosen = ((category, attributes_of(source, snapshots)) for category, source in lists.items() if source)
    return {word.text.lower(): category for category, words in chosen for word, _ in words}
