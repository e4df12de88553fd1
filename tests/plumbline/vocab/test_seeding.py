"""The starter data, against the published counts and, where it is at hand, the reference data."""

import csv
import gzip
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from plumbline.spec.content import Attribute, Entry, Group
from plumbline.spec.content import Name as SpecName
from plumbline.spec.digests import digest
from plumbline.spec.grammar import Word, expand, frame, render
from plumbline.vocab import csv_file, seeding
from plumbline.vocab.content import frozen, version
from plumbline.vocab.models import Attribute as AttributeModel
from plumbline.vocab.models import AttributeSet, GroupList, Name, NameList

REFERENCE = Path(__file__).resolve().parents[3] / "../shared/data"
SEEDS = {(seed.kind, seed.slug): seed for seed in seeding.seeds()}
BEFORE_ARTICLES = ("text", "plural", "category", "note")
BEFORE_FREQUENCIES = ("name", "group", "race", "gender", "pronoun", "note")
# The slots of the paper's notation in our grammar.
SLOTS = {"<sgroup>": "{group.singular}", "<pgroup>": "{group.plural}", "<cpgroup>": "{Group.plural}"}


def column(kind: str, slug: str, name: str) -> list[str]:
    return [row.cells[name] for row in SEEDS[kind, slug].rows()]  # type: ignore[index]


def templates(slug: str) -> list[str]:
    return [template for text in column("templates", slug, "template") for template in expand(text)]


