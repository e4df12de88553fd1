"""Names and jobs that reach the thresholds are proposed, and held against published words."""

from dataclasses import replace

import pytest

from plumbline.methods.bbq.bank.collected_faults import FaultyTablesError
from plumbline.methods.bbq.proposals.comparison import compare, published
from plumbline.methods.bbq.proposals.proposing import proposed, read
from plumbline.methods.bbq.proposals.rules import RULES, Needed
from plumbline.spec.errors import InputError
from plumbline.vocab.bundles import Sent
from tests.plumbline.methods.bbq.proposals.some_bbq_tables import PRESTIGE, SURNAMES, all_sent, workbook

PUBLISHED = (
    b"Name,First_last,gender,ethnicity,source,info\nMei,first,F,Asian,,\nOba,first,M,Black,,\nJo,first,F,Asian,,\n"
)
LABELS = b"Category,SubCat,Name,Info\nSES,Occupation,order cook,lowSES\nSES,Occupation,professor,highSES\n"


def told(needed: Needed = Needed(), repeats: bool = False) -> set[tuple[str, str, str, str]]:  # noqa: B008 -- frozen
    return {(one.part, one.group, one.gender, one.text) for one in proposed(read(all_sent(), repeats), needed)}


def test_names_and_jobs_that_reach_the_papers_thresholds_are_proposed() -> None:
    assert told() == {
        ("first", "Asian", "F", "Mei"),
        ("first", "Asian", "F", "Amy"),
        ("first", "Asian", "M", "Sam"),
        ("first", "Black", "M", "Robin"),
        ("first", "Black", "M", "Oba"),
        ("first", "Latino", "", "Ana"),
        ("last", "Asian", "", "Lee"),
        ("last", "White", "", "Hill"),
        *(
            ("first_only", "", gender, name)
            for gender in "FM"
            for name in ("Mary" if gender == "F" else "John", "Robin")
        ),
        ("job", "lowSES", "", "Ushers"),
        ("job", "lowSES", "", "Short-Order Cooks"),
        ("job", "highSES", "", "Teachers, Physics"),
    }


def test_repeated_rows_count_each_time_where_that_is_asked() -> None:
    assert ("first", "Asian", "F", "Lin") in told(repeats=True)


def test_other_thresholds_propose_others() -> None:
    lower = tuple(replace(rule, count=0) for rule in RULES)
    assert told(Needed(rules=lower)) - told() == {
        ("first", "Asian", "F", "Lin"),
        ("first", "Latino", "", "Eva"),
        ("first", "Latino", "M", "Luz"),
        ("last", "Asian", "", "Few"),
    }
    assert ("first_only", "", "F", "Robin") not in told(Needed(gender_top=1))


def test_of_jobs_only_the_most_extreme_are_ticked_to_begin_with() -> None:
    found = proposed(read(all_sent()), Needed(jobs=1))
    assert [one.text for one in found if one.part == "job" and one.ticked] == ["Ushers", "Teachers, Physics"]


def test_a_name_proposed_for_two_groups_is_ticked_for_the_first() -> None:
    sent = all_sent() | {"bartz": Sent("b.csv", b"gender,name\nM,OBA\n")}
    found = [(one.group, one.ticked) for one in proposed(read(sent), Needed()) if one.text == "Oba"]
    assert found == [("Black", True), ("Asian", False)]


def test_published_words_that_are_not_proposed_have_their_reason() -> None:
    tables, needed = read(all_sent()), Needed()
    words = published(Sent("names.csv", PUBLISHED), Sent("labels.csv", LABELS))
    found = {one.group: one for one in compare(proposed(tables, needed), tables, needed, words)}
    asian = found["first", "Asian"]
    assert ([one.text for one in asian.both], [one.text for one in asian.only_here]) == (["Mei"], ["Amy", "Sam"])
    assert [(one.text, one.reason) for one in asian.only_there] == [("Jo", "not in the tables")]
    assert (asian.here, asian.found, asian.published) == (3, 1, 2)
    assert [one.text for one in found["job", "lowSES"].both] == ["Short-Order Cooks"]
    assert [one.reason for one in found["job", "highSES"].only_there] == ["no label has its words"]
    few = replace(needed, rules=tuple(replace(rule, count=1000) for rule in RULES))
    again = {one.group: one for one in compare(proposed(tables, few), tables, few, words)}
    assert [one.reason for one in again["first", "Black"].only_there] == ["NYC births: count 400 < 1,000"]


def test_all_faults_of_all_tables_are_reported_with_file_and_line() -> None:
    faulty = {
        "births": b"Year of Birth,Gender,Ethnicity,Child's First Name,Count\n2012,X,HISPANIC,Ana,1\n",
        "women": b"MARY 1 1 1\nANNA 1\nEVA x 1 1\n",
        "surnames": workbook([*SURNAMES, ["BAD", 9, "many", 1, 1, 1, 1], ["", 9, 5, 1, 1, 1, 101]]),
        "bartz": b"gender,name\nX,AMY\n",
        "prestige": workbook([*PRESTIGE, ["x", "120", "Kings"]]),
        "tzioumis": b"no workbook",
        "men": b"",
    }
    with pytest.raises(FaultyTablesError) as caught:
        read({part: Sent(f"{part}.x", data) for part, data in faulty.items()})
    expected = (
        "births.x, line 2: unknown gender 'X'",
        "women.x, line 2: there are 2 cells instead of",
        "women.x, line 3: the share is 'x'",
        "surnames.x, sheet 'Data', row 10: frequency (count) is 'many'",
        "surnames.x, sheet 'Data', row 11: percent hispanic or latino origin is '101'",
        "bartz.x, line 2: gender is 'X'",
        "prestige.x, sheet 'Data', row 6: prestige is '120'",
        "tzioumis.x cannot be read as a workbook (BadZipFile)",
        "men.x holds no name",
    )
    lines = caught.value.lines()
    assert len(lines) == len(expected)
    assert all(any(line.startswith(one) for line in lines) for one in expected)


def test_another_workbook_is_no_table() -> None:
    with pytest.raises(InputError, match=r"s\.xlsx has no table with the columns surname, frequency"):
        read({"surnames": Sent("s.xlsx", workbook(PRESTIGE))})
