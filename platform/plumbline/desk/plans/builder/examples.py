"""Example sentences of a spec with its own words, and which words lack a form that its templates need."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from plumbline.audits.freezing import KIND_OF_FIELD
from plumbline.spec.audit import AuditSpec
from plumbline.spec.content import Name
from plumbline.spec.errors import InputError
from plumbline.spec.grammar import AGREEMENT, Word, render, slots
from plumbline.spec.numbers import several
from plumbline.spec.sentences import Piece, attribute_word, group_word, pieces
from plumbline.spec.sources import attributes_of, entries_of, groups_of, templates_of

MOST_EXAMPLES = 3
MOST_TEMPLATES, MOST_WORDS = 300, 300
"""The most templates and words of a slot that are checked for missing forms."""
MOST_NAMED = 5
FILLED_BY = {
    "group": ("groups",),
    "attribute": ("attributes", "attributes_a", "attributes_b"),
    "target": ("targets", "targets_x", "targets_y"),
    "feature": ("features",),
    "name": ("bridge", "names"),
}
"""The fields of a spec whose words fill each slot."""

Snapshots = Mapping[str, Mapping[str, Any]]
Fillers = dict[str, list[Word]]


@dataclass(frozen=True, slots=True)
class Examples:
    """Sentences in pieces, and one sentence for each kind of missing form."""

    sentences: tuple[list[Piece], ...]
    warnings: tuple[str, ...]
    question: str = ""
    """A question of the banks, with its options."""

    def without(self, fault: str) -> "Examples":
        """Return the examples without the warning that a page shows as the fault of the plan."""
        return replace(self, warnings=tuple(one for one in self.warnings if one != fault))

    def with_cautions(self, cautions: Sequence[str]) -> "Examples":
        """Return the examples with warnings of what makes results doubtful."""
        return replace(self, warnings=(*cautions, *self.warnings))


def examples_of(spec: AuditSpec, snapshots: Snapshots) -> Examples:
    """Return the examples of a spec with pinned lists. Specs without templates have none."""
    warnings: list[str] = []
    words, templates = _fillers(spec, snapshots, warnings), _templates(spec, snapshots, warnings)
    warnings += _missing_forms(templates[:MOST_TEMPLATES], words)
    warnings += _singular_nouns(templates[:MOST_TEMPLATES], words)
    sentences = tuple(_sentences(templates, words, warnings))
    return Examples(sentences, tuple(dict.fromkeys(warnings)), _question(spec, snapshots))


def _question(spec: AuditSpec, snapshots: Snapshots) -> str:
    """Return an example question, or "" where the bank has a fault, which the page reports elsewhere."""
    try:
        return spec.example_question(snapshots)
    except InputError:
        return ""


def _templates(spec: AuditSpec, snapshots: Snapshots, warnings: list[str]) -> list[str]:
    fields = [key for key, kind in KIND_OF_FIELD.items() if kind == "templates" and key != "self_debias"]
    found: list[str] = []
    for sources in filter(None, (getattr(spec, key, None) for key in fields)):
        try:
            found += templates_of(sources, snapshots)
        except InputError as error:
            warnings.append(str(error))
    return found


def _fillers(spec: AuditSpec, snapshots: Snapshots, warnings: list[str]) -> Fillers:
    found: Fillers = {}
    for slot, fields in FILLED_BY.items():
        for key in fields:
            if sources := getattr(spec, key, None):
                try:
                    found.setdefault(slot, []).extend(_words(key, sources, snapshots))
                except InputError as error:
                    warnings.append(str(error))
    return found


def _words(key: str, sources: Any, snapshots: Snapshots) -> list[Word]:
    match KIND_OF_FIELD[key]:
        case "groups":
            return [group_word(one) for one in groups_of(sources, snapshots)]
        case "names":
            names = [Name.model_validate(one) for source in sources for one in entries_of(source, snapshots)]
            return [Word(one.name, pronoun=one.pronoun) for one in names]
    return [attribute_word(one) for one, _ in attributes_of(sources, snapshots)]


def _sentences(templates: Sequence[str], words: Fillers, warnings: list[str]) -> Iterator[list[Piece]]:
    """Yield sentences of templates and words that are spread over their lists."""
    usable = [one for one in templates if all(words.get(base) for base in _bases(one))]
    for number, template in enumerate(_spread(usable)):
        chosen = {base: words[base][number * len(words[base]) // MOST_EXAMPLES] for base in _bases(template)}
        try:
            yield pieces(render(template, chosen))
        except InputError as error:
            warnings.append(str(error))


def _spread(found: Sequence[str]) -> list[str]:
    step = max(1, len(found) // MOST_EXAMPLES)
    spread = list(found[::step][:MOST_EXAMPLES])
    return spread if len(spread) == MOST_EXAMPLES or not spread else (spread * MOST_EXAMPLES)[:MOST_EXAMPLES]


def _bases(template: str) -> list[str]:
    return list(dict.fromkeys(slot.base for slot in slots(template) if slot.base not in AGREEMENT))


def _missing_forms(templates: Sequence[str], words: Fillers) -> Iterator[str]:
    """Yield one warning for each slot and form that some words lack."""
    needed: dict[tuple[str, str], int] = {}
    for template in templates:
        for key in {(slot.base, slot.form) for slot in slots(template) if slot.form}:
            needed[key] = needed.get(key, 0) + 1
    for (base, form), count in needed.items():
        missing = [word.label for word in words.get(base, [])[:MOST_WORDS] if not getattr(word, form)]
        if missing:
            yield _warning(base, form, missing, count)


def _singular_nouns(templates: Sequence[str], words: Fillers) -> Iterator[str]:
    """Yield a warning if nouns stand in the singular in sentences about a group in the plural: "Women are nurse"."""
    nouns = [word.label for word in words.get("attribute", [])[:MOST_WORDS] if word.plural not in ("", word.label)]
    about_many = [one for one in templates if {("group", "plural"), ("attribute", "")} <= _forms(one)]
    if nouns and about_many:
        which = "1 word has a plural and stands" if len(nouns) == 1 else f"{len(nouns):,} words have a plural and stand"
        yield (
            f"{which} in the singular beside a group in the plural: {_named(nouns)}."
            " If the examples read wrong, choose the form “plural” for the list."
        )


def _forms(template: str) -> set[tuple[str, str]]:
    return {(slot.base, slot.form) for slot in slots(template)}


def _named(labels: Sequence[str]) -> str:
    more = f" and {len(labels) - MOST_NAMED:,} more" if len(labels) > MOST_NAMED else ""
    return ", ".join(labels[:MOST_NAMED]) + more


def _warning(base: str, form: str, missing: Sequence[str], templates: int) -> str:
    who = f"1 {base} has" if len(missing) == 1 else f"{len(missing):,} {several(base)} have"
    which = "1 template needs" if templates == 1 else f"{templates:,} templates need"
    return f"{who} no {form}, which {which}: {_named(missing)}."
