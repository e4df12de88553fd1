"""Files of rules: what they may hold, and one line for what is wrong."""

from pathlib import Path

import pytest

from plumbline.findings.gate.rules import read_rules
from plumbline.spec.errors import InputError

ONE = "{name: a, statistic: s, smallest_effect: 1}"


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "rules.yaml"
    path.write_text(text)
    return path


def test_a_rule_counts_what_is_missing_as_a_breach_unless_it_says_otherwise(tmp_path: Path) -> None:
    (rule,) = read_rules(written(tmp_path, f"rules: [{ONE}]"))
    assert (rule.against, rule.missing, rule.not_testable, rule.no_baseline) == ("nothing", *["breach"] * 3)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[1]", "must be a mapping with the key rules"),
        ("rules: []", "rules: is empty"),
        ("rules: [{name: a, statistic: s}]", "smallest_effect: is missing"),
        ("rules: [{name: a, statistic: s, smallest_effect: 0}]", "greater than 0"),
        ("rules: [{name: a, statistic: s, smallest_effect: .nan}]", "no number"),
        ("rules: [{name: a, statistic: s, smallest_effect: 1, grup: x}]", "grup: unknown key"),
        ("rules: [{name: a, statistic: s, smallest_effect: 1, against: yesterday}]", "'last run'"),
        ("rules: [{name: a, statistic: s, smallest_effect: 1, against: baseline, variant: v}]", "take variant out"),
        ("rules: [{name: a, statistic: s, smallest_effect: 1, attribute: x, every_word: true}]", "not both"),
        (f"rules: [{ONE}, {ONE}]", "two rules have the name 'a'"),
        ("rules: [", "not valid YAML"),
    ],
)
def test_a_wrong_file_is_told_in_one_line(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(InputError) as error:
        read_rules(written(tmp_path, text))
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read the rules"):
        read_rules(tmp_path / "none.yaml")
