from plumbline.sql_page.faults import Place, place


def test_a_position_leads_to_its_line_and_word() -> None:
    text = "SELECT *\nFROM nowhere, there"
    assert place(text, text.index("nowhere") + 1) == Place(2, "FROM ", "nowhere", ", there")


def test_characters_are_counted_not_bytes() -> None:
    assert place("SELECT 'größe', 𝛼x", 17) == Place(1, "SELECT 'größe', ", "𝛼x", "")


def test_a_position_behind_the_end_marks_nothing() -> None:
    assert place("SELECT", 7) == Place(1, "SELECT", "", "")
