"""Generation of sentence templates from a small grammar of frames, subjects and verb phrases.

starter/indirect/grammar.yaml is one. Its texts become grammar texts of plumbline.spec.grammar, one for each subject.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from plumbline.spec import yaml_file

GRAMMAR = Path(__file__).with_name("starter") / "indirect" / "grammar.yaml"
_SLOT = re.compile(r"\{((?:an?|the) )?X((?:\.plural)?(?:'s)?)\}")
_VERB = re.compile(r"<(\w+)>")


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Verb(_Strict):
    """The forms of a verb:

    `one` after he, she or a noun, `i` after I, `many` after they. `short` ones follow without a space.
    """

    one: str
    i: str
    many: str
    short: Mapping[str, str] = {}


class Subject(_Strict):
    phrases: str
    verb: str
    short: bool


class About(_Strict):
    """The forms of the topic of a sentence: as one, as many, as owner (`whose` religion; the religion of `whom`)."""

    features: tuple[str, ...] = ()
    noun: str = ""
    nouns: str = ""
    whose: str = ""
    whom: str = ""


class Category(_Strict):
    """Verb phrases that say something about a person with a word of the category."""

    words: str
    only: str = ""
    target: bool = False
    greets: bool = False
    both: tuple[str, ...] = ()
    one: tuple[str, ...] = ()
    many: tuple[str, ...] = ()
    thing: str = ""
    said: tuple[str, ...] = ()
    predicted: tuple[str, ...] | None = None
    of: About = About()

    def phrases(self, number: str) -> tuple[str, ...]:
        return self.both or (self.one if number == "one" else self.many)


class Grammar(_Strict):
    verbs: Mapping[str, Verb]
    subjects: Mapping[str, Subject]
    together: Mapping[str, str]
    theirs: Mapping[str, str]
    introduced: Mapping[str, str]
    categories: Mapping[str, Category]
    name: About


@dataclass(frozen=True, slots=True)
class Spanned:
    """The template list of one pair of categories; texts by subject, as (subject, grammar text)."""

    target: str
    feature: str
    texts: tuple[tuple[str, str], ...]

    @property
    def slug(self) -> str:
        return f"indirect-{self.target}-{self.feature}"


def read_grammar(path: Path = GRAMMAR) -> Grammar:
    data: Any = yaml_file.load(path.read_text(encoding="utf-8"))
    return Grammar.model_validate(data)


def span(grammar: Grammar) -> list[Spanned]:
    """Return the lists of all pairs: targets with other categories and with the name, the name with all categories."""
    targets = [name for name, category in grammar.categories.items() if category.target]
    found = [
        Spanned(target, feature, tuple(_pair(grammar, target, feature)))
        for target in targets
        for feature in grammar.categories
        if feature != target
    ]
    found += [Spanned(target, "name", tuple(_introduced(grammar, target))) for target in targets]
    found += [
        Spanned("name", feature, tuple(_word_subject(grammar, grammar.name, feature))) for feature in grammar.categories
    ]
    return [one for one in found if one.texts]


def _pair(grammar: Grammar, target: str, feature: str) -> Iterator[tuple[str, str]]:
    about, told = grammar.categories[target].of, grammar.categories[feature]
    if feature in about.features:
        yield from _word_subject(grammar, about, feature)
        return
    order = list(grammar.categories)
    roles = sorted([(target, "target"), (feature, "feature")], key=lambda one: order.index(one[0]))
    frames = grammar.theirs if told.thing else grammar.together
    for who, frame in frames.items():
        if told.predicted is not None and who not in told.predicted:
            continue
        first, second = (_clause(grammar, who, grammar.categories[name], role) for name, role in roles)
        if first and (second or told.thing):
            thing = _filled(told.thing, "feature")
            yield who, frame.replace("<first>", first).replace("<second>", second).replace("<thing>", thing)


def _introduced(grammar: Grammar, target: str) -> Iterator[tuple[str, str]]:
    category = grammar.categories[target]
    for who, frame in grammar.introduced.items():
        text = frame if frame.startswith("Hi! ") or not category.greets else f"Hi! {frame}"
        yield who, text.replace("<second>", _clause(grammar, who, category, "target"))


def _word_subject(grammar: Grammar, about: About, feature: str) -> Iterator[tuple[str, str]]:
    """Return the sentences whose subject is a word itself."""
    told = grammar.categories[feature]
    for text in told.said:
        yield "noun", _filled(text.replace("<whose>", about.whose).replace("<whom>", about.whom), "feature")
    for who, noun in (("noun", about.noun), ("nouns", about.nouns)):
        if noun and (clause := _clause(grammar, who, told, "feature")):
            yield who, f"{noun}{clause}."


def _clause(grammar: Grammar, who: str, category: Category, role: str) -> str:
    """Return the predicate with the space before it: " is {feature}", or several as "[ is {feature}|...]"."""
    subject = grammar.subjects[who]
    options = [
        _filled(text, role)
        for phrase in category.phrases(subject.phrases)
        for text in _conjugated(phrase, subject, grammar.verbs)
    ]
    return options[0] if len(options) == 1 else f"[{'|'.join(options)}]" if options else ""


def _conjugated(phrase: str, subject: Subject, verbs: Mapping[str, Verb]) -> Sequence[str]:
    match = _VERB.match(phrase)
    if match is None:
        return (f" {phrase}",)
    verb, rest = verbs[match[1]], phrase[match.end() :]
    long = f" {getattr(verb, subject.verb)}{rest}"
    return (long, f"{verb.short[subject.verb]}{rest}") if subject.short and verb.short else (long,)


def _filled(text: str, role: str) -> str:
    return _SLOT.sub(lambda slot: f"{{{slot[1] or ''}{role}{slot[2]}}}", text)
