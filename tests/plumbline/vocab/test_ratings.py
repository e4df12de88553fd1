"""Ratings as curated lists: what is refused, line by line, and what a run gets of them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command

from plumbline.spec.content import Rating as SpecRating
from plumbline.spec.errors import InputError
from plumbline.vocab.content import frozen, version
from plumbline.vocab.editing import fill
from plumbline.vocab.exporting import export_bytes
from plumbline.vocab.faults import FaultyFileError
from plumbline.vocab.importing import import_file
from plumbline.vocab.kinds import KINDS
from plumbline.vocab.models import Group, GroupList, Rating, RatingList, TraitList, TraitPair

HEADER = "annotator,group,left,right,rating\n"
WRITE = Callable[..., Path]
RATINGS = KINDS["ratings"]


@pytest.fixture
def known_words(db: None) -> dict[str, str]:
    """A group list and a trait list of two entries each, by the options that name them."""
    groups = GroupList.objects.create(slug="people", title="People")
    Group.objects.create(word_list=groups, label="women")
    Group.objects.create(word_list=groups, label="trans people", human_data_key="transgender people")
    traits = TraitList.objects.create(slug="ends", title="Ends")
    TraitPair.objects.create(word_list=traits, left="cold", right="warm")
    TraitPair.objects.create(
        word_list=traits, left="egotistic", right="altruistic", human_data_key="egoistic - altruistic"
    )
    return {"group_list": "people", "trait_list": "ends"}


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (",women,cold,warm,50", "annotator is blank"),
        ("a,,cold,warm,50", "group is blank"),
        ("a,women,cold,warm,", "rating is missing; write a number from 0 to 100"),
        ("a,women,cold,warm,101", "rating is 101; write a number from 0 to 100"),
        ("a,women,cold,warm,'-1", "rating is -1; write a number from 0 to 100"),
        ("a,women,cold,warm,high", "rating is 'high'; write a number from 0 to 100"),
        ("a,women,cold,warm,nan", "rating is 'nan'; write a number"),
        ("a,martians,cold,warm,50", "group 'martians' is not in the list's group list"),
        ("a,women,cold,hot,50", "the pair cold - hot is not in the list's trait list"),
        ("a,women,warm,cold,50", "the pair is cold - warm in the list's trait list; turn it round"),
    ],
)
def test_a_bad_line_is_refused_and_changes_nothing(
    line: str, fault: str, known_words: dict[str, str], write_file: WRITE
) -> None:
    path = write_file(f"{HEADER}b,women,cold,warm,10\n{line}\n")
    with pytest.raises(FaultyFileError) as caught:
        import_file(RATINGS, path, "judged", known_words)
    (found,) = caught.value.faults
    assert found.line == 3
    assert fault in found.text
    assert not RatingList.objects.exists()


def test_all_bad_lines_are_reported_at_once(known_words: dict[str, str], write_file: WRITE) -> None:
    path = write_file(HEADER + "a,women,cold,warm,200\na,martians,cold,warm,3\nb,women,cold,warm,3\n")
    with pytest.raises(FaultyFileError) as caught:
        import_file(RATINGS, path, "judged", known_words)
    assert [fault.line for fault in caught.value.faults] == [2, 3]


def test_a_group_may_be_called_by_its_label_or_by_its_key(known_words: dict[str, str], write_file: WRITE) -> None:
    for slug, group in (("ours", "trans people,egotistic"), ("theirs", "transgender people,egoistic")):
        import_file(RATINGS, write_file(f"{HEADER}a,{group},altruistic,1\n"), slug, known_words)
    assert Rating.objects.count() == 2


@pytest.mark.parametrize(
    ("first", "second", "fault"),
    [
        (
            "trans people,cold,warm",
            "transgender people,cold,warm",
            "group 'transgender people' is called 'trans people' elsewhere in the list; take one name",
        ),
        (
            "women,egoistic,altruistic",
            "women,egotistic,altruistic",
            "the pair egotistic - altruistic is called egoistic - altruistic elsewhere in the list; take one name",
        ),
    ],
)
@pytest.mark.parametrize("rater", ["a", "b"])
def test_a_list_calls_a_group_or_pair_by_one_name(
    first: str, second: str, rater: str, fault: str, known_words: dict[str, str], write_file: WRITE
) -> None:
    """Else one annotator could rate it twice."""
    with pytest.raises(FaultyFileError) as caught:
        import_file(RATINGS, write_file(f"{HEADER}a,{first},1\n{rater},{second},2\n"), "judged", known_words)
    assert [(found.line, found.text) for found in caught.value.faults] == [(3, fault)]
    import_file(RATINGS, write_file(f"{HEADER}a,{first},1\n"), "judged", known_words)
    with pytest.raises(FaultyFileError, match="take one name"):
        import_file(RATINGS, write_file(f"{HEADER}{rater},{second},2\n"), "judged", update=True)
    group, left, right = second.split(",")
    row = Rating(word_list=RatingList.objects.get(), annotator=rater, group=group, left=left, right=right, rating=2)
    with pytest.raises(ValidationError, match="take one name"):
        row.full_clean()


def test_a_list_that_the_ratings_name_must_be_there(db: None, write_file: WRITE) -> None:
    with pytest.raises(InputError, match="group_list names a list that does not exist: 'nobody'"):
        import_file(RATINGS, write_file(HEADER + "a,women,cold,warm,1\n"), "judged", {"group_list": "nobody"})


@pytest.mark.parametrize("second", ["a,women,cold,warm,60", "a,women,warm,cold,60"])
def test_one_annotator_rates_a_group_on_a_pair_once_whichever_way_round(
    second: str, db: None, write_file: WRITE
) -> None:
    with pytest.raises(FaultyFileError, match="line 3: 'a on women, cold - warm' appears on line 2 already"):
        import_file(RATINGS, write_file(f"{HEADER}a,women,cold,warm,50\n{second}\n"), "judged")


def test_one_annotator_has_one_gender(db: None, write_file: WRITE) -> None:
    text = "annotator,group,left,right,rating,gender\na,women,cold,warm,50,woman\na,men,cold,warm,50,\n"
    import_file(RATINGS, write_file(text), "judged")
    with pytest.raises(FaultyFileError, match="line 2: gender of annotator 'a' is 'man' here and 'woman' elsewhere"):
        import_file(
            RATINGS,
            write_file("annotator,group,left,right,rating,gender\na,cats,cold,warm,50,man\n"),
            "judged",
            update=True,
        )
    with pytest.raises(InputError, match="gender of annotator 'a'"):
        fill(RATINGS, [Rating.objects.get(group="men").pk], "gender", "man")
    assert Rating.objects.get(group="men").gender == ""
    row = Rating.objects.get(group="men")
    row.gender = "man"
    with pytest.raises(ValidationError, match="gender of annotator"):
        row.full_clean()


def test_a_decimal_comma_is_read_and_one_rating_of_many_pairs_is_kept(db: None, write_file: WRITE) -> None:
    import_file(RATINGS, write_file("annotator;group;left;right;rating\na;women;cold;warm;57,5\n"), "judged")
    assert Rating.objects.get().rating == 57.5


def test_a_run_gets_ratings_with_the_annotators_demographics(db: None, write_file: WRITE) -> None:
    import_file(
        RATINGS, write_file("annotator,group,left,right,rating,gender,age\na,women,cold,warm,57.5,woman,31\n"), "judged"
    )
    (entry,) = frozen("ratings", "judged")["entries"]
    judgement = {"annotator": "a", "group": "women", "left": "cold", "right": "warm", "rating": 57.5}
    assert entry == judgement | {"gender": "woman", "age": "31"}
    assert SpecRating.model_validate(entry).rating == 57.5


@pytest.mark.parametrize("form", ["csv", "xlsx", "json"])
def test_an_export_gives_the_same_version_back(
    form: str, known_words: dict[str, str], write_file: WRITE, tmp_path: Path
) -> None:
    text = "annotator,group,left,right,rating,race\na,women,cold,warm,57.5,Asian\nb,women,cold,warm,0,\n"
    import_file(RATINGS, write_file(text), "judged", known_words)
    before = version("ratings", "judged")
    path = tmp_path / f"out.{form}"
    path.write_bytes(export_bytes(RATINGS, form, "judged"))
    RatingList.objects.all().delete()
    import_file(RATINGS, path)
    assert version("ratings", "judged") == before
    assert RatingList.objects.get().trait_list == "ends"


NESTED = {
    "annotator1": {"women": {"cold - warm": "50", "poor - wealthy": 3}},
    "annotator2": {"men": {"cold - warm": "9"}},
}


def test_the_authors_nested_json_is_read_with_the_annotators_demographics(
    db: None, write_file: WRITE, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = tmp_path / "told.json"
    told.write_text(json.dumps({"annotator1": {"Gender": "Woman", "Territory": "Rural", "State": "Ohio"}, "c": {}}))
    path = write_file(json.dumps(NESTED), "data_full.json")
    call_command("vocab", "import", "ratings", str(path), "--list", "judged", "--demographics", str(told))
    assert list(Rating.objects.order_by("position").values_list("annotator", "left", "rating", "gender", "area")) == [
        ("annotator1", "cold", 50.0, "Woman", "Rural"),
        ("annotator1", "poor", 3.0, "Woman", "Rural"),
        ("annotator2", "cold", 9.0, "", ""),
    ]
    assert "Of 2 annotators 1 are not in the demographics file; 1 people of that file" in capsys.readouterr().err


COPIED = {
    f"annotator{number}": {"women": {"cold - warm": 10 * number, "poor - wealthy": 10 * number, "a - b": 3 + number}}
    for number in range(6)
}


def test_an_import_flags_copied_ratings_and_says_what_leaving_them_out_changes(
    db: None, write_file: WRITE, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_file(json.dumps(COPIED), "data_full.json")
    call_command("vocab", "import", "ratings", str(path), "--list", "judged")
    said = capsys.readouterr().err
    assert "judged: women: every rater has the same rating on cold - warm and poor - wealthy." in said
    assert "audits leave these 12 ratings out, so that 2 of 3 cells (a group on a pair) have no mean" in said
    assert "'human: {list: LIST, flagged: keep}' keeps them" in said
    assert Rating.objects.count() == 18


def test_an_import_names_published_means_that_do_not_follow_from_the_raters(
    db: None, write_file: WRITE, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The raters' means are 25 on cold - warm and 5.5 on a - b."""
    published = tmp_path / "means.json"
    published.write_text(json.dumps({"women": {"cold - warm": "25.6", "a - b": "5.50", "c - d": "1"}, "men": {}}))
    path = write_file(json.dumps(COPIED), "data_full.json")
    call_command("vocab", "import", "ratings", str(path), "--list", "judged", "--means", str(published))
    said = capsys.readouterr().err
    assert "women, cold - warm: the published mean 25.6 does not follow from the raters, whose mean is 25.00." in said
    assert said.count("does not follow") == 1
    published.write_text('{"women": {"cold - warm": "high"}}')
    with pytest.raises(CommandError, match="women, cold - warm: the mean is no number"):
        call_command("vocab", "import", "ratings", str(path), "--list", "judged", "--means", str(published))