def reference(path: str) -> list[dict[str, str]]:
    if not (REFERENCE / path).exists():
        pytest.skip("the reference data is not beside the project")
    with (REFERENCE / path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_220_names_are_in_eight_groups() -> None:
    assert Counter(column("names", "sodapop-names", "group")) == {
        "European American women": 25,
        "European American men": 25,
        "African American women": 25,
        "African American men": 25,
        "Asian women": 27,
        "Asian men": 33,
        "Hispanic women": 30,
        "Hispanic men": 30,
    }


def census(gender: str) -> dict[str, float]:
    """Percent by name in capitals."""
    path = REFERENCE / f"bbq/names_jobs/dist.{gender}.first.txt"
    if not path.exists():
        pytest.skip("the reference data is not beside the project")
    lines = [line.split() for line in path.read_text(encoding="ascii").splitlines()]
    return {line[0]: float(line[1]) for line in lines if len(line) == 4}


def test_frequencies_are_those_of_the_census_by_gender_and_unknown_where_it_has_none() -> None:
    published = {"F": census("female"), "M": census("male")}
    rows = [row.cells for row in SEEDS["names", "sodapop-names"].rows()]
    assert [float(row["frequency"]) if row["frequency"] else None for row in rows] == [
        published[row["gender"]].get(row["name"].upper()) for row in rows
    ]
    assert sum(row["frequency"] == "" for row in rows) == 77


def test_bridge_names_have_the_group_that_nine_births_in_ten_give_them() -> None:
    rows = [row.cells for row in SEEDS["names", "bridge-names"].rows()]
    assert sum(row["group"] == "" for row in rows) == 49
    for row in rows:
        found = re.fullmatch(r"([\d.]+)% of [\d,]+ births are (\w+); half of these by (\d+)", row["note"])
        assert found
        share, children, year = found.groups()
        assert bool(row["group"]) == (float(share) >= 90)
        if row["group"]:
            assert row["group"] == f"{'women' if children == 'girls' else 'men'} born {_decade(int(year))}"
            assert row["gender"] == ("F" if children == "girls" else "M")


def _decade(year: int) -> str:
    if year < 1930:
        return "before 1930"
    return "since 2010" if year >= 2010 else f"in the {year // 10 * 10}s"


def test_groups_of_bridge_names_agree_with_the_census() -> None:
    """Of the names that the 1990 census counted: the sex that bears it more often."""
    female, male = census("female"), census("male")
    counted = [row.cells for row in SEEDS["names", "bridge-names"].rows() if row.cells["name"].upper() in female | male]
    same = [
        (female.get(row["name"].upper(), 0) > male.get(row["name"].upper(), 0)) == (row["gender"] == "F")
        for row in counted
        if row["group"]
    ]
    assert (len(same), sum(same)) == (676, 676)


def test_names_of_frequency_come_with_who_counted_them() -> None:
    for (kind, slug), seed in SEEDS.items():
        counted = kind == "names" and any(row.cells.get("frequency") for row in seed.rows())
        assert bool(seed.frequency_source) == counted, slug


def test_the_names_are_the_published_ones_in_their_order() -> None:
    rows = reference("sodapop/names.csv")
    published = [(row["name"], row["race"], row["gender"]) for row in rows]
    ours = zip(*(column("names", "sodapop-names", name) for name in ("name", "race", "gender")), strict=True)
    assert list(ours) == published


@pytest.mark.parametrize(
    ("kind", "slug", "count"),
    [
        ("names", "bridge-names", 779),
        ("groups", "abc-groups", 53),
        ("groups", "gender", 2),
        ("traits", "abc-traits", 16),
        ("ratings", "abc-ratings", 8337),
        ("attributes", "occupations", 99),
        ("attributes", "beverages", 18),
        ("attributes", "countries", 61),
        ("attributes", "sports", 30),
        ("attributes", "traits", 618),
        ("attributes", "gender-words", 12),
        ("attributes", "definitional-words", 112),
        ("attributes", "word-fragments", 74),
        ("attributes", "races", 7),
        ("attributes", "religions", 12),
        ("attributes", "sexual-orientations", 7),
        ("attributes", "ages", 102),
        ("attributes", "years-of-birth", 102),
        ("attributes", "tech-skills", 25),
        ("attributes", "salary-titles", 227),
        ("attributes", "neutral-states", 30),
        ("attributes", "neutral-tasks", 30),
        ("attributes", "kurita-positive-traits", 230),
        ("attributes", "kurita-negative-traits", 365),
        ("attributes", "weat-flowers", 25),
        ("attributes", "weat-pleasant-5", 8),
    ],
)
def test_each_list_has_as_many_entries_as_its_source(kind: str, slug: str, count: int) -> None:
    assert len(SEEDS[kind, slug].rows()) == count  # type: ignore[index]


def test_words_that_name_people_are_marked_as_sensitive() -> None:
    sensitive = {slug for (_, slug), seed in SEEDS.items() if seed.sensitive and not slug.startswith("weat-")}
    assert sensitive == {
        "counterparts-gender",
        "counterparts-names",
        "counterparts-race",
        "counterparts-religion",
        "definitional-words",
        "gender-words",
        "races",
        "religions",
        "sexual-orientations",
        "ages",
        "years-of-birth",
    }
    assert SEEDS["attributes", "weat-male-names"].sensitive
    assert not SEEDS["attributes", "weat-flowers"].sensitive


def test_traits_are_positive_negative_or_physical() -> None:
    assert Counter(column("attributes", "traits", "category")) == {"positive": 230, "negative": 365, "physical": 23}


def test_the_three_words_that_the_release_ran_together_are_apart() -> None:
    """363 different lines, one of which holds three words, are 365 words: those of the thesis."""
    negative = column("attributes", "kurita-negative-traits", "text")
    assert {"indecisive", "indulgent", "inert"} <= set(negative)
    assert set(negative) == {
        row.cells["text"] for row in SEEDS["attributes", "traits"].rows() if row.cells["category"] == "negative"
    }


@pytest.mark.parametrize(
    ("singular", "plural"),
    [
        ("policeman", "policemen"),
        ("nanny", "nannies"),
        ("physician's assistant", "physician's assistants"),
        ("attorney", "attorneys"),
        ("secretary", "secretaries"),
        ("businessperson", "businesspeople"),
        ("waitress", "waitresses"),
        ("coach", "coaches"),
    ],
)
def test_occupations_have_their_plurals(singular: str, plural: str) -> None:
    texts, plurals = (column("attributes", "occupations", name) for name in ("text", "plural"))
    assert dict(zip(texts, plurals, strict=True))[singular] == plural
    assert all(plurals)


def test_seven_occupations_name_a_gender_so_that_92_are_free_of_it_as_in_the_thesis() -> None:
    groups = column("attributes", "occupations", "group")
    assert Counter(groups) == {"": 92, "female": 3, "male": 4}
    texts = column("attributes", "occupations", "text")
    assert {text for text, group in zip(texts, groups, strict=True) if group == "female"} == {
        "barmaid",
        "businesswoman",
        "waitress",
    }


def test_each_gender_word_says_whom_it_names() -> None:
    rows = [row.cells for row in SEEDS["attributes", "gender-words"].rows()]
    assert {row["text"] for row in rows if row["group"] == "female"} == {
        *("female", "girl", "woman"),
        *("females", "girls", "women"),
    }
    assert Counter(row["group"] for row in rows) == {"female": 6, "male": 6}


THESIS = {
    "beverage": "beverages",
    "country": "countries",
    "occupation": "occupations",
    "sport": "sports",
    "trait": "traits",
    "age": "ages",
    "year_of_birth": "years-of-birth",
    "gender": "gender-words",
    "race": "races",
    "religion": "religions",
    "sexual_orientation": "sexual-orientations",
}


@pytest.mark.parametrize(("published", "slug"), THESIS.items())
def test_each_attribute_set_of_the_thesis_is_a_starter_list(published: str, slug: str) -> None:
    rows = [row for row in reference("indirect/attributes.csv") if row["attribute_set"] == published]
    ours = [row.cells for row in SEEDS["attributes", slug].rows()]
    forms = Counter((row["element"], row["form"] or row["trait_kind"]) for row in rows)
    assert forms == Counter((row["text"], row.get("category", "")) for row in ours)
    seed = SEEDS["attributes", slug]
    assert seed.sensitive == (rows[0]["sensitive"] == "yes")
    assert "thesis" in seed.source


def test_the_bridge_names_are_the_published_ones() -> None:
    assert column("names", "bridge-names", "name") == [row["name"] for row in reference("indirect/bridge_names.csv")]


def test_six_countries_take_an_article() -> None:
    rows = reference("indirect/attributes.csv")
    published = {row["element"] for row in rows if row["note"] == "takes the article 'the'"}
    ours = {row.cells["text"]: row.cells["article"] for row in SEEDS["attributes", "countries"].rows()}
    assert {text for text, article in ours.items() if article} == published
    assert set(ours.values()) == {"", "the"}
    assert len(published) == 6


def test_salary_titles_count_the_rows_of_the_thousand_highest_salaries() -> None:
    path = REFERENCE / "kurita/job_titles_salaries_2017.csv.gz"
    if not path.exists():
        pytest.skip("the reference data is not beside the project")
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        highest = sorted(csv.DictReader(file), key=lambda row: -float(row["annual_salary"]))[:1000]
    titles = Counter(" ".join(row["title"].lower().split()) for row in highest)
    assert titles.pop("") + titles.pop(".") == 4
    ours = [
        Attribute(text=row.cells["text"], category=row.cells["category"])
        for row in SEEDS["attributes", "salary-titles"].rows()
    ]
    assert {title.text: title.rows for title in ours} == titles
    assert sum(title.rows for title in ours) == 996


def test_neutral_words_are_in_no_set_that_they_are_compared_with() -> None:
    sets = ("salary-titles", "kurita-positive-traits", "kurita-negative-traits", "tech-skills", "occupations")
    others = {text for slug in sets for text in column("attributes", slug, "text")}
    assert not others & {
        *column("attributes", "neutral-states", "text"),
        *column("attributes", "neutral-tasks", "text"),
    }


def test_the_weat_stimuli_are_the_released_ones() -> None:
    if not (REFERENCE / "weat").exists():
        pytest.skip("the reference data is not beside the project")
    released = {
        frozenset(part["examples"])
        for path in (REFERENCE / "weat").glob("weat*.jsonl")
        for part in json.loads(path.read_text()).values()
    }
    ours = [frozenset(column("attributes", slug, "text")) for _, slug in SEEDS if slug.startswith("weat-")]
    assert set(ours) == released
    assert len(ours) == len(released)


def test_the_abc_templates_span_every_published_variation() -> None:
    published: dict[str, set[str]] = {}
    for row in reference("abc/templates.csv"):
        text = row["template"].replace("<mask>", "{attribute}")
        for theirs, slot in SLOTS.items():
            text = text.replace(theirs, slot)
        published.setdefault(row["variation"], set()).add(text.replace("A {group", "{A group"))
    ours: dict[str, set[str]] = {}
    for seed_row in SEEDS["templates", "abc-templates"].rows():
        ours.setdefault(seed_row.cells["variation"], set()).update(expand(seed_row.cells["template"]))
    assert ours == published


def test_plural_frames_are_at_least_14_independent_ones() -> None:
    frames = {frame(template) for template in templates("plural-frames")}
    assert len(frames) >= 14
    assert len(templates("plural-frames")) > len(frames)


@pytest.mark.parametrize("attribute", ["powerless", "nurses"])
def test_plural_frames_are_filled_by_adjectives_and_by_plural_nouns(attribute: str) -> None:
    words = {"group": Word("women", "woman", "women", "she"), "attribute": Word(attribute)}
    sentences = [render(template, words).text for template in templates("plural-frames")]
    assert f"Women are {attribute}." in sentences
    assert len(set(sentences)) == len(sentences)


def test_pronoun_templates_are_filled_by_he_and_she() -> None:
    words = {"group": Word("she", "she", "", "she"), "attribute": Word("architect")}
    assert render(templates("pronoun-templates")[0], words).text == "she is architect."
    assert render(templates("pronoun-occupation-templates")[0], words).text == "she is an architect."


@pytest.mark.django_db
def test_every_starter_list_is_what_a_run_can_freeze() -> None:
    assert {seeded.outcome for seeded in seeding.load()} == {"created"}
    models: dict[str, type[Entry]] = {"groups": Group, "attributes": Attribute, "traits": Attribute, "names": SpecName}
    for kind, slug in SEEDS:
        content = frozen("attributes" if kind == "traits" else kind, slug)
        assert content["source"]
        assert content["origin"]
        for entry in content["entries"]:
            if kind in models:
                models[kind].model_validate(entry)
    adjectives = [entry["text"] for entry in frozen("attributes", "abc-traits")["entries"]]
    assert adjectives[:4] == ["powerless", "powerful", "low status", "high status"]
    assert len(adjectives) == 32


@pytest.mark.django_db
def test_loading_twice_changes_nothing() -> None:
    seeding.load()
    before = version("names", "sodapop-names")
    assert {seeded.outcome for seeded in seeding.load()} == {"unchanged"}
    assert version("names", "sodapop-names") == before


@pytest.fixture
def only_gender(monkeypatch: pytest.MonkeyPatch) -> seeding.Seed:
    """One small list is enough to see what becomes of edits."""
    seed = SEEDS["groups", "gender"]
    monkeypatch.setattr(seeding, "seeds", lambda: [seed])
    seeding.load()
    return seed


@pytest.mark.django_db
@pytest.mark.parametrize("field", ["description", "title", "licence"])
def test_a_list_that_a_curator_edited_is_kept(only_gender: seeding.Seed, field: str) -> None:
    GroupList.objects.filter(slug="gender").update(**{field: "Ours now"})
    assert [seeded.outcome for seeded in seeding.load()] == ["kept"]
    assert getattr(GroupList.objects.get(), field) == "Ours now"


@pytest.mark.django_db
def test_only_a_list_that_came_with_the_starter_data_counts_as_edited(only_gender: seeding.Seed) -> None:
    seeding.load()
    gender = GroupList.objects.get(slug="gender")
    assert not seeding.is_edited(gender)
    gender.entries.create(label="elves", plural="elves")
    assert seeding.is_edited(gender)
    assert not seeding.is_edited(GroupList.objects.create(slug="own", title="Own"))


@pytest.mark.django_db
def test_a_list_whose_note_a_curator_edited_is_kept(only_gender: seeding.Seed) -> None:
    GroupList.objects.get().entries.update(note="checked")
    assert [seeded.outcome for seeded in seeding.load()] == ["kept"]
    assert set(GroupList.objects.get().entries.values_list("note", flat=True)) == {"checked"}


@pytest.mark.django_db
def test_an_untouched_list_follows_newer_starter_data(
    only_gender: seeding.Seed, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = only_gender.model_copy(update={"title": "Men and women"})
    monkeypatch.setattr(seeding, "seeds", lambda: [newer])
    assert [seeded.outcome for seeded in seeding.load()] == ["updated"]
    assert GroupList.objects.get().title == "Men and women"
    assert [seeded.outcome for seeded in seeding.load()] == ["unchanged"]


@pytest.fixture
def before_frequencies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An installation whose names were loaded by a release that knew no frequencies: 220 names without any."""
    seed = SEEDS["names", "sodapop-names"]
    rows = [[row.cells[column] for column in BEFORE_FREQUENCIES] for row in seed.rows()]
    path = tmp_path / "names.csv"
    path.write_text(csv_file.write(BEFORE_FREQUENCIES, [dict(zip(BEFORE_FREQUENCIES, r, strict=True)) for r in rows]))
    monkeypatch.setattr(seeding, "seeds", lambda: [seed.model_copy(update={"file": str(path), "frequency_source": ""})])
    seeding.load()
    metadata = {field: getattr(seed, field) for field in ("title", "description", "source", "licence", "origin")}
    NameList.objects.update(seeded=digest({"metadata": metadata, "rows": rows}))
    monkeypatch.setattr(seeding, "seeds", lambda: [seed])


@pytest.mark.django_db
def test_names_loaded_before_there_were_frequencies_get_them_and_another_version(before_frequencies: None) -> None:
    before = version("names", "sodapop-names")
    assert not Name.objects.filter(frequency__isnull=False).exists()
    assert [seeded.outcome for seeded in seeding.load()] == ["updated"]
    assert Name.objects.get(name="Amanda").frequency == 0.404
    assert version("names", "sodapop-names") != before
    assert [seeded.outcome for seeded in seeding.load()] == ["unchanged"]


@pytest.mark.django_db
def test_names_edited_before_there_were_frequencies_stay_alone(before_frequencies: None) -> None:
    Name.objects.filter(name="Amanda").update(note="checked")
    assert [seeded.outcome for seeded in seeding.load()] == ["kept"]
    assert not Name.objects.filter(frequency__isnull=False).exists()


@pytest.mark.django_db
def test_words_loaded_before_there_were_articles_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    seed = SEEDS["attributes", "countries"]
    monkeypatch.setattr(seeding, "seeds", lambda: [seed])
    seeding.load()
    AttributeModel.objects.update(article="")
    rows = [[row.cells.get(name, "") for name in BEFORE_ARTICLES] for row in seed.rows()]
    metadata = {name: getattr(seed, name) for name in ("title", "description", "source", "licence", "origin")}
    AttributeSet.objects.update(seeded=digest({"metadata": metadata | {"sensitive": False}, "rows": rows}))
    assert [seeded.outcome for seeded in seeding.load()] == ["updated"]
    assert AttributeModel.objects.get(text="Philippines").article == "the"


@pytest.mark.django_db
@pytest.mark.parametrize("edit", [{"frequency": 0.5}, {"frequency": None}])
def test_names_whose_frequency_a_curator_edited_are_kept(
    monkeypatch: pytest.MonkeyPatch, edit: dict[str, float | None]
) -> None:
    monkeypatch.setattr(seeding, "seeds", lambda: [SEEDS["names", "sodapop-names"]])
    seeding.load()
    Name.objects.filter(name="Amanda").update(**edit)
    newer = SEEDS["names", "sodapop-names"].model_copy(update={"licence": "Newer"})
    monkeypatch.setattr(seeding, "seeds", lambda: [newer])
    assert [seeded.outcome for seeded in seeding.load()] == ["kept"]


@pytest.mark.django_db
def test_a_list_of_ones_own_under_a_starter_slug_is_kept(only_gender: seeding.Seed) -> None:
    GroupList.objects.all().delete()
    GroupList.objects.create(slug="gender", title="Ours").entries.create(label="people")
    assert [seeded.outcome for seeded in seeding.load()] == ["kept"]


@pytest.mark.django_db
def test_names_of_other_lists_are_left_alone(three_names: NameList) -> None:
    seeding.load()
    assert Name.objects.filter(word_list=three_names).count() == 3
