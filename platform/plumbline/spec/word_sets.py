"""Two sets of target words and two sets of attribute words, as association tests on embeddings compare them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plumbline.spec.content import Attribute
from plumbline.spec.errors import SpecError
from plumbline.spec.sources import Attributes, attributes_of

SETS = {"targets": ("x", "y"), "attributes": ("a", "b")}


@dataclass(frozen=True, slots=True)
class WordSets:
    """The words of a frozen spec and the name of each set: the slugs of its lists, or its letter."""

    x: tuple[Attribute, ...]
    y: tuple[Attribute, ...]
    a: tuple[Attribute, ...]
    b: tuple[Attribute, ...]
    names: tuple[str, str, str, str]

    @property
    def targets(self) -> tuple[Attribute, ...]:
        return self.x + self.y

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        return self.a + self.b

    @property
    def contrast(self) -> str:
        """The two attribute sets, as measures name them."""
        return f"{self.names[2]} - {self.names[3]}"


def flattened(data: Any) -> Any:
    """Return the data with `targets: {x: ..., y: ...}` as targets_x and targets_y, and the attributes likewise.

    Each list of a spec then has its own key, as freezing and outdated marks need it. Raises ValueError for other keys.
    """
    if not isinstance(data, Mapping):
        return data
    found = dict(data)
    for key, names in SETS.items():
        value = found.get(key)
        if isinstance(value, Mapping) and not {"list", "inline"} & value.keys():
            if set(value) != set(names):
                raise ValueError(f"{key}: give {{{names[0]}: LIST, {names[1]}: LIST}}")
            found |= {f"{key}_{name}": value[name] for name in names}
            del found[key]
    return found


def word_sets(
    x: Attributes, y: Attributes, a: Attributes, b: Attributes, snapshots: Mapping[str, Mapping[str, Any]]
) -> WordSets:
    """Return the words of four sets.

    Raises SpecError for an empty set, or a word in both targets or both attributes.
    """
    of_x, of_y, of_a, of_b = (tuple(word for word, _ in attributes_of(sources, snapshots)) for sources in (x, y, a, b))
    for one, other in ((of_x, of_y), (of_a, of_b)):
        if twice := [word.text for word in one if word.text in {own.text for own in other}]:
            raise SpecError(f"{twice[0]!r} is in both sets of a comparison; keep it in one.")
    return WordSets(of_x, of_y, of_a, of_b, (_name(x, "x"), _name(y, "y"), _name(a, "a"), _name(b, "b")))


def _name(sources: Attributes, letter: str) -> str:
    slugs: Sequence[str] = [source.slug for source in sources if source.slug]
    return " + ".join(slugs) or letter