def test_flags_are_of_the_list_as_it_will_be(db: None, write_file: WRITE) -> None:
    """One rater who is added, and tells the pairs apart, takes the flag away; one who is changed brings it back."""
    first = import_file(RATINGS, write_file(json.dumps(COPIED), "a.json"), "judged")
    other = {"annotator9": {"women": {"cold - warm": 1, "poor - wealthy": 2}}}
    second = import_file(RATINGS, write_file(json.dumps(other), "b.json"), "judged", update=True)
    other["annotator9"]["women"]["poor - wealthy"] = 1
    third = import_file(RATINGS, write_file(json.dumps(other), "c.json"), "judged", update=True)
    assert [len(one.notices) for one in (first, second, third)] == [2, 0, 2]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"a": {"women": {"cold": "50"}}}', 'rating 1: a, women, cold: the pair is not of the form "left - right"'),
        ('{"a": {"women": {"cold - warm": true}}}', "the score is no number"),
        ('{"a": {"women": {"cold - warm": "150"}}}', "rating is 150"),
        ('{"a": {"women": 3}}', "a, women: is no object"),
        ('{"a": {"women": {"cold - warm": 1, "cold - warm": 2}}}', "'cold - warm' appears twice in one object"),
        ('{"a": ', "no JSON"),
        ("{}", "there is no row"),
    ],
)
def test_wrong_nested_json_is_refused(text: str, fault: str, db: None, write_file: WRITE) -> None:
    with pytest.raises(InputError) as caught:
        import_file(RATINGS, write_file(text, "ratings.json"), "judged")
    assert fault in str(caught.value)


def test_options_of_ratings_go_with_no_other_kind(db: None, write_file: WRITE) -> None:
    with pytest.raises(CommandError, match="go with ratings only"):
        call_command("vocab", "import", "names", str(write_file("name\nAnna\n")), "--list", "n", "--trait-list", "x")
