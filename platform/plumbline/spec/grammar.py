"""The grammar of sentence templates.

    [All|Most|Many] {group.plural} [are|should be] {attribute}.

`{...}` is a slot. `[a|b]` holds alternatives: a grammar text gives every combination. Doubled `[[ ]] {{ }}` are
literal and take precedence: `[[[a|b]` is a literal bracket before alternatives.

`{the group}` and `{the name}` write "the" before any word. `{the target}`, `{the attribute}` and `{the feature}` write
the article that is curated with the word, or none: "the United States", but "France".

Literal text never changes. Agreement comes from slots only (`{a attribute}`, `{is|are}`, `{they}`).
"""

import itertools
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from plumbline.spec.errors import SpecError

BASES = ("group", "attribute", "name", "target", "feature", "text")
"""The words that slots stand for; `{text}` is the whole text that a description of Self-Debias introduces."""
OWN_ARTICLE = ("attribute", "target", "feature")
"""Slots in which {the ...} writes the word's own curated article."""
AGREEMENT = ("is|are", "they", "their")
GOVERNING = ("group", "name", "target")
"""Slots with which others agree."""
FORMS = ("singular", "plural", "pronoun", "article")
"""The forms of a word besides its label."""
LONGEST_TEMPLATE = 1000
"""The longest template that somebody may write, in characters. Stored templates of earlier releases may be longer."""
MOST_SENTENCES = 1000
MOST_COUNTED = 1_000_000_000

