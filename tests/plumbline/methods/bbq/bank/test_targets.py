"""Which option names the stereotyped group: whole strings, with what each category's lists call it."""

import pytest

from plumbline.methods.bbq.bank.targets import difference, target_of

TRANS = ("Transgender women", "transgender men", "trans")


@pytest.mark.parametrize(
    ("labels", "codes", "groups", "second", "target"),
    [
        (("grandmother", "Not known", "boy"), ("old", "unknown", "nonOld"), ("old",), "", 0),
        (("grandmother", "Not known", "boy"), ("old", "unknown", "nonOld"), ("nonOld",), "", 2),
        (("Irish", "Greek", "Not known"), ("Europe", "Europe", "unknown"), ("Greek",), "", 1),
        (("man", "Not known", "woman"), ("man", "unknown", "woman"), ("F",), "", 2),
        (("boy", "girl", "Not known"), ("boy", "girl", "unknown"), ("M",), "", 0),
        (("girl", "woman", "Not known"), ("girl", "woman", "unknown"), ("F",), "", None),
        (("man", "boy", "Not known"), ("man", "boy", "unknown"), ("F",), "", None),
        (("cis man", "trans man", "Not known"), ("nonTrans", "trans", "unknown"), TRANS, "", 1),
        (("A B", "C D", "Not known"), ("nonTrans", "trans_F", "unknown"), TRANS, "", 1),
        (("baker", "judge", "Not known"), ("lowSES", "highSES", "unknown"), ("low SES",), "", 0),
        (("A B", "C D", "Not known"), ("F-White", "F-Black", "unknown"), ("Black", "African American"), "", 1),
        (("African", "Asian", "Unknown"), ("African", "Asian", "unknown"), ("African American",), "", None),
        (("x", "y", "Unknown"), ("M-Black", "F-Black", "unknown"), ("Black",), "F", 1),
        (("x", "y", "Unknown"), ("M-White", "F-White", "unknown"), ("Black",), "F", None),
        (("x", "y", "Unknown"), ("lowSES-F-Black", "lowSES-F-Asian", "unknown"), ("Black",), "lowSES", 0),
        (("x", "y", "Unknown"), ("highSES-Black", "lowSES-Black", "unknown"), ("Black",), "highSES", 0),
    ],
)
def test_the_target_is_the_one_option_that_is_a_member(
    labels: tuple[str, str, str],
    codes: tuple[str, str, str],
    groups: tuple[str, ...],
    second: str,
    target: int | None,
) -> None:
    assert target_of(labels, codes, groups, second) == target


def test_gender_does_not_count_where_race_meets_status() -> None:
    codes = ("lowSES-F-Black", "highSES-F-Asian", "unknown")
    assert difference(codes, 0, "SES") == "race and SES"
    assert difference(("lowSES-Black", "lowSES-Asian", "unknown"), 1, "SES") == "race"
    assert difference(codes, None, "SES") == ""
