"""docs/papers.md as data: its rows, the names in them, and what each kind of name must be."""

import re
from argparse import Action, ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from django.core.management import get_commands, load_command_class
from django.urls import URLPattern, URLResolver, get_resolver

from plumbline.audits.starter_plans import STARTER
from plumbline.results.columns import VIEWS
from plumbline.spec.card import OF_TWO_RUNS
from plumbline.spec.registry import PROBES
from plumbline.spec.yaml_file import read_yaml
from plumbline.vocab.banks.starter_banks import bank_seeds
from plumbline.vocab.seeding import seeds

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "papers.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
ADDRESSES = "Addresses"
PAPERS = {title: text for title, text in SECTIONS.items() if title != ADDRESSES}
NAMED = re.compile(r"`(\w+):(\w[^`]*)`")


@dataclass(frozen=True)
class Row:
    """One table, figure or experiment of a paper."""

    paper: str
    what: str
    where: str
    gives: str

    @property
    def names(self) -> list[tuple[str, str]]:
        return NAMED.findall(self.where)


def rows() -> Iterator[Row]:
    """Every row of the papers' tables, without the two lines of the header."""
    for paper, text in PAPERS.items():
        for cells in cells_of(text):
            yield Row(paper, *cells)


def cells_of(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.removeprefix("|").removesuffix("|").split(" |")] for line in lines[2:]]


def addresses() -> dict[str, str]:
    """The address of each page by its name; those of the admin begin with `admin:`."""
    return dict(_addresses(get_resolver().url_patterns, "", "/"))


def _addresses(patterns: list[URLPattern | URLResolver], space: str, start: str) -> Iterator[tuple[str, str]]:
    for one in patterns:
        at = start + str(one.pattern)
        if isinstance(one, URLResolver):
            inner = f"{one.namespace}:" if one.namespace else ""
            yield from _addresses(one.url_patterns, space + inner, at)
        elif one.name:
            yield space + one.name, re.sub(r"<\w+:(\w+)>", r"<\1>", at)


def is_command(words: str) -> bool:
    """Whether manage.py has the command, and each further word is one of its actions, choices or kinds."""
    name, *further = words.split()
    if name not in get_commands():
        return False
    parser: ArgumentParser | None = load_command_class(get_commands()[name], name).create_parser("manage.py", name)
    for word in further:
        parser = _after(parser, word) if parser else None
    return parser is not None


def _after(parser: ArgumentParser, word: str) -> ArgumentParser | None:
    """The parser that goes on after the word: that of an action, or the same after a choice. None: no such word."""
    for action in parser._actions:
        if isinstance(action, _SubParsersAction) and word in action.choices:
            return cast("ArgumentParser", action.choices[word])
        if not action.option_strings and word in _words(action):
            return parser
    return None


def _words(action: Action) -> list[str]:
    """The words that an argument may be. The help of a KIND lists them."""
    return (action.help or "").split(", ") if action.metavar == "KIND" else [str(one) for one in action.choices or ()]


def known() -> dict[str, set[str]]:
    """The names of each kind that the product has."""
    cards = [PROBES[probe].card for probe in PROBES]
    return {
        "page": set(addresses()),
        "plan": {str(read_yaml(path)["name"]) for path in STARTER.glob("*.yaml")},
        "probe": set(PROBES),
        "statistic": {one.name for one in (*OF_TWO_RUNS, *(found for card in cards for found in card.statistics))},
        "list": {seed.slug for seed in seeds()} | {bank.slug for bank in bank_seeds()},
        "view": {f"v_{name}" for name in VIEWS},
    }
