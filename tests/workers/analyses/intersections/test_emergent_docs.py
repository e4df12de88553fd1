"""The example of known emergent traits in docs/vocabularies.md, imported as it stands there and held against a run."""

import re
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from plumbline.spec.association import AssociationSpec
from plumbline.spec.audit import parse
from plumbline.spec.content import Attribute, Group
from plumbline.spec.materials import Materials
from plumbline.vocab.importing import import_file
from plumbline.vocab.kinds import KINDS
from plumbline.vocab.models import GroupList
from workers.analyses.intersections.summary import intersections

pytestmark = pytest.mark.django_db

DOCS = Path(__file__).parents[4] / "docs/vocabularies.md"
WORDS = tuple(
    Attribute(text=text, pole=pole, pair=pair, dimension=dimension)
    for pair, dimension in (("stern - merry", "Communion"), ("sour - sweet", "Communion"), ("meek - bold", "Agency"))
    for text, pole in zip(pair.split(" - "), ("left", "right"), strict=True)
)
SINGLES = ("northern people", "southern people", "weavers", "potters")


@pytest.fixture
def example(tmp_path: Path) -> Path:
    section = DOCS.read_text(encoding="utf-8").split("### Known emergent traits")[1]
    (text,) = re.findall(r"```csv\n(.*?)```", section, re.DOTALL)[:1]
    path = tmp_path / "emergent.csv"
    path.write_text(text)
    return path


@pytest.fixture
def pairs(db: None) -> GroupList:
    made = GroupList.objects.create(slug="pairs", title="Pairs")
    for where in ("northern", "southern"):
        for craft in ("weavers", "potters"):
            components = [f"{where} people", craft]
            made.entries.create(label=f"{where} {craft}", plural=f"{where} {craft}", components=components)
    return made


def emergent(pairs: GroupList) -> dict[str, list[str]]:
    return {row.label: row.emergent for row in pairs.rows()}


def test_the_example_fills_the_pairs_and_changes_nothing_else(example: Path, pairs: GroupList) -> None:
    (change,) = import_file(KINDS["groups"], example, "pairs", update=True).changes
    assert str(change) == "pairs: 4 entries (0 added, 3 changed, 0 removed)"
    assert emergent(pairs) == {
        "northern weavers": ["stern", "low Communion"],
        "northern potters": ["merry"],
        "southern weavers": ["high Agency"],
        "southern potters": [],
    }
    assert {tuple(row.components) for row in pairs.rows()} >= {("northern people", "weavers")}
    assert {row.plural for row in pairs.rows()} == set(emergent(pairs))


def test_a_run_is_held_against_the_example(example: Path, pairs: GroupList) -> None:
    """Listed: stern and sour of one pair, bold of the second, merry of the third. Above: stern, meek; bold; none."""
    import_file(KINDS["groups"], example, "pairs", update=True)
    groups = tuple(Group(label=one, plural=one) for one in SINGLES) + tuple(
        Group.model_validate(row.contents()[0]) for row in pairs.rows()
    )
    scores = np.full((len(groups), len(WORDS)), -1.0)
    scores[: len(SINGLES)] = 0.0
    places = {group.label: number for number, group in enumerate(groups)}
    above = (("northern weavers", "stern"), ("northern weavers", "meek"), ("southern weavers", "bold"))
    for label, word in above:
        scores[places[label], [one.text for one in WORDS].index(word)] = 1.0
    told = {(one.statistic, one.condition): one.value for one in measures(groups, scores) if not one.group_a}
    assert told["emergent_precision", "model"] == pytest.approx(2 / 3)
    assert told["emergent_recall", "model"] == pytest.approx(2 / 4)
    assert told["emergent_precision", "chance"] == pytest.approx(4 / 18)


def measures(groups: tuple[Group, ...], scores: Any) -> list[Any]:
    spec = {
        "name": "pairs",
        "probe": "ilps_chain",
        "model": "path:./model",
        "groups": {"inline": [{"label": "weavers", "plural": "weavers"}]},
        "prior": {"mask": "one"},
        "attributes": {"inline": ["stern"]},
        "templates": {"inline": ["All {group.plural} are {attribute}."]},
    }
    materials = Materials(tuple("abcdefgh"), groups, WORDS, ("traits",) * len(WORDS))
    return intersections(
        cast("AssociationSpec", parse(spec)), materials, np.repeat(scores[None], 8, axis=0), np.arange(8)
    )
