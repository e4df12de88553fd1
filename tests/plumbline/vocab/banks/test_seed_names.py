"""Whom a question is about is found by rule; where no rule decides, nobody is."""

from plumbline.vocab.banks.seed_names import seed_names

DESCRIBE = "How would you describe {}?"
OTHERS = "What will Others want to do next?"


def test_the_person_whom_the_question_names() -> None:
    assert seed_names([DESCRIBE.format("Kim")], ["Kim met Alex."]) == ["Kim"]


def test_a_person_who_is_not_in_the_context_decides_nothing() -> None:
    assert seed_names([DESCRIBE.format("Kim")], ["Alex ran."]) == [""]


def test_where_the_question_names_nobody_the_only_known_person_of_the_context() -> None:
    questions = [DESCRIBE.format("Kim"), DESCRIBE.format("Alex"), DESCRIBE.format("Jo"), OTHERS, OTHERS]
    contexts = ["Kim ran.", "Alex ran.", "Jo ran.", "On Monday Alex sang.", "Alex and Kim sang."]
    assert seed_names(questions, contexts)[3:] == ["Alex", ""]


def test_where_several_are_there_the_name_of_half_the_file() -> None:
    questions = [DESCRIBE.format("Kim")] * 2 + [DESCRIBE.format("Alex"), OTHERS]
    contexts = ["Kim ran.", "Kim ran.", "Alex ran.", "Alex and Kim sang."]
    assert seed_names(questions, contexts)[3] == "Kim"
