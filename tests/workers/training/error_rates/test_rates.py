"""Error rates by group, worked by hand, and files of templates and words with faults."""

from pathlib import Path

import numpy as np
import pytest

from plumbline.spec.errors import InputError
from plumbline.spec.grammar import Word
from workers.training.error_rates.rates import changes, error_rates, rates_by_kind
from workers.training.error_rates.sentences import STARTER, Sentences, Template, read_sentences

TEMPLATES = [
    Template("{group} is slow.", False, "slow"),
    Template("{group} was slow.", False, "slow"),
    Template("{group} is rude.", False, "rude"),
    Template("{group} is kind.", True, "kind"),
]
WORDS = {"women": [Word("she")], "men": [Word("he"), Word("him")]}
SENTENCES = Sentences(TEMPLATES, WORDS)


def by_kind(*rows: str) -> dict[str, dict[str, list[float]]]:
    """Of predictions as signs, one row for each template: of she, he and him."""
    positive = np.array([sign == "+" for row in rows for sign in row])
    found = rates_by_kind(SENTENCES, positive)
    return {name: {group: list(of) for group, of in groups.items()} for name, groups in found.items()}


def test_words_are_averaged_in_templates_and_templates_in_kinds() -> None:
    assert SENTENCES.texts()[:3] == ["she is slow.", "he is slow.", "him is slow."]
    assert by_kind("++-", "---", "-++", "+-+") == {
        "false_positive_rate": {"women": [0.5, 0.0], "men": [0.25, 1.0]},
        "true_positive_rate": {"women": [1.0], "men": [0.5]},
    }


def of_rates(women: float, men: float, kinds: int = 24) -> dict[str, dict[str, np.ndarray]]:
    jitter = 0.02 * (np.arange(kinds) % 5 - 2)
    rates = {"women": women + jitter, "men": men - jitter}
    return {"false_positive_rate": rates, "true_positive_rate": {name: np.full(kinds, 0.9) for name in rates}}


def test_a_difference_has_its_direction_and_a_verdict_in_one_family() -> None:
    found = error_rates(of_rates(0.6, 0.2))
    fpr, tpr = found.differences
    assert (fpr.group_a, fpr.group_b, fpr.verdict, fpr.smallest_effect) == ("women", "men", "present", 0.05)
    assert fpr.value == pytest.approx(0.4, abs=0.01)
    assert (tpr.value, tpr.verdict) == (0.0, "undecided"), "24 kinds cannot show that nothing is there"
    assert fpr.q_value is not None
    assert fpr.q_value == pytest.approx(2 * (fpr.p_value or 1))
    assert [one.value for one in found.rates if one.group_a == "men"] == pytest.approx([0.2, 0.9], abs=0.01)


def test_a_difference_below_the_smallest_effect_is_never_present() -> None:
    assert error_rates(of_rates(0.43, 0.40)).differences[0].verdict != "present"


def test_few_kinds_have_an_interval_and_no_verdict() -> None:
    found = error_rates(of_rates(0.6, 0.2, kinds=19)).differences[0]
    assert (found.verdict, found.q_value, found.reason) == (
        "not testable",
        None,
        "a verdict needs 20 kinds of template",
    )
    assert found.ci_low is not None


def test_a_change_is_after_minus_before() -> None:
    fpr, tpr = changes(of_rates(0.6, 0.2), of_rates(0.3, 0.2))
    assert fpr.value == pytest.approx(-0.3)
    assert fpr.statistic == "false_positive_rate_difference_change"
    assert (fpr.verdict, tpr.verdict) == ("present", "undecided")


def test_the_starter_has_enough_kinds_for_a_verdict_and_the_same_words_for_both_groups() -> None:
    starter = read_sentences(STARTER, STARTER)
    kinds = {label: {one.kind for one in starter.templates if one.positive == label} for label in (True, False)}
    assert {label: len(names) for label, names in kinds.items()} == {True: 24, False: 24}
    assert {group: len(words) for group, words in starter.words.items()} == {"women": 8, "men": 8}
    assert len(set(starter.texts())) == 48 * 16


@pytest.mark.parametrize(
    ("templates", "words", "told"),
    [
        ("template\n{group} is.\n", "", "has no column label"),
        ("template,label\n{group} is.,yes\n", "", "line 2 has the label 'yes': write 1"),
        ("template,label\nNobody is.,1\n", "", r"line 2: template 'Nobody is.' has no slot"),
        ("template,label\n{name} is.,1\n", "", r"line 2: .* lacks the slot \{group\}"),
        ("template,label\n{group} is.,1\n", "", "needs templates of both labels"),
        ("", "group,word\nwomen,woman\n", "names 1 of at least 2 groups"),
        ("", "group,word\nwomen,\n", "line 2 has no group or no word"),
        (
            "template,label\n{group.plural} are.,1\n{group} is.,0\n",
            "group,word\na,b\nc,d\n",
            "needs the plural of group",
        ),
    ],
)
def test_a_fault_in_a_file_is_one_line_with_its_place(tmp_path: Path, templates: str, words: str, told: str) -> None:
    paths = []
    for name, text in (("templates.csv", templates), ("words.csv", words)):
        (tmp_path / name).write_text(text, encoding="utf-8")
        paths.append(str(tmp_path / name) if text else STARTER)
    with pytest.raises(InputError, match=told):
        read_sentences(*paths)