_PRONOUNS = {
    "they": {"she": "she", "he": "he", "they": "they"},
    "their": {"she": "her", "he": "his", "they": "their"},
}
_TOKEN = re.compile(r"\[\[|\]\]|\{\{|\}\}|\{[^{}]*\}|[\[\]|{}]|[^\[\]|{}]+")
_SLOT = re.compile(
    r"(?:(?P<article>an?|An?|the|The) )?(?P<base>[A-Za-z]+)(?:\.(?P<form>singular|plural))?(?P<possessive>'s)?"
)
# These begin with a consonant's sound: European, university (not uninsured), user, usual, utility, urologist,
# Ukrainian, Ugandan, US citizen. These begin with a vowel's: hour, honest, honor, heir, 8, 11, 18.
_VOWEL_SOUND = re.compile(
    r"(?!eu|ew|uni(?!n|m|d)|us[aeu]|us\b|un\b|ux|ut[eio]|ur[aiou]|uk|uga|ubi|one\b|once)[aeiou]"
    r"|hour|honest|honou?r|heir|8|1[18]\b",
    re.IGNORECASE,
)
_DETERMINER = re.compile(
    r"(?:\b(?:all|most|many|some|few|several|the|that|this|these|those|every|each|any|no|an?)(?:\s+of)?\s+)+"
    r"(?=\{(?:group|target|name))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Word:
    """The filler of a slot: its label and the forms that templates may ask for."""

    label: str
    singular: str = ""
    plural: str = ""
    pronoun: str = ""
    article: str = ""


@dataclass(frozen=True, slots=True)
class Slot:
    """One slot of a template. `base` names the word that fills it. The other fields give its form."""

    text: str
    base: str
    form: str = ""
    article: str = ""
    capital: bool = False
    possessive: bool = False


@dataclass(frozen=True, slots=True)
class Rendered:
    """A filled sentence with the place of each slot's word: (base, start, end) in characters, left to right."""

    text: str
    spans: tuple[tuple[str, int, int], ...]

    def spans_of(self, base: str) -> tuple[tuple[int, int], ...]:
        return tuple((start, end) for name, start, end in self.spans if name == base)


@lru_cache(maxsize=4096)
def expand(grammar: str) -> tuple[str, ...]:
    """Return all templates of a grammar text, in reading order, without repetition.

    Raises SpecError for unbalanced brackets, unknown slots, no slot at all, or more than MOST_SENTENCES templates.
    """
    choices = list(_choices(grammar))
    if (count := math.prod(map(len, choices))) > MOST_SENTENCES:
        many = count if count < MOST_COUNTED else f"more than {MOST_COUNTED:,}"
        raise SpecError(f"template {grammar!r} stands for {many} sentences; at most {MOST_SENTENCES} are allowed.")
    templates = tuple(dict.fromkeys("".join(parts) for parts in itertools.product(*choices)))
    for template in templates:
        parse(template)
    return templates


def _choices(grammar: str) -> Iterator[list[str]]:
    """Yield the alternatives of each stretch of the text. A stretch outside brackets has one."""
    options: list[str] | None = None
    for match in _TOKEN.finditer(grammar):
        token = match.group()
        if token == "[":
            if options is not None:
                raise SpecError(f"template {grammar!r}: '[' inside of '[...]'; alternatives do not nest.")
            options = [""]
        elif token == "]":
            if options is None:
                raise SpecError(f"template {grammar!r}: ']' without '['; write ']]' for a literal bracket.")
            yield options
            options = None
        elif token in ("{", "}"):
            raise SpecError(f"template {grammar!r}: unpaired {token!r}; write {token * 2!r} for a literal brace.")
        elif options is None:
            yield [token]
        elif token == "|":
            options.append("")
        else:
            options[-1] += token
    if options is not None:
        raise SpecError(f"template {grammar!r}: '[' is never closed; write '[[' for a literal bracket.")


@lru_cache(maxsize=65536)
def parse(template: str) -> tuple[str | Slot, ...]:
    """Split a template without alternatives into literal texts and slots. Raises SpecError for unknown slots."""
    pieces: list[str | Slot] = []
    for match in _TOKEN.finditer(template):
        token = match.group()
        is_slot = token.startswith("{") and token not in ("{{", "{")
        pieces.append(_slot(token, template) if is_slot else _literal(token))
    if not any(isinstance(piece, Slot) for piece in pieces):
        raise SpecError(f"template {template!r} has no slot; write for example {{group.plural}} and {{attribute}}.")
    return tuple(pieces)


def _literal(token: str) -> str:
    return token[0] if token in ("[[", "]]", "{{", "}}") else token


def _slot(token: str, template: str) -> Slot:
    inner = token[1:-1]
    if inner in AGREEMENT:
        return Slot(token, inner)
    match = _SLOT.fullmatch(inner)
    base = match["base"] if match else ""
    if match is None or base.lower() not in BASES or base[1:] != base[1:].lower():
        known = ", ".join(f"{{{base}}}" for base in BASES)
        raise SpecError(
            f"template {template!r}: unknown slot {token}; the slots are {known}, with forms such as {{group.plural}},"
            " {Group.plural}, {a target}, {name's}, and {is|are}, {they}, {their}."
        )
    return Slot(
        token, base.lower(), match["form"] or "", match["article"] or "", base[0].isupper(), bool(match["possessive"])
    )


@lru_cache(maxsize=65536)
def slots(template: str) -> tuple[Slot, ...]:
    return tuple(piece for piece in parse(template) if isinstance(piece, Slot))


def require(template: str, once: Iterable[str], subject: str) -> None:
    """Check that the template has each slot of `once` exactly once and no other. `subject` names the asker in errors.

    Raises SpecError.
    """
    bases = [slot.base for slot in slots(template) if slot.base not in AGREEMENT]
    for base in (needed := tuple(once)):
        if bases.count(base) != 1:
            how = "lacks the slot" if base not in bases else "has more than once the slot"
            raise SpecError(f"template {template!r} {how} {{{base}}}, which {subject} needs exactly once.")
    if foreign := [base for base in bases if base not in needed]:
        raise SpecError(f"template {template!r} has the slot {{{foreign[0]}}}, which {subject} does not fill.")


def render(template: str, words: Mapping[str, Word]) -> Rendered:
    """Fill the slots. Raises SpecError when a word lacks the form that a slot needs, or a slot has no word."""
    text, spans = "", []
    subject = _subject(template, words)
    for piece in parse(template):
        if isinstance(piece, str):
            text += piece
        elif piece.base in AGREEMENT:
            text += _agree(piece, subject, template)
        else:
            filler = _filler(piece, words, template)
            text += (article := _article(piece, filler, words[piece.base]))
            if piece.article == "The" and not article:
                filler = _capital(filler)
            spans.append((piece.base, len(text), len(text) + len(filler)))
            text += filler + _possessive(piece, filler)
    return Rendered(text, tuple(spans))


def _subject(template: str, words: Mapping[str, Word]) -> tuple[Slot, Word] | None:
    """Return the first slot that can govern agreement (a group, name or target) with its word, or None."""
    for slot in slots(template):
        if slot.base in GOVERNING and slot.base in words:
            return slot, words[slot.base]
    return None


def _filler(slot: Slot, words: Mapping[str, Word], template: str) -> str:
    if slot.base not in words:
        raise SpecError(f"template {template!r} has the slot {slot.text}, which nothing fills.")
    word = words[slot.base]
    filler = {"": word.label, "singular": word.singular, "plural": word.plural}[slot.form]
    if not filler:
        raise SpecError(
            f"template {template!r} needs the {slot.form} of {slot.base} {word.label!r}, which has none:"
            " enter it, or leave the template out."
        )
    return _capital(filler) if slot.capital else filler


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _article(slot: Slot, filler: str, word: Word) -> str:
    if slot.article.lower() == "the" and slot.base in OWN_ARTICLE:
        article = _capital(word.article) if word.article and slot.article == "The" else word.article
        return article + " " * bool(article)
    if not slot.article or slot.article.lower() == "the":
        return slot.article + " " * bool(slot.article)
    return slot.article[0] + ("n" if _VOWEL_SOUND.match(filler) else "") + " "


def _possessive(slot: Slot, filler: str) -> str:
    """Return the possessive ending: the nurses' work, but the women's, the boss's and James's."""
    if not slot.possessive:
        return ""
    return "'" if slot.form == "plural" and filler.endswith("s") else "'s"


def _agree(slot: Slot, subject: tuple[Slot, Word] | None, template: str) -> str:
    if subject is None:
        raise SpecError(f"template {template!r}: {slot.text} agrees with a group, name or target, and there is none.")
    of, word = subject
    if slot.base == "is|are":
        return "are" if _is_plural(of, word, template) else "is"
    if of.form == "plural" or is_plural_label(word):
        return slot.base
    if word.pronoun not in _PRONOUNS[slot.base]:
        raise SpecError(
            f"template {template!r}: {slot.text} needs the pronoun (she, he or they) of {of.base} {word.label!r}."
        )
    return _PRONOUNS[slot.base][word.pronoun]


def forms_read(templates: Iterable[str], base: str) -> frozenset[str]:
    """Return the forms that these templates read of a word in this slot: singular, plural, pronoun, article.

    Words that differ in other forms only make the same sentences.
    """
    return frozenset(form for template in templates for form in _forms_read(template, base))


def _forms_read(template: str, base: str) -> Iterator[str]:
    try:
        every = slots(template)
    except SpecError:  # a template of an earlier release
        yield from FORMS
        return
    for slot in every:
        if slot.base == base:
            yield from filter(None, (slot.form, slot.article and "article"))
    subject = next((slot for slot in every if slot.base in GOVERNING), None)
    if subject and subject.base == base:
        agreeing = [slot.base for slot in every if slot.base in AGREEMENT]
        if not all(subject.form if one == "is|are" else subject.form == "plural" for one in agreeing):
            yield from ("singular", "plural", "pronoun")


def with_forms(word: Word, forms: Collection[str]) -> Word:
    """Return the word without its other forms."""
    return replace(word, **{form: "" for form in FORMS if form not in forms})


def is_plural_label(word: Word) -> bool:
    """Return whether the label itself is the plural: "women", not "woman", nor a word without number."""
    return word.label == word.plural != word.singular


def _is_plural(slot: Slot, word: Word, template: str) -> bool:
    if slot.form:
        return slot.form == "plural"
    if slot.base == "name":
        return False
    if word.label in (word.singular, word.plural) and word.singular != word.plural:
        return word.label == word.plural
    if word.pronoun in ("she", "he"):
        return False
    raise SpecError(
        f"template {template!r}: {{is|are}} needs the number of {slot.base} {word.label!r}:"
        f" write {{{slot.base}.plural}}, or give it a singular or a plural equal to its label."
    )


@lru_cache(maxsize=65536)
def frame(template: str) -> str:
    """Return the template without the determiner before its group, and without that slot's capital or article.

    Templates with one frame form one block of resampling (METHODS 1): "All {group.plural} are ..." and "{Group.plural}
    are ..." are not two independent observations.
    """
    plain = re.sub(r"\{(?:(?:an?|the) )?([^{}]+)\}", lambda slot: "{" + slot[1] + "}", template, flags=re.IGNORECASE)
    plain = re.sub(r"\{(Group|Target|Name)", lambda slot: "{" + slot[1].lower(), plain)
    return _DETERMINER.sub("", plain)
