"""StereoSet's file: the stereotypical and the anti-stereotypical sentence of each example."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from plumbline.methods.pairs.tables import checked
from plumbline.spec.errors import InputError
from plumbline.spec.json_text import load_json
from plumbline.vocab.banks.reading import Questions, named
from plumbline.vocab.banks.text_file import text_of

ABOUT = {
    "title": "StereoSet",
    "source": "Nadeem, Bethke and Reddy 2021, StereoSet; moinnadeem/StereoSet",
    "licence": "CC BY-SA 4.0",
    "origin": "US, English, 2020",
}
SETS = ("intrasentence", "intersentence")


def stereoset(path: Path) -> Questions:
    """Return a pair of each example. The sentences of the set intersentence follow their context."""
    try:
        data = load_json(text_of(path))["data"]
        found = [one for name in SETS for one in _pairs(path.name, name, data.get(name, []))]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path.name} is not the JSON of StereoSet ({type(error).__name__}: {error}).") from None
    return Questions(found, named([path]), ABOUT)


def _pairs(file: str, name: str, examples: list[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for number, example in enumerate(examples, start=1):
        by_label = {one["gold_label"]: one["sentence"].strip() for one in example["sentences"]}
        before = f"{example['context'].strip()} " if name == "intersentence" else ""
        pair = {"more": f"{before}{by_label['stereotype']}", "less": f"{before}{by_label['anti-stereotype']}"}
        about = {"id": str(example["id"]), "category": example["bias_type"], "family": f"{example['target']} {name}"}
        yield checked(f"{file}, {name} {number}", {**pair, **about})
